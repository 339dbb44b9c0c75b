"""What several commands print."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rewardkit.evaluation.drawing.runner import Activity
from rewardkit.pages.console import Console


def print_evaluation(
    folder: Path,
    results: Mapping[str, Any],
    activity: Activity,
    console: Console,
    *,
    all_problems: bool,
) -> None:
    """Print the results of an evaluation and where they are, and write its page."""
    from rewardkit.evaluation.pages.display import print_problems, print_results
    from rewardkit.evaluation.pages.report import try_write_report

    print_results(results, activity, console)
    print_lengths(results, console)
    print_problems(results, console, None if all_problems else 30)
    console.print(f"written to {folder}", soft_wrap=True, highlight=False, markup=False)
    try_write_report(folder, console)


def print_lengths(results: Mapping[str, Any], console: Console) -> None:
    """Print the score of each set at each token limit, where that was asked for."""
    from rich.markup import escape
    from rich.table import Table

    from rewardkit.evaluation.pages.display import percent, span

    for name, row in results["sets"].items():
        if "lengths" not in row:
            continue
        table = Table(title=escape(f"{name}: accuracy at each length"), title_justify="left")
        headings = ("tokens", "avg@k %", "95 % these problems", "cut off %", "if those are wrong %")
        for heading in headings:
            table.add_column(heading, justify="right")
        for at in row["lengths"]:
            table.add_row(
                str(at["max_tokens"]),
                percent(at["accuracy"]),
                span(at["interval_these_problems"]),
                percent(at["cut"] / at["samples"] if at["samples"] else None),
                percent(at["accuracy_if_cut_wrong"]),
            )
        console.print(table)


def print_notes(console: Console, notes: Iterable[str]) -> None:
    """Print each sentence as it is, however long and whatever signs are in it; an empty one not."""
    for one in notes:
        if one:
            console.print(one, soft_wrap=True, highlight=False, markup=False)


@contextmanager
def interruptible(console: Console) -> Iterator[None]:
    """End a command that draws on Ctrl-C, with what a person wants to know then."""
    try:
        yield
    except KeyboardInterrupt:
        console.print("interrupted; what was drawn is kept, and the same command goes on")
        raise SystemExit(130) from None


def print_json(value: Any) -> None:
    """Print one JSON object on one line, in ASCII: a lone surrogate has no other form."""
    sys.stdout.write(json.dumps(value, ensure_ascii=True) + "\n")


def note(text: str) -> None:
    """Say on standard error what takes its time, so that nobody takes a silent command for dead."""
    print(text, file=sys.stderr, flush=True)  # noqa: T201
