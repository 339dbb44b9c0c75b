"""The formulas of rewardkit's intervals once more in NumPy, for thousands of repeats at a time.

`check` holds them to the package's own; the tests call it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy import stats

from rewardkit.evaluation.statistics import clusters, noise, paired, summary
from rewardkit.evaluation.statistics.paired import new_problems, these_problems

SHARES = {"AIME-like": 0.34, "24 %": 0.24, "48 %": 0.48}
"""Logit-normal problems: the share of p(1-p) that is sampling noise; a quarter of models on AIME24
lie below 24 %, another above 48 %."""
POPULATIONS = ("equal", *SHARES)

Array = np.ndarray
Limits = tuple[Array, Array]


@cache
def population(accuracy: float, wanted: float) -> tuple[float, float]:
    """Return mean and deviation of the logits with this accuracy and share of sampling noise."""
    z = stats.norm.ppf((np.arange(20_001) + 0.5) / 20_001)
    best = (math.inf, 0.0, 0.0)
    for deviation in np.arange(0.25, 8, 0.125):
        low, high = -60.0, 60.0
        for _ in range(45):
            middle = (low + high) / 2
            p = 1 / (1 + np.exp(-(middle + deviation * z)))
            low, high = (middle, high) if p.mean() < accuracy else (low, middle)
        share = (p * (1 - p)).mean() / (accuracy * (1 - accuracy))
        best = min(best, (abs(share - wanted), middle, deviation))
    return best[1], best[2]


def chances(
    rng: np.random.Generator,
    shape: tuple[int, int],
    accuracy: float,
    kind: str,
    moved: float = 0.0,
    gain: float = 0.0,
) -> tuple[Array, Array]:
    """Return the success chances of A and B, (repeats, problems); B's logits move and gain."""
    if kind == "equal":
        logits = np.full(shape, math.log(accuracy / (1 - accuracy)))
    else:
        mean, deviation = population(accuracy, SHARES[kind])
        logits = rng.normal(mean, deviation, shape)
    other = logits + gain + (rng.normal(0, moved, shape) if moved else 0.0)
    return 1 / (1 + np.exp(-logits)), 1 / (1 + np.exp(-other))


@dataclass(frozen=True)
class Side:
    """One model in many repeats: rates (repeats, problems), and its noise as noise.py has it."""

    rates: Array
    mean: Array
    size: Array
    df: Array
    unbiased: Array

    @property
    def center(self) -> Array:
        """The mean with the added samples."""
        return (self.mean * self.size + noise.PSEUDO) / (self.size + 2 * noise.PSEUDO)

    @property
    def variance(self) -> Array:
        """The variance of the mean."""
        return self.center * (1 - self.center) / (self.size + 2 * noise.PSEUDO)


def side(correct: Array, k: int, bound: Array | float = 1.0) -> Side:
    """Return `noise_of` for counts (repeats, problems) of k samples."""
    n = correct.shape[1]
    rates = correct / k
    mean = rates.mean(1)
    bernoulli = mean * (1 - mean)
    if k > 1:
        each = rates * (1 - rates) / (k - 1)
        within, squares = each.sum(1), (each**2).sum(1) / (k - 1)
        share = np.divide(within, n * bernoulli / k, out=np.ones_like(mean), where=bernoulli > 0)
        df = np.divide(within**2, squares, out=np.zeros_like(mean), where=squares > 0)
    else:
        share, df = np.broadcast_to(bound, mean.shape), n * np.minimum(mean, 1 - mean)
    start = (df * share + noise.PRIOR) / (df + noise.PRIOR)
    return Side(rates, mean, n * k / start, df + noise.PRIOR_DF, share * bernoulli / (n * k))


def sides(first: Array, k_a: int, second: Array, k_b: int) -> tuple[Side, Side]:
    """Return both models, the noise of one with one sample a problem from their pairing."""
    a, b = side(first, k_a), side(second, k_b)
    spread = (b.rates - a.rates).var(1, ddof=1)

    def bound(one: Side, other: Side, n: int) -> Array:
        bernoulli = one.mean * (1 - one.mean)
        over = np.maximum(spread - n * other.unbiased, 0)
        return np.divide(over, bernoulli, out=np.ones_like(over), where=bernoulli > 0)

    n = first.shape[1]
    if k_a == 1:
        a = side(first, 1, bound(a, b, n))
    if k_b == 1:
        b = side(second, 1, bound(b, a, n))
    return a, b


