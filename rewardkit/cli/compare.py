"""`rewardkit compare`: is B better than A, on these problems and on problems like them?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import tyro

from rewardkit.cli.printing import print_json
from rewardkit.config.flags import Unset
from rewardkit.pages.console import Console

QUESTIONS = (("these problems", "these_problems"), ("problems like these", "new_problems"))


def compare(
    a: Annotated[Path, tyro.conf.Positional],
    b: Annotated[Path, tyro.conf.Positional],
    *,
    task: Unset[str] = None,
    json: bool = False,
    report: bool = True,
) -> None:
    """Compare two evaluations, problem by problem.

    The command `rewardkit compare sequential` evaluates two models as far as that needs.

    Args:
        a: the folder of the first evaluation, or its results.json.
        b: the folder of the second evaluation, or its results.json.
        task: comma-separated sets to compare; by default all that both hold.
        json: print one JSON object instead of sentences.
        report: write comparison.html into B's folder (needs jinja2).
    """
    from rewardkit.cli.options.drawing import split_tasks
    from rewardkit.evaluation.comparing.comparison import compare_results
    from rewardkit.evaluation.stored import load_results

    # Results are filed under the task's own name: PATH's stem for file:PATH, NAME for NAME=PATH.
    tasks = tuple(_set_name(name) for name in split_tasks(task)) if task else None
    found = compare_results(load_results(a), load_results(b), tasks)
    # A results.json may be named itself; the page goes beside it.
    show_comparison(found, b if b.is_dir() else b.parent, json=json, report=report)


def show_comparison(found: dict[str, Any], folder: Path, *, json: bool, report: bool) -> None:
    """Print what was found, and write it as a page into `folder`."""
    if report:
        from rewardkit.evaluation.pages.report import try_write_comparison

        try_write_comparison(found, folder, Console(stderr=True))
    if json:
        print_json(found)
    else:
        _print(found, Console())
        page = folder / "comparison.html"
        where = f"{page} and in " if report and page.exists() else ""
        line = f"Each problem stands in {where}`sets.NAME.changes` of --json."
        Console().print(line, soft_wrap=True, highlight=False, markup=False)


def _set_name(task: str) -> str:
    return Path(task.removeprefix("file:")).stem if task.startswith("file:") else task.split("=")[0]


def _flips(changes: Sequence[Mapping[str, Any]]) -> str:
    """Return how many problems went which way.

    >>> _flips([{"gain": 0.5}, {"gain": 1.0}, {"gain": -0.25}, {"gain": 0.0}])
    'B is right more often on 2 problems, less often on 1, as often on 1.'
    """
    better, worse = (sum(sign * one["gain"] > 0 for one in changes) for sign in (1, -1))
    return (
        f"B is right more often on {better} problem{'s' * (better != 1)}, less often on {worse}, "
        f"as often on {len(changes) - better - worse}."
    )


def _scores(scores: Mapping[str, Any]) -> str:
    """Return the sentence on mean scores, where they say more than outcomes."""
    from rewardkit.evaluation.pages.display import percent, span

    ends = {key: span(list(scores[key].values())) for key in ("these_problems", "new_problems")}
    return (
        f"Mean score: A {percent(scores['a']['value'])} %, B {percent(scores['b']['value'])} %; "
        f"{100 * scores['gain']:+.1f} points (95 % {ends['these_problems']} for these problems, "
        f"{ends['new_problems']} for problems like these). All else here counts what is correct."
    )


def _print(found: dict[str, Any], console: Console) -> None:
    from rich.markup import escape
    from rich.table import Table

    from rewardkit.evaluation.pages.display import percent

    console.print(f"A: {escape(found['a'])}\nB: {escape(found['b'])}", soft_wrap=True)
    same = found["same_model"]
    beside = "the model is the same, and this differs:" if same else "not only the model differs:"
    for line in found["differences"]:
        console.print(f"NOTE {beside} {escape(line)}", soft_wrap=True)
    for line in found["notes"]:
        console.print(f"NOTE {escape(line)}", soft_wrap=True)
    for name, row in found["sets"].items():
        table = Table(title=escape(name), title_justify="left")
        for heading in ("question", "gain", "95 %", "p", "p (Holm)", "detectable", "test"):
            table.add_column(heading)
        for label, key in QUESTIONS:
            finding = row[key]
            table.add_row(
                label,
                f"{100 * finding['gain']:+.1f}",
                f"{100 * finding['low']:.1f} to {100 * finding['high']:.1f}",
                f"{finding['p']:.3g}",
                f"{finding['p_holm']:.3g}",
                percent(finding["detectable"]),
                finding["test"],
            )
        console.print(table)
        if row["clusters"]:
            console.print(
                f"{row['problems']} problems in {row['clusters']} clusters "
                "(contest years, or copies of one text)",
                highlight=False,
            )
        console.print(
            f"A {100 * row['accuracy_a']:.1f} %, B {100 * row['accuracy_b']:.1f} %. "
            f"{row['verdict']} {_flips(row['changes'])}",
            soft_wrap=True,
            highlight=False,
        )
        if "scores" in row:
            console.print(_scores(row["scores"]), soft_wrap=True, highlight=False)
    if "sequential" in found:
        console.print(found["sequential"]["sentence"], soft_wrap=True, highlight=False)
