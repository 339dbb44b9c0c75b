"""`rewardkit eval regrade`: verify the stored responses of an evaluation anew."""

from __future__ import annotations

from pathlib import Path

import tyro

from rewardkit.cli.printing import print_evaluation, print_json
from rewardkit.config.flags import Unset
from rewardkit.pages.console import Console
from rewardkit.runs.results import MODEL, document


def regrade(
    run: tyro.conf.Positional[Path],
    *,
    verifier: Unset[str] = None,
    trust: bool = False,
    workers: Unset[int] = None,
    problems: bool = False,
    json: bool = False,
    report: bool = True,
) -> None:
    """Verify the stored responses of an evaluation anew; no model is loaded, nothing is drawn.

    Args:
        run: the folder that `rewardkit eval` wrote.
        verifier: grade with this one, a registered name or `package.module:attribute`; by default
            with the one of the evaluation.
        trust: import the `package.module:attribute` that the folder names, run what it runs.
        workers: how many verifier processes at most; by default one a core.
        problems: print one line a problem for sets of more than 30 problems, too.
        json: print one JSON object instead of tables.
        report: write report.html (needs jinja2).
    """
    from rewardkit.evaluation.session import regrade_run

    console = Console(stderr=json)
    results, activity = regrade_run(run, workers, verifier or "", trust=trust)
    print_evaluation(run, results, activity, console, all_problems=problems, report=report)
    console.print(f"regraded {activity.reused} responses; {activity.regraded} verdicts changed")
    if json:
        print_json(document({MODEL: results}))
