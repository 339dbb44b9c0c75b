"""A sequence of problems over rows: a row becomes a problem when it is asked for."""

from __future__ import annotations

import re
import sys
from array import array
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rewardkit.data.cache import SMALL, keep_numbers, numbers_of
from rewardkit.data.gold import AS_IS, FORMS, LOOKED_AT, answer_in_gold, form_of, prose
from rewardkit.data.lazy import LazyProblems
from rewardkit.data.mapping import FIELDS, MISSING, RowMapping, lookup
from rewardkit.data.opening import open_rows
from rewardkit.data.rows import Rows
from rewardkit.errors import DataError, UnknownNameError
from rewardkit.types import Problem


class DataProblems(LazyProblems):
    """The problems of a file, a folder or a dataset of the hub; opened when first looked at.

    Every row is checked once: small data sets when they are opened, large ones (above `SMALL`)
    when they are opened for the first time. A pickled copy opens them for itself.

    Args:
        reference: `file:PATH`, `hf:OWNER/NAME[:CONFIG][@REVISION]`, or a path.
        mapping: which column is what.
        split: which split, where there are several; of a list, the first that is there, and no
            problems where none is.
        gold: how a gold holds its answer, of `rewardkit.data.gold`; by default that is found out
            from the first rows, and a gold that is otherwise stays as it is.

    Raises:
        UnknownNameError: no such form of a gold.
        DataError: at the first look, for rows that cannot be used.
    """

    def __init__(
        self,
        reference: str,
        mapping: RowMapping | None = None,
        split: str | Sequence[str] = "train",
        gold: str = "",
    ) -> None:
        if gold and gold not in FORMS:
            raise UnknownNameError("form of a gold", gold, FORMS)
        self.reference, self.split, self.gold = reference, split, gold
        self.mapping = mapping or RowMapping()
        self._opened: dict[str, Any] = {}  # rows, form, prose: shared with what is chosen of these

    @property
    def rows(self) -> Rows:
        """The rows, opened and checked."""
        if "rows" not in self._opened:
            self._opened["rows"] = self._open()
        found: Rows = self._opened["rows"]
        return found

    @property
    def form(self) -> str:
        """How a gold holds its answer: as was said, or as the first rows have it."""
        return self.gold or self._opened.get("form", AS_IS)

    def _open(self) -> Rows:
        rows = open_rows(self.reference, self.split, self.mapping.text_columns)
        if not len(rows):
            if not isinstance(self.split, str):
                return rows
            raise DataError(f"{self.reference}: holds no problem; expected a row for each")
        if not self.gold:
            self._opened.clear()  # the first golds are looked at as they are
            first = (self._problem(rows, i, rows.at(i)) for i in range(min(len(rows), LOOKED_AT)))
            golds = [problem.answer for problem in first]
            self._opened.update(form=form_of(golds), prose=prose(golds))
        key = f"checked {self.gold} {rows.key} {sorted(self.mapping.columns.items())}"
        if len(rows) <= SMALL or numbers_of(key) is None:
            self._check(rows)
            if len(rows) > SMALL:
                keep_numbers(key, array("q", [len(rows)]))
        return rows

    @property
    def key(self) -> str:  # type: ignore[override]
        """Changes when the problems do."""
        return f"{self.rows.key} {sorted(self.mapping.columns.items())}"

    @property
    def remarks(self) -> list[str]:  # type: ignore[override]
        """What the user should know of the rows, and which part of their golds is the answer."""
        said = list(self.rows.remarks)
        if not self.gold and self.form != AS_IS:
            said.append(
                f"{self.reference}: of each gold {FORMS[self.form][1]} is the answer (found out "
                f"from the first rows; to say it: --set task.gold={self.form}, or {AS_IS})"
            )
        elif sentence := self._opened.get("prose"):
            said.append(
                f"{self.reference}: golds are sentences, such as {sentence[:60]!r}, which a "
                "number in a response does not equal; if the answer is a value, put it into a "
                "column of its own and name that: --set task.columns.answer=COLUMN"
            )
        return said

    def _count(self) -> int:
        return len(self.rows)

    def _make(self, place: int) -> Problem:
        return self._problem(self.rows, place, self.rows.at(place))

    def each_fields(self) -> Iterator[Mapping[str, Any]]:
        """Yield what a condition sees of each row: its columns, and the problem's own fields."""
        return map(self._fields, self.rows.each())

    def where(self, place: int) -> str:
        """Return where a row stands, for a person."""
        return self.rows.where(place)

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_opened": {}}

    def _fields(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        found = {}
        for name in FIELDS:
            for column in self.mapping.names(name):
                if name not in row and (value := lookup(row, column)) is not MISSING:
                    found[name] = value
        named = {
            name: value
            for name, column in self.mapping.columns.items()
            if name not in FIELDS and (value := lookup(row, column)) is not MISSING
        }
        return ChainMap(named, dict(row), found) if found or named else row

    def _problem(self, rows: Rows, index: int, row: Mapping[str, Any]) -> Problem:
        def where() -> str:  # counting lines takes time, and is done for errors alone
            return rows.where(index)

        problem = self.mapping.problem(row, where, str(index + 1))
        if self.form != AS_IS:
            answer = answer_in_gold(problem.answer, self.form, where if self.gold else None)
            problem = replace(problem, answer=answer)
        if re.match(r"AIME\b", problem.source):
            check_integer_gold(problem, where())
        return problem

    def _check(self, rows: Rows) -> None:
        """Make a problem of each row, and look for ids that are used twice."""
        if len(rows) > SMALL:  # a minute of silence would be taken for a hang
            sys.stderr.write(f"checking the {len(rows):,} rows of {self.reference}, this once\n")
        seen: dict[int, int] = {}
        for index, row in enumerate(rows.each()):
            problem = self._problem(rows, index, row)
            if len(rows) > SMALL and problem.id == str(index + 1):
                continue  # it was numbered: a million of these need no memory
            before = seen.setdefault(hash(problem.id), index)  # a text each would take more
            if before != index and self._problem(rows, before, rows.at(before)).id == problem.id:
                raise DataError(
                    f"{rows.where(index)}: id {problem.id!r} was used by {rows.where(before)}"
                )


def check_integer_gold(problem: Problem, where: str) -> None:
    """Refuse a gold answer that no AIME problem can have (an integer from 0 to 999).

    Raises:
        DataError: names what was found.
    """
    if not re.fullmatch(r"\d{1,3}", problem.answer):
        raise DataError(
            f"{where}: answer {problem.answer!r} is out of range; "
            "AIME answers are integers from 0 to 999"
        )
