"""From `file:PATH` and `hf:OWNER/NAME[:CONFIG][@REVISION]` to rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rewardkit.data.arrow import no_split, read_file, read_saved, saved_splits
from rewardkit.data.hub import hub_splits, read_hub, told_commit
from rewardkit.data.rows import Joined, JsonLines, JsonList, Rows, holds_lines
from rewardkit.errors import ConfigError, DataError

FILE, HUB = "file:", "hf:"
MAPPED = (".json", ".csv", ".parquet", ".arrow")
KINDS = (".jsonl", *MAPPED)
LARGE = 16 << 20
"""Bytes of a .json file from which on it is not read into memory, but mapped."""
SPLITS = ("train", "test", "validation", "valid", "val", "dev", "eval")
"""Words in the names of files that say of which split they are."""


def is_data(name: str) -> bool:
    """Whether a task's name says where rows are."""
    return name.startswith((FILE, HUB))


def as_data(name: str) -> str:
    """Return where rows are, of a name that may be a plain path.

    >>> as_data("test.jsonl"), as_data("hf:openai/gsm8k")
    ('file:test.jsonl', 'hf:openai/gsm8k')
    """
    return name if is_data(name) else FILE + name


def open_rows(reference: str, split: str | Sequence[str], text_columns: Sequence[str] = ()) -> Rows:
    """Return the rows of a file, a folder of files, or a dataset of the hub.

    Args:
        reference: `file:PATH`, `hf:OWNER/NAME[:CONFIG][@REVISION]`, or a path.
        split: which one, where there are several; of a list, the first that is there, and no rows
            where none is.
        text_columns: columns of a .csv that hold text even where it looks like numbers.

    Raises:
        DataError: there is nothing, or it cannot be read.
        ConfigError: the reference is not of this form.
        MissingExtraError: `datasets` is needed and not installed.
    """
    known = splits_of(reference)
    wanted = [split] if isinstance(split, str) else [s for s in split if s in known]
    if not wanted or (known and wanted[0] not in known):
        if isinstance(split, str):
            raise no_split(reference, split, known)
        return Joined([])
    if reference.startswith(HUB):
        return read_hub(*parse_hub(reference), wanted[0])
    path = local_path(reference)
    if not path.is_dir():
        return _open_file(path, text_columns)
    if _is_saved(path):
        return read_saved(path, wanted[0])
    return Joined([_open_file(file, text_columns) for file in files_of(path, wanted[0])])


def splits_of(reference: str) -> list[str]:
    """Return the splits of a dataset; none for a file, and for a folder whose files name none.

    Raises:
        DataError: the hub cannot be asked, or a folder holds no rows.
    """
    if reference.startswith(HUB):
        return hub_splits(*parse_hub(reference))
    path = local_path(reference)
    if not path.is_dir():
        return []
    if _is_saved(path):
        return saved_splits(path)
    return list(dict.fromkeys(word for file in _data_files(path) if (word := split_of(file, path))))


def local_path(reference: str) -> Path:
    """Return the path that a reference names."""
    return Path(reference.removeprefix(FILE)).expanduser()


def _is_saved(path: Path) -> bool:
    return any((path / name).exists() for name in ("dataset_dict.json", "state.json"))


def parse_hub(reference: str) -> tuple[str, str | None, str | None]:
    """Return owner/name, configuration and revision of a reference to the hub.

    >>> parse_hub("hf:openai/gsm8k:main@e53f048")
    ('openai/gsm8k', 'main', 'e53f048')
    """
    found = re.fullmatch(r"hf:([\w.-]+(?:/[\w.-]+)?)(?::([^@:]+))?(?:@(\S+))?", reference)
    if found is None:
        raise ConfigError(
            f"{reference!r} names no dataset; the form is hf:OWNER/NAME, hf:OWNER/NAME:CONFIG or "
            "hf:OWNER/NAME@REVISION, such as hf:openai/gsm8k:main"
        )
    return found[1], found[2], found[3]


def pinned(reference: str) -> str:
    """Return a reference to the hub with the commit that it stood for when it was opened.

    Any other one is as it was, and so is one whose commit the hub does not tell.
    """
    if not reference.startswith(HUB):
        return reference
    name, _, revision = parse_hub(reference)
    commit = told_commit(name, revision)
    return f"{reference.removesuffix(f'@{revision}')}@{commit}" if commit else reference


def files_of(folder: Path, split: str) -> list[Path]:
    """Return the files of a folder that hold a split, in the order of their names.

    Where a file's name has the word of a split (train-00000-of-00002.parquet, test.jsonl), or the
    folder that it lies in, it is of that one; where none has, all files are.

    Raises:
        DataError: there is none, or they are of several kinds.
    """
    found = _data_files(folder)
    found = [file for file in found if split_of(file, folder) == split] or found
    kinds = sorted({file.suffix for file in found})
    if len(kinds) > 1:
        raise DataError(
            f"{folder}: holds files of several kinds ({', '.join(kinds)}), such as "
            f"{found[0].name} and {found[-1].name}; name one file, or a folder of one kind"
        )
    return found


def split_of(file: Path, folder: Path) -> str:
    """Return the split that a file's name, or its folder's, says; empty where they say none.

    >>> folder = Path("data")
    >>> split_of(folder / "train-00000-of-2.parquet", folder), split_of(folder / "a.csv", folder)
    ('train', '')
    """
    for part in reversed(file.relative_to(folder).with_suffix("").parts):
        words = re.split(r"[-_.]", part.lower())
        if found := next((split for split in SPLITS if split in words), None):
            return found
    return ""


def _data_files(folder: Path) -> list[Path]:
    found = sorted(
        file
        for file in folder.rglob("*")
        if file.suffix in KINDS and file.is_file() and not file.name.startswith((".", "_"))
    )
    if not found:
        raise DataError(f"{folder}: is a folder that holds no {', '.join(KINDS)} file")
    return found


def _open_file(path: Path, text_columns: Sequence[str]) -> Rows:
    if path.suffix == ".json" and not (path.exists() and path.stat().st_size > LARGE):
        return JsonLines(path) if holds_lines(path) else JsonList(path)
    if path.suffix in MAPPED:
        return read_file(path, text_columns)
    return JsonLines(path)


def read_rows(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield (where it stands, row) of a file of problems.

    Raises:
        DataError: the file cannot be read, or a line is not JSON; names file and line.
    """
    rows = open_rows(str(path), "train")
    for index, row in enumerate(rows.each()):
        yield rows.where(index), row
