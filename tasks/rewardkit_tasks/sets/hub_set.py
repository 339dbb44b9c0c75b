"""What a set of the hub is, and its problems: a row becomes one when it is asked for."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rewardkit.data.gold import AS_IS
from rewardkit.data.mapping import MISSING, RowMapping, lookup
from rewardkit.data.opening import FILE
from rewardkit.data.problems import DataProblems
from rewardkit.data.rows import Row, Rows
from rewardkit.errors import DataError
from rewardkit.types import Problem

Where = Callable[[], str]
"""Says where a row stands."""


@dataclass(frozen=True)
class Read:
    """What was read of a row: a problem without the name of its set."""

    question: str
    answer: str
    info: Mapping[str, Any] = field(default_factory=dict)
    id: str = ""
    """Empty where no column says one; then it is the row's number."""


@dataclass(frozen=True)
class HubSet:
    """Where a set comes from and how its rows are read."""

    name: str
    hub: str
    """Dataset id on the Hugging Face hub."""
    revision: str
    """The commit that is read, whatever the dataset becomes later."""
    licence: str
    read: Callable[[Row, Where], Read]
    """A function of a module, so that it can be sent to another process."""
    split: str = "train"
    config: str | None = None
    texts: tuple[str, ...] = ()
    """Further columns that are text in a .csv, whatever they look like."""
    remarks: tuple[str, ...] = ()
    """What a reader of results should know."""

    @property
    def reference(self) -> str:
        """The data set at its commit, as `--task` takes it."""
        return f"hf:{self.hub}{':' + self.config if self.config else ''}@{self.revision}"


@dataclass(frozen=True)
class SetMapping(RowMapping):
    """From a row of a set to a problem; `columns["id"]` is what ids begin with."""

    read: Callable[[Row, Where], Read] | None = None
    texts: tuple[str, ...] = ()

    @property
    def text_columns(self) -> list[str]:
        """The columns that are text, whatever they look like in a file without types."""
        return [*super().text_columns, *self.texts]

    def problem(self, row: Row, where: Where, number: str) -> Problem:
        """Return the problem of a row.

        Raises:
            DataError: names the place of the row and the column.
        """
        assert self.read is not None
        found = self.read(row, where)
        identity = f"{self.columns['id']}-{found.id or number}"
        name = self.columns["id"].partition("-")[0]
        try:
            return Problem(identity, found.question, found.answer, name, found.info)
        except DataError as error:
            raise DataError(f"{where()}: {error}") from error


class SetProblems(DataProblems):
    """The problems of a set: of the hub at its commit, or of a local copy."""

    def __init__(self, of: HubSet, path: str | None = None, split: str = "") -> None:
        reference = of.reference if path is None else f"{FILE}{path.removeprefix(FILE)}"
        of_split = of.name if split in ("", of.split) else f"{of.name}-{split}"
        super().__init__(
            reference, SetMapping({"id": of_split}, of.read, of.texts), split or of.split, AS_IS
        )
        self.of = of

    @property
    def rows(self) -> Rows:
        """The rows, opened and checked.

        Raises:
            DataError: a row cannot be used, or the hub not be reached; names the local form.
        """
        try:
            return super().rows
        except DataError as error:
            if self.reference == self.of.reference:
                error.add_note(f"With a local copy: --task {self.of.name}=PATH")
            raise

    def _fields(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what a condition sees: the columns of the problem, before those of the row."""
        found = self.mapping.problem(row, lambda: self.reference, "")
        own = {"question": found.question, "answer": found.answer, "source": found.source}
        return ChainMap(own, dict(found.info), dict(row))


def text(row: Row, columns: Sequence[str], where: Where) -> str:
    """Return the first of the columns as text; a number counts, a dot leads into a table.

    Raises:
        DataError: there is none of them, or it is empty or no text.
    """
    for column in columns:
        if (value := lookup(row, column)) is not MISSING and value not in (None, "", []):
            break
    else:
        wanted = " or ".join(map(repr, columns))
        raise DataError(f"{where()}: no field {wanted}; the fields are {', '.join(row)}")
    if isinstance(value, list):  # a chat
        last = value[-1]
        value = last.get("content") if isinstance(last, Mapping) else None
    if (
        isinstance(value, bool)
        or not isinstance(value, str | int | float)
        or not str(value).strip()
    ):
        raise DataError(
            f"{where()}: field {column!r} must be text or a number, found {value!r:.60}"
        )
    return str(value).strip()


def kept(row: Row, **columns: str) -> dict[str, Any]:
    """Return columns under other names, those that are there.

    >>> kept({"a": {"b": 1}}, rate="a.b", other="c")
    {'rate': 1}
    """
    found = {name: lookup(row, column) for name, column in columns.items()}
    return {name: value for name, value in found.items() if value is not MISSING}
