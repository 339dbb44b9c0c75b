"""Two evaluations compared problem by problem: what is printed, and the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rewardkit.cli.options.pairs import split_names
from rewardkit.cli.printing import print_json
from rewardkit.pages.console import Console

QUESTIONS = (("these problems", "these_problems"), ("problems like these", "new_problems"))
HEADINGS = ("question", "gain", "95 %", "p", "p (Holm)", "detectable (80 % power)", "test")


def paired(a: Path, b: Path, task: str | None, out: Path | None, *, json: bool) -> None:
    """Compare two evaluations, folders or results.json; the page goes beside B's, or to `out`.

    Raises:
        DataError: one holds no evaluation, or they share no set.
    """
    from rewardkit.evaluation.comparing.comparison import compare_results
    from rewardkit.evaluation.stored import load_with_seconds

    # Results are filed under the task's own name: PATH's stem for file:PATH, NAME for NAME=PATH.
    tasks = tuple(_set_name(name) for name in split_names(task)) if task else None
    found = compare_results(load_with_seconds(a), load_with_seconds(b), tasks)
    runs = (a if a.is_dir() else a.parent, b if b.is_dir() else b.parent)
    show_comparison(found, out or runs[1], runs, json=json)


def show_comparison(
    found: dict[str, Any], folder: Path, runs: tuple[Path, Path], *, json: bool
) -> None:
    """Print what was found, and write it as a page into `folder`, with responses of both `runs`."""
    page = _page(found, folder, runs)
    if json:
        print_json(found)
    else:
        _print(found, Console())
        said = "`sets.NAME.changes` of --json has every problem."
        if page:
            said = f"The problems that changed are in {page}; {said}"
        Console().print(said, soft_wrap=True, highlight=False, markup=False)


def _page(found: dict[str, Any], folder: Path, runs: tuple[Path, Path]) -> Path | None:
    """Return the page that was written; an evaluation in a folder of somebody else has none."""
    from rewardkit.evaluation.pages.comparison_page import write_comparison
    from rewardkit.evaluation.pages.export import write_compared
    from rewardkit.evaluation.pages.report import say_written
    from rewardkit.files import make_folder

    console, page = Console(stderr=True), folder / "comparison.html"
    try:
        make_folder(folder)
        write_compared(found, folder)
        say_written("comparison", lambda: write_comparison(found, folder, runs), console)
    except OSError as error:
        said = f"no {page} ({error.strerror}); --out FOLDER puts it elsewhere"
        console.print(said, soft_wrap=True, highlight=False, markup=False)
        return None
    return page if page.exists() else None


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

    from rewardkit.evaluation.pages.comparison_page import of_both
    from rewardkit.evaluation.pages.display import percent

    console.print(f"A: {escape(found['a'])}\nB: {escape(found['b'])}", soft_wrap=True)
    if found["differ_in"]:
        console.print(f"these differ in: {escape(', '.join(found['differ_in']))}", soft_wrap=True)
    same = found["same_model"]
    beside = "the model is the same, and this differs:" if same else "not only the model differs:"
    for line in found["differences"]:
        console.print(f"NOTE {beside} {escape(line)}", soft_wrap=True)
    for line in found["notes"]:
        console.print(f"NOTE {escape(line)}", soft_wrap=True)
    for name, row in found["sets"].items():
        both = Table("", "A", "B", title=escape(name), title_justify="left")
        for line in of_both(row):
            both.add_row(*line)
        console.print(both)
        table = Table(*HEADINGS)
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
        said = f"{row['verdict']} {_flips(row['changes'])}"
        console.print(said, soft_wrap=True, highlight=False)
        if "scores" in row:
            console.print(_scores(row["scores"]), soft_wrap=True, highlight=False)
    if "sequential" in found:
        console.print(found["sequential"]["sentence"], soft_wrap=True, highlight=False)
