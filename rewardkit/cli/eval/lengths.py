"""`rewardkit eval lengths`: what smaller token limits would have cost, from stored samples."""

from __future__ import annotations

from pathlib import Path

import tyro

from rewardkit.cli.printing import print_json, print_lengths
from rewardkit.config.flags import Unset
from rewardkit.pages.console import Console
from rewardkit.runs.results import MODEL, document


def lengths(
    run: tyro.conf.Positional[Path],
    *,
    at: Unset[str] = None,
    trust: bool = False,
    workers: Unset[int] = None,
    json: bool = False,
    report: bool = True,
) -> None:
    """Say how accurate stored responses are under smaller token limits; nothing is drawn.

    What ended within a limit keeps its verdict, the beginning of what did not is graded.

    Args:
        run: the folder that `rewardkit eval` wrote; its results.json and page get the curve.
        at: comma-separated token limits, as 2048,4096,8192 or 2k,4k,8k; by default halvings.
        trust: import the `package.module:attribute` that the folder names, run what it runs.
        workers: how many verifier processes at most; by default one a core.
        json: print one JSON object instead of a table.
        report: write report.html (needs jinja2).
    """
    from rewardkit.evaluation.asking.limits import parse_lengths
    from rewardkit.evaluation.session import lengths_of_run

    console = Console(stderr=json)
    found = lengths_of_run(run, parse_lengths(at) if at else None, workers, trust=trust)
    print_lengths(found, console)
    if report:
        from rewardkit.evaluation.pages.report import try_write_report

        try_write_report(run, console)
    if json:
        print_json(document({MODEL: found}))
