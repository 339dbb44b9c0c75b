"""What rules share that remember problems: beliefs, retirement, calibration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from rewardkit.errors import ConfigError
from rewardkit.sampling.counts import Visit
from rewardkit.sampling.problems.base import Draw, TaskSampler
from rewardkit.sampling.problems.drift import Drift
from rewardkit.sampling.problems.posterior import Posterior, Prior

R = TypeVar("R", bound="Remembering")


@dataclass(frozen=True)
class Retirement:
    """Problems whose last visit was right at least so often are not drawn for so many steps."""

    bound: float = 0.875
    """The solve rate from which on a problem is put aside."""
    steps: int = 100
    """For so many steps."""

    def __post_init__(self) -> None:
        if not 0 < self.bound <= 1:
            raise ConfigError(f"problems retire at a solve rate in (0, 1], found {self.bound}")
        if self.steps < 1:
            raise ConfigError(f"retired problems return after 1 step or more, found {self.steps}")


RULES: dict[str, type[Remembering]] = {}
"""The values of `sampling.curriculum.rule`; a plain run needs none of them, but a `TaskSampler`."""


def rule(name: str) -> Callable[[type[R]], type[R]]:
    """Make a class known as the rule of that name."""

    def register(made: type[R]) -> type[R]:
        RULES[name] = made
        return made

    return register


class Remembering(TaskSampler):
    """Remembers the visits of each problem; `belief` is what follows from the table of counts.

    As a rule of its own, all problems alike: without retirement exactly the plain stream.

    Args:
        count: how many problems there are.
        seed: the run's.
        decay: λ of the belief (`rewardkit.sampling.problems.posterior`).
        prior: solve rates known beforehand.
        drift: how beliefs move together, if at all.
        retirement: when problems are put aside, if at all.
        **settings: those of `TaskSampler`.
    """

    def __init__(
        self,
        count: int,
        seed: int,
        *,
        decay: float = 0.5,
        prior: Prior | None = None,
        drift: Drift | None = None,
        retirement: Retirement | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(count, seed, **settings)
        self.belief = Posterior(count, decay, prior, drift)
        self.retirement = retirement
        self.last_step: npt.NDArray[np.int32] = np.full(count, -1, dtype=np.int32)
        """The step of each problem's last visit; -1 for one that is new."""
        self._retired: dict[int, int] = {}  # problem -> since which step, the earliest first
        self._explored = self._learned = 0
        self._right = self._decided = 0
        self._brier = self._constant = float("nan")

    def next(self, n: int) -> list[Draw]:
        """Return the next `n` draws, of which some may have come back from retirement."""
        self._bring_back(self.cursor.step + 1)
        return super().next(n)

    def predict(self, problem: int) -> float:
        """Return the solve rate that is expected of a problem."""
        return float(self.belief.mean(problem))

    def metrics(self) -> dict[str, float]:
        """Return what there is to say of the last step.

        `brier` is the mean squared error of the predicted solve rate over the step's rollouts, and
        `brier_constant` that of predicting the mean of all steps before.
        """
        return {
            "explored": self._explored,
            "retired": len(self._retired),
            "brier": self._brier,
            "brier_constant": self._constant,
        }

    def _learn(self, step: int, visits: Sequence[Visit]) -> None:
        super()._learn(step, visits)
        self._bring_back(step)
        if self.belief.drift and visits:  # one without any is not in the table
            self.belief.drift.pass_steps(step - self._learned)
            self._learned = step
        self._calibrate(visits)
        self._explored = 0
        for found in visits:
            self._explored += bool(self.last_step[found.problem] < 0)
            self.last_step[found.problem] = step
            if found.decided:
                self.belief.observe(found.problem, found.right, found.wrong)
                self._retire(step, found)

    def _retire(self, step: int, found: Visit) -> None:
        self._retired.pop(found.problem, None)
        self.blocked[found.problem] = False
        if self.retirement and found.right >= self.retirement.bound * found.decided:
            self._retired[found.problem] = step
            self.blocked[found.problem] = True

    def _bring_back(self, step: int) -> None:
        while self._retired:
            problem, since = next(iter(self._retired.items()))
            assert self.retirement is not None
            if step - since <= self.retirement.steps:
                return
            del self._retired[problem]
            self.blocked[problem] = False

    def _calibrate(self, visits: Sequence[Visit]) -> None:
        constant = self._right / self._decided if self._decided else 0.5
        errors = [0.0, 0.0]
        for found in visits:
            for i, rate in enumerate((self.predict(found.problem), constant)):
                errors[i] += found.right * (1 - rate) ** 2 + found.wrong * rate**2
        decided = sum(found.decided for found in visits)
        self._brier = errors[0] / decided if decided else float("nan")
        self._constant = errors[1] / decided if decided else float("nan")
        self._right += sum(found.right for found in visits)
        self._decided += decided

    def _rest(self, n: int) -> list[int]:
        """Return `n` problems where the rule finds no more.

        The longest retired come back first; then what the step has had already.
        """
        back = [problem for problem in self._retired if problem not in self._taken][:n]
        return back + super()._rest(n - len(back))

    def _generator(self) -> np.random.Generator:
        """Return random numbers that belong to this call of `next` alone."""
        return np.random.Generator(np.random.Philox(key=[self.seed % 2**64, self.cursor.drawn]))


rule("uniform")(Remembering)
