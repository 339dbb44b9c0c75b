"""What a table is: a file that is read in units, and written part by part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from rewardkit.data.mapping import MISSING, lookup

Columns = Mapping[str, Sequence[Any]]
"""Columns of some rows, equally long."""
BATCH_ROWS = 2048
"""Rows that are in memory at a time, in each process."""
UNIT_ROWS = 50_000
"""Rows of a unit: what is graded anew after a kill, and what a process takes at a time."""
UNIT_BYTES = 1 << 26


def inner(row: Mapping[str, Any], column: str) -> Any:
    """Return what a column holds, a dot leading into a table; None where there is nothing."""
    return None if (found := lookup(row, column)) is MISSING else found


class Unit(NamedTuple):
    """A piece of a table: `start` and `size` in what the kind of table counts by."""

    number: int
    start: int
    size: int
    groups: tuple[int, ...] = ()
    """Row groups of a .parquet file that it lies in; `start` counts from the first of them."""


class Batch(NamedTuple):
    """Some rows of a table: what was asked for as columns, and all of it as the kind has it."""

    columns: Columns
    whole: Any
    size: int
    """In what the unit's size is counted by."""
    places: Sequence[int]
    """What `Table.where` knows each row by."""


class Table(Protocol):
    """A file of rows."""

    columns: Sequence[str]
    """The names of its columns."""

    def units(self) -> list[Unit]:
        """Return its pieces, in order."""
        ...

    def batches(self, unit: Unit, wanted: Sequence[str] | None) -> Iterator[Batch]:
        """Yield the rows of a piece, with all columns or those that are wanted."""
        ...

    def fields(self, batch: Batch, index: int) -> Sequence[str]:
        """Return what a row has, be it null."""
        ...

    def where(self, place: int) -> str:
        """Return where a row stands, for a person."""
        ...

    def write(self, path: Path, rows: Iterable[tuple[Batch, Columns]]) -> None:
        """Write rows with further columns into a file of their own."""
        ...

    def join(self, parts: Sequence[Path], path: Path) -> None:
        """Write the rows of several such files into one, a few at a time in memory."""
        ...
