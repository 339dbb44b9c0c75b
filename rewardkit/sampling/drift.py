"""How beliefs of solve rates move together: what teaches one problem teaches others of its kind.

Each kind of problems has one shift of their log-odds, s, which wanders: a Kalman filter, linear at
the solve rate that is expected. A step adds `speed` to its variance V. A visit of n rollouts, k of
them right, of which p was expected, brings the information I = n·p(1−p) / c with
c = 1 + n·p(1−p): problems of a kind differ, by one deviation of log-odds, so that many rollouts of
one problem say little of the others. V ← 1/(1/V + I), s ← s + V·(k − n·p) / c.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rewardkit.errors import ConfigError

LEAST = 0.02
"""Solve rates are expected to be at least so far from 0 and from 1."""


class Drift:
    """A shift of log-odds for each kind of problems.

    >>> drift = Drift(np.array([0, 0, 1]), speed=0.1)
    >>> drift.observe(0, expected=0.5, right=8, wrong=0)
    >>> [round(float(shift), 2) for shift in drift.of([0, 1, 2])]
    [0.8, 0.8, 0.0]
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
        kind, rollouts = self.kinds[problem], right + wrong
        rate = min(max(expected, LEAST), 1 - LEAST)
        spread = rollouts * rate * (1 - rate)
        self.variance[kind] /= 1 + self.variance[kind] * spread / (1 + spread)
        surprise = (right - rollouts * rate) / (1 + spread)
        self.shift[kind] += self.variance[kind] * surprise

    def of(self, problems: Any) -> npt.NDArray[np.float64]:
        """Return the shift of each of the problems."""
        found: npt.NDArray[np.float64] = self.shift[self.kinds[problems]]
        return found
