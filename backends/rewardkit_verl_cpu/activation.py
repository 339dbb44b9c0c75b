"""Make verl run on the CPU, in this process."""

from __future__ import annotations

import os

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
    from rewardkit_verl_cpu import patches, platform

    platform.register()
    patches.apply()
    # Only now: what it imports of verl asks for the platform, and takes what is patched by name.
    from rewardkit_verl_cpu import rollout

    rollout.register()
