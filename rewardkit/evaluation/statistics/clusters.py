"""Problems that move together: copies of one problem, or those of one contest year.

Taken for independent they make the spread between problems look better known than it is; the
standard error is then the one that adds up what each cluster has in common (Miller, arXiv
2411.00640, section 2.2).
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

FEWEST = 6
"""Clusters below which their spread is no estimate: three contest years are not."""

CARRIERS = 5.0
"""Problems below which a spread between problems is rather taken from what is typical: with 30 of
them at 95 % accuracy most are all right, and the spread that they show is often far too small."""

UNSEEN_SKEW = 2.0
"""The skewness that problems show is raised by this over the root of how many carry the spread: the
few that make it lopsided are often not among them. Chosen by simulation, for limits that cover."""

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def clusters_of(rows: Sequence[Mapping[str, Any]]) -> list[str] | None:
    """Return which problems move together, one label a row of `per_problem`; None where none do.

    Problems of one contest year do: the year is a column `year`, or stands in the id. Copies of
    one text do, wherever fewer than six years can be told apart.

    >>> clusters_of([{"id": str(i), "text_hash": h} for i, h in enumerate("abcdefga")])
    ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'a']
    """
    for label in (_year, _text):
        labels = [label(row) for row in rows]
        if all(labels) and FEWEST <= len(set(labels)) < len(labels):
            return labels
    return None


def variance_of_mean(
    values: Sequence[float], clusters: Sequence[str] | None = None
) -> tuple[float, int]:
    """Return the variance of the mean of values by problem, and its degrees of freedom.

    With clusters it is the larger of theirs and of what independent problems would have: a
    clustering that shows less than none is chance.

    >>> variance_of_mean([0.0, 1.0]), variance_of_mean([0.0, 0.0, 1.0, 1.0], "aabb")
    ((0.25, 1), (0.25, 1))
    """
    n = len(values)
    mean = sum(values) / n
    alone = sum((value - mean) ** 2 for value in values) / (n - 1) / n
    if clusters is None:
        return alone, n - 1
    sums = _sums([value - mean for value in values], clusters)
    together = len(sums) / (len(sums) - 1) * sum(total**2 for total in sums) / n**2
    return max(alone, together), len(sums) - 1


def carried_by(values: Sequence[float], clusters: Sequence[str] | None = None) -> float:
    """Return how many problems (or clusters) a mean of values >= 0 rests on: (sum v)² / sum v².

    All alike, it is their number; where one problem holds everything it is 1.

    >>> carried_by([0.5, 0.5, 0.5]), carried_by([1.0, 0.0, 0.0]), carried_by([1.0, 1.0], "aa")
    (3.0, 1.0, 1.0)
    """
    held = _sums(values, clusters)
    squares = sum(value**2 for value in held)
    return sum(held) ** 2 / squares if squares else 0.0


def skewness_of_mean(values: Sequence[float], clusters: Sequence[str] | None = None) -> float:
    """Return how lopsided the mean of values by problem is, 0 where they cannot show it.

    >>> skewness_of_mean([0.0, 0.5, 1.0]), skewness_of_mean([0.0] * 14 + [1.0]) > 1
    (0.0, True)
    """
    mean = sum(values) / len(values)
    sums = _sums([value - mean for value in values], clusters)
    n, squares = len(sums), sum(total**2 for total in sums)
    if n < 3 or squares < 1e-18:
        return 0.0
    shown: float = sum(total**3 for total in sums) / math.sqrt(squares) ** 3
    carried = carried_by([total**2 for total in sums])
    return shown * math.sqrt(n * (n - 1)) / (n - 2) * (1 + UNSEEN_SKEW / math.sqrt(carried))


def lopsided(quantile: float) -> float:
    """Return by how many standard errors a limit moves out for a skewness of 1 of the mean.

    Hall (J. R. Stat. Soc. B 54:221, 1992), to the first order.

    >>> lopsided(1.0)
    0.5
    """
    return (1 + 2 * quantile**2) / 6


def scarcity(rates: Sequence[float], clusters: Sequence[str] | None = None) -> float:
    """Return how much weight belongs to what is typical, from 0 to 1, for rates in [0, 1].

    Where many problems hold some of the rarer outcome, they say themselves how they spread.

    >>> scarcity([1.0] * 30), round(scarcity([0.0] * 29 + [0.5]), 2), scarcity([0.2] * 30) < 1e-9
    (1.0, 0.96, True)
    """
    mean = sum(rates) / len(rates)
    rarer = rates if mean < 0.5 else [1 - rate for rate in rates]
    return math.exp(-((carried_by(rarer, clusters) / CARRIERS) ** 2))


def _sums(values: Sequence[float], clusters: Sequence[str] | None) -> Sequence[float]:
    """Return the sums by cluster, in the order in which they are met; without any, the values."""
    if clusters is None:
        return values
    sums: defaultdict[str, float] = defaultdict(float)
    for value, cluster in zip(values, clusters, strict=True):
        sums[cluster] += value
    return list(sums.values())


def _year(row: Mapping[str, Any]) -> str:
    column = (row.get("info") or {}).get("year")
    # The last one: a set's name, which an id begins with, may name the years that it spans.
    found: list[str] = _YEAR.findall(str(row["id"] if column is None else column))
    return found[-1] if found else ""


def _text(row: Mapping[str, Any]) -> str:
    return str(row["text_hash"])
