"""What every rule for the next problem shares: a memory of visits, retirement, calibration."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rewardkit.errors import ConfigError
from rewardkit.sampling.counts import CountTable, Visit
from rewardkit.sampling.drift import Drift
from rewardkit.sampling.order import EpochOrder, Order
from rewardkit.sampling.posterior import Posterior, Prior


class Draw(NamedTuple):
    """A problem to ask, by its number, and a position that no other draw of the run has.

    Seeds of rollouts are functions of the position, so a problem that is met again is answered
    anew.
    """

    position: int
    """Its place in the stream of problems."""
    problem: int
    """Its index in the training set."""


class Cursor(NamedTuple):
    """All that a sampler must be told besides the table to go on where it was."""

    step: int = 0
    """Steps observed."""
    place: int = 0
    """The next position in the stream of shuffled epochs."""
    drawn: int = 0
    """Draws made."""


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


class TaskSampler(ABC):
    """Says which problem is next: `next(n)` any number of times, then `observe` once, a step.

    What it says is a function of the seed, the step and the table of counts: no clock, no order of
    arrival, no hidden generator. `restore` gives a fresh one the same future, from its `cursor` in
    the stream and its `table` of counts; `belief` is what follows from that table.

    Args:
        count: how many problems there are.
        seed: the run's.
        problems: the fingerprint of the set, kept in the table.
        order: the plain stream; shuffled epochs, unless it is given.
        decay: λ of the belief (`rewardkit.sampling.posterior`).
        prior: solve rates known beforehand.
        drift: how beliefs move together, if at all.
        retirement: when problems are put aside, if at all.
    """

    def __init__(
        self,
        count: int,
        seed: int,
        *,
        problems: str = "",
        order: Order | None = None,
        decay: float = 0.5,
        prior: Prior | None = None,
        drift: Drift | None = None,
        retirement: Retirement | None = None,
    ) -> None:
        self.count, self.seed = count, seed
        self.order: Order = order or EpochOrder(count, seed)
        self.table = CountTable(problems)
        self.belief = Posterior(count, decay, prior, drift)
        self.retirement = retirement
        self.cursor = Cursor()
        self.last_step: npt.NDArray[np.int32] = np.full(count, -1, dtype=np.int32)
        """The step of each problem's last visit; -1 for one that is new."""
        self.blocked: npt.NDArray[np.bool_] = np.zeros(count, dtype=np.bool_)
        """Retired, or without room for a response."""
        self._retired: dict[int, int] = {}  # problem -> since which step, the earliest first
        self._taken: set[int] = set()  # in the step at hand
        self._explored = self._learned = 0
        self._right = self._decided = 0
        self._brier = self._constant = float("nan")

    def next(self, n: int) -> list[Draw]:
        """Return the next `n` draws; no problem twice in a step while there are others."""
        self._bring_back(self.cursor.step + 1)
        draws = self._choose(n)
        self._taken.update(draw.problem for draw in draws)
        self.cursor = self.cursor._replace(drawn=self.cursor.drawn + len(draws))
        return draws

    def observe(self, visits: Sequence[Visit]) -> None:
        """Learn what came of a step's draws, in the order in which they were drawn."""
        step = self.cursor.step + 1
        self.table.append(step, visits)
        self._learn(step, visits)
        self.cursor = self.cursor._replace(step=step)
        self._taken.clear()

    def restore(self, table: CountTable, cursor: Cursor) -> None:
        """Take over a saved table and cursor; for a sampler that has observed nothing yet."""
        for step, visits in table.steps():
            self._learn(step, visits)
        self.table, self.cursor = table, cursor

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

    @abstractmethod
    def _choose(self, n: int) -> list[Draw]:
        """Return `n` draws, and move the cursor's place if the rule goes through the epochs."""

    def _learn(self, step: int, visits: Sequence[Visit]) -> None:
        """Fold a step's counts into what is remembered; overridden by rules that remember more."""
        self._bring_back(step)
        if self.belief.drift and visits:  # one without any is not in the table
            self.belief.drift.pass_steps(step - self._learned)
            self._learned = step
        self._calibrate(visits)
        self._explored = 0
        for found in visits:
            self._explored += bool(self.last_step[found.problem] < 0)
            self.last_step[found.problem] = step
            if not found.asked:
                self.blocked[found.problem] = True  # for good: a prompt does not get shorter
            elif found.decided:
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

    def _free(self, problem: int) -> bool:
        """Whether a problem may be drawn now."""
        return not self.blocked[problem] and problem not in self._taken

    def _rest(self, n: int) -> list[int]:
        """Return `n` problems where the rule finds no more: better a problem again than none.

        The longest retired come back first; then what the step has had already.
        """
        back = [problem for problem in self._retired if problem not in self._taken][:n]
        place, missing = self.cursor.place, n - len(back)
        self.cursor = self.cursor._replace(place=place + missing)
        return back + [self.order.at(place + i) for i in range(missing)]

    def _generator(self) -> np.random.Generator:
        """Return random numbers that belong to this call of `next` alone."""
        return np.random.Generator(np.random.Philox(key=[self.seed % 2**64, self.cursor.drawn]))

    def _numbered(self, problems: Sequence[int]) -> list[Draw]:
        """Number draws by how many there were before."""
        return [Draw(self.cursor.drawn + i, problem) for i, problem in enumerate(problems)]
