"""A rule that asks what is believed to be middling, and explores what it does not know: MoPPS."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rewardkit.errors import ConfigError
from rewardkit.sampling.counts import Visit
from rewardkit.sampling.problems.nearest import Nearest
from rewardkit.sampling.problems.posterior import Indices, Prior
from rewardkit.sampling.problems.remembering import rule


@rule("mopps")
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
