"""Make verl run on the CPU, in this process: what is registered with it, and what is patched.

verl's modules import the patched names from where they are defined, so these are replaced before
those modules are imported; the plugin sees to that.
"""

from __future__ import annotations

import os
from typing import Any

PATCHES = (
    "verl.utils.distributed.initialize_global_process_group_ray: the process group's backend is "
    '"cpu:gloo" and not "cpu:gloo,cpu:gloo", which torch refuses',
    "verl.utils.fsdp_utils.CPUOffloadPolicy: pin_memory=False, since pinning needs an accelerator "
    "(the reference policy's engine asks for it)",
    "verl.utils.import_utils.is_trl_available: False, since verl asks TRL, where it is installed, "
    "for a class that TRL 1.x no longer has",
    "verl.utils.model.load_valuehead_model: PPO's critic runs with sdpa attention, and not with "
    "flash_attention_2, which needs an accelerator",
    "verl.workers.rollout.base._ROLLOUT_REGISTRY: one more entry, for the transformers rollout",
)
"""What is changed in verl beyond its public extension points."""


def activate() -> None:
    """Register the platform and the rollout with verl, and apply the patches; idempotent."""
    # verl's FSDP engines are registered for "cuda" and "npu"; they run on any torch device.
    os.environ.setdefault("VERL_ENGINE_DEVICE", "cuda")
    from rewardkit_verl_cpu import platform

    platform.register()
    for patch in (_patch_process_group, _patch_offload_policy, _patch_trl, _patch_critic):
        patch()
    # Only now: what it imports of verl asks for the platform, and takes what is patched by name.
    from rewardkit_verl_cpu import rollout

    rollout.register()


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
