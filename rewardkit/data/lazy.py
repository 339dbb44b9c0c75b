"""A sequence of problems that makes each one when it is asked for."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import overload

from rewardkit.errors import ConfigError
from rewardkit.types import Problem


class LazyProblems(Sequence[Problem]):
    """Indices from either end, slices and bounds; a subclass says `__len__` and `_make`.

    Raises:
        IndexError: there is no problem at this index.

    >>> class Sums(LazyProblems):
    ...     def __len__(self):
    ...         return 3
    ...     def _make(self, index):
    ...         return Problem(str(index), f"{index}+1?", str(index + 1))
    >>> Sums()[-1].question, [problem.answer for problem in Sums()[:2]]
    ('2+1?', ['1', '2'])
    """

    @abstractmethod
    def _make(self, index: int) -> Problem:
        """Return the problem at an index from 0 up to the length."""

    @overload
    def __getitem__(self, index: int) -> Problem: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Problem]: ...
    def __getitem__(self, index: int | slice) -> Problem | Sequence[Problem]:
        if isinstance(index, slice):
            return [self._make(i) for i in range(*index.indices(len(self)))]
        found = index + len(self) if index < 0 else index
        if not 0 <= found < len(self):
            raise IndexError(f"no problem {index}, there are {len(self)}")
        return self._make(found)


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
