"""Two models' mean scores on the same problems, where a score says more than right or wrong."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import StatisticsError, correlation, fmean

from rewardkit.evaluation.statistics.summary import Estimate, Interval, mean_of_scores

Groups = Sequence[Sequence[float]]
"""Scores in [0, 1] by problem; two models' stand in the same order of problems."""


@dataclass(frozen=True, slots=True)
class ScoreGain:
    """The mean scores of A and B, and what B gains, with both intervals of each."""

    a: Estimate
    """Of A."""
    b: Estimate
    """Of B."""
    gain: float
    """B's mean less A's."""
    these_problems: Interval
    """Of the gain, if the same problems were sampled again."""
    new_problems: Interval
    """Of the gain, on problems like these."""


def gain_of_scores(
    a: Groups, b: Groups, level: float = 0.95, clusters: Sequence[str] | None = None
) -> ScoreGain:
    """Return the mean scores of two models on the same problems, and the gain of B.

    The interval of the gain is put together from those of both means (Zou and Donner, Stat. Med.
    27:1693, 2008), so that it stays within what scores can do: for these problems the two are
    independent, for new ones they correlate as the problems' means do.

    >>> found = gain_of_scores([[0.2, 0.4]] * 20, [[0.6, 0.8]] * 20)
    >>> round(found.gain, 2), 0 in found.these_problems
    (0.4, False)
    """
    one, two = (mean_of_scores(groups, level, clusters) for groups in (a, b))
    these = _difference(one, two, one.these_problems, two.these_problems, 0.0)
    together = _correlation([fmean(group) for group in a], [fmean(group) for group in b])
    new = _difference(one, two, one.new_problems, two.new_problems, together)
    new = Interval(min(these.low, new.low), max(these.high, new.high))
    return ScoreGain(one, two, two.value - one.value, these, new)


def _difference(a: Estimate, b: Estimate, of_a: Interval, of_b: Interval, r: float) -> Interval:
    def apart(x: float, y: float) -> float:
        return math.sqrt(max(x * x + y * y - 2 * r * x * y, 0.0))

    gain = b.value - a.value
    low = gain - apart(b.value - of_b.low, of_a.high - a.value)
    return Interval(low, gain + apart(of_b.high - b.value, a.value - of_a.low))


def _correlation(a: Sequence[float], b: Sequence[float]) -> float:
    try:
        return correlation(a, b)
    except StatisticsError:  # one problem, or all alike
        return 0.0
