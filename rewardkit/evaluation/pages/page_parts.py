"""What the page of an evaluation shows beside its grid: near misses, and the curve of lengths."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rewardkit.evaluation.measures.near import SIGNS
from rewardkit.evaluation.pages.display import brief

MOST_NEAR = 30
Place = Callable[[Mapping[str, Any], float], tuple[float, float]]
"""Of a row and a value of it, where on the page it stands."""
LEFT, RIGHT, TOP, BOTTOM = 44.0, 620.0, 12.0, 212.0


def first_views(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what is to be looked at first: where rules and a judge disagree, and near misses."""
    found = [
        _listed(row, "judged", "responses on which rules and the judge disagree"),
        _listed(row, "near_miss", "near misses"),
    ]
    return [one for one in found if one["count"]]


def _listed(row: Mapping[str, Any], key: str, words: str) -> dict[str, Any]:
    shown = [
        {
            "key": sample["key"],
            "name": f"{brief(problem['id'])}, sample {sample['index']}",
            "sign": SIGNS.get(sample[key], sample[key].replace(">", " by rules, judged ", 1)),
            "extracted": "nothing" if sample["extracted"] is None else sample["extracted"],
            "gold": brief(problem["gold"]),
        }
        for problem in row["per_problem"]
        for sample in problem["samples"]
        if sample.get(key)
    ]
    count = len(shown)
    return {
        "words": words,
        "count": count,
        "shown": shown[:MOST_NEAR],
        "more": max(count - MOST_NEAR, 0),
    }


def curve_view(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the accuracy at each length as points and a band; None where it was not asked for."""
    rows = [at for at in row.get("lengths", ()) if at["accuracy"] is not None]
    if not rows:
        return None
    least, most = rows[0]["max_tokens"], rows[-1]["max_tokens"]
    top = top_of(rows, "interval_these_problems")

    def place(at: Mapping[str, Any], value: float) -> tuple[float, float]:
        share = math.log(at["max_tokens"] / least) / math.log(most / least) if most > least else 0.5
        return round(LEFT + (RIGHT - LEFT) * share, 1), _height(value / top)

    points = points_of(rows, place)
    return {
        "points": points,
        "line": " ".join(f"{point['x']},{point['y']}" for point in points),
        "band": band_of(rows, "interval_these_problems", place),
        "ticks": [{"y": _height(part / 4), "value": top * part / 4} for part in range(5)],
    }


def top_of(rows: Sequence[Mapping[str, Any]], interval: str) -> float:
    """Return where an axis of shares ends that holds an interval of all rows, in fifths of 1.

    >>> top_of([{"ends": (0.1, 0.3)}, {"ends": (0.2, 0.44)}], "ends")
    0.6
    """
    most: float = max(row[interval][1] for row in rows)
    return max(math.ceil(5 * most), 1) / 5


def points_of(rows: Sequence[Mapping[str, Any]], place: Place) -> list[dict[str, Any]]:
    """Return where the accuracy of each row stands, with the row as `at`."""
    places = [place(row, row["accuracy"]) for row in rows]
    return [{"x": x, "y": y, "at": row} for (x, y), row in zip(places, rows, strict=True)]


def band_of(rows: Sequence[Mapping[str, Any]], interval: str, place: Place) -> str:
    """Return the outline of an interval over all rows, as points of a polygon."""
    upper = [place(row, row[interval][1]) for row in rows]
    lower = [place(row, row[interval][0]) for row in rows]
    return " ".join(f"{x},{y}" for x, y in (*upper, *reversed(lower)))


def _height(share: float) -> float:
    return round(BOTTOM - (BOTTOM - TOP) * share, 1)


def shown_sampling(sampling: Mapping[str, Any], engine: str) -> Sequence[tuple[str, str]]:
    """Return the sampling parameters in words; what is not set is somebody else's to say.

    >>> shown_sampling({"max_tokens": 8, "temperature": None}, "openai")
    [('max_tokens', '8'), ('temperature', "the server's own")]
    """
    own = "the server's own" if engine == "openai" else "the model's own"
    return [(name, own if value is None else str(value)) for name, value in sampling.items()]
