"""`rewardkit verify cases`: measure a verifier on a file of labelled cases."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import tyro

from rewardkit.cli.options.grading import FileGrader
from rewardkit.config.flags import Unset
from rewardkit.errors import ConfigError

if TYPE_CHECKING:
    from rewardkit.audit.cases import Case


def cases(
    file: tyro.conf.Positional[Path],
    *,
    show: int = 0,
    row: Unset[int] = None,
    out: Unset[Path] = None,
    json: bool = False,
    grader: FileGrader = FileGrader(),
) -> None:
    """Say how often a verifier is right on labelled cases, and in what it is wrong.

    Args:
        file: rows `gold, response, label, category?, debatable?`; .jsonl, .csv or .parquet.
        show: how many of the wrong verdicts to print, false accepts first.
        row: the number of the one row to look at, shown whatever its verdict; by default all.
        out: a JSONL file to write, the rows with their verdicts.
        json: print one JSON object instead of tables.
        grader: what grades, and the columns of the file.
    """
    if show < 0:
        raise ConfigError(f"--show must be 0 or more, found {show}")
    if show and json:
        raise ConfigError("--show prints verdicts as text, and --json one object; give one of them")
    from rewardkit.audit.cases import measure, read_cases
    from rewardkit.runs.graded_rows import write_rows
    from rewardkit.verifiers import VerifierPool

    with VerifierPool(grader.made(), grader.workers, grader.deadline) as pool:
        read = read_cases(file, grader.gold, grader.response)
        report = measure(pool, _chosen(read, file, row))
    if out is not None:
        write_rows(out, (one.case.row.graded(one.verdict) for one in report.scored))
    print(report.as_json() if json else report.as_text(show if row is None else None))  # noqa: T201


def _chosen(cases: list[Case], file: Path, row: int | None) -> list[Case]:
    if row is None:
        return cases
    if not 1 <= row <= len(cases):
        raise ConfigError(f"--row {row}: {file} has rows 1 to {len(cases)}")
    return [cases[row - 1]]
