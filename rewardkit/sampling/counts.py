"""The table that samplers decide from: what came of every problem that was drawn, step by step.

Rows are only ever added. A sampler is a function of (seed, step, this table), so that a run that
was stopped draws what it would have drawn, and a recorded run can be put through another sampler.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rewardkit.errors import DataError
from rewardkit.sampling.filter import carries_signal
from rewardkit.types import UNDECIDED, Finish, Group, Problem, Verdict

COLUMNS = ("step", "problem", "right", "wrong", "undecided", "truncated", "signal")
"""What a row of the table holds."""
_KIND = "rewardkit counts"


class Visit(NamedTuple):
    """What came of one problem in one step, as numbers of rollouts.

    All zero says that it was drawn and could not be asked: its prompt leaves no room.
    """

    problem: int
    """Its index in the training set."""
    right: int = 0
    """Responses that were correct."""
    wrong: int = 0
    """Responses that were decided and not correct."""
    undecided: int = 0
    """Responses without a verdict."""
    truncated: int = 0
    """Responses cut off by the limit, whatever their outcome."""
    signal: int = -1
    """Whether the scores differ: 1 or 0; -1 where there are no scores but right and wrong."""

    @property
    def decided(self) -> int:
        """Rollouts whose verdict says something of the answer."""
        return self.right + self.wrong

    @property
    def asked(self) -> bool:
        """Whether there was any rollout."""
        return self.decided + self.undecided > 0

    @property
    def carries_signal(self) -> bool:
        """Whether the group teaches something: right and wrong answers, or scores that differ."""
        return bool(self.signal) if self.signal >= 0 else min(self.right, self.wrong) > 0


def visit(problem: int, group: Group) -> Visit:
    """Return the counts of a group that was drawn for a problem."""
    truncated = sum(rollout.finish is Finish.LENGTH for rollout in group.rollouts)
    return counted(problem, group.verdicts, truncated)


def counted(problem: int, verdicts: Sequence[Verdict], truncated: int) -> Visit:
    """Return the counts of a problem's responses, of which so many were cut off."""
    undecided = sum(verdict.outcome in UNDECIDED for verdict in verdicts)
    right = sum(verdict.correct for verdict in verdicts)
    wrong = len(verdicts) - undecided - right
    return Visit(problem, right, wrong, undecided, truncated, int(carries_signal(verdicts)))


def fingerprint(problems: Sequence[Problem], most: int = 256) -> str:
    """Return what tells problems from other ones: their number, and at most so many of them.

    A sequence that makes its problems as they are asked for may have no end worth waiting for.

    >>> one = [Problem("1", "1 + 1?", "2")]
    >>> fingerprint(one) == fingerprint(list(one)), fingerprint(one) == fingerprint(one * 2)
    (True, False)
    """
    count = len(problems)
    places = sorted({count * i // most for i in range(most)}) if count else []
    digest = hashlib.sha256(str(count).encode())
    for problem in (problems[place] for place in places):
        # Without columns as it ever was: old runs are resumed.
        columns = (dict(problem.info),) if problem.info else ()
        digest.update(repr((problem.id, problem.question, problem.answer, *columns)).encode())
    return digest.hexdigest()


class CountTable:
    """Counts by problem and step, 28 bytes a row; `problems` names the set that they are of.

    >>> table = CountTable("a task's fingerprint")
    >>> table.append(1, [Visit(problem=7, right=3, wrong=5)])
    >>> [(step, visits[0].right) for step, visits in table.steps()]
    [(1, 3)]
    """

    def __init__(self, problems: str) -> None:
        self.problems = problems
        self._rows: npt.NDArray[np.int32] = np.zeros((64, len(COLUMNS)), dtype=np.int32)
        self._length = 0

    def __len__(self) -> int:
        return self._length

    @property
    def rows(self) -> npt.NDArray[np.int32]:
        """All rows, [R, 7], in the order of `COLUMNS`."""
        return self._rows[: self._length]

    def append(self, step: int, visits: Sequence[Visit]) -> None:
        """Add what came of a step's problems, in the order in which they were drawn.

        Raises:
            DataError: the step lies before one that is in the table already.
        """
        if self._length and step < self.rows[-1, 0]:
            raise DataError(
                f"counts of step {step} after those of step {self.rows[-1, 0]}: rows are only added"
            )
        needed = self._length + len(visits)
        if needed > len(self._rows):
            grown = np.zeros((max(needed, 2 * len(self._rows)), len(COLUMNS)), dtype=np.int32)
            grown[: self._length] = self.rows
            self._rows = grown
        for place, found in enumerate(visits, start=self._length):
            self._rows[place] = (step, *found[:-1], found.carries_signal)
        self._length = needed

    def steps(self) -> Iterator[tuple[int, list[Visit]]]:
        """Yield each step with what came of its problems."""
        if not self._length:
            return
        starts = np.flatnonzero(np.diff(self.rows[:, 0], prepend=self.rows[0, 0] - 1))
        for start, end in zip(starts, [*starts[1:], self._length], strict=True):
            yield (
                int(self.rows[start, 0]),
                [Visit(*row[1:]) for row in self.rows[start:end].tolist()],
            )

    def save(self, path: Path, until: int | None = None) -> None:
        """Write the rows up to a step: a line that describes them, then little-endian int32."""
        rows = self.rows if until is None else self.rows[self.rows[:, 0] <= until]
        body = rows.astype("<i4").tobytes()
        head = {
            "kind": _KIND,
            "problems": self.problems,
            "columns": COLUMNS,
            "rows": len(rows),
            "sha256": hashlib.sha256(body).hexdigest(),
        }
        path.write_bytes(json.dumps(head).encode() + b"\n" + body)

    @classmethod
    def load(cls, path: Path, problems: str | None = None) -> CountTable:
        """Read a table that `save` wrote; of the same problems, if these are given.

        Raises:
            DataError: it is missing, damaged, or of other problems; names the file.
        """
        try:
            line, _, body = path.read_bytes().partition(b"\n")
        except OSError as error:
            raise DataError(f"{path}: cannot be read ({error.strerror})") from error
        try:
            head = json.loads(line)
            kind, found, digest = head["kind"], head["problems"], head["sha256"]
            columns, count = tuple(head["columns"]), int(head["rows"])
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise DataError(f"{path} is no table of counts: its first line says nothing") from error
        if kind != _KIND or columns != COLUMNS:
            raise DataError(f"{path} is no table of counts with the columns {', '.join(COLUMNS)}")
        wanted = count * len(COLUMNS) * 4
        if len(body) != wanted:
            raise DataError(f"{path} is damaged: {len(body)} bytes of rows, {wanted} were saved")
        if hashlib.sha256(body).hexdigest() != digest:
            raise DataError(f"{path} is damaged: its rows are not what was saved (SHA-256)")
        if problems is not None and found != problems:
            raise DataError(
                f"{path} counts the problems of another task or another version of it; give the "
                "task that the run was started with, or start a new run"
            )
        table = cls(found)
        table._rows = np.frombuffer(body, dtype="<i4").astype(np.int32).reshape(-1, len(COLUMNS))
        table._length = count
        return table