def gain_limits(first: Array, k_a: int, second: Array, k_b: int) -> tuple[Limits, Limits, Limits]:
    """Return the limits of the gain for these and for new problems, and [2] both p-values."""
    if k_a == k_b == 1:
        found = mcnemar_limits(first, second)
        return found
    a, b = sides(first, k_a, second, k_b)
    n = first.shape[1]
    gains = b.rates - a.rates
    gain, center = gains.mean(1), b.center - a.center
    variance = a.variance + b.variance
    df = variance**2 / (a.variance**2 / a.df + b.variance**2 / b.df)
    spread = np.maximum(gains.var(1, ddof=1) / n - a.unbiased - b.unbiased, 0)
    squares = (gains - gain[:, None]) ** 2
    fourth = (squares**2).sum(1)
    carried = np.divide(squares.sum(1) ** 2, fourth, out=np.zeros_like(gain), where=fourth > 0)
    spread_df = np.clip(3 * carried * (n - 1) / n, 1, n - 1)
    few: Array | float = 0.0
    if k_a > 1 and k_b > 1:
        rates = (a.rates + b.rates) / 2
        few, middle = scarcity(rates), (rates.mean(1) * n + 0.5) / (n + 1)
        typical = paired.TYPICAL_MOVE * middle * (1 - middle) / n
        spread = (1 - few) * spread + few * np.maximum(spread, typical)
        spread_df = spread_df + few * paired.TYPICAL_DF
    whole = variance + spread
    whole_df = whole**2 / (variance**2 / df + (whole**2 - variance**2) / spread_df)
    skew = (1 - few) * skewness(gains) * (spread / whole) ** 1.5
    limits, p_values = [], []
    for v, f, g in ((variance, df, np.zeros_like(gain)), (whole, whole_df, skew)):
        quantile, error = stats.t.ppf(0.975, f), np.sqrt(v)
        half, longer = quantile * error, clusters.lopsided(quantile) * g * error
        low = np.minimum(center - half + np.minimum(longer, 0), gain)
        high = np.maximum(center + half + np.maximum(longer, 0), gain)
        limits.append((np.maximum(low, -1), np.minimum(high, 1)))
        against = np.maximum(np.where(center > 0, -g, g), 1e-9) / 3
        beyond = np.maximum(np.abs(center) / error - against / 2, 0)
        errors = (np.sqrt(1 + 4 * against * beyond) - 1) / (2 * against)
        errors = np.where(against < 1e-9, np.abs(center) / error, errors)
        p_values.append(2 * stats.t.sf(errors, f))
    return limits[0], limits[1], (p_values[0], p_values[1])


def skewness(values: Array) -> Array:
    """Return the skewness of the mean over problems, as clusters.py has it."""
    n = values.shape[1]
    apart = values - values.mean(1, keepdims=True)
    squares = (apart**2).sum(1)
    known = squares > 1e-18
    shown = np.divide((apart**3).sum(1), squares**1.5, out=np.zeros_like(squares), where=known)
    root = np.divide(squares, np.sqrt((apart**4).sum(1)), out=np.ones_like(squares), where=known)
    return shown * math.sqrt(n * (n - 1)) / (n - 2) * (1 + clusters.UNSEEN_SKEW / root)


def scarcity(rates: Array) -> Array:
    """Return the weight of what is typical, as clusters.py has it."""
    mean = rates.mean(1)
    rarer = np.where((mean < 0.5)[:, None], rates, 1 - rates)
    squares = (rarer**2).sum(1)
    carried = np.divide(rarer.sum(1) ** 2, squares, out=np.zeros_like(mean), where=squares > 0)
    return np.exp(-((carried / clusters.CARRIERS) ** 2))


