"""`rewardkit grade`: verdict columns for a table of any length."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import tyro

from rewardkit.cli.options.grading import FileGrader

if TYPE_CHECKING:
    from rewardkit.tables.job import Progress

LOG_EVERY_S = 10.0


def grade(
    file: tyro.conf.Positional[Path],
    *,
    out: Path,
    prefix: str = "",
    engine: str = "processes",
    grader: FileGrader = FileGrader(),
) -> None:
    """Write a table with the columns outcome, score, extracted, method and reason.

    A few thousand rows a process are in memory at a time. Killed at any moment, the same command
    goes on; at the end the outcomes are counted. Exits with 1 where no row could be graded.

    Args:
        file: a .parquet or .jsonl file, one response a row.
        out: the file to write, of the same kind.
        prefix: what the new columns' names begin with.
        engine: `processes` for the cores of this machine, `ray` for a cluster (Ray Data).
        grader: what grades, and the columns of the file; it gets those that it names.
    """
    from rewardkit.runs.signals import handled
    from rewardkit.tables.grade import GradeSettings
    from rewardkit.tables.job import grade_table, parts_of, why_none_was_graded
    from rewardkit.types import Outcome

    settings = GradeSettings(
        str(file),
        grader.response,
        grader.gold,
        grader.verifier,
        prefix,
        grader.deadline,
        grader.options(),
    )
    settings.made()  # a wrong name is said before processes are started
    shown = _Shown()
    try:
        with handled([signal.SIGTERM], _stop):
            done = grade_table(settings, out, engine=engine, workers=grader.workers, progress=shown)
    except KeyboardInterrupt:
        shown.end()
        told = f"stopped; the pieces that are whole are kept in {parts_of(out)}, and the same "
        print(f"{told}command goes on", file=sys.stderr)  # noqa: T201
        raise SystemExit(130) from None
    shown.end()
    print(done.line())  # noqa: T201
    print(done.summary())  # noqa: T201
    if done.none_graded:
        why = why_none_was_graded(out, prefix)
        column = f" (in column {grader.gold!r}; another one: --gold COLUMN)"
        where = column if done.outcomes[Outcome.BAD_GOLD] else ""
        print(f"no row could be graded, most often: {why}{where}", file=sys.stderr)  # noqa: T201
        raise SystemExit(1)


class _Shown:
    """Progress on standard error: one line that is written anew, or in a log one now and then."""

    def __init__(self) -> None:
        self.live = sys.stderr.isatty()
        self.last = time.monotonic()

    def __call__(self, progress: Progress) -> None:
        line = progress.line()
        if self.live:
            print(f"\r{line:<78}", end="", file=sys.stderr, flush=True)  # noqa: T201
        elif time.monotonic() - self.last > LOG_EVERY_S:
            self.last = time.monotonic()
            print(line, file=sys.stderr, flush=True)  # noqa: T201

    def end(self) -> None:
        if self.live:
            print(file=sys.stderr)  # noqa: T201


def _stop(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
