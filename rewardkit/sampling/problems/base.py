"""Which problem is next: all alike, in shuffled epochs; what every other rule begins with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rewardkit.errors import ConfigError
from rewardkit.sampling.counts import CountTable, Visit
from rewardkit.sampling.order import EpochOrder, Order


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


class TaskSampler:
    """Says which problem is next: `next(n)` any number of times, then `observe` once, a step.

    What it says is a function of the seed, the step and the table of counts: no clock, no order of
    arrival, no hidden generator. `restore` gives a fresh one the same future, from its `cursor` in
    the stream and its `table` of counts. This one goes through the plain stream; other rules
    remember what came of problems (`rewardkit.sampling.problems.remembering`).

    Args:
        count: how many problems there are.
        seed: the run's.
        problems: the fingerprint of the set, kept in the table.
        order: the plain stream; shuffled epochs, unless it is given.

    >>> [draw.position for draw in TaskSampler(5, seed=0).next(3)]
    [0, 1, 2]
    """

    def __init__(
        self, count: int, seed: int, *, problems: str = "", order: Order | None = None
    ) -> None:
        self.count, self.seed = count, seed
        self.order: Order = order or EpochOrder(count, seed)
        self.table = CountTable(problems)
        self.cursor = Cursor()
        self.blocked: npt.NDArray[np.bool_] = np.zeros(count, dtype=np.bool_)
        """Not to be drawn: without room for a response, or retired."""
        self._taken: set[int] = set()  # in the step at hand

    def next(self, n: int) -> list[Draw]:
        """Return the next `n` draws; no problem twice in a step while there are others."""
        draws = self._choose(n)
        if len(draws) != n or not all(0 <= draw.problem < self.count for draw in draws):
            raise ConfigError(
                f"{type(self).__name__}._choose({n}) returned {draws!r:.80}, expected {n} draws of "
                f"problems 0 to {self.count - 1}"
            )
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
        """Return the solve rate that is expected of a problem: here of none is anything known."""
        return 0.5

    def metrics(self) -> dict[str, float]:
        """Return what there is to say of the last step."""
        return {}

    def _choose(self, n: int) -> list[Draw]:
        """Return `n` draws, and move the cursor's place if the rule goes through the epochs."""
        draws: list[Draw] = []
        place = self.cursor.place
        end = place + 2 * self.count  # two rounds without a find: there is nothing to find
        while len(draws) < n and place < end:
            problem = self.order.at(place)
            if self._may(problem):
                end = place + 2 * self.count
                if self._accepts(place, problem):
                    draws.append(Draw(place, problem))
                    self._taken.add(problem)
            place += 1
        self.cursor = self.cursor._replace(place=place)
        rest = self._rest(n - len(draws))
        # In the numbering of the stream: each takes a position that none had.
        place = self.cursor.place
        self.cursor = self.cursor._replace(place=place + len(rest))
        return draws + [Draw(place + i, problem) for i, problem in enumerate(rest)]

    def _may(self, problem: int) -> bool:
        # A step that reaches over the end of an epoch may meet a problem again.
        return not self.blocked[problem]

    def _accepts(self, place: int, problem: int) -> bool:
        return True

    def _learn(self, step: int, visits: Sequence[Visit]) -> None:
        """Fold a step's counts into what is remembered; overridden by rules that remember more."""
        for found in visits:
            if not found.asked:
                self.blocked[found.problem] = True  # for good: a prompt does not get shorter

    def _free(self, problem: int) -> bool:
        """Whether a problem may be drawn now."""
        return not self.blocked[problem] and problem not in self._taken

    def _rest(self, n: int) -> list[int]:
        """Return `n` problems where the rule finds no more: better a problem again than none."""
        place = self.cursor.place
        self.cursor = self.cursor._replace(place=place + n)
        return [self.order.at(place + i) for i in range(n)]

    def _numbered(self, problems: Sequence[int]) -> list[Draw]:
        """Number draws by how many there were before."""
        return [Draw(self.cursor.drawn + i, problem) for i, problem in enumerate(problems)]
