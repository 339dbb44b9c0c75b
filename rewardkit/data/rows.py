"""What rows are, and those of .jsonl and .json files, which are read where they lie.

Arrow would give every row the keys of all rows and one type to each of them; a row of JSON keeps
what it says, and its line. So these need no conversion: a file is read once for the places of its
lines (8 bytes each), and then a row at a time.
"""

from __future__ import annotations

import bisect
import json
import os
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from rewardkit.data.cache import SMALL, keep_numbers, numbers_of
from rewardkit.errors import DataError

Row = Mapping[str, Any]
BLOCK = 1 << 22
"""Bytes that are read at a time while lines are looked for."""


class Rows(Protocol):
    """Rows of a data set, any of which can be had at once."""

    key: str
    """Changes when the rows do."""
    remarks: Sequence[str]
    """What the user should know of them."""

    def __len__(self) -> int: ...

    def at(self, index: int) -> Row:
        """Return a row.

        Raises:
            DataError: it cannot be read; names file and line.
        """
        ...

    def where(self, index: int) -> str:
        """Return where a row stands, for a person."""
        ...

    def each(self) -> Iterator[Row]:
        """Yield all rows in order, faster than one by one."""
        ...


class JsonLines:
    """The rows of a .jsonl file: one JSON object a line; blank lines are no rows.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
    ...     _ = file.write('{"a": 1}' + chr(10) * 2 + '{"a": 2}')
    ...     file.flush()
    ...     rows = JsonLines(Path(file.name))
    ...     len(rows), rows.at(1), rows.where(1).rpartition(":")[2]
    (2, {'a': 2}, '3')
    """

    remarks: Sequence[str] = ()

    def __init__(self, path: Path) -> None:
        self.path = path
        self.key = file_key(path)
        self._file = _opened(path)
        kept = numbers_of(f"lines {self.key}")
        self._places = kept if kept is not None else self._found_places()
        self._counted = 0, 1

    def __len__(self) -> int:
        return len(self._places) // 2

    def at(self, index: int) -> Row:
        """Return the row of a line."""
        start, end = self._places[2 * index : 2 * index + 2]
        # Not through the file's position, which a forked process would share.
        return self._row(os.pread(self._file, end - start, start), index)

    def where(self, index: int) -> str:
        """Return file and line."""
        start = self._places[2 * index]
        at, line = self._counted if self._counted[0] <= start else (0, 1)
        while at < start:
            block = os.pread(self._file, min(BLOCK, start - at), at)
            line += block.count(b"\n")
            at += len(block)
        self._counted = at, line  # whoever names all lines reads the file once
        return f"{self.path}:{line}"

    def each(self) -> Iterator[Row]:
        """Yield all rows."""
        for index in range(len(self)):
            yield self.at(index)

    def _row(self, line: bytes, index: int) -> Row:
        try:
            text = line.decode("utf-8-sig" if index == 0 else "utf-8")
        except UnicodeDecodeError as error:
            said = f"{self.where(index)}: not UTF-8 text ({error}){_forms(self.path)}"
            raise DataError(said) from error
        found = parse(text, lambda: self.where(index), _forms(self.path))
        return as_row(found, lambda: self.where(index))

    def _found_places(self) -> array[int]:
        """Return (start, end) of each line that holds more than white space, all in one array.

        Only a line feed ends one: U+2028 may stand inside a JSON string.
        """
        places, at, rest = array("q"), 0, b""
        while block := os.pread(self._file, BLOCK, at + len(rest)):
            block, start = rest + block, 0
            while (end := block.find(b"\n", start)) >= 0:
                if block[start:end].strip():
                    places.extend((at + start, at + end))
                start = end + 1
            at, rest = at + start, block[start:]
        if rest.strip():
            places.extend((at, at + len(rest)))
        if len(places) > 2 * SMALL:
            keep_numbers(f"lines {self.key}", places)
        return places

    def __del__(self) -> None:
        if hasattr(self, "_file"):
            os.close(self._file)


class JsonList:
    """The rows of a .json file that holds a list of objects; all of them are in memory."""

    remarks: Sequence[str] = ()

    def __init__(self, path: Path) -> None:
        self.path = path
        self.key = file_key(path)
        try:
            text = path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            raise DataError(f"{path}: not UTF-8 text ({error})") from error
        except OSError as error:
            raise DataError(f"{path}: cannot be read ({error.strerror})") from error
        found = parse(text, lambda: str(path))
        if not isinstance(found, list):
            raise DataError(f"{path}: expected a list of objects, found {type(found).__name__}")
        self._found = found

    def __len__(self) -> int:
        return len(self._found)

    def at(self, index: int) -> Row:
        """Return an item of the list."""
        return as_row(self._found[index], lambda: self.where(index))

    def where(self, index: int) -> str:
        """Return file and item."""
        return f"{self.path}: item {index + 1}"

    def each(self) -> Iterator[Row]:
        """Yield all items."""
        for index in range(len(self)):
            yield self.at(index)


class Joined:
    """The rows of several files, one after the other."""

    def __init__(self, parts: Sequence[Rows]) -> None:
        self.parts = parts
        self.key = " ".join(part.key for part in parts)
        self.remarks: Sequence[str] = list(
            dict.fromkeys(remark for part in parts for remark in part.remarks)
        )
        self._ends = [sum(len(part) for part in parts[: i + 1]) for i in range(len(parts))]

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def at(self, index: int) -> Row:
        """Return a row of the part that it is of."""
        part, place = self._find(index)
        return part.at(place)

    def where(self, index: int) -> str:
        """Return where a row stands in its part."""
        part, place = self._find(index)
        return part.where(place)

    def each(self) -> Iterator[Row]:
        """Yield the rows of each part."""
        for part in self.parts:
            yield from part.each()

    def _find(self, index: int) -> tuple[Rows, int]:
        number = bisect.bisect_right(self._ends, index)
        return self.parts[number], index - (self._ends[number - 1] if number else 0)


def file_key(path: Path) -> str:
    """Return what changes when a file does, without reading it.

    Raises:
        DataError: there is no such file.
    """
    try:
        about = path.stat()
    except OSError as error:
        raise DataError(f"{path}: no such file") from error
    return f"{path.resolve()} {about.st_size} {about.st_mtime_ns}"


def _opened(path: Path) -> int:
    try:
        return os.open(path, os.O_RDONLY)
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error


def holds_lines(path: Path) -> bool:
    """Whether a .json file holds an object a line, as many that are shared do."""
    try:
        with path.open("rb") as file:
            lines = (line for line in file if line.strip())
            return isinstance(json.loads(next(lines)), dict) and next(lines, None) is not None
    except (OSError, ValueError, RecursionError, StopIteration):
        return False


def _forms(path: Path) -> str:
    """Return what to say of a file that is read as lines of JSON for want of a known suffix."""
    if path.suffix in (".jsonl", ".json"):
        return ""
    return (
        f"; read as a JSON object a line, since {path.suffix or 'a name without a suffix'} is none "
        "of .jsonl, .json, .csv, .parquet, .arrow"
    )


def parse(text: str, where: Callable[[], str], further: str = "") -> Any:
    """Return what a JSON text holds; `where()` says where it stands, `further` what else to say.

    Raises:
        DataError: it is not JSON.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:  # a number may have too many digits, too
        raise DataError(f"{where()}: not JSON ({error}){further}") from error


def as_row(found: Any, where: Callable[[], str]) -> Row:
    """Return what was found if it is an object.

    Raises:
        DataError: it is not.
    """
    if not isinstance(found, dict):
        raise DataError(f"{where()}: expected an object, found {type(found).__name__}")
    return found
