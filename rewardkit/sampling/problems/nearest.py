"""Rules that look at several problems for each that they draw, and take the nearest to a target."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rewardkit.errors import ConfigError
from rewardkit.sampling.counts import Visit
from rewardkit.sampling.order import EpochOrder
from rewardkit.sampling.posterior import Indices, Prior
from rewardkit.sampling.problems.base import Draw
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


class Mopps(Nearest):
    """Draws a solve rate for each candidate from what is believed of it: MoPPS (2507.04632).

    The nearest to an aim are asked. Uncertain ones are far from it in one draw and near in
    another, which is how the rule explores. The belief lags behind a policy that improves, so that
    what it takes for middling is easy by now: the `aim` starts at `target`, and moves by
    `steer`·(target − solve rate) after each step, over problems that were known, seen before or in
    the prior. The paper's rule is `steer=0`.
    """

    def __init__(
        self, count: int, seed: int, *, target: float = 0.5, steer: float = 0.1, **settings: Any
    ) -> None:
        super().__init__(count, seed, **settings)
        if not 0 < target < 1:
            raise ConfigError(f"the target of a solve rate is in (0, 1), found {target}")
        if not 0 <= steer <= 1:
            raise ConfigError(f"steer is in [0, 1], found {steer}")
        self.target, self.steer = target, steer
        self.aim = target
        prior: Prior | None = settings.get("prior")
        self._rated = np.zeros(count, dtype=np.bool_) if prior is None else ~np.isnan(prior.rates)

    def metrics(self) -> dict[str, float]:
        """Return also where the rule aims."""
        return {**super().metrics(), "aim": self.aim}

    def _learn(self, step: int, visits: Sequence[Visit]) -> None:
        known = [
            found
            for found in visits
            if self._rated[found.problem] or self.last_step[found.problem] >= 0
        ]
        super()._learn(step, visits)
        if decided := sum(found.decided for found in known):
            rate = sum(found.right for found in known) / decided
            self.aim = min(max(self.aim + self.steer * (self.target - rate), 0.05), 0.95)

    def _distance(
        self, problems: Indices, generator: np.random.Generator
    ) -> npt.NDArray[np.float64]:
        found: npt.NDArray[np.float64] = np.abs(self.belief.draw(problems, generator) - self.aim)
        return found


class AdaRft(Nearest):
    """Follows the policy with a target difficulty: AdaRFT (arXiv 2504.05520).

    The `difficulty` of a problem is 1 − its solve rate in the prior, which this rule needs; the
    `target` is T ← T + η·tanh(α·(R̄ − β)) after each step, within [0, 1], where R̄ is the step's
    solve rate and β the rate that is aimed at.
    """

    def __init__(
        self,
        count: int,
        seed: int,
        *,
        aim: float = 0.5,
        rate: float = 0.05,
        sharpness: float = 2.0,
        **settings: Any,
    ) -> None:
        super().__init__(count, seed, **settings)
        prior = settings.get("prior")
        if prior is None:
            raise ConfigError(
                "the rule adarft needs difficulties; name a file of solve rates with "
                "--set sampling.curriculum.prior=FILE"
            )
        self.difficulty = np.nan_to_num(1 - prior.rates, nan=0.5)
        self.aim, self.rate, self.sharpness = aim, rate, sharpness
        self.target = 0.0

    def metrics(self) -> dict[str, float]:
        """Return also the target."""
        return {**super().metrics(), "target_difficulty": self.target}

    def _distance(
        self, problems: Indices, generator: np.random.Generator
    ) -> npt.NDArray[np.float64]:
        found: npt.NDArray[np.float64] = np.abs(self.difficulty[problems] - self.target)
        return found

    def _learn(self, step: int, visits: Sequence[Visit]) -> None:
        super()._learn(step, visits)
        if decided := sum(found.decided for found in visits):
            mean = sum(found.right for found in visits) / decided
            moved = self.target + self.rate * math.tanh(self.sharpness * (mean - self.aim))
            self.target = min(max(moved, 0.0), 1.0)
