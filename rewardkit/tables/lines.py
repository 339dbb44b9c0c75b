"""Tables in .jsonl files: one object a line."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO

from rewardkit.errors import DataError
from rewardkit.files import json_object
from rewardkit.tables.kinds import BATCH_ROWS, UNIT_BYTES, Batch, Columns, Unit, inner

BLOCK = 1 << 20
"""Bytes that are read at a time where lines are counted."""


class LineTable:
    """The rows of a .jsonl file; sizes are counted in bytes. Its columns are the first row's."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.size = path.stat().st_size
            with path.open("rb") as file:
                first = next(self._lines(file, self.size), None)
        except OSError as error:
            raise DataError(f"{path}: cannot be read ({error.strerror})") from error
        if first is None:
            raise DataError(f"{path}: holds no row")
        self.columns: Sequence[str] = list(self._object(*first))

    def units(self) -> list[Unit]:
        """Return stretches of bytes; a line is of the stretch that it begins in."""
        starts = range(0, self.size, UNIT_BYTES)
        return [Unit(i, at, min(UNIT_BYTES, self.size - at)) for i, at in enumerate(starts)]

    def batches(self, unit: Unit, wanted: Sequence[str] | None) -> Iterator[Batch]:
        """Yield a unit's rows; a column that a row lacks is None there."""
        with self.path.open("rb") as file:
            if unit.start:
                file.seek(unit.start - 1)
                file.readline()
            lines = self._lines(file, unit.start + unit.size)
            while some := list(islice(lines, BATCH_ROWS)):
                rows = [self._object(at, line) for at, line in some]
                names = chain(*rows) if wanted is None else wanted
                columns = {
                    name: [inner(row, name) for row in rows] for name in dict.fromkeys(names)
                }
                places, whole = zip(*some, strict=True)
                yield Batch(columns, rows, sum(map(len, whole)), places)

    def fields(self, batch: Batch, index: int) -> Sequence[str]:
        """Return the names in the row itself."""
        return list(batch.whole[index])

    def where(self, place: int) -> str:
        """Return file and line of the row that begins at this byte."""
        with self.path.open("rb") as file:
            before = sum(
                file.read(min(BLOCK, place - at)).count(b"\n") for at in range(0, place, BLOCK)
            )
        return f"{self.path}:{before + 1}"

    def write(self, path: Path, rows: Iterable[tuple[Batch, Columns]]) -> None:
        """Write a part."""
        with path.open("w", encoding="ascii") as file:
            for batch, added in rows:
                for i, row in enumerate(batch.whole):
                    if taken := row.keys() & added.keys():
                        raise DataError(
                            f"{self.where(batch.places[i])}: has a field {min(taken)!r} already; "
                            "--prefix verdict_ keeps them apart"
                        )
                    more = {name: values[i] for name, values in added.items()}
                    file.write(json.dumps({**row, **more}, ensure_ascii=True) + "\n")

    def join(self, parts: Sequence[Path], path: Path) -> None:
        """Write all parts into one file."""
        with path.open("wb") as whole:
            for part in parts:
                with part.open("rb") as file:
                    shutil.copyfileobj(file, whole, 1 << 20)

    def _object(self, at: int, line: bytes) -> dict[str, Any]:
        try:
            return json_object(line, "")
        except DataError:  # only now: to count lines takes time
            return json_object(line, self.where(at))

    @staticmethod
    def _lines(file: BinaryIO, stop: int) -> Iterator[tuple[int, bytes]]:
        while (at := file.tell()) < stop and (line := file.readline()):
            if line.strip():
                yield at, line
