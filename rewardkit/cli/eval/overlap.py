"""`rewardkit eval overlap`: whether a set was trained on, and what that is worth."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import tyro
from rich.markup import escape
from rich.table import Table

from rewardkit.cli.options.drawing import split_tasks
from rewardkit.cli.printing import print_json
from rewardkit.pages.console import Console
from rewardkit.runs.results import MODEL, SetResult, document


def overlap(
    run: tyro.conf.Positional[Path],
    *,
    trained_on: str,
    trust: bool = False,
    show: int = 5,
    json: bool = False,
) -> None:
    """Compare the accuracy on problems that stand in training data with that on the rest.

    A problem overlaps where eight words in a row of its question stand in a training problem.

    Args:
        run: the folder that `rewardkit eval` wrote; its results.json gets what is found.
        trained_on: comma-separated tasks, whose training problems are read: names, file:PATH, ...
        trust: import the `package.module:attribute` that the folder names, run what it runs.
        show: how many overlapping problems of each set to print.
        json: print one JSON object instead of a table.
    """
    from rewardkit.curation.contamination import contamination_of_run

    found = contamination_of_run(run, split_tasks(trained_on), trust=trust)
    if json:
        print_json(document({MODEL: found}))
    else:
        _print(found["sets"], show, Console())


def _print(sets: Mapping[str, SetResult], show: int, console: Console) -> None:
    from rewardkit.evaluation.pages.display import percent, span

    title = "accuracy on problems that stand in the training data"
    table = Table(title=title, title_justify="left")
    for heading in ("set", "problems", "how many", "avg@k %", "95 % problems like these"):
        table.add_column(heading, justify="left" if heading in ("set", "problems") else "right")
    for name, row in sets.items():
        shared = row["overlap"]["problems"]
        counts = {"overlapping": len(shared), "rest": len(row["per_problem"]) - len(shared)}
        for part, count in counts.items():
            score = row["overlap"][part]
            interval = span(score["interval_new_problems"])
            table.add_row(escape(name), part, str(count), percent(score["accuracy"]), interval)
    console.print(table)
    for name, row in sets.items():
        for key, passage in list(row["overlap"]["problems"].items())[:show]:
            console.print(f"{name} {key}: ... {passage} ...", markup=False, soft_wrap=True)
