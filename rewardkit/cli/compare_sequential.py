"""`rewardkit compare sequential`: evaluate two models as far as their difference needs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import tyro

from rewardkit.cli.compare import show_comparison
from rewardkit.cli.options.drawing import Drawing, settings_of, slug
from rewardkit.cli.printing import interruptible
from rewardkit.evaluation.engines.base import DecodingSettings, EngineOptions
from rewardkit.pages.console import Console


def sequential(
    a: Annotated[str, tyro.conf.Positional],
    b: Annotated[str, tyro.conf.Positional],
    *,
    task: str,
    run_dir: Path = Path("eval-runs"),
    json: bool = False,
    report: bool = True,
    drawing: Drawing = Drawing(samples=64),
    decoding: DecodingSettings = DecodingSettings(),
    engine_specific: EngineOptions = EngineOptions(),
) -> None:
    """Draw from two models together until their difference on these problems is shown.

    Stops as soon as it is (O'Brien-Fleming boundaries, 5 %) or --samples are drawn.

    Args:
        a: the first model.
        b: the second model.
        task: comma-separated task names, file:PATH, or NAME=PATH for a copy of a known set.
        run_dir: where the two evaluations go, as A-a and B-b.
        json: print one JSON object instead of sentences.
        report: write comparison.html into B's folder (needs jinja2).
        drawing: how much is drawn, from which problems, by what.
        decoding: how responses are drawn; else the model's generation_config or the server says.
        engine_specific: what single engines take; others refuse it.
    """
    folders = [run_dir / f"{slug(a)}-a", run_dir / f"{slug(b)}-b"]
    settings = [
        settings_of(model, folder, task, drawing, decoding, engine_specific)
        for model, folder in zip((a, b), folders, strict=True)
    ]
    from rewardkit.evaluation.comparing.comparison import compare_results
    from rewardkit.evaluation.comparing.sequential_run import draw_until_shown
    from rewardkit.evaluation.stored import load_results

    console = Console(stderr=json)
    with interruptible(console):
        stop = draw_until_shown(settings[0], settings[1], console)
    found = compare_results(load_results(folders[0]), load_results(folders[1]), None)
    show_comparison(found | {"sequential": stop}, folders[1], json=json, report=report)
