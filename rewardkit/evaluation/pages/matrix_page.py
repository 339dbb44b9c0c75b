"""matrix.html: models by sets, sortable, and for each set who is shown to be better than whom."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rewardkit.evaluation.pages.display import percent, rank_of, span
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
        filters={"percent": percent, "span": span, "rank": rank_of, "count": _count},
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


def _count(tokens: float | None) -> str:
    """Return a number of tokens, short.

    >>> _count(950), _count(12_345), _count(3_400_000), _count(None)
    ('950', '12 k', '3.4 M', '-')
    """
    if not tokens:
        return "-"
    if tokens >= 1e6:
        return f"{tokens / 1e6:.1f} M"
    return f"{tokens / 1e3:.0f} k" if tokens >= 1e4 else f"{tokens:.0f}"