def mcnemar_limits(first: Array, second: Array) -> tuple[Limits, Limits, Limits]:
    """Return what mcnemar.py says of one sample each, which answers both questions."""
    n = first.shape[1]
    gained, lost = ((first < second).sum(1), (first > second).sum(1))
    up, down = (gained + 1) / (n + 2), (lost + 1) / (n + 2)
    half = stats.norm.ppf(0.975) * np.sqrt((up + down - (up - down) ** 2) / (n + 2))
    limits = np.maximum(up - down - half, -1), np.minimum(up - down + half, 1)
    fewer = np.minimum(gained, lost)
    p = np.minimum(1.0, 2 * stats.binom.cdf(fewer, gained + lost, 0.5))
    return limits, limits, (p, p)


def accuracy_limits(correct: Array, k: int) -> tuple[Limits, Limits]:
    """Return the limits of one model's accuracy for these and for new problems."""
    n = correct.shape[1]
    rates = correct / k
    mean = rates.mean(1)
    variance = (rates * (1 - rates)).sum(1) / (k - 1) / n**2 if k > 1 else mean * (1 - mean) / n
    size = np.full(mean.shape, float(n * k))
    np.divide(mean * (1 - mean), variance, out=size, where=variance > 0)
    these = _binomial(mean, size, np.zeros_like(mean))
    middle = (mean * n + 0.5) / (n + 1)
    bernoulli = middle * (1 - middle)
    within = summary.TYPICAL_WITHIN_SHARE
    typical = bernoulli * (1 - within + within / k) / n
    few = scarcity(rates)
    pooled = (1 - few) * rates.var(1, ddof=1) / n + few * typical
    size = np.minimum(bernoulli / np.maximum(pooled, 1e-300), n * k)
    quantile = stats.t.ppf(0.975, n - 1 + few * summary.TYPICAL_DF)
    error = np.sqrt(bernoulli / size)
    own, skew = (1 - 2 * mean) / (error * size), (1 - few) * skewness(rates)
    more = np.where(own > 0, np.maximum(skew - own, 0), np.minimum(skew - own, 0))
    longer = clusters.lopsided(quantile) * more * error
    size = size * (stats.norm.ppf(0.975) / quantile) ** 2
    rare = np.minimum(mean, 1 - mean) * size
    shift = 0.5 * (1 - 1 / k) * rare / (rare + summary.EXACT_BELOW)
    low, high = _binomial(mean, size, shift)
    low = np.maximum(low + np.minimum(longer, 0), 0)
    high = np.minimum(high + np.maximum(longer, 0), 1)
    return these, (np.minimum(low, these[0]), np.maximum(high, these[1]))


def _binomial(mean: Array, size: Array, shift: Array) -> Limits:
    x, y = mean * size, (1 - mean) * size
    a, b = np.maximum(x + shift, 1e-9), np.maximum(y + shift, 1e-9)
    low = stats.beta.ppf(0.025, a, y + 1 - shift)
    high = stats.beta.ppf(0.975, x + 1 - shift, b)
    return np.where(x < 1e-9, 0.0, low), np.where(y < 1e-9, 1.0, high)


def check(first: Array, k_a: int, second: Array, k_b: int) -> None:
    """Hold the formulas above to the package's, for each repeat.

    Raises:
        AssertionError: they differ.
    """
    *limits, p_values = gain_limits(first, k_a, second, k_b)
    accuracies = accuracy_limits(first, k_a)
    for r in range(len(first)):
        a, b = [(int(c), k_a) for c in first[r]], [(int(c), k_b) for c in second[r]]
        for (low, high), p, test in zip(
            limits, p_values, (these_problems, new_problems), strict=True
        ):
            found = test(a, b)
            expected = (low[r], high[r], p[r])
            np.testing.assert_allclose((found.low, found.high, found.p), expected, 1e-6, 1e-9)
        one = summary.summarise(a)
        for (low, high), found in zip(
            accuracies, (one.these_problems, one.new_problems), strict=True
        ):
            np.testing.assert_allclose((found.low, found.high), (low[r], high[r]), 1e-6, 1e-9)
