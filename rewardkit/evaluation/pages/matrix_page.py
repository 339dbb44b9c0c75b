"""matrix.html: models by sets, sortable, and for each set who is shown to be better than whom."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rewardkit.evaluation.pages.display import cost_a_right_one, percent, rank_of, short_count, span
from rewardkit.evaluation.pages.report import TEMPLATES
from rewardkit.pages import write_page


def write_matrix(found: Mapping[str, Any], folder: Path) -> Path:
    """Write `folder`/matrix.html and return its path.

    Raises:
        MissingExtraError: jinja2 is not installed.
    """
    columns = [column["name"] for column in found["columns"]]
    return write_page(
        folder / "matrix.html",
        TEMPLATES / "matrix.html.j2",
        styles=["matrix.css"],
        scripts=["matrix.js"],
        filters={
            "percent": percent,
            "span": span,
            "rank": rank_of,
            "count": short_count,
            "cost": cost_a_right_one,
        },
        found=found,
        rows=[(row, [row["cells"].get(name) for name in columns]) for row in found["rows"]],
        data={
            "models": [row["label"] for row in found["rows"]],
            "columns": columns,
            "pairs": [_pair(pair, columns, found["rows"]) for pair in found["pairs"]],
        },
    )


def _pair(pair: Mapping[str, Any], columns: list[str], rows: Any) -> list[Any]:
    """Return a pair as the page's script reads it: where, who, and for both questions the test."""
    labels = [row["label"] for row in rows]
    tests = [
        [test["gain"], test["low"], test["high"], test["p_holm"]]
        for test in (pair["these_problems"], pair["new_problems"])
    ]
    where = columns.index(pair["column"])
    return [where, labels.index(pair["a"]), labels.index(pair["b"]), *tests]
