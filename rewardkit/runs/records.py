"""Records: rows of JSON that a run appends step by step, as plain lines or in zstd frames.

A `.jsonl` holds a line a row. A `.jsonl.zst` holds such lines in frames, one an append, and
`zstd -d` makes the plain file of it. What a kill can leave is one torn line, or one torn frame, at
the end: neither is a row of anybody's.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from rewardkit.errors import DataError, MissingExtraError

COMPRESSED = ".zst"
MAGIC = b"\x28\xb5\x2f\xfd"
"""How a frame begins."""
LARGEST_FRAME = 1 << 29
"""Bytes of the lines of a frame, held at once; a megabyte may say that it is terabytes."""
CHUNK = 1 << 16

Row = dict[str, Any]


class Place(NamedTuple):
    """Where a line is: a block of a file (itself, or the frame that holds it), and where in it."""

    path: Path
    start: int
    size: int
    """Bytes of the block in the file."""
    offset: int
    """Where the line begins in the block, once that is decompressed."""
    length: int


class Block(NamedTuple):
    """A line, or a frame of lines, and where it is in its file."""

    start: int
    size: int
    data: bytes | None
    """None for what is damaged."""


def zstd() -> Any:
    """Return the standard library's `compression.zstd`, before Python 3.14 its backport.

    Raises:
        MissingExtraError: there is none.
    """
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError as error:
        raise MissingExtraError("backports.zstd", "zstd") from error
    return zstd


def compressed(data: bytes) -> bytes:
    """Return lines as a frame of their own, which tells whether it is damaged."""
    library = zstd()
    found: bytes = library.compress(data, options={library.CompressionParameter.checksum_flag: 1})
    return found


def placed_rows(path: Path, damage: list[str] | None = None) -> Iterator[tuple[Row, Place]]:
    """Yield each row with its place; a torn end, left by a kill or still in writing, is no row.

    Args:
        path: the record; it need not exist.
        damage: is told what cannot be read, which is then left out.

    Raises:
        DataError: something cannot be read, or is no row with a step, and there is no `damage`.
    """
    bad = {"line": 0, "frame": 0}
    unit = "frame" if path.suffix == COMPRESSED else "line"
    for number, block in enumerate(blocks(path), start=1):
        where = f"{path}, {unit} {number}"
        if block.data is None:
            _count(bad, "frame", damage, f"{where}: damaged")
            continue
        for offset, line in _lines(block.data):
            row = parse_row(line)
            if row is not None:
                yield row, Place(path, block.start, block.size, offset, len(line))
            elif line.strip() and line.endswith(b"\n"):
                _count(bad, "line", damage, f"{where}: not a JSON object with a step")
    for kind, count in bad.items():
        if count and damage is not None:
            those = f"1 {kind}" if count == 1 else f"{count} {kind}s"
            damage.append(f"{path.name}: {those} could not be read and were left out")


def _count(bad: dict[str, int], kind: str, damage: list[str] | None, message: str) -> None:
    if damage is None:
        raise DataError(message)
    bad[kind] += 1


def parse_row(line: bytes) -> Row | None:
    """Return a line's object, or None if it is not one with a step."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(row, dict) or type(row.get("step")) is not int or abs(row["step"]) >= 2**63:
        return None
    return row


class PlacedLines:
    """Reads lines again by their places; neighbours in one frame decompress it once."""

    def __init__(self) -> None:
        self._at: tuple[Path, int] | None = None
        self._data = b""

    def row(self, place: Place) -> Row | None:
        """Return the row that was there, or None: a run may have been rewound since."""
        if self._at != (place.path, place.start):
            with place.path.open("rb") as file:
                file.seek(place.start)
                data = file.read(place.size)
            if place.path.suffix == COMPRESSED:
                library = zstd()
                try:
                    data = library.decompress(data)
                except library.ZstdError:
                    data = b""
            self._at, self._data = (place.path, place.start), data
        return parse_row(self._data[place.offset : place.offset + place.length])


def whole_length(path: Path) -> int:
    """Return where a record's last whole line or frame ends, in bytes."""
    length = 0
    for block in blocks(path):
        if block.data is not None and block.data.endswith(b"\n"):
            length = block.start + block.size
    return length


def length_until(path: Path, step: int) -> int:
    """Return how long a record is up to the rows of `step`, in bytes; 0 where there is none."""
    length = 0
    for block in blocks(path):
        if block.data is None or not block.data.endswith(b"\n"):
            continue
        row = parse_row(block.data.partition(b"\n")[0])
        if row is not None and row["step"] > step:
            break
        length = block.start + block.size
    return length


def blocks(path: Path) -> Iterator[Block]:
    """Yield a plain record's lines, the last maybe torn, or the whole frames of another."""
    if not path.exists():
        return
    with path.open("rb") as file:
        yield from _frames(file) if path.suffix == COMPRESSED else _plain(file)


def _plain(file: BinaryIO) -> Iterator[Block]:
    start = 0
    for line in file:
        yield Block(start, len(line), line)
        start += len(line)


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    offset = 0
    for line in data.splitlines(keepends=True):
        yield offset, line
        offset += len(line)


def _frames(file: BinaryIO) -> Iterator[Block]:
    at = 0
    while True:
        torn = False
        try:
            found = _frame_at(file, at)
            torn = found is None
        except zstd().ZstdError:
            found = None
        if found is None:
            following = _next_frame(file, at + 1)
            if torn and following is None:  # nothing, or what a kill left of the last frame
                return
            end = file.seek(0, os.SEEK_END) if following is None else following
            found = Block(at, end - at, None)
        yield found
        at += found.size


def _frame_at(file: BinaryIO, start: int) -> Block | None:
    """Return the frame that begins at a place, None where the file ends before it does.

    Raises:
        ZstdError: what is there is no frame, a damaged one, or one that no step of a run fills.
    """
    library = zstd()
    decompressor, parts, read, left = library.ZstdDecompressor(), [], 0, LARGEST_FRAME
    file.seek(start)
    while not decompressor.eof:
        chunk = file.read(CHUNK)
        if not chunk:
            return None
        read += len(chunk)
        parts.append(decompressor.decompress(chunk, left + 1))
        left -= len(parts[-1])
        if left < 0:
            raise library.ZstdError(f"a frame of more than {LARGEST_FRAME} bytes")
    return Block(start, read - len(decompressor.unused_data), b"".join(parts))


def _next_frame(file: BinaryIO, start: int) -> int | None:
    """Return where the next whole frame begins, from a place on."""
    kept = b""
    while True:
        file.seek(start + len(kept))
        chunk = file.read(CHUNK)
        if not chunk:
            return None
        window = kept + chunk
        at = window.find(MAGIC)
        while at >= 0:
            with suppress(zstd().ZstdError):
                if _frame_at(file, start + at) is not None:
                    return start + at
            at = window.find(MAGIC, at + 1)
        kept = window[-(len(MAGIC) - 1) :]
        start += len(window) - len(kept)
