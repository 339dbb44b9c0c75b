"""Problems that are met twice: within a set, and in training and test."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from rewardkit.types import Problem

TRAIN = "train"


class Fault(StrEnum):
    """What can be wrong with a problem."""

    GOLD = "gold rejected"
    """The verifier does not take the problem's own gold."""
    SAME_ID = "same id"
    """Another problem of the set has its id, and asks something else."""
    SAME_TEXT = "same text"
    """Another problem of the set asks the same."""
    OTHER_ANSWER = "same text, other gold"
    """Another problem of the set asks the same, and has another gold."""
    IN_TRAIN = "also in train"
    """A held-out problem asks what a training problem does."""
    SAME_SET = "same set as train"
    """A run would be measured on the problems that it trains on."""
    EMPTY = "empty prompt"
    """Its chat says nothing."""


class Found(NamedTuple):
    """One fault: of which problem, where it stands, and what more there is to say."""

    fault: Fault
    where: str
    problem: str
    detail: str


class _Seen(NamedTuple):
    row: int
    answer: int


class Repeats:
    """What was met so far; 16 bytes of each text are kept, and none of the texts.

    >>> repeats = Repeats()
    >>> repeats.add("train", 0, Problem("1", "", "2"), "1 + 1?")
    []
    >>> [found.fault.value for found in repeats.add("test", 0, Problem("1", "", "2"), "1 +  1?")]
    ['also in train']
    """

    def __init__(self) -> None:
        self._ids: dict[str, dict[str, int]] = {}
        self._texts: dict[str, dict[bytes, _Seen]] = {}

    def add(self, name: str, row: int, problem: Problem, text: str) -> list[Found]:
        """Take the problem in a row of a set and the text that asks it; return its faults."""
        return list(self._faults(name, row, problem, text))

    def _faults(self, name: str, row: int, problem: Problem, text: str) -> Iterator[Found]:
        where = place(name, row)
        key = hashlib.blake2b(normal(text).encode("utf-8", "surrogatepass"), digest_size=16)
        now = _Seen(row, hash(problem.answer))
        seen = self._texts.setdefault(name, {}).setdefault(key.digest(), now)
        before = self._ids.setdefault(name, {}).setdefault(problem.id, row)
        if before not in (row, seen.row):
            yield Found(Fault.SAME_ID, where, problem.id, f"as row {before + 1}")
        if seen.row != row:
            fault = Fault.SAME_TEXT if seen.answer == now.answer else Fault.OTHER_ANSWER
            yield Found(fault, where, problem.id, f"as row {seen.row + 1}")
        trained = self._texts.get(TRAIN, {}) if name != TRAIN else {}
        if (there := trained.get(key.digest())) is not None:
            yield Found(Fault.IN_TRAIN, where, problem.id, f"as row {there.row + 1} of train")


def place(name: str, row: int) -> str:
    """Return where a problem stands, for a person: rows are counted from 1."""
    return f"row {row + 1} of {name}"


def normal(text: str) -> str:
    r"""Return a text without what makes no other question of it: case and spaces.

    >>> normal("What  is\n1 + 1?")
    'what is 1 + 1?'
    """
    return " ".join(text.casefold().split())
