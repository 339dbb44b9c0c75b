"""What is known of problems before a run: solve rates, and which are of one kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rewardkit.errors import ConfigError, DataError
from rewardkit.sampling.problems.posterior import Prior
from rewardkit.types import Problem

COLUMN = "column:"


def load_prior(source: str, problems: Sequence[Problem], strength: float) -> Prior:
    """Return the solve rates of the problems, from `column:NAME` or a .jsonl file.

    A row of the file has `id`, and `solve_rate` or the counts `right` and `wrong`. Problems that
    the source says nothing of have no prior.

    Raises:
        DataError: the file or a row cannot be read; names it.
        ConfigError: a rate is not in [0, 1], or no problem of the task has one.
    """
    if source.startswith(COLUMN):
        name = source.removeprefix(COLUMN)
        rates = [_number(problem.info.get(name), problem.id, name) for problem in problems]
    else:
        table = _table(Path(source))
        rates = [table.get(problem.id, float("nan")) for problem in problems]
    found = np.array(rates, dtype=np.float64)
    if np.isnan(found).all():
        raise ConfigError(
            f"sampling.curriculum.prior = {source!r} has no solve rate for any of "
            f"{len(problems)} training problems; their ids look like {problems[0].id!r}"
        )
    return Prior(found, strength)


def kinds_of(source: str, problems: Sequence[Problem]) -> npt.NDArray[np.int32]:
    """Return the number of each problem's kind, from `column:NAME`; all 0 where that is empty.

    Problems that the column says nothing of are a kind of their own.

    Raises:
        ConfigError: no problem has the column.

    >>> of = [Problem(str(i), "?", "1", "x", info={"level": i % 2}) for i in range(3)]
    >>> kinds_of("column:level", of).tolist(), kinds_of("", of).tolist()
    ([0, 1, 0], [0, 0, 0])
    """
    if not source:
        return np.zeros(len(problems), dtype=np.int32)
    name = source.removeprefix(COLUMN)
    values = [problem.info.get(name) for problem in problems]
    if name == source or not any(value is not None for value in values):
        columns = sorted({column for problem in problems[:100] for column in problem.info})
        raise ConfigError(
            f"sampling.curriculum.kind is {COLUMN} and one of the data's columns, found "
            f"{source!r}; there is {', '.join(columns) or 'none'}"
        )
    numbers: dict[str, int] = {}
    found = [numbers.setdefault(str(value), len(numbers)) for value in values]
    return np.array(found, dtype=np.int32)


def _table(path: Path) -> dict[str, float]:
    from rewardkit.data.opening import read_rows

    rates: dict[str, float] = {}
    for where, row in read_rows(path):
        if not isinstance(row, Mapping) or "id" not in row:
            raise DataError(
                f"{where}: expected an object with id, and solve_rate or right and wrong"
            )
        rates[str(row["id"])] = _rate(row, where)
    return rates


def _rate(row: Mapping[str, Any], where: str) -> float:
    if "solve_rate" in row:
        return _number(row["solve_rate"], where, "solve_rate")
    try:
        right, wrong = float(row["right"]), float(row["wrong"])
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise DataError(
            f"{where}: expected solve_rate, or the counts right and wrong; found "
            f"{', '.join(map(str, row))}"
        ) from error
    return right / (right + wrong) if right + wrong else float("nan")


def _number(value: Any, where: str, name: str) -> float:
    if value is None:
        return float("nan")
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > 1e300:
        raise DataError(f"{where}: {name} must be a number, found {str(value)[:40]}")
    return float(value)
