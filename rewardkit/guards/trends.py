"""How a run goes against how it was: what no single step shows, from a memory of ten steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NAMES = ("outcome/correct", "reward", "length")
WINDOW = 10
"""Steps whose mean is how a run is."""
SHORT = 3
"""Steps whose mean is how a run began, and whose mean share of right answers is compared with the
best such mean."""
LEAST = 0.05
"""A best mean below this says nothing by falling."""
LONGER = 1.5
"""By this factor lengths must have changed, up or down, for a reward to be one of length."""
RISEN = 0.05
"""A rise of the share of right answers above this explains a reward that rose."""

Trend = Mapping[str, Any]


def remember(row: Mapping[str, Any], trend: Trend) -> Trend:
    """Return the memory after a step; a row that lacks what is followed changes nothing.

    >>> row = {"outcome/correct": 0.5, "reward": 0.5, "length": 9}
    >>> remember(row, {})["recent"]
    [[0.5, 0.5, 9.0]]
    """
    if (rules := row.get("judge/rules_right")) is not None:
        pair = [float(row["outcome/correct"]) - float(rules), float(rules)]
        trend = {**trend, "judged": [*trend.get("judged", []), pair][-SHORT:]}
        if "judged_first" not in trend and len(trend["judged"]) == SHORT:
            trend["judged_first"] = means(trend["judged"])
    if row.get("kl") is not None and "taught" in row:  # a KL to a policy's own start rises always
        said = [float(row["kl"]), float(row.get("teacher_entropy") or 0.0)]
        trend = {**trend, "taught": [*trend.get("taught", []), said][-WINDOW:]}
        if "taught_first" not in trend and len(trend["taught"]) == SHORT:
            trend["taught_first"] = means(trend["taught"])
    if any(row.get(name) is None for name in NAMES):
        return trend
    recent = [*trend.get("recent", []), [float(row[name]) for name in NAMES]][-WINDOW:]
    after = {**trend, "recent": recent}
    if "first" not in after and len(recent) == SHORT:
        after["first"] = means(recent)
    if len(recent) >= SHORT:
        after["best"] = max(after.get("best", 0.0), means(recent[-SHORT:])[0])
    return after


def compared(trend: Trend) -> dict[str, float]:
    """Return `fallen`, `hacked` and `overturned`, as far as there are steps enough to compare.

    `fallen` is the share of right answers against the best that it was; `hacked` the rise of the
    reward that comes with another length and not with more right answers, 0 where there is none;
    `overturned` the rise of what a judge accepts against rules, where these accept no more;
    `parted` the rise of the KL to a teacher, and `teacher_sure` its entropy over what it was.

    >>> first = [[0.4, 0.4, 20.0]] * 10
    >>> longer = [[0.4, 0.9, 60.0]] * 10
    >>> found = compared({"recent": longer, "first": means(first), "best": 0.4})
    >>> {name: round(value, 3) for name, value in found.items()}
    {'fallen': 1.0, 'hacked': 0.5}
    """
    found: dict[str, float] = {}
    recent = trend.get("recent", [])
    if trend.get("best", 0.0) > LEAST:
        found["fallen"] = means(recent[-SHORT:])[0] / trend["best"]
    if "first" in trend:
        right, reward, length = (
            now - then for now, then in zip(means(recent), trend["first"], strict=True)
        )
        times = 1 + length / max(trend["first"][2], 1e-9)
        by_length = not 1 / LONGER < times < LONGER
        found["hacked"] = reward - right if by_length and right <= RISEN else 0.0
    if "judged_first" in trend:
        (against, rules), (against_then, rules_then) = means(trend["judged"]), trend["judged_first"]
        found["overturned"] = against - against_then if rules <= rules_then else 0.0
    if "taught_first" in trend:
        (kl, entropy), (kl_then, entropy_then) = means(trend["taught"]), trend["taught_first"]
        found["parted"] = kl - kl_then
        if entropy_then > 0:
            found["teacher_sure"] = entropy / entropy_then
    return found


def means(rows: list[list[float]]) -> list[float]:
    """Return the mean of each column."""
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]
