"""Pools by last solve rate: new, hard, middling and easy problems, each with a weight."""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rewardkit.errors import ConfigError
from rewardkit.sampling.counts import Visit
from rewardkit.sampling.order import EpochOrder
from rewardkit.sampling.problems.base import Draw
from rewardkit.sampling.problems.remembering import Remembering, rule

POOLS = ("new", "hard", "middling", "easy")
TRIES = 64
"""Draws from a pool before it counts as used up by the step."""


@rule("pools")
class Pools(Remembering):
    """Draws a pool, then a problem of it; a problem's chance is in proportion to its pool's weight.

    Args:
        count: how many problems there are.
        seed: the run's.
        **settings: those of `Remembering`.
        weights: of the pools new, hard, middling and easy.
        bounds: a problem is hard up to the first solve rate, easy above the second.
    """

    def __init__(
        self,
        count: int,
        seed: int,
        *,
        weights: tuple[float, ...] = (1.0, 0.2, 1.0, 0.2),
        bounds: tuple[float, ...] = (0.25, 0.75),
        **settings: Any,
    ) -> None:
        super().__init__(count, seed, **settings)
        if not isinstance(self.order, EpochOrder):
            raise ConfigError(
                "the rule pools knows nothing of the weights of a mixture; take mopps or greso, "
                "which draw from the mixture's stream"
            )
        if len(weights) != len(POOLS) or min(weights) < 0 or not sum(weights):
            raise ConfigError(
                f"weights are {len(POOLS)} numbers of 0 or more, one each for {', '.join(POOLS)}, "
                f"found {list(weights)}"
            )
        if len(bounds) != 2 or not 0 <= bounds[0] <= bounds[1] <= 1:
            raise ConfigError(f"bounds are two solve rates in order, found {list(bounds)}")
        self.weights, self.bounds = weights, bounds
        self._members = [array("i"), array("i"), array("i"), array("i")]
        self._pool: npt.NDArray[np.int8] = np.zeros(count, dtype=np.int8)
        self._place: npt.NDArray[np.int32] = np.arange(count, dtype=np.int32)
        prior = settings.get("prior")
        if prior is None:
            self._members[0].extend(range(count))
            return
        for problem, rate in enumerate(prior.rates.tolist()):
            self._pool[problem] = pool = 0 if rate != rate else self._pool_of(rate)
            self._place[problem] = len(self._members[pool])
            self._members[pool].append(problem)

    def metrics(self) -> dict[str, float]:
        """Return also how many problems each pool has."""
        sizes = {f"pool_{name}": len(self._members[i]) for i, name in enumerate(POOLS)}
        return {**super().metrics(), **sizes}

    def _choose(self, n: int) -> list[Draw]:
        chance = random.Random(f"pools {self.seed} {self.cursor.drawn}")
        chosen: list[int] = []
        used_up: set[int] = set()
        while len(chosen) < n and len(used_up) < len(POOLS):
            masses = [
                0.0 if i in used_up else self.weights[i] * len(members)
                for i, members in enumerate(self._members)
            ]
            if not sum(masses):
                break
            (pool,) = chance.choices(range(len(POOLS)), masses)
            problem = self._one_of(self._members[pool], chance)
            if problem is None:
                used_up.add(pool)
            else:
                chosen.append(problem)
                self._taken.add(problem)
        return self._numbered(chosen + self._rest(n - len(chosen)))

    def _one_of(self, members: Sequence[int], chance: random.Random) -> int | None:
        for _ in range(TRIES):
            problem = members[int(chance.random() * len(members))]
            if self._free(problem):
                return problem
        return next((problem for problem in members if self._free(problem)), None)

    def _learn(self, step: int, visits: Sequence[Visit]) -> None:
        super()._learn(step, visits)
        for found in visits:
            if found.decided:
                self._move(found.problem, self._pool_of(found.right / found.decided))

    def _pool_of(self, rate: float) -> int:
        return 1 + (rate > self.bounds[0]) + (rate > self.bounds[1])

    def _move(self, problem: int, pool: int) -> None:
        """Put a problem into another pool, in time that does not depend on their sizes."""
        old, place = self._members[self._pool[problem]], int(self._place[problem])
        last = old.pop()
        if last != problem:
            old[place] = last
            self._place[last] = place
        self._pool[problem] = pool
        self._place[problem] = len(self._members[pool])
        self._members[pool].append(problem)
