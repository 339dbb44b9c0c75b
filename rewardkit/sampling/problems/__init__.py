"""Which problem next: rules that decide from recorded outcomes alone."""

from rewardkit.sampling.problems.base import Cursor, Draw, Retirement, TaskSampler
from rewardkit.sampling.problems.nearest import AdaRft, Mopps
from rewardkit.sampling.problems.pools import Pools
from rewardkit.sampling.problems.walking import Greso, Uniform

RULES: dict[str, type[TaskSampler]] = {
    "uniform": Uniform,
    "mopps": Mopps,
    "greso": Greso,
    "pools": Pools,
    "adarft": AdaRft,
}
"""The values of `sampling.curriculum.rule`."""

__all__ = [
    "RULES",
    "AdaRft",
    "Cursor",
    "Draw",
    "Greso",
    "Mopps",
    "Pools",
    "Retirement",
    "TaskSampler",
    "Uniform",
]
