"""`rewardkit eval responses`: grade a file of responses that somebody else drew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tyro

from rewardkit.cli.options.grading import FileGrader
from rewardkit.cli.printing import print_json
from rewardkit.config.flags import Unset
from rewardkit.pages.console import Console
from rewardkit.types import Outcome


def responses(
    file: tyro.conf.Positional[Path],
    *,
    run_dir: Unset[Path] = None,
    json: bool = False,
    grader: FileGrader = FileGrader(),
) -> None:
    """Grade stored responses, and say how far somebody else's labels agree.

    Exits with 1 where no row could be graded.

    Args:
        file: rows of gold, response and, where there are, problem, label; .jsonl, .csv, .parquet.
        run_dir: a folder to write graded.jsonl, the rows with verdicts, and figures.json to.
        json: print one JSON object instead of sentences.
        grader: what grades, and the columns of the file.
    """
    from rewardkit.evaluation.measures.responses import grade_file

    found = grade_file(
        file,
        grader.made(),
        grader.workers,
        run_dir,
        grader.gold,
        grader.response,
        deadline_s=grader.deadline,
    )
    if json:
        print_json(found)
    else:
        _print(found, Console())
        if run_dir is not None:
            Console().print(f"written to {run_dir}", soft_wrap=True, highlight=False, markup=False)
    if not found["graded"]:
        raise SystemExit(1)


def _print(found: dict[str, Any], console: Console) -> None:
    from rewardkit.evaluation.pages.display import percent, span

    if found["graded"]:
        console.print(
            f"{found['n']} responses to {found['problems']} problems: {percent(found['accuracy'])} "
            f"% correct (these problems {span(found['interval_these_problems'])}, problems like "
            f"these {span(found['interval_new_problems'])})",
            highlight=False,
        )
    if (score := found["score"]) is not None:
        console.print(
            f"mean score by problem {percent(score['mean'])} % (these problems "
            f"{span(score['interval_these_problems'])}, problems like these "
            f"{span(score['interval_new_problems'])})",
            highlight=False,
        )
    console.print({name: count for name, count in found["outcomes"].items() if count})
    if found["label_agreement"] is not None:
        console.print(
            f"agrees with {percent(found['label_agreement'])} % of {found['labelled']} labels",
            highlight=False,
        )
    if lost := found["n"] - found["graded"]:
        often = "".join(f", {count} x {why}" for why, count in [*found["reasons"].items()][:1])
        broken = (
            "; another column of golds: --gold COLUMN"
            if found["outcomes"][Outcome.BAD_GOLD]
            else ""
        )
        console.print(
            f"WARNING {lost} of {found['n']} responses could not be graded{often}; they are left "
            f"out{broken}",
            soft_wrap=True,
            highlight=False,
            markup=False,
        )
    for row in found["disagreements"][:10]:
        console.print(row)
