"""A rule whose target difficulty follows the policy: AdaRFT."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rewardkit.errors import ConfigError
from rewardkit.sampling.counts import Visit
from rewardkit.sampling.problems.nearest import Nearest
from rewardkit.sampling.problems.posterior import Indices
from rewardkit.sampling.problems.remembering import rule


@rule("adarft")
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
