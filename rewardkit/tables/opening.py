"""From a path to the table in it."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from rewardkit.errors import ConfigError, MissingExtraError

if TYPE_CHECKING:
    from rewardkit.tables.lines import LineTable
    from rewardkit.tables.parquet import ParquetTable

Table: TypeAlias = "LineTable | ParquetTable"

FROM_CSV = (
    'python -c "import csv, json, sys; '
    '[print(json.dumps(row)) for row in csv.DictReader(sys.stdin)]"'
)


def open_table(path: Path) -> Table:
    """Return the table in a file, by its suffix.

    Raises:
        ConfigError: it is of no kind that is read.
        DataError: it cannot be read.
        MissingExtraError: pyarrow is not installed.
    """
    if path.suffix == ".jsonl":
        from rewardkit.tables.lines import LineTable

        return LineTable(path)
    if path.suffix == ".parquet":
        try:
            from rewardkit.tables.parquet import ParquetTable
        except ModuleNotFoundError as error:
            raise MissingExtraError("pyarrow", "tables") from error

        return ParquetTable(path)
    if path.suffix == ".csv":
        lines = shlex.quote(str(_free(path.with_suffix(".jsonl"))))
        raise ConfigError(
            f"{path}: a table is read from .parquet or .jsonl, not from .csv. To make a .jsonl of "
            f"it, every value a text:\n  {FROM_CSV} < {shlex.quote(str(path))} > {lines}"
        )
    found = path.suffix or "no suffix"
    raise ConfigError(f"{path}: a table is read from .parquet or .jsonl, found {found}")


def _free(path: Path) -> Path:
    """Return a path that nothing stands at: what is told to be typed overwrites no file."""
    tries = (path, *(path.with_stem(f"{path.stem}-{n}") for n in range(2, 1000)))
    return next((one for one in tries if not one.exists()), path)
