"""What all tables have: a file is read in units, and written part by part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

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
