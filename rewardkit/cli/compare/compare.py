"""`rewardkit compare`: is B better than A, on these problems and on problems like them?"""

from __future__ import annotations

from pathlib import Path

import tyro

from rewardkit.cli.compare.matrix import show_matrix
from rewardkit.cli.compare.paired import paired, show_comparison
from rewardkit.cli.options.asking import Ask, settings_of, slug
from rewardkit.cli.printing import interruptible
from rewardkit.config.flags import Unset
from rewardkit.errors import ConfigError
from rewardkit.pages.console import Console

USUAL = Ask(samples=64)
"""What `--sequential` draws at most."""


def compare(
    runs: tyro.conf.Positional[tuple[str, ...]],
    *,
    task: Unset[str] = None,
    sequential: bool = False,
    matrix: bool = False,
    out: Unset[Path] = None,
    json: bool = False,
    ask: Ask = USUAL,
) -> None:
    """Compare two evaluations problem by problem, or show many as one table with ranks.

    With --sequential the two are models, which are drawn from until their difference on --task is
    shown (O'Brien-Fleming boundaries, 5 %) or --samples are drawn; without it nothing is drawn.

    Args:
        runs: two folders of `rewardkit eval` or their results.json; more of them, or a folder of
            such folders, make the table.
        task: comma-separated sets to compare, by default all; with --sequential, what is asked:
            task names, file:PATH, or NAME=PATH for a copy of a known set.
        sequential: evaluate two models until their difference is shown.
        matrix: make the table of two evaluations as well.
        out: the folder for comparison.html, .md and .tex (by default B's), for matrix.json and
            matrix.html (by default matrix), or for the two evaluations, A-a and B-b (by default
            eval-runs).
        json: print one JSON object instead of sentences.
        ask: how the two models are asked and sampled.
    """
    if not sequential and (given := ask.given(USUAL)):
        raise ConfigError(
            f"--{given[0].replace('_', '-')} says how a model is sampled, and nothing is drawn "
            "here; --sequential draws"
        )
    if not runs:
        raise ConfigError("name evaluations: rewardkit compare eval-runs/A eval-runs/B")
    if sequential:
        if len(runs) != 2 or matrix:
            raise ConfigError(f"--sequential compares two models, found {len(runs)}")
        _sequential(runs[0], runs[1], task, out or Path("eval-runs"), ask, json=json)
    elif len(runs) == 2 and not matrix:
        paired(Path(runs[0]), Path(runs[1]), task, out, json=json)
    else:
        show_matrix([Path(run) for run in runs], task, out or Path("matrix"), json=json)


def _sequential(a: str, b: str, task: str | None, out: Path, ask: Ask, *, json: bool) -> None:
    if task is None:
        raise ConfigError("--sequential draws: say what is asked, such as --task gsm8k")
    folders = [out / f"{slug(a)}-a", out / f"{slug(b)}-b"]
    settings = [
        settings_of(model, folder, task, ask) for model, folder in zip((a, b), folders, strict=True)
    ]
    from rewardkit.evaluation.comparing.comparison import compare_results
    from rewardkit.evaluation.comparing.sequential_run import draw_until_shown
    from rewardkit.evaluation.stored import load_with_seconds

    console = Console(stderr=json)
    with interruptible(console):
        stop = draw_until_shown(settings[0], settings[1], console)
    found = compare_results(load_with_seconds(folders[0]), load_with_seconds(folders[1]))
    runs = folders[0], folders[1]
    show_comparison(found | {"sequential": stop}, runs[1], runs, json=json)
