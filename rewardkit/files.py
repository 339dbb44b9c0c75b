"""How a file is written: whole or not at all, and on the disk before anybody counts on it."""

from __future__ import annotations

import errno
import json
import math
import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from rewardkit.errors import ConfigError, DataError


def part_of(path: Path) -> Path:
    """Return where a file is written until it is whole.

    What lay there goes: in somebody else's folder it may be a link to a file of ours.
    """
    part = path.with_name(f".{path.name}.part")
    part.unlink(missing_ok=True)
    return part


def write_text(path: Path, text: str, errors: str = "strict") -> None:
    """Write a file whole, or leave the one before; `errors` is what UTF-8 has no letter for."""
    part = part_of(path)
    with part.open("wb") as file:
        file.write(text.encode("utf-8", errors))
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    flush(path.parent)


def make_folder(folder: Path) -> None:
    """Make a folder, unless it is there.

    Raises:
        ConfigError: it cannot be made, or not be written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"{folder}: no folder to write to ({error.strerror or error})") from error
    if not os.access(folder, os.W_OK):
        raise ConfigError(f"{folder}: no folder to write to (it is read-only for you)")


def write_json(path: Path, value: Any) -> None:
    """Write a JSON file whole, or leave the one before."""
    # A lone surrogate has no UTF-8; as a backslash escape it is JSON's own.
    text = json.dumps(value, indent=1, ensure_ascii=False) + "\n"
    write_text(path, text, errors="backslashreplace")


def read_json(path: Path) -> Any:
    """Return what a JSON file holds.

    Raises:
        FileNotFoundError: there is none.
        DataError: it cannot be read, or is not JSON; names it.
    """
    try:
        return json.loads(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        raise
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror or error})") from error
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: not JSON ({error})") from error


def read_toml(path: Path) -> dict[str, Any]:
    """Return what a TOML file holds.

    Raises:
        DataError: it cannot be read, or is not TOML; names it.
    """
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror or error})") from error
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path} cannot be read: {error}") from error


def json_lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Return rows as lines of JSON; NaN and infinities, which it has no words for, are null.

    >>> json_lines([{"step": 1, "kl": float("nan")}])
    b'{"step": 1, "kl": null}\\n'
    """
    text = "".join(json.dumps(_finite(row), ensure_ascii=False) + "\n" for row in rows)
    return text.encode("utf-8", "backslashreplace")


def json_object(line: bytes, where: str) -> dict[str, Any]:
    """Return the object on a line of JSON; `where` begins what is said of any other line.

    Raises:
        DataError: it is not JSON, or no object.

    >>> json_object(b'{"step": 1}', "metrics.jsonl:1")
    {'step': 1}
    """
    try:
        row = json.loads(line.rstrip().decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise DataError(f"{where}: not JSON ({error})") from error
    if not isinstance(row, dict):
        raise DataError(f"{where}: expected an object, found {type(row).__name__}")
    return row


def objects_in(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (where it stands, the object) of each line of a .jsonl file; blank ones are none.

    Raises:
        DataError: it cannot be read, or a line is no object; names file and line.
    """
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip(b"\xef\xbb\xbf \t\r\n"):
                    yield f"{path}:{number}", json_object(line, f"{path}:{number}")
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror or error})") from error


def append(path: Path, data: bytes) -> None:
    """Append to a file and push it to the disk: all of it, or none."""
    new = not path.exists()
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        before = os.fstat(handle).st_size
        try:
            write_all(handle, data)
            os.fsync(handle)
        except OSError:
            with suppress(OSError):  # no half of a line stays on a full disk
                os.ftruncate(handle, before)
            raise
    finally:
        os.close(handle)
    if new:
        flush(path.parent)


def write_all(handle: int, data: bytes) -> None:
    """Write all of it: a full disk or a signal may cut a single write short."""
    left = memoryview(data)
    while left:
        left = left[os.write(handle, left) :]


def truncate(path: Path, length: int) -> None:
    """Cut a file to so many bytes, on the disk."""
    with path.open("r+b") as file:
        file.truncate(length)
        os.fsync(file.fileno())


def flush(path: Path) -> None:
    """Push a file, or a folder's list of names, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno != errno.EINVAL:  # some network file systems cannot do it for folders
            raise
    finally:
        os.close(handle)


def point(link: Path, target: str) -> None:
    """Let a symbolic link name `target`, in one step."""
    new = link.with_name(f".part-{link.name}")
    new.unlink(missing_ok=True)
    new.symlink_to(target)
    new.replace(link)


def _finite(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: None if isinstance(value, float) and not math.isfinite(value) else value
        for key, value in row.items()
    }
