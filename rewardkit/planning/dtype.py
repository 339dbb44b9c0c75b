"""Which arithmetic a run computes in where its configuration leaves that to be measured."""

from __future__ import annotations

from collections.abc import Callable

from rewardkit.config import RunConfig
from rewardkit.config.sections import Dtype
from rewardkit.runs import RunFolder

GAIN = 1.1
"""bfloat16 must be faster by this factor to be chosen: float32 learns as well, or better."""


def settle_dtype(
    config: RunConfig, device: str, gain: Callable[[], float], *, resume: bool
) -> tuple[RunConfig, list[str]]:
    """Return the configuration with a type in the place of "auto", and why, in a line.

    A run that goes on keeps its type; a new one takes bfloat16 on a GPU, and on a CPU what is
    faster there. There is no line where a type was named.

    Args:
        config: what was asked for.
        device: where the run computes.
        gain: tries how many times as fast as float32 bfloat16 is on this CPU.
        resume: whether the run goes on.
    """
    if config.model.dtype != "auto":
        return config, []
    if resume:
        kept = RunFolder.open(config.folder).config()
        return config.in_type(kept.on_gpus().model.dtype), []
    if device.startswith("cuda"):
        return config.on_gpus(), ["model.dtype: bfloat16, as on any GPU"]
    found = gain()
    dtype: Dtype = "bfloat16" if found > GAIN else "float32"
    return config.in_type(dtype), [
        f"model.dtype: {dtype}, since bfloat16 runs at {found:.2g} times float32's speed here"
    ]
