"""A folder that is there whole or not at all, and that tells when it was damaged since.

It is filled under another name, given a seal (size and SHA-256 of every file), pushed to the disk
and then renamed: a process killed at any moment leaves either nothing under the final name or all
of it. What such a process leaves under the other names is rubbish, and `sweep` removes it.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rewardkit.errors import ModelError
from rewardkit.files import flush

SEAL = "checkpoint.json"
"""In a sealed folder: size and SHA-256 of every file."""
UNFINISHED, DISCARDED = ".part-", ".gone-"


@contextmanager
def publishing(final: Path, **about: Any) -> Iterator[Path]:
    """Yield a folder to fill; on leaving, seal it and give it its final name in one rename.

    What was there under that name is replaced. `about` is written into the seal.
    """
    part = final.with_name(UNFINISHED + final.name)
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    try:
        yield part
        seal(part, **about)
        if final.exists():
            discard(final)
        part.rename(final)
        flush(final.parent)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def seal(folder: Path, **about: Any) -> None:
    """Push all files of a folder to the disk, and write down their sizes and checksums."""
    files = sorted(p for p in folder.rglob("*") if p.is_file() and p != folder / SEAL)
    for path in files:
        flush(path)
    found = {
        str(path.relative_to(folder)): {"bytes": path.stat().st_size, "sha256": sha256(path)}
        for path in files
    }
    text = json.dumps({**about, "files": found}, indent=2, ensure_ascii=False) + "\n"
    (folder / SEAL).write_text(text, encoding="utf-8")
    for path in (folder / SEAL, *(p for p in folder.rglob("*") if p.is_dir()), folder):
        flush(path)


def check(folder: Path) -> None:
    """Read every file of a sealed folder and compare it with the seal.

    Raises:
        ModelError: a file is missing, truncated or changed; names the folder and the file.
    """
    try:
        files = json.loads((folder / SEAL).read_text(encoding="utf-8"))["files"]
        saved = {name: (int(found["bytes"]), str(found["sha256"])) for name, found in files.items()}
    except FileNotFoundError as error:
        raise ModelError(f"{folder} is damaged: it has no {SEAL}") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ModelError(f"{folder} is damaged: {SEAL} cannot be read ({error})") from error
    for name, (length, digest) in saved.items():
        path = folder / name
        if not path.is_file():
            raise ModelError(f"{folder} is damaged: {name} is missing")
        found = path.stat().st_size
        if found != length:
            raise ModelError(f"{folder} is damaged: {name} has {found} bytes, {length} were saved")
        if sha256(path) != digest:
            raise ModelError(f"{folder} is damaged: {name} is not what was saved (SHA-256)")


def sealed_digests(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of the files that are, by size and time, as they were sealed.

    Nothing is read but the seal; empty where there is none, or somebody else's file of that name.
    """
    try:
        files = json.loads((folder / SEAL).read_text("utf-8"))["files"]
        stats = {name: (folder / name).stat() for name in files}
        return {
            name: str(found["sha256"])
            for name, found in files.items()
            if stats[name].st_size == found["bytes"]
            and stats[name].st_mtime_ns <= (folder / SEAL).stat().st_mtime_ns
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def is_whole(folder: Path) -> bool:
    """Whether a folder is there and passes `check`."""
    try:
        check(folder)
    except ModelError:
        return False
    return True


def discard(folder: Path) -> None:
    """Remove a folder so that, killed halfway, no half of it stands under its name."""
    gone = folder.with_name(DISCARDED + folder.name)
    shutil.rmtree(gone, ignore_errors=True)
    folder.rename(gone)
    shutil.rmtree(gone, ignore_errors=True)


def sweep(parent: Path) -> None:
    """Remove what a killed process left unfinished or half removed."""
    for prefix in (UNFINISHED, DISCARDED):
        for left in parent.glob(f"{prefix}*"):
            shutil.rmtree(left, ignore_errors=True)


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
