"""`rewardkit report`: a run, or several side by side, as one page for a browser."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import tyro

from rewardkit.cli.options.pairs import split_names
from rewardkit.config.flags import Unset
from rewardkit.errors import ConfigError, UnknownNameError
from rewardkit.pages.console import Console


def report(
    runs: Annotated[
        tyro.conf.Positional[tuple[Path, ...]],
        tyro.conf.arg(metavar="RUN [RUN ...]", help_behavior_hint="(required)"),
    ],
    out: Unset[Path] = None,
    max_mb: float = 32.0,
    to: Unset[str] = None,
) -> None:
    """Write one self-contained HTML page of a run: curves, rollouts, configuration.

    Works while a run goes on and after it was killed. Several runs share their curves. With --to,
    the samples of evaluations are written as a table elsewhere.

    Args:
        runs: the run folders; with --to, folders of `rewardkit eval`.
        out: the page; by default report.html in the run folder, for several runs in this one.
        max_mb: most megabytes of responses in the page; what does not fit is left out evenly.
        to: comma-separated: parquet (samples.parquet in the folder), md (results.md, a table), tex
            (results.tex, rows of a table), hf (model-index.yml for a model card), wandb (a table;
            kept here with WANDB_MODE=offline), tensorboard (text and numbers, in tensorboard/).
    """
    from rewardkit.report.page import write_report

    if not runs:
        raise ConfigError("which run? Give its folder: rewardkit report RUN")
    if to is not None and out is not None:
        raise ConfigError("--to writes into the folder of each evaluation; leave out --out")
    if to is not None:
        _export(runs, split_names(to) or ("",))
        return
    if len({run.resolve() for run in runs}) < len(runs):
        raise ConfigError("the same run is given twice")
    if max_mb <= 0:
        raise ConfigError(f"--max-mb must be above 0, found {max_mb:g}")
    if out is None:
        out = runs[0] / "report.html" if len(runs) == 1 else Path("report.html")
    if out.is_dir():
        out = out / "report.html"
    try:
        path = write_report(runs, out, max_mb=max_mb)
    except OSError as error:
        raise ConfigError(f"{error.filename or out}: {error.strerror or error}") from error
    size = path.stat().st_size / 1e6
    Console().print(
        f"report: {path} ({size:.1f} MB)", soft_wrap=True, highlight=False, markup=False
    )


def _export(folders: Sequence[Path], targets: Sequence[str]) -> None:
    from rewardkit.evaluation.pages.export import TARGETS, export

    for target in targets:
        if target not in TARGETS:
            raise UnknownNameError("target", target, TARGETS)
    for folder in folders:
        for target in targets:
            where = export(folder, target)
            Console().print(f"{target}: {where}", soft_wrap=True, highlight=False, markup=False)
