"""`rewardkit report`: a run, or several side by side, as one page for a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import tyro

from rewardkit.config.flags import Unset
from rewardkit.errors import ConfigError
from rewardkit.pages.console import Console


def report(
    runs: Annotated[
        tyro.conf.Positional[tuple[Path, ...]],
        tyro.conf.arg(metavar="RUN [RUN ...]", help_behavior_hint="(required)"),
    ],
    out: Unset[Path] = None,
    max_mb: float = 32.0,
) -> None:
    """Write one self-contained HTML page of a run: curves, rollouts, configuration.

    Works while a run goes on and after it was killed. Several runs share their curves.

    Args:
        runs: the run folders.
        out: the page; by default report.html in the run folder, for several runs in this one.
        max_mb: most megabytes of responses in the page; what does not fit is left out evenly.
    """
    from rewardkit.report.page import write_report

    if not runs:
        raise ConfigError("which run? Give its folder: rewardkit report RUN")
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
