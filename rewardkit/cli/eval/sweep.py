"""`rewardkit eval sweep`: evaluate each checkpoint of a run."""

from __future__ import annotations

from pathlib import Path

import tyro

from rewardkit.cli.eval.evaluate import CONTESTS
from rewardkit.cli.options.asking import PARTIAL, Ask, settings_of
from rewardkit.cli.printing import interruptible, print_json, print_notes
from rewardkit.config.flags import Unset
from rewardkit.pages.console import Console


def sweep(
    run: tyro.conf.Positional[Path],
    *,
    task: str = CONTESTS,
    run_dir: Unset[Path] = None,
    json: bool = False,
    ask: Ask = Ask(),
) -> None:
    """Evaluate each checkpoint of a run, and say what the best is worth beyond luck.

    Writes the curve to sweep.json and, with jinja2, to sweep.html. Samples that are there are kept;
    where responses never came, it exits with 3.

    Args:
        run: the run folder whose checkpoints are evaluated one after the other.
        task: comma-separated task names, file:PATH, NAME=PATH for a copy of a known set, or the
            folder of a run for what it learned, asked and graded as it was.
        run_dir: where samples and results go, a folder a step; by default eval-runs/RUN.
        json: print one JSON object instead of a table.
        ask: how the model is asked and sampled.
    """
    settings = settings_of(str(run), run_dir, task, ask)
    from rewardkit.evaluation.asking.trained import trained_otherwise
    from rewardkit.evaluation.comparing.sweep import print_sweep, sweep_run

    console = Console(stderr=json)
    print_notes(console, [trained_otherwise(settings)])
    with interruptible(console):
        found = sweep_run(run, settings, console)
    if json:
        print_json(found)
    else:
        print_sweep(found, console)
    if not all(row["complete"] for row in found["curve"]):
        raise SystemExit(PARTIAL)
