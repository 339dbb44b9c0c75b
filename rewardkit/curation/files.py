"""Ratings in files: one row a problem, which is a sampler's prior and a task's data as well."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from rewardkit.curation.ratings import Counts, Rating
from rewardkit.errors import ConfigError, DataError, MissingExtraError, nearest_hint
from rewardkit.files import make_folder, objects_in, part_of, write_text
from rewardkit.types import Problem

NESTED = ("info", "models", "flags")
"""Columns that are tables or lists; as JSON in a .parquet file, where they have no one type."""
KINDS = (".jsonl", ".parquet")
NEEDED: Mapping[str, type] = {
    "id": str,
    "question": str,
    "answer": object,  # what it can be, `Problem` knows
    "info": dict,
    "models": dict,
}
"""The columns that a rating is read from, and what JSON has there; all others follow from them."""
SAID: Mapping[type, str] = {str: "text", dict: "a table", int: "a whole number from 0 on"}


def rating_row(rating: Rating, model: str | None = None) -> dict[str, Any]:
    """Return a rating as it is written, with the counts of one model or of all together."""
    problem, counts = rating.problem, rating.counts(model)
    low, high = counts.interval
    majority, times = counts.majority
    return {
        "id": problem.id,
        "question": problem.question,
        "answer": problem.answer,
        "source": problem.source,
        "right": counts.right,
        "wrong": counts.wrong,
        "undecided": counts.undecided,
        "truncated": counts.truncated,
        "solve_rate": round(counts.solve_rate, 6),
        "low": round(low, 6),
        "high": round(high, 6),
        "majority": majority,
        "majority_count": times,
        "info": dict(problem.info),
        "models": {name: asdict(of) for name, of in rating.models.items()},
    }


def write_ratings(path: Path, ratings: Iterable[Rating]) -> None:
    """Write a table of ratings."""
    write_rows(path, [rating_row(rating) for rating in ratings])


def read_ratings(paths: Sequence[Path]) -> list[Rating]:
    """Return the ratings of several tables as one: shards, and models, of the same problems.

    The counts of a model that is in two tables are those of the table with more samples.

    Raises:
        DataError: a table cannot be read, or two disagree on a problem; names file and row.
    """
    found: dict[str, Rating] = {}
    for path in paths:
        for where, row in read_rows(path):
            rating = _rating(row, where)
            before = found.get(rating.problem.id)
            found[rating.problem.id] = rating if before is None else _merged(before, rating, where)
    if not found:
        raise DataError(f"{', '.join(map(str, paths))}: no problem is rated")
    return list(found.values())


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write rows as .jsonl or .parquet, whole or not at all.

    Raises:
        ConfigError: the path has neither suffix.
    """
    check_kind(path)
    if path.suffix == ".jsonl":
        write_text(path, "".join(json.dumps(row, ensure_ascii=True) + "\n" for row in rows))
        return
    pa, pq = _arrow()
    flat = [{k: json.dumps(v) if k in NESTED else v for k, v in row.items()} for row in rows]
    staged = part_of(path)
    pq.write_table(pa.Table.from_pylist(flat), staged, compression="zstd")
    staged.replace(path)


def read_rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (where it stands, row) of a .jsonl or .parquet file.

    Raises:
        DataError: it cannot be read; names file and line.
    """
    check_kind(path)
    if path.suffix == ".jsonl":
        yield from objects_in(path)
        return
    try:
        rows = _arrow()[1].read_table(path).to_pylist()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise DataError(f"{path}: cannot be read ({reason})") from error
    for number, row in enumerate(rows, start=1):
        where = f"{path}: row {number}"
        nested = {k: _nested(row[k], k, where) for k in NESTED if isinstance(row.get(k), str)}
        yield where, {**row, **nested}


def _nested(text: str, name: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{where}: field {name!r} is not JSON ({error})") from error


def check_out(path: Path, *read: Path) -> None:
    """Make the folder that a table will be written to, before hours go into what it will hold.

    Raises:
        ConfigError: it cannot be made, the path is of no kind of table, or what is `read` lies
            there.
    """
    check_kind(path)
    if path.exists() and any(path.resolve() == other.resolve() for other in read):
        raise ConfigError(
            f"{path} is read, and would be lost if this were written there; name another file, "
            f"such as --out {shlex.quote(str(path.with_stem(f'{path.stem}-2')))}"
        )
    make_folder(path.parent)


def check_kind(path: Path) -> None:
    """Raise a ConfigError if a path is of no kind of table."""
    if path.suffix not in KINDS:
        raise ConfigError(f"{path}: a table is a {' or a '.join(KINDS)} file")
    if path.suffix == ".parquet":
        _arrow()


def _rating(row: Mapping[str, Any], where: str) -> Rating:
    for name, kind in NEEDED.items():
        if name not in row:
            raise DataError(
                f"{where}: no field {name!r}; the fields are {', '.join(map(repr, row))}. A row "
                f"needs {', '.join(NEEDED)}: give a table that `rewardkit curate rate` or `merge` "
                "wrote; what `curate` writes is a task's data, and no table of ratings any more"
            )
        _check_kind_of(name, row[name], kind, where)
    models = {name: _counts(of, f"models.{name}", where) for name, of in row["models"].items()}
    try:
        problem = Problem(
            row["id"], row["question"], row["answer"], row.get("source") or "", row["info"]
        )
    except DataError as error:
        raise DataError(f"{where}: {error}") from error
    return Rating(problem, models)


def _counts(of: Any, name: str, where: str) -> Counts:
    """Return the counts of one model; those that a row leaves out are 0."""
    _check_kind_of(name, of, dict, where)
    known = [one.name for one in fields(Counts)]
    for key, value in of.items():
        if key not in known:
            raise DataError(f"{where}: field {name!r} has {key!r}{nearest_hint(key, known)}")
        _check_kind_of(f"{name}.{key}", value, dict if key == "answers" else int, where)
    for key, value in of.get("answers", {}).items():
        _check_kind_of(f"{name}.answers.{key}", value, int, where)
    return Counts(**of)


def _check_kind_of(name: str, value: Any, kind: type, where: str) -> None:
    fits = isinstance(value, kind) and not isinstance(value, bool)
    if not fits or (kind is int and value < 0):
        found = repr(value) if isinstance(value, int | float) else type(value).__name__
        raise DataError(f"{where}: field {name!r} must be {SAID[kind]}, found {found}")


def _merged(before: Rating, rating: Rating, where: str) -> Rating:
    if before.problem != rating.problem:
        raise DataError(
            f"{where}: problem {rating.problem.id!r} is another one than in a row before; merge "
            "tables of one task"
        )
    models = dict(before.models)
    for name, counts in rating.models.items():
        models[name] = max(models.get(name, Counts()), counts, key=_samples)
    return Rating(before.problem, models)


def _samples(counts: Counts) -> int:
    return counts.right + counts.wrong + counts.undecided


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError as error:
        raise MissingExtraError("pyarrow", "tables") from error
    return pyarrow, pyarrow.parquet
