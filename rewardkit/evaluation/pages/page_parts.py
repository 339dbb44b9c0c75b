"""What the page of an evaluation shows beside its grid: near misses, and the curve of lengths."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rewardkit.evaluation.measures.near import SIGNS
from rewardkit.evaluation.pages.display import brief

MOST_NEAR = 30
LEFT, RIGHT, TOP, BOTTOM = 44.0, 620.0, 12.0, 212.0


def near_view(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the near misses of a set, the first ones by name; None where there is none."""
    count = row.get("near_misses", {}).get("count", 0)
    if not count:
        return None
    shown = [
        {
            "key": sample["key"],
            "name": f"{brief(problem['id'])}, sample {sample['index']}",
            "sign": SIGNS.get(sample["near_miss"], sample["near_miss"]),
            "extracted": "nothing" if sample["extracted"] is None else sample["extracted"],
            "gold": brief(problem["gold"]),
        }
        for problem in row["per_problem"]
        for sample in problem["samples"]
        if sample.get("near_miss")
    ]
    return {"count": count, "shown": shown[:MOST_NEAR], "more": max(count - MOST_NEAR, 0)}


def curve_view(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the accuracy at each length as points and a band; None where it was not asked for."""
    rows = [at for at in row.get("lengths", ()) if at["accuracy"] is not None]
    if not rows:
        return None
    least, most = rows[0]["max_tokens"], rows[-1]["max_tokens"]
    top = max(at["interval_these_problems"][1] for at in rows) or 1.0

    def x(tokens: int) -> float:
        share = math.log(tokens / least) / math.log(most / least) if most > least else 0.5
        return round(LEFT + (RIGHT - LEFT) * share, 1)

    def y(value: float) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * value / top, 1)

    def ends(side: int) -> list[str]:
        return [f"{x(a['max_tokens'])},{y(a['interval_these_problems'][side])}" for a in rows]

    points = [{"x": x(at["max_tokens"]), "y": y(at["accuracy"]), "at": at} for at in rows]
    ticks = [{"y": y(top * part / 4), "value": top * part / 4} for part in range(5)]
    return {
        "points": points,
        "line": " ".join(f"{point['x']},{point['y']}" for point in points),
        "band": " ".join([*ends(1), *reversed(ends(0))]),
        "ticks": ticks,
    }


def shown_sampling(sampling: Mapping[str, Any], engine: str) -> Sequence[tuple[str, str]]:
    """Return the sampling parameters in words; what is not set is somebody else's to say.

    >>> shown_sampling({"max_tokens": 8, "temperature": None}, "openai")
    [('max_tokens', '8'), ('temperature', "the server's own")]
    """
    own = "the server's own" if engine == "openai" else "the model's own"
    return [(name, own if value is None else str(value)) for name, value in sampling.items()]
