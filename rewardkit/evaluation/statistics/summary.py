"""From counts by problem to numbers with error bars, in pure Python.

Two questions hide behind one "± x", and their answers differ several-fold on a small set:

- *these problems*: how far could the score move if the same problems were sampled again? Only
  sampling noise counts, and more samples shrink it.
- *problems like these*: how far could it move on another draw of problems? The spread between
  problems counts too, and more samples do not shrink that part (Miller, arXiv 2411.00640, §2-3).

Every function here takes what was observed and nothing else: a sample that is missing is left
out by the caller, never passed as wrong.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, variance

from rewardkit.evaluation.statistics.clusters import (
    lopsided,
    scarcity,
    skewness_of_mean,
    variance_of_mean,
)
from rewardkit.evaluation.statistics.distributions import (
    binomial_limits,
    clopper_pearson,
    normal_quantile,
    t_quantile,
)

TYPICAL_WITHIN_SHARE = 0.34
"""The share of p(1-p) that is sampling noise on contest sets: the median of 63 published models
(Hochlehnert et al., arXiv 2504.07086, data)."""

TYPICAL_DF = 30.0
"""Degrees of freedom of that median."""

EXACT_BELOW = 3.0
"""Effective samples right (or wrong) below which a limit is Clopper and Pearson's. It covers more
than it says; with more samples the limit moves to the middle of both binomial tails."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval, both ends in [0, 1] for an accuracy."""

    low: float
    """The lower end."""
    high: float
    """The upper end."""

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over problems with both of its intervals and what they rest on."""

    value: float
    """The mean."""
    these_problems: Interval
    """If the same problems were sampled again."""
    new_problems: Interval
    """On problems like these."""
    problems: int
    """How many were graded."""
    samples: int
    """How many responses of them."""


def summarise(
    counts: Sequence[tuple[int, int]],
    level: float = 0.95,
    clusters: Sequence[str] | None = None,
) -> Estimate:
    """Return the accuracy over problems and its intervals, from (correct, samples) by problem.

    Each problem weighs the same; those without a sample are missing, so they are left out.
    `clusters` labels problems that move together, such as those of one contest year.

    These problems: Clopper-Pearson at the effective sample size m(1-m)/V, where V is the unbiased
    variance of the mean given the problems, sum p(1-p)/(k-1) / n²; with one sample a problem, which
    cannot show how far it would vary, an upper bound. Problems like these: binomial limits at the
    effective number of problems (Korn and Graubard, 1998), never inside the former.

    Raises:
        ValueError: no sample at all, or a count that is impossible.

    >>> found = summarise([(4, 4), (1, 4), (0, 4), (3, 4)])
    >>> found.value, found.problems, found.samples
    (0.5, 4, 16)
    >>> found.these_problems.low < 0.5 < found.these_problems.high
    True
    """
    if clusters is not None:
        clusters = [one for one, pair in zip(clusters, counts, strict=True) if pair[1] > 0]
    counts = [pair for pair in counts if pair[1] != 0]
    if not counts:
        raise ValueError("no sample to summarise")
    for correct, samples in counts:
        if not 0 <= correct <= samples:
            raise ValueError(f"{correct} correct of {samples} samples is impossible")
    rates = [correct / samples for correct, samples in counts]
    return _estimate(rates, [k for _, k in counts], sampling_variance(counts), level, clusters)


def mean_of_scores(
    groups: Sequence[Sequence[float]], level: float = 0.95, clusters: Sequence[str] | None = None
) -> Estimate:
    """Return the mean of scores in [0, 1] over problems and both intervals.

    As `summarise`, which it equals where all scores are 0 or 1. No score of that mean
    varies more than m(1-m), so an interval is rather too wide than too narrow.

    >>> graded = mean_of_scores([[1.0, 0.0, 0.0, 1.0], [1.0, 1.0, 1.0, 1.0]])
    >>> graded == summarise([(2, 4), (4, 4)])
    True
    """
    rates = [fmean(scores) for scores in groups]
    mean = fmean(rates)
    each = (
        variance(scores) / len(scores) if len(scores) > 1 else mean * (1 - mean)
        for scores in groups
    )
    noise = sum(each) / len(groups) ** 2
    return _estimate(rates, [len(scores) for scores in groups], noise, level, clusters)


def sampling_variance(counts: Sequence[tuple[int, int]]) -> float:
    """Return the variance of the mean if the same problems were sampled again, unbiased.

    A problem with one sample shows no variance of its own; it is given m(1-m) of the whole set,
    which bounds the average of p(1-p) from above.
    """
    mean = fmean(correct / samples for correct, samples in counts)
    total = 0.0
    for correct, samples in counts:
        rate = correct / samples
        total += rate * (1 - rate) / (samples - 1) if samples > 1 else mean * (1 - mean)
    return total / len(counts) ** 2


def _estimate(
    rates: Sequence[float],
    samples: Sequence[int],
    noise: float,
    level: float,
    clusters: Sequence[str] | None,
) -> Estimate:
    these = _these_problems(fmean(rates), noise, sum(samples), level)
    new = _new_problems(rates, samples, level, clusters)
    return Estimate(
        value=fmean(rates),
        these_problems=these,
        new_problems=Interval(min(these.low, new.low), max(these.high, new.high)),
        problems=len(rates),
        samples=sum(samples),
    )


def _these_problems(mean: float, variance: float, samples: int, level: float) -> Interval:
    # Every problem all right or all wrong: as many independent samples as there are.
    effective = mean * (1 - mean) / variance if variance > 0 else float(samples)
    return Interval(*clopper_pearson(mean * effective, effective, level))


def _new_problems(
    rates: Sequence[float], samples: Sequence[int], level: float, clusters: Sequence[str] | None
) -> Interval:
    n = len(rates)
    if n == 1:  # one problem says nothing of others
        return Interval(0.0, 1.0)
    mean = fmean(rates)
    # Half a problem on either side keeps a set near 0 or 1 from claiming no spread at all.
    middle = (mean * n + 0.5) / (n + 1)
    bernoulli = middle * (1 - middle)
    per_sample = fmean(1 / k for k in samples)
    typical = bernoulli * (1 - TYPICAL_WITHIN_SHARE + TYPICAL_WITHIN_SHARE * per_sample) / n
    shown, df = variance_of_mean(rates, clusters)
    if clusters is not None:
        alone, _ = variance_of_mean(rates)
        typical *= shown / alone if alone > 0 else 1.0
    few = scarcity(rates, clusters)
    pooled = (1 - few) * shown + few * typical
    effective = min(bernoulli / pooled, n / per_sample) if pooled > 0 else n / per_sample
    quantile = t_quantile(0.5 + level / 2, df + few * TYPICAL_DF)
    longer = _longer(mean, bernoulli, effective, (1 - few) * skewness_of_mean(rates, clusters))
    longer *= lopsided(quantile)
    effective *= (normal_quantile(0.5 + level / 2) / quantile) ** 2
    rare = min(mean, 1 - mean) * effective
    exactness = EXACT_BELOW / (rare + EXACT_BELOW)
    # With one sample a problem the counts are whole, and only the exact limits cover.
    shift = 0.5 * (1 - per_sample) * (1 - exactness)
    low, high = binomial_limits(mean * effective, effective, shift, level)
    return Interval(max(low + min(longer, 0.0), 0.0), min(high + max(longer, 0.0), 1.0))


def _longer(mean: float, bernoulli: float, effective: float, skew: float) -> float:
    """Return how far a binomial limit is too near on the long side, for a skewness of 1.

    Problems of a set near 0 or 100 % are more lopsided than right and wrong samples are.
    """
    error = math.sqrt(bernoulli / effective)
    if math.isclose(mean, 0.5):  # no side is the long one of right and wrong samples
        return skew * error
    own = (1 - 2 * mean) / (error * effective)
    more = max(skew - own, 0.0) if own > 0 else min(skew - own, 0.0)
    return more * error
