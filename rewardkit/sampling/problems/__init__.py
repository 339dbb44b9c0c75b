"""Which problem next: rules that decide from recorded outcomes alone."""

from rewardkit.sampling.problems.base import Cursor, Draw, TaskSampler
from rewardkit.sampling.problems.nearest import AdaRft, Mopps
from rewardkit.sampling.problems.pools import Pools
from rewardkit.sampling.problems.remembering import Remembering, Retirement
from rewardkit.sampling.problems.walking import Greso

RULES: dict[str, type[Remembering]] = {
    "uniform": Remembering,
    "mopps": Mopps,
    "greso": Greso,
    "pools": Pools,
    "adarft": AdaRft,
}
"""The values of `sampling.curriculum.rule`; a plain run needs none of them, but a `TaskSampler`."""

__all__ = [
    "RULES",
    "AdaRft",
    "Cursor",
    "Draw",
    "Greso",
    "Mopps",
    "Pools",
    "Remembering",
    "Retirement",
    "TaskSampler",
]
