"""The rows of .csv, .parquet and .arrow files, which `datasets` maps into memory.

What is not in Arrow's form yet is brought into it once, in the library's own cache.
"""

from __future__ import annotations

import csv
import json
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from rewardkit.data.rows import Row, file_key
from rewardkit.errors import DataError, MissingExtraError

NO_ROWS = (
    "corresponds to no data",
    "No columns to parse",
    "BatchSize must be greater than 0",
    "list index out of range",  # of a folder that `save_to_disk` wrote: it looks for a first table
)
"""What the library, pandas and Arrow say of a table without rows, none of which names that."""


class ArrowRows:
    """The rows of a `datasets.Dataset`.

    Args:
        found: the dataset.
        name: what it is called in messages.
        key: changes when it does.
        texts: columns that are looked at for what they say: NaN stays NaN there.
    """

    def __init__(self, found: Any, name: str, key: str, texts: Sequence[str] = ()) -> None:
        kinds = {column: kind for column, kind in found.features.items() if not _is_plain(kind)}
        self.left_out = list(kinds)
        self.remarks: Sequence[str] = [
            f"{name}: left out column {column!r}, which "
            + ("is binary" if "binary" in str(kind) else "holds no text, numbers or lists of them")
            for column, kind in kinds.items()
        ]
        self._found = found.remove_columns(self.left_out) if kinds else found
        self.name, self.key, self._texts = name, key, texts

    def __len__(self) -> int:
        return len(self._found)

    def at(self, index: int) -> Row:
        """Return a row."""
        return self._row(self._found[index])

    def where(self, index: int) -> str:
        """Return the number of a row, from 1."""
        return f"{self.name}: row {index + 1}"

    def each(self) -> Iterator[Row]:
        """Yield all rows."""
        for row in self._found:
            yield self._row(row)

    def _row(self, row: dict[str, Any]) -> Row:
        return {
            name: value if name in self._texts and value != value else _as_json(value)
            for name, value in row.items()
        }


def read_file(path: Path, text_columns: Sequence[str]) -> ArrowRows:
    """Return the rows of a .csv, .parquet or .arrow file, or of a large .json file.

    Args:
        path: the file.
        text_columns: those of a .csv that are text whatever they look like: as a number, 007
            would lose its zeros, and as a missing value the answer "None" all there is.

    Raises:
        DataError: it cannot be read.
        MissingExtraError: `datasets` is not installed.
    """
    key = file_key(path)
    options: dict[str, Any] = {}
    if path.suffix == ".csv":
        mapped = [column for column in _header(path) if column in text_columns]
        options = {
            "converters": dict.fromkeys(mapped, str),
            "keep_default_na": False,
            "na_values": [""],
        }
        key = f"{key} {mapped}"
    library = datasets_library()
    kind = path.suffix.removeprefix(".")
    with _reading(str(path)):
        found = library.load_dataset(kind, data_files=[str(path)], split="train", **options)
    return ArrowRows(found, str(path), key, text_columns if path.suffix != ".csv" else ())


def read_saved(path: Path, split: str) -> ArrowRows:
    """Return the rows of a folder that `Dataset.save_to_disk` or `DatasetDict.save_to_disk` wrote.

    Raises:
        DataError: it cannot be read, or has no such split.
        MissingExtraError: `datasets` is not installed.
    """
    library = datasets_library()
    with _reading(str(path)):
        found = library.load_from_disk(str(path))
    if isinstance(found, library.DatasetDict):
        found = found[split]
    return ArrowRows(found, str(path), f"{path.resolve()} {found._fingerprint}")


def saved_splits(path: Path) -> list[str]:
    """Return the splits of a folder that `save_to_disk` wrote; none where it is one dataset."""
    file = path / "dataset_dict.json"
    with _reading(str(file)):
        return list(json.loads(file.read_text("utf-8"))["splits"]) if file.exists() else []


def no_split(name: str, split: str, known: Sequence[str]) -> DataError:
    """Return the error for a split that a data set does not have."""
    return DataError(
        f"{name} has no split {split!r}; it has {', '.join(known) or 'none'}. To take another: "
        f"split = {known[0] if known else 'NAME'!r}"
    )


def datasets_library() -> Any:
    """Return `datasets`, where it is installed."""
    try:
        import datasets
    except ModuleNotFoundError as error:
        raise MissingExtraError("datasets", "native") from error
    return datasets


@contextmanager
def quiet() -> Iterator[None]:
    """Keep the warnings of a library, about its own future, from who reads data."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextmanager
def _silent() -> Iterator[None]:
    """Hide the library's progress bars and log: a file is read in moments, and errors are ours."""
    library = datasets_library()
    shown, level = not library.are_progress_bars_disabled(), library.logging.get_verbosity()
    library.disable_progress_bars()
    library.logging.set_verbosity(library.logging.CRITICAL)
    try:
        yield
    finally:
        library.logging.set_verbosity(level)
        if shown:
            library.enable_progress_bars()


@contextmanager
def _reading(name: str) -> Iterator[None]:
    """Turn what goes wrong inside the library into an error that names the file."""
    try:
        with quiet(), _silent():
            yield
    except Exception as error:  # pandas, Arrow and the library raise kinds of their own
        reason: BaseException = error
        while reason.__cause__ is not None:  # "An error occurred while generating the dataset"
            reason = reason.__cause__
        if any(said in str(reason) for said in NO_ROWS):
            raise DataError(f"{name}: holds no rows; expected one for each problem") from error
        raise DataError(f"{name}: cannot be read ({first_line(reason)})") from error


def first_line(error: BaseException) -> str:
    """Return the first line of what an error says."""
    return str(error).strip().partition("\n")[0] or type(error).__name__


def _header(path: Path) -> list[str]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return next(csv.reader(file), [])
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{path}: cannot be read ({error})") from error


def _is_plain(kind: Any) -> bool:
    """Whether a column's values are text, numbers, or lists and tables of them."""
    if isinstance(kind, dict):
        return all(_is_plain(inner) for inner in kind.values())
    inner = getattr(kind, "feature", None)
    if inner is not None:
        return _is_plain(inner)
    if type(kind).__name__ == "Value":
        return "binary" not in str(kind.dtype)
    return type(kind).__name__ in ("ClassLabel", "Json", "Translation")


_PLAIN: dict[type, Callable[[Any], Any]] = {
    date: date.isoformat,
    time: time.isoformat,
    timedelta: timedelta.total_seconds,
    Decimal: str,
}


def _as_json(value: Any) -> Any:
    """Return a value of Arrow's as one that JSON has."""
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None  # a cell without a number
    if isinstance(value, dict):
        return {name: _as_json(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_as_json(inner) for inner in value]
    return next(make(value) for kind, make in _PLAIN.items() if isinstance(value, kind))
