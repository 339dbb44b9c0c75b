"""A sequence that makes each problem when it is asked for, of those that settings choose."""

from __future__ import annotations

from abc import abstractmethod
from array import array
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Self, overload

from rewardkit.data.cache import SMALL, keep_numbers, numbers_of
from rewardkit.data.permutation import Permutation
from rewardkit.data.where import Condition
from rewardkit.errors import ConfigError, DataError
from rewardkit.types import Problem


class LazyProblems(Sequence[Problem]):
    """Indices from either end, slices, bounds, choice and label; a subclass says what there is.

    Raises:
        IndexError: there is no problem at this index.

    >>> class Sums(LazyProblems):
    ...     def _count(self):
    ...         return 3
    ...     def _make(self, place):
    ...         return Problem(str(place), f"{place}+1?", str(place + 1))
    >>> Sums()[-1].question, [problem.answer for problem in Sums()[:2]]
    ('2+1?', ['1', '2'])
    >>> [problem.id for problem in Sums().chosen(where="answer != '2'").labelled("sums")]
    ['sums/0', 'sums/2']
    """

    label = ""
    """Which task of a mixture the problems are of."""
    reference = "the task's problems"
    """What the set is called in messages."""
    remarks: Sequence[str] = ()
    """What the user should know of it."""
    key = ""
    """Changes when the problems do; empty where a choice among them is not worth keeping."""
    _condition: Condition | None = None
    _limit = 0
    _shuffle: int | None = None

    @abstractmethod
    def _count(self) -> int:
        """Return how many problems there are to choose from."""

    @abstractmethod
    def _make(self, place: int) -> Problem:
        """Return the problem at a place from 0 up to their number."""

    def chosen(self, where: str = "", limit: int = 0, shuffle: int | None = None) -> Self:
        """Return those that a condition, a limit and a shuffling leave, found at the first look.

        Args:
            where: a condition that they fulfil, see `rewardkit.data.where`; its names are the
                columns of the data, and `id`, `question`, `answer`, `source` of the problem.
            limit: at most so many; 0 takes all.
            shuffle: a seed, for an order other than that of the data before the limit is applied.

        Raises:
            ConfigError: the condition cannot be read, or the limit is below 0.
            DataError: at the first look, where nothing is left or the condition cannot be asked.
        """
        if limit < 0:
            raise ConfigError(f"limit must be 0 (all) or more, found {limit}")
        condition = Condition(where) if where else None
        found = self._with(_condition=condition, _limit=limit, _shuffle=shuffle)
        vars(found).pop("places", None)
        return found

    def labelled(self, label: str) -> Self:
        """Return the same ones as a mixture has them, under their task's label."""
        return self._with(label=label)

    @cached_property
    def places(self) -> Sequence[int]:
        """The places of the chosen ones among all, in order."""
        found: Sequence[int] = range(self._count())
        if self._condition is not None and found:
            found = self._fulfilling(self._condition)
        count = min(self._limit or len(found), len(found))
        if self._shuffle is None:
            return found[:count]
        order = Permutation(len(found), f"shuffle {self._shuffle}")
        return array("q", (found[order.at(place)] for place in range(count)))

    def __len__(self) -> int:
        return len(self.places)

    @overload
    def __getitem__(self, index: int) -> Problem: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Problem]: ...
    def __getitem__(self, index: int | slice) -> Problem | Sequence[Problem]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        try:
            place = self.places[index]
        except IndexError:
            raise IndexError(f"no problem {index}, there are {len(self)}") from None
        problem = self._make(place)
        return labelled(problem, self.label) if self.label else problem

    def _with(self, **changed: Any) -> Self:
        """Return a copy that shares all that is open, which one by way of pickle would not."""
        found = object.__new__(type(self))
        vars(found).update(vars(self), **changed)
        return found

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "places"}

    def where(self, place: int) -> str:
        """Return where a problem stands, for a person."""
        return f"problem {self._make(place).id!r}"

    def each_fields(self) -> Iterator[Mapping[str, Any]]:
        """Yield what a condition sees of each of all problems, in order."""
        return (fields_of(self._make(place)) for place in range(self._count()))

    def _fulfilling(self, condition: Condition) -> Sequence[int]:
        key = f"where {condition.text} {self.key}" if self.key and self._count() > SMALL else ""
        if key and (kept := numbers_of(key)) is not None:
            return kept
        found = array("q")
        for place, row in enumerate(self.each_fields()):
            if condition(row, lambda place=place: self.where(place)):  # type: ignore[misc]
                found.append(place)
        first = next(self.each_fields(), {})
        condition.check_columns(first, self.reference)
        if not found:
            shown = {name: first.get(name) for name in sorted(condition.columns)}
            raise DataError(
                f"where {condition.text!r} leaves none of {self._count()} problems; the first "
                f"has {', '.join(f'{name} = {value!r}' for name, value in shown.items())}"
            )
        if key:
            keep_numbers(key, found)
        return found


class _Listed(LazyProblems):
    """Those of any sequence."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = problems

    def _count(self) -> int:
        return len(self.problems)

    def _make(self, place: int) -> Problem:
        return self.problems[place]


def lazy(problems: Sequence[Problem]) -> LazyProblems:
    """Return any problems as a sequence that can be chosen from and labelled."""
    return problems if isinstance(problems, LazyProblems) else _Listed(problems)


def fields_of(problem: Problem) -> Mapping[str, Any]:
    """Return what a condition or a template may name of a problem: its fields, then its columns."""
    own = {name: getattr(problem, name) for name in ("id", "question", "answer", "source")}
    return ChainMap(own, dict(problem.info))


def labelled(problem: Problem, label: str) -> Problem:
    """Return a problem as a mixture has it: its task's label before its id, and as its source."""
    info = problem.info
    if "source" in info:  # would stand before the label where a verifier asks for it
        info = {name: value for name, value in info.items() if name != "source"}
    return replace(problem, id=f"{label}/{problem.id}", source=label, info=info)


def unlabelled(problem: Problem) -> Problem:
    """Return a problem of a mixture under the id that it has in its task."""
    return replace(problem, id=problem.id.removeprefix(f"{problem.source}/"))


def check_sizes(train_size: int, test_size: int) -> None:
    """Refuse a number of problems below 0, which a sequence could not have as its length.

    >>> check_sizes(train_size=100, test_size=-1)
    Traceback (most recent call last):
    ...
    rewardkit.errors.ConfigError: task.args.test_size is 0 or more, found -1
    """
    for name, size in (("train_size", train_size), ("test_size", test_size)):
        if size < 0:
            raise ConfigError(f"task.args.{name} is 0 or more, found {size}")
