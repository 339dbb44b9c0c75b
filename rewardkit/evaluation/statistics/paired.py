"""Two models on the same problems: is B better, on these problems and on problems like them?

The two questions have different tests, and a test for one is wrong for the other: with 16 samples
on 30 problems, the test for these problems rejects 15 % of the time when problems move up and down
with no gain on average, because on *these* problems something did change.

Both are Student's t on the mean gain over problems. Its standard error on these problems is the
sampling noise of each model by itself (noise.py); on problems like these, what the gains spread
beyond that noise is added.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from rewardkit.evaluation.statistics.clusters import (
    carried_by,
    lopsided,
    scarcity,
    skewness_of_mean,
    variance_of_mean,
)
from rewardkit.evaluation.statistics.detectable import (
    mcnemar_gain,
    mcnemar_limits,
    smallest_gain,
    standard_errors,
)
from rewardkit.evaluation.statistics.distributions import (
    binomial_two_sided,
    normal_quantile,
    t_quantile,
    t_two_sided,
)
from rewardkit.evaluation.statistics.noise import Counts, Noise, Shared, correlation, noise_of

TYPICAL_MOVE = 0.05
"""The share of p(1-p) by which gains of two models spread between problems at least, where too few
problems say so: 7 to 11 % where the logits of contest problems move by 1. Without it the interval
for new problems covers 57 % at 99 %, because the problems that decide are not in the set."""

TYPICAL_DF = 30.0
"""Degrees of freedom that this typical spread counts for."""
NEVER_VARIES = "no problem has both right and wrong samples"
"""Why no detectable gain can be said: nothing shows how much samples vary."""
NO_ROOM = "not even B right on every sample would have been enough"
"""Why no detectable gain can be said: it would be above 100 %."""


@dataclass(frozen=True, slots=True)
class PairedTest:
    """One question's answer: the gain of B over A (1 is 100 points), its interval and p-value."""

    test: str
    """The test's name."""
    gain: float
    """B's mean less A's."""
    low: float
    """The lower 95 % limit of the gain."""
    high: float
    """The upper one."""
    p: float
    """Two-sided."""
    detectable: float | None
    """The smallest gain of B over A that this design would have shown with 80 % power at the 5 %
    level, or None."""
    undetectable: str = ""
    """Why no such gain can be said."""

    @property
    def z(self) -> float:
        """The normal deviate with this p-value, positive where B is better."""
        return math.copysign(-normal_quantile(max(self.p, 1e-300) / 2), self.gain)


@dataclass(frozen=True, slots=True)
class _Moments:
    """What both questions need of the two models."""

    gain: float
    a: Noise
    b: Noise
    correlation: float

    def noise(self, b: Noise) -> float:
        """Return the variance of the gain on these problems, with B at some accuracy."""
        common = self.correlation * math.sqrt(self.a.variance * b.variance)
        return self.a.variance + b.variance - 2 * common

    @property
    def df(self) -> float:
        parts = (noise.variance**2 / noise.df for noise in (self.a, self.b))
        return (self.a.variance + self.b.variance) ** 2 / sum(parts)


def these_problems(
    a: Counts, b: Counts, level: float = 0.95, shared: Shared | None = None
) -> PairedTest:
    """Test whether B solves more of these very problems.

    Student's t with the sampling noise of both models; the interval holds zero if and only if the
    test does not reject. Outcomes of samples that both drew under the same seed (`shared`) are
    paired where they move together. Where each model has one sample a problem, exact McNemar
    with the interval of Bonett and Price; at the border those two may disagree.

    Raises:
        ValueError: the two do not cover the same problems.

    >>> found = these_problems([(1, 4)] * 30, [(3, 4)] * 30)
    >>> found.gain, found.p < 0.001
    (0.5, True)
    """
    _check(a, b)
    if _one_each(a, b):
        return _mcnemar(a, b, level)
    moments = _moments(a, b, shared)
    return _student("t over samples", moments, 0.0, 0.0, moments.df, level, _varies(a, b))


def new_problems(
    a: Counts,
    b: Counts,
    level: float = 0.95,
    shared: Shared | None = None,
    clusters: Sequence[str] | None = None,
) -> PairedTest:
    """Test whether B would solve more of other problems like these.

    Student's t with the sampling noise of both models and with what the gains by problem spread
    beyond it, so that its standard error is never below sampling noise; where that spread is
    lopsided, the limit on its long side lies farther out. `clusters` labels problems that move
    together. A model with one sample a problem cannot tell noise from spread: the
    answer is then that for these problems.

    Raises:
        ValueError: the two do not cover the same problems.
    """
    _check(a, b)
    if _one_each(a, b) and clusters is None:
        return _mcnemar(a, b, level)
    moments = _moments(a, b, shared)
    if len(a) == 1:  # one problem says nothing of others
        return PairedTest("t over problems", moments.gain, -1.0, 1.0, 1.0, None, NO_ROOM)
    gains = _gains(a, b)
    variance, free = variance_of_mean(gains, clusters)
    known = moments.a.unbiased + moments.b.unbiased
    common = moments.correlation * math.sqrt(moments.a.unbiased * moments.b.unbiased)
    spread = max(variance - known + 2 * common, 0.0)
    # Where few problems carry the spread it is known as well as so few can show it: the fourth
    # moment says how many, and of normal ones it says a third.
    deviations = [(gain - moments.gain) ** 2 for gain in gains]
    carried = 3 * carried_by(deviations, clusters) * free / (free + 1)
    spread_df = max(1.0, min(carried, free))
    few = 0.0
    if max(n for _, n in a) > 1 and max(n for _, n in b) > 1:
        few, typical = _typical(a, b, clusters)
        spread = (1 - few) * spread + few * max(spread, typical)
        spread_df += few * TYPICAL_DF
    noise = moments.noise(moments.b)
    whole = noise + spread
    df = whole**2 / (noise**2 / moments.df + (whole**2 - noise**2) / spread_df)
    # Only the spread that is shown is as lopsided as the gains are; noise hardly is.
    skew = (1 - few) * skewness_of_mean(gains, clusters) * (spread / whole) ** 1.5
    return _student("t over problems", moments, spread, skew, df, level, _varies(a, b))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted for how many questions were asked (Holm, 1979).

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        largest = max(largest, min(1.0, p_values[index] * (len(p_values) - rank)))
        adjusted[index] = largest
    return adjusted


