"""A run's curves as one SVG picture, from its metrics.jsonl."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

from rewardkit.errors import MissingExtraError
from rewardkit.report.panels import (
    CLIPPED,
    ENTROPY,
    LENGTH,
    OUTCOMES,
    REWARD,
    SIGNAL,
    Panel,
    Row,
    derived,
    drawn,
)
from rewardkit.runs import RunFolder

PANELS = (REWARD, OUTCOMES, LENGTH, ENTROPY, CLIPPED, SIGNAL)
"""What tells most at a glance; `rewardkit report` draws all."""


def draw_curves(folder: RunFolder) -> Path:
    """Draw `curves.svg` in a run folder and return its path.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    try:
        import matplotlib as mpl
    except ModuleNotFoundError as error:
        raise MissingExtraError("matplotlib", "report") from error
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    rows = [derived(row) for row in folder.rows("metrics.jsonl")]
    figure = Figure(figsize=(11, 6), layout="constrained")
    canvas = FigureCanvasSVG(figure)
    panels = [panel for panel in PANELS if drawn(panel, rows)]
    for place, panel in enumerate(panels, 1):
        _draw_panel(figure.add_subplot(2, -(-len(panels) // 2), place), panel, rows)
    picture = StringIO()
    # Text stays text: smaller, and a search in the picture finds it.
    with mpl.rc_context({"svg.fonttype": "none"}):
        canvas.print_svg(picture)
    folder.write_text("curves.svg", picture.getvalue())
    return folder.path / "curves.svg"


def draw_if_possible(folder: RunFolder, remark: Callable[[str], None]) -> None:
    """Draw the curves; a picture that fails is remarked on and ends no trained model's run."""
    try:
        draw_curves(folder)
    except Exception as error:  # noqa: BLE001 - whatever it is
        remark(f"curves.svg could not be drawn: {error}")


def _draw_panel(axes: Any, panel: Panel, rows: Sequence[Row]) -> None:
    steps = [row["step"] for row in rows]
    lines = drawn(panel, rows)
    for line, values in lines.items():
        known = [point for point in zip(steps, values, strict=True) if point[1] is not None]
        axes.plot(*zip(*known, strict=True), label=line.label, marker=".")
    axes.set_title(panel.title, fontsize=10)
    axes.set_xlabel("step", fontsize=9)
    axes.grid(alpha=0.3)
    if len(lines) > 1:
        axes.legend(fontsize=8)
