"""What is believed of every problem's solve rate: a Beta distribution that forgets.

MoPPS (arXiv 2507.04632): α ← λα + (1−λ)α₀ + right, and β likewise with wrong, at each visit. The
decay λ lets the belief follow a policy that moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rewardkit.errors import ConfigError
from rewardkit.sampling.problems.drift import Drift

Floats = npt.NDArray[np.float32]
Indices = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Prior:
    """Solve rates that were known before the run; nan where one is not.

    `strength` is how many rollouts a known rate counts for.
    """

    rates: npt.NDArray[np.float64]
    strength: float = 4.0

    def __post_init__(self) -> None:
        known = self.rates[~np.isnan(self.rates)]
        if known.size and not (known.min() >= 0 and known.max() <= 1):
            raise ConfigError(
                f"a solve rate lies in [0, 1], found {known.min():g} to {known.max():g}; divide "
                "percentages by 100"
            )


class Posterior:
    """A Beta(α, β) a problem: 16 bytes each with a prior, 8 without.

    >>> belief = Posterior(2, decay=1.0)
    >>> belief.observe(0, right=3, wrong=0)
    >>> belief.mean([0, 1]).tolist()
    [0.800000011920929, 0.5]
    """

    def __init__(
        self, count: int, decay: float, prior: Prior | None = None, drift: Drift | None = None
    ) -> None:
        self.decay, self.drift = decay, drift
        self._alpha_0: Floats | None = None
        self._beta_0: Floats | None = None
        self.alpha: Floats = np.ones(count, dtype=np.float32)
        self.beta: Floats = np.ones(count, dtype=np.float32)
        # The shift that each belief was written down at.
        self._shift: Floats = np.zeros(count if drift else 0, dtype=np.float32)
        if prior is None:
            return
        if len(prior.rates) != count:
            raise ConfigError(f"a prior of {len(prior.rates)} problems for a task of {count}")
        known = ~np.isnan(prior.rates)
        # Half a rollout of either kind besides: no rate is believed to be exactly 0 or 1.
        self.alpha[known] = (prior.strength * prior.rates[known] + 0.5).astype(np.float32)
        self.beta[known] = (prior.strength * (1 - prior.rates[known]) + 0.5).astype(np.float32)
        self._alpha_0, self._beta_0 = self.alpha.copy(), self.beta.copy()

    def observe(self, problem: int, right: int, wrong: int) -> None:
        """Learn from a visit."""
        alpha_0 = 1.0 if self._alpha_0 is None else self._alpha_0[problem]
        beta_0 = 1.0 if self._beta_0 is None else self._beta_0[problem]
        alpha, beta = self.alpha[problem], self.beta[problem]
        if self.drift:
            shift = self.drift.of(problem)
            alpha_0, beta_0 = moved(alpha_0, beta_0, shift)
            alpha, beta = moved(alpha, beta, shift - self._shift[problem])
            self.drift.observe(problem, float(alpha / (alpha + beta)), right, wrong)
            self._shift[problem] = self.drift.of(problem)
        fresh = 1 - self.decay
        self.alpha[problem] = self.decay * alpha + fresh * alpha_0 + right
        self.beta[problem] = self.decay * beta + fresh * beta_0 + wrong

    def mean(self, problems: Any) -> Floats:
        """Return the expected solve rate of each of the problems."""
        alpha, beta = self.alpha[problems], self.beta[problems]
        if self.drift:
            alpha, beta = moved(alpha, beta, self.drift.of(problems) - self._shift[problems])
        found: Floats = alpha / (alpha + beta)
        return found

    def draw(self, problems: Indices, generator: np.random.Generator) -> npt.NDArray[np.float64]:
        """Return a solve rate drawn for each of the problems (Thompson)."""
        alpha, beta = self.alpha[problems], self.beta[problems]
        if self.drift:
            alpha, beta = moved(alpha, beta, self.drift.of(problems) - self._shift[problems])
        return generator.beta(alpha, beta)


def moved(alpha: Any, beta: Any, shift: Any) -> tuple[Any, Any]:
    """Return a belief as strong, with the log-odds of its mean shifted, within .002 and .998."""
    odds = np.clip(np.log(alpha / beta) + shift, -6, 6)
    mean = 1 / (1 + np.exp(-odds))
    return mean * (alpha + beta), (1 - mean) * (alpha + beta)
