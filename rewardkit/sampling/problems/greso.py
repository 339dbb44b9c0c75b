"""A rule that walks through shuffled epochs, passing over some problems: GRESO."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rewardkit.sampling.counts import Visit
from rewardkit.sampling.problems.remembering import Remembering, rule

EASY_SHARE, HARD_SHARE = 1 / 12, 1 / 6
"""GRESO's targets: a quarter of the groups without signal, one easy for two hard ones."""
STEP, LEAST = 0.01, 0.01
"""How far a probability is moved after each step, and the least one to be drawn."""


@rule("greso")
class Greso(Remembering):
    """Passes over problems that were of one kind lately: GRESO (arXiv 2506.02177).

    A problem whose last c visits were all right (or all wrong) is drawn with probability
    max(p^c, .01); p, one for each kind, goes up by .01 after a step with fewer such groups than
    its target and down otherwise. `easy` and `hard` are both p, `skipped` is how many problems the
    last step passed over.
    """

    def __init__(self, count: int, seed: int, **settings: Any) -> None:
        super().__init__(count, seed, **settings)
        self.easy = self.hard = 0.5
        self.streak: npt.NDArray[np.int16] = np.zeros(count, dtype=np.int16)
        """Visits all right in a row; all wrong ones, as a negative number."""
        self.skipped = self._skips = 0

    def chance(self, problem: int) -> float:
        """Return the probability with which a problem is drawn when its turn comes."""
        streak = int(self.streak[problem])
        return max((self.easy if streak > 0 else self.hard) ** abs(streak), LEAST)

    def metrics(self) -> dict[str, float]:
        """Return also the two probabilities, and how many problems the step passed over."""
        own = {"p_easy": self.easy, "p_hard": self.hard, "skipped": self.skipped}
        return {**super().metrics(), **own}

    def _may(self, problem: int) -> bool:
        return self._free(problem)

    def _accepts(self, place: int, problem: int) -> bool:
        chance = self.chance(problem)
        if chance < 1 and random.Random(f"skip {self.seed} {place}").random() >= chance:
            self._skips += 1
            return False
        return True

    def _learn(self, step: int, visits: Sequence[Visit]) -> None:
        super()._learn(step, visits)
        self.skipped, self._skips = self._skips, 0
        decided = [found for found in visits if found.decided]
        dead = [found for found in decided if not found.carries_signal]
        easy = sum(found.right > 0 for found in dead)
        hard = len(dead) - easy
        for found in decided:
            streak = int(self.streak[found.problem])
            if found.carries_signal:
                streak = 0
            elif found.right > 0:
                streak = max(streak, 0) + 1
            else:
                streak = min(streak, 0) - 1
            self.streak[found.problem] = max(min(streak, 1000), -1000)
        if decided:
            self.easy = _moved(self.easy, easy / len(decided) < EASY_SHARE)
            self.hard = _moved(self.hard, hard / len(decided) < HARD_SHARE)


def _moved(chance: float, up: bool) -> float:
    return min(max(chance + (STEP if up else -STEP), STEP), 1.0)
