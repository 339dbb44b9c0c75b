"""Tables in .parquet files."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from rewardkit.errors import DataError
from rewardkit.runs.graded_rows import VERDICT
from rewardkit.tables.kinds import BATCH_ROWS, UNIT_BYTES, UNIT_ROWS, Batch, Columns, Unit, inner

GROUP_ROWS = 50_000
"""Rows of a row group of what is written: what a reader holds at a time."""


class ParquetTable:
    """The rows of a .parquet file; sizes are counted in rows."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            # Not buffered ahead: that reads whole row groups, and one may be all of the file.
            self._file = pq.ParquetFile(path, pre_buffer=False, memory_map=True)
        except (OSError, pa.ArrowException) as error:
            raise DataError(f"{path}: cannot be read as .parquet ({error})") from error
        self.columns: Sequence[str] = self._file.schema_arrow.names
        if not self._file.metadata.num_rows:
            raise DataError(f"{path}: holds no row")

    def units(self) -> list[Unit]:
        """Return slices of large row groups, and runs of small ones."""
        found: list[Unit] = []
        run: list[int] = []
        rows = 0
        meta = self._file.metadata
        for number in range(meta.num_row_groups):
            group = meta.row_group(number)
            if run and rows + group.num_rows > UNIT_ROWS:
                found.append(Unit(len(found), 0, rows, tuple(run)))
                run, rows = [], 0
            if (parts := _parts(group)) > 1:
                step = math.ceil(group.num_rows / parts)
                for start in range(0, group.num_rows, step):
                    size = min(step, group.num_rows - start)
                    found.append(Unit(len(found), start, size, (number,)))
            else:
                run.append(number)
                rows += group.num_rows
        if run:
            found.append(Unit(len(found), 0, rows, tuple(run)))
        return found

    def batches(self, unit: Unit, wanted: Sequence[str] | None) -> Iterator[Batch]:
        """Yield a unit's rows."""
        names = self.columns if wanted is None else [n for n in wanted if self.head(n)]
        skip, left = unit.start, unit.size
        place = unit.start + sum(
            self._file.metadata.row_group(number).num_rows for number in range(unit.groups[0])
        )
        for batch in self._file.iter_batches(BATCH_ROWS, row_groups=list(unit.groups)):
            here = batch.slice(skip, left)
            skip = max(0, skip - batch.num_rows)
            left -= here.num_rows
            if here.num_rows:
                columns = {name: self._values(here, name) for name in names}
                yield Batch(columns, here, here.num_rows, range(place, place + here.num_rows))
                place += here.num_rows
            if left <= 0:
                return

    def head(self, name: str) -> str:
        """Return the column of the file that a name leads into, empty where there is none."""
        return next((n for n in (name, name.partition(".")[0]) if n in self.columns), "")

    def _values(self, batch: Any, name: str) -> list[Any]:
        held = self.head(name)
        values: list[Any] = batch.column(held).to_pylist()
        return values if held == name else [inner({held: value}, name) for value in values]

    def fields(self, batch: Batch, index: int) -> Sequence[str]:
        """Return the columns, which all rows have."""
        return self.columns

    def where(self, place: int) -> str:
        """Return file and row, the first being 1."""
        return f"{self.path}: row {place + 1}"

    def write(self, path: Path, rows: Iterable[tuple[Batch, Columns]]) -> None:
        """Write a part; the schema is the file's with the new columns behind."""
        writer: pq.ParquetWriter | None = None
        try:
            for batch, added in rows:
                whole: Any = batch.whole
                for name, values in added.items():
                    whole = whole.append_column(name, pa.array(_clean(values), _kind(name)))
                writer = writer or pq.ParquetWriter(path, whole.schema, compression="zstd")
                writer.write_batch(whole)
        finally:
            if writer is not None:
                writer.close()

    def join(self, parts: Sequence[Path], path: Path) -> None:
        """Write all parts into one file."""
        writer: pq.ParquetWriter | None = None
        try:
            for part in parts:
                file = pq.ParquetFile(part, pre_buffer=False, memory_map=True)
                writer = writer or pq.ParquetWriter(path, file.schema_arrow, compression="zstd")
                for batch in file.iter_batches(GROUP_ROWS):
                    writer.write_batch(batch)
        finally:
            if writer is not None:
                writer.close()


def _parts(group: Any) -> int:
    rows, size = int(group.num_rows), int(group.total_byte_size)
    return max(math.ceil(rows / UNIT_ROWS), min(rows, math.ceil(size / UNIT_BYTES)))


def _kind(name: str) -> Any:
    """Return a verdict column's type: fixed, or a batch without any answer had another schema."""
    return pa.float64() if name.endswith(VERDICT[1]) else pa.string()


def _clean(values: Sequence[Any]) -> list[Any]:
    """Replace lone surrogates, which Arrow's text cannot hold."""
    return [
        value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
        for value in values
    ]
