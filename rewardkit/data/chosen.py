"""Those problems of a set that a condition, a limit and a shuffling leave."""

from __future__ import annotations

from array import array
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from rewardkit.data.cache import SMALL, keep_numbers, numbers_of
from rewardkit.data.lazy import LazyProblems
from rewardkit.data.permutation import Permutation
from rewardkit.data.problems import DataProblems
from rewardkit.data.where import Condition
from rewardkit.errors import ConfigError, DataError
from rewardkit.types import Problem


class ChosenProblems(LazyProblems):
    """A selection of problems, found when it is first looked at.

    Args:
        problems: those to choose from.
        where: a condition that they fulfil, see `rewardkit.data.where`; its names are the columns
            of the data, and `id`, `question`, `answer`, `source` of the problem.
        limit: at most so many; 0 takes all.
        shuffle: a seed, for an order other than that of the data before the limit is applied.

    Raises:
        ConfigError: the condition cannot be read, or the limit is below 0.
        DataError: at the first look, where nothing is left or the condition cannot be asked.

    >>> problems = [Problem(str(i), f"{i}+1?", str(i + 1)) for i in range(5)]
    >>> [p.id for p in ChosenProblems(problems, where="answer != '3'", limit=3)]
    ['0', '1', '3']
    """

    def __init__(
        self,
        problems: Sequence[Problem],
        where: str = "",
        limit: int = 0,
        shuffle: int | None = None,
    ) -> None:
        if limit < 0:
            raise ConfigError(f"limit must be 0 (all) or more, found {limit}")
        self.problems, self.limit, self.shuffle = problems, limit, shuffle
        self.condition = Condition(where) if where else None

    @cached_property
    def places(self) -> Sequence[int]:
        """The places of the chosen ones among all, in order."""
        found: Sequence[int] = range(len(self.problems))
        if self.condition is not None and found:
            found = self._fulfilling(self.condition)
        count = min(self.limit or len(found), len(found))
        if self.shuffle is None:
            return found[:count]
        order = Permutation(len(found), f"shuffle {self.shuffle}")
        return array("q", (found[order.at(place)] for place in range(count)))

    def __len__(self) -> int:
        return len(self.places)

    def _make(self, index: int) -> Problem:
        return self.problems[self.places[index]]

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "places"}

    def _fulfilling(self, condition: Condition) -> Sequence[int]:
        data = self.problems if isinstance(self.problems, DataProblems) else None
        key = f"where {condition.text} {data.key}" if data and len(data) > SMALL else ""
        if key and (kept := numbers_of(key)) is not None:
            return kept
        found = array("q")
        for place, row in enumerate(self._fields(data)):

            def where(place: int = place) -> str:
                return data.where(place) if data else f"problem {self.problems[place].id!r}"

            if condition(row, where):
                found.append(place)
        first = next(self._fields(data), {})
        condition.check_columns(first, data.reference if data else "the task's problems")
        if not found:
            shown = {name: first.get(name) for name in sorted(condition.columns)}
            raise DataError(
                f"where {condition.text!r} leaves none of {len(self.problems)} problems; the first "
                f"has {', '.join(f'{name} = {value!r}' for name, value in shown.items())}"
            )
        if key:
            keep_numbers(key, found)
        return found

    def _fields(self, data: DataProblems | None) -> Iterator[Mapping[str, Any]]:
        return data.each_fields() if data else map(fields_of, self.problems)


def fields_of(problem: Problem) -> Mapping[str, Any]:
    """Return what a condition or a template may name of a problem: its fields, then its columns."""
    own = {name: getattr(problem, name) for name in ("id", "question", "answer", "source")}
    return ChainMap(own, dict(problem.info))


def chosen(
    problems: Sequence[Problem], where: str = "", limit: int = 0, shuffle: int | None = None
) -> Sequence[Problem]:
    """Return the problems that are left, and the same object where nothing is asked for."""
    if not (where or limit or shuffle is not None):
        return problems
    return ChosenProblems(problems, where, limit, shuffle)
