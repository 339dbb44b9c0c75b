"""`rewardkit eval regrade`: verify the stored responses of an evaluation anew."""

from __future__ import annotations

from pathlib import Path

import tyro

from rewardkit.cli.options.grading import Reading
from rewardkit.cli.printing import print_evaluation, print_json, print_lengths
from rewardkit.config import TaskConfig
from rewardkit.config.flags import Unset
from rewardkit.errors import ConfigError
from rewardkit.pages.console import Console
from rewardkit.runs.results import MODEL, document

HALVINGS = "halvings"


def regrade(
    run: tyro.conf.Positional[Path],
    *,
    lengths: Unset[str] = None,
    trust: bool = False,
    workers: Unset[int] = None,
    problems: bool = False,
    json: bool = False,
    reading: Reading = Reading(),
) -> None:
    """Verify the stored responses of an evaluation anew; no model is loaded, nothing is drawn.

    With --lengths, say instead how accurate they are under smaller token limits: what ended within
    one keeps its verdict, the beginning of what did not is graded.

    Args:
        run: the folder that `rewardkit eval` wrote; its results and page get what is found.
        lengths: comma-separated token limits, as 2048,4096,8192 or 2k,4k,8k, or `halvings` of the
            limit that was drawn with.
        trust: import the `package.module:attribute` that the folder names, run what it runs.
        workers: how many verifier processes at most; by default one a core.
        problems: print one line a problem for sets of more than 30 problems, too.
        json: print one JSON object instead of tables.
        reading: what grades this time, and where it reads; by default as in the evaluation.
    """
    from rewardkit.evaluation.asking.limits import parse_lengths
    from rewardkit.evaluation.pages.report import try_write_report
    from rewardkit.evaluation.session import lengths_of_run, regrade_run

    grader = TaskConfig(
        verifier=reading.verifier or "", answer_in=reading.places(), lenient=reading.lenient
    )
    if lengths and grader != TaskConfig():
        raise ConfigError(
            "--lengths keeps the verdicts of the evaluation's own verifier; first regrade with "
            "another one, then call this with --lengths alone"
        )
    console = Console(stderr=json)
    if lengths:
        limits = None if lengths == HALVINGS else parse_lengths(lengths)
        results = lengths_of_run(run, limits, workers, trust=trust)
        print_lengths(results, console)
        try_write_report(run, console)
    else:
        results, activity = regrade_run(run, workers, grader, trust=trust)
        print_evaluation(run, results, activity, console, all_problems=problems)
        console.print(f"regraded {activity.reused} responses; {activity.regraded} verdicts changed")
    if json:
        print_json(document({MODEL: results}))