def _student(
    name: str,
    moments: _Moments,
    spread: float,
    skew: float,
    df: float,
    level: float,
    varies: bool,
) -> PairedTest:
    gain, center = moments.gain, moments.b.center - moments.a.center
    error = math.sqrt(moments.noise(moments.b) + spread)
    quantile = t_quantile(0.5 + level / 2, df)
    half, longer = quantile * error, lopsided(quantile) * skew * error
    factor = standard_errors(df)

    def shown(wanted: float) -> bool:
        b = moments.b.at(moments.a.mean + wanted)
        return b.center - moments.a.center >= factor * math.sqrt(moments.noise(b) + spread)

    detectable = smallest_gain(shown, 1 - moments.a.mean) if varies else None
    why = "" if detectable is not None else NO_ROOM if varies else NEVER_VARIES
    return PairedTest(
        name,
        gain,
        # The added samples draw the middle towards zero; what was observed is never outside.
        max(min(center - half + min(longer, 0.0), gain), -1.0),
        min(max(center + half + max(longer, 0.0), gain), 1.0),
        t_two_sided(_errors_from_zero(center / error, skew), df),
        detectable,
        why,
    )


def _errors_from_zero(center: float, skew: float) -> float:
    """Return the quantile at which a limit touches zero, of a center in standard errors."""
    against = max(-skew if center > 0 else skew, 0.0) / 3
    if against < 1e-9:
        return abs(center)
    # quantile + lopsided(quantile) * skew = |center|, solved for the quantile
    beyond = abs(center) - against / 2
    return max((math.sqrt(1 + 4 * against * max(beyond, 0.0)) - 1) / (2 * against), 0.0)


def _moments(a: Counts, b: Counts, shared: Shared | None) -> _Moments:
    gains = _gains(a, b)
    one, two = noise_of(a), noise_of(b)
    # A model with one sample a problem shows its noise only beside the other one: what the gains
    # spread beyond the other's noise is at least all of it.
    if max(n for _, n in a) == 1:
        one = noise_of(a, _bound(gains, two, one.mean))
    if max(n for _, n in b) == 1:
        two = noise_of(b, _bound(gains, one, two.mean))
    return _Moments(fmean(gains), one, two, correlation(shared, a, b) if shared else 0.0)


def _bound(gains: Sequence[float], other: Noise, mean: float) -> float:
    if len(gains) == 1 or mean in (0, 1):
        return 1.0
    spread = len(gains) * (variance_of_mean(gains)[0] - other.unbiased)
    return max(spread, 0.0) / (mean * (1 - mean))


def _typical(a: Counts, b: Counts, clusters: Sequence[str] | None) -> tuple[float, float]:
    """Return how much a typical spread of the gains counts, and the variance that it gives."""
    n = len(a)
    rates = [(x / n_a + y / n_b) / 2 for (x, n_a), (y, n_b) in zip(a, b, strict=True)]
    middle = (fmean(rates) * n + 0.5) / (n + 1)
    return scarcity(rates, clusters), TYPICAL_MOVE * middle * (1 - middle) / n


def _mcnemar(a: Counts, b: Counts, level: float) -> PairedTest:
    gained = sum(x < y for (x, _), (y, _) in zip(a, b, strict=True))
    lost = sum(x > y for (x, _), (y, _) in zip(a, b, strict=True))
    problems = len(a)
    low, high = mcnemar_limits(gained, lost, problems, level)
    room = 1 - fmean(x for x, _ in a)
    detectable = mcnemar_gain(gained, lost, problems, room)
    return PairedTest(
        "exact McNemar",
        (gained - lost) / problems,
        low,
        high,
        binomial_two_sided(gained, gained + lost),
        detectable,
        "" if detectable is not None else NO_ROOM,
    )


def _varies(a: Counts, b: Counts) -> bool:
    return any(0 < correct < samples for correct, samples in (*a, *b))


def _one_each(a: Counts, b: Counts) -> bool:
    return all(samples == 1 for _, samples in (*a, *b))


def _gains(a: Counts, b: Counts) -> list[float]:
    return [y / n_b - x / n_a for (x, n_a), (y, n_b) in zip(a, b, strict=True)]


def _check(a: Counts, b: Counts) -> None:
    if len(a) != len(b) or not a:
        raise ValueError(f"{len(a)} and {len(b)} problems cannot be paired")
    if any(n < 1 for _, n in (*a, *b)):
        raise ValueError("a problem without samples cannot be compared")
