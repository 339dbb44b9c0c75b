"""The functions of verl 0.9.1 that cannot work as they are on a CPU, or beside a recent TRL.

verl's modules import these names from where they are defined, so they must be replaced before
those modules are imported; the plugin sees to that.
"""

from __future__ import annotations

from typing import Any


def apply() -> None:
    """Replace them all."""
    _patch_process_group()
    _patch_offload_policy()
    _patch_trl()
    _patch_critic()


def _patch_process_group() -> None:
    """Ask for "cpu:gloo" once: verl names a backend for the host and one for the device."""
    from verl.utils import distributed

    original = distributed.initialize_global_process_group_ray

    def initialize(timeout_second: int | None = None, backend: str | None = None) -> None:
        original(timeout_second=timeout_second, backend=backend or "cpu:gloo")

    distributed.initialize_global_process_group_ray = initialize


def _patch_offload_policy() -> None:
    """Never pin memory: the reference policy's engine says pin_memory=True in so many words."""
    from verl.utils import fsdp_utils

    class CPUOffloadPolicy(fsdp_utils.CPUOffloadPolicy):  # a dataclass, told apart by its type
        def __init__(self, **_: Any) -> None:
            super().__init__(pin_memory=False)

    fsdp_utils.CPUOffloadPolicy = CPUOffloadPolicy


def _patch_trl() -> None:
    """Hide TRL: verl asks any TRL it finds for a class that left it, to no use here."""
    from verl.utils import import_utils

    import_utils.is_trl_available = lambda: False


def _patch_critic() -> None:
    """Load PPO's critic with torch's own attention: verl says flash_attention_2 in so many words.

    What is loaded is what verl loads first of all: the model with one value a token for its head.
    """
    from verl.utils import model

    def load(local_path: str, torch_dtype: Any, model_config: Any, trust_remote_code: bool) -> Any:
        from transformers import AutoModelForTokenClassification

        return AutoModelForTokenClassification.from_pretrained(
            local_path,
            dtype=torch_dtype,
            config=model_config,
            attn_implementation="sdpa",
            trust_remote_code=trust_remote_code,
        )

    model.load_valuehead_model = load
