"""What rules share that look at several problems for each they draw, and take the nearest."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt

from rewardkit.errors import ConfigError
from rewardkit.sampling.order import EpochOrder
from rewardkit.sampling.problems.base import Draw
from rewardkit.sampling.problems.posterior import Indices
from rewardkit.sampling.problems.remembering import Remembering


class Nearest(Remembering):
    """Takes the next candidates of the shuffled epochs, and of them the nearest to a target.

    The candidates are all problems where these are few, and in no mixture. Work and memory of a
    step do not grow with the number of problems, and each problem is a candidate once an epoch.

    Args:
        count: how many problems there are.
        seed: the run's.
        **settings: those of `Remembering`.
        candidates: problems looked at for each one drawn.
        explore: the least share of new problems among all draws, as long as there are any.
    """

    def __init__(
        self, count: int, seed: int, *, candidates: int = 16, explore: float = 0.1, **settings: Any
    ) -> None:
        super().__init__(count, seed, **settings)
        if candidates < 2:
            raise ConfigError(f"candidates must be at least 2 for each draw, found {candidates}")
        if not 0 <= explore <= 1:
            raise ConfigError(f"explore is a share in [0, 1], found {explore}")
        self.candidates, self.explore = candidates, explore

    @abstractmethod
    def _distance(
        self, problems: Indices, generator: np.random.Generator
    ) -> npt.NDArray[np.float64]:
        """Return how far each candidate is from the target."""

    def _choose(self, n: int) -> list[Draw]:
        generator = self._generator()
        found = self._candidates(n)
        # Shuffled, so that equals are not taken by number.
        found = found[generator.permutation(len(found))]
        # Of all draws, and not of this call: of steps of two a tenth would be one of two.
        before = self.cursor.drawn
        wanted = math.ceil(self.explore * (before + n)) - math.ceil(self.explore * before)
        new = found[self.last_step[found] < 0][:wanted]
        known = found[~np.isin(found, new)]
        distance = self._distance(known, generator)
        # Of equals, what was not seen for longest.
        nearest = known[np.lexsort((self.last_step[known], distance))]
        chosen = [*new.tolist(), *nearest.tolist()][:n]
        self._taken.update(chosen)
        return self._numbered(chosen + self._rest(n - len(chosen)))

    def _candidates(self, n: int) -> Indices:
        wanted = self.candidates * n
        if wanted >= self.count and isinstance(self.order, EpochOrder):
            free = ~self.blocked
            free[list(self._taken)] = False
            return np.flatnonzero(free)
        found: list[int] = []
        place = self.cursor.place
        end = place + self.count
        while len(found) < wanted and place < end:
            if self._free(problem := self.order.at(place)):
                found.append(problem)
            place += 1
        self.cursor = self.cursor._replace(place=place)
        # The window may reach over the end of an epoch.
        return np.array(list(dict.fromkeys(found)), dtype=np.intp)
