"""Which problem next: the plain stream, and rules that decide from recorded outcomes alone.

A rule is a subclass of `Remembering` below `@rule(name)`, in a file of its own.
"""

from rewardkit.sampling.problems.adarft import AdaRft
from rewardkit.sampling.problems.base import Cursor, Draw, TaskSampler
from rewardkit.sampling.problems.greso import Greso
from rewardkit.sampling.problems.mopps import Mopps
from rewardkit.sampling.problems.pools import Pools
from rewardkit.sampling.problems.remembering import RULES, Remembering, Retirement

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
