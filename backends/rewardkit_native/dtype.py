"""Which arithmetic a run computes in where its configuration leaves that to be measured."""

from __future__ import annotations

from rewardkit.config import RunConfig
from rewardkit.config.sections import Dtype
from rewardkit.runs import RunFolder
from rewardkit_native.cpu_rates import gain_of_bfloat16
from rewardkit_native.distributed.parallel import Ranks
from rewardkit_native.model.loading import device_of

GAIN = 1.1
"""bfloat16 must be faster by this factor to be chosen: float32 learns as well, or better."""


def settle_dtype(config: RunConfig, ranks: Ranks, *, resume: bool) -> tuple[RunConfig, list[str]]:
    """Return the configuration with a type in the place of "auto", and why, in a line.

    A run that goes on keeps its type; a new one takes bfloat16 on a GPU, and on a CPU what is
    faster there, which the first of several processes tries. There is no line where a type
    was named.
    """
    if config.model.dtype != "auto":
        return config, []
    if resume:
        kept = RunFolder.open(config.folder).config()
        return config.in_type(kept.on_gpus().model.dtype), []
    if device_of(ranks.on_own_device(config.model)).startswith("cuda"):
        return config.on_gpus(), ["model.dtype: bfloat16, as on any GPU"]
    gain = ranks.on_first(gain_of_bfloat16)
    dtype: Dtype = "bfloat16" if gain > GAIN else "float32"
    return config.in_type(dtype), [
        f"model.dtype: {dtype}, since bfloat16 runs at {gain:.2g} times float32's speed here"
    ]
