"""How beliefs of solve rates move together: what teaches one problem teaches others of its kind.

Each kind of problems has one shift of their log-odds, s, which wanders: a Kalman filter. A step
adds `speed` to its variance V. A visit of a problem of which a solve rate p was expected, k right
and w wrong, says ln((k + ½)/(w + ½)) − ln(p/(1 − p)) of it, with the variance
1 + 1/(k + ½) + 1/(w + ½), where 1 is what problems of a kind differ by: many rollouts of one
problem say little of the others.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from rewardkit.errors import ConfigError

OWN = 1.0
"""The variance of log-odds among problems of a kind, beside what was expected of each."""


class Drift:
    """A shift of log-odds for each kind of problems.

    >>> drift = Drift(np.array([0, 0, 1]), speed=0.1)
    >>> drift.observe(0, expected=0.5, right=8, wrong=0)
    >>> [round(float(shift), 2) for shift in drift.of([0, 1, 2])]
    [0.69, 0.69, 0.0]
    """

    def __init__(self, kinds: npt.NDArray[np.int32], speed: float, variance: float = 1.0) -> None:
        if not speed > 0:
            raise ConfigError(f"the speed of a drift is above 0, found {speed}")
        self.kinds, self.speed = kinds, speed
        count = int(kinds.max(initial=0)) + 1
        self.shift = np.zeros(count)
        self.variance = np.full(count, variance)

    def pass_steps(self, steps: int) -> None:
        """Let so many steps go by."""
        self.variance += self.speed * steps

    def observe(self, problem: int, expected: float, right: int, wrong: int) -> None:
        """Learn from a visit of a problem of which a solve rate was expected."""
        kind = self.kinds[problem]
        more, less = right + 0.5, wrong + 0.5
        gain = self.variance[kind] / (self.variance[kind] + OWN + 1 / more + 1 / less)
        self.shift[kind] += gain * (math.log(more / less) - math.log(expected / (1 - expected)))
        self.variance[kind] *= 1 - gain

    def of(self, problems: Any) -> npt.NDArray[np.float64]:
        """Return the shift of each of the problems."""
        found: npt.NDArray[np.float64] = self.shift[self.kinds[problems]]
        return found
