"""How far one model's accuracy on the same problems would move if it were sampled again.

Every model is taken for a number of independent right-or-wrong samples that vary as much: all of
them where its problems are equally hard, more where some are always solved and others never.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

Counts = Sequence[tuple[int, int]]
"""(correct, samples) by problem; two models' counts stand in the same order of problems."""

Shared = Sequence[Sequence[tuple[bool, bool]]]
"""By problem, the outcomes of A and B at each sample that both drew under the same seed."""

PRIOR = 2.0
"""How many degrees of freedom the share of sampling noise starts with, at its largest value: where
one or two problems vary, what they show says little of those that happened not to."""

PRIOR_DF = 20.0
"""Degrees of freedom of that start: it is a bound, and does not vary from draw to draw."""

PSEUDO = 1.0
"""Right and wrong samples that are added, as Agresti and Caffo do (Am. Stat. 54:280, 2000): no
sample wrong out of 15 leaves room for 10 % wrong."""

SHARED_Z = 2.0
"""Deviations by which outcomes under the same seed must move together to be paired."""


@dataclass(frozen=True, slots=True)
class Noise:
    """A model's mean over problems, and how many independent samples would vary as it does."""

    mean: float
    """The accuracy."""
    samples: float
    """Number of samples: of problems, times the harmonic mean of their samples."""
    share: float
    """The share of m(1-m) that is sampling noise, as the problems' own samples show it."""
    shown: float
    """Degrees of freedom of that share."""

    @property
    def size(self) -> float:
        """The effective number of independent samples."""
        start = (self.shown * self.share + PRIOR) / (self.shown + PRIOR)
        return self.samples / start

    @property
    def df(self) -> float:
        """The degrees of freedom of the variance."""
        return self.shown + PRIOR_DF

    @property
    def unbiased(self) -> float:
        """The variance of the mean as the problems' own samples show it, without any start."""
        return self.share * self.mean * (1 - self.mean) / self.samples

    @property
    def center(self) -> float:
        """The mean, drawn towards one half by the added samples."""
        return (self.mean * self.size + PSEUDO) / (self.size + 2 * PSEUDO)

    @property
    def variance(self) -> float:
        """The variance of the mean, never zero."""
        return self.center * (1 - self.center) / (self.size + 2 * PSEUDO)

    def at(self, mean: float) -> Noise:
        """Return the same design at another accuracy, at which other numbers of problems vary."""
        now = self.mean * (1 - self.mean)
        shown = self.shown * mean * (1 - mean) / now if now > 0 else 0.0
        return replace(self, mean=mean, shown=shown)


def noise_of(counts: Counts, bound: float = 1.0) -> Noise:
    """Return the sampling noise of one model.

    The share of p(1-p) that is noise comes from problems with two samples or more; where there is
    none, `bound` is what is known of it from above.
    """
    n = len(counts)
    mean = fmean(correct / samples for correct, samples in counts)
    bernoulli = mean * (1 - mean)
    size = n * n / sum(1 / samples for _, samples in counts)
    within = squares = expected = 0.0
    for correct, samples in counts:
        if samples > 1:
            variance = correct * (samples - correct) / (samples * samples * (samples - 1))
            within += variance
            squares += variance * variance / (samples - 1)
            expected += bernoulli / samples
    if expected > 0:
        share, df = within / expected, within**2 / squares if squares else 0.0
    else:
        share, df = bound, n * min(mean, 1 - mean)
    return Noise(mean, size, share, df)


def correlation(shared: Shared, a: Counts, b: Counts) -> float:
    """Return how closely sampling noise of A and B moves together; 0 unless that is shown.

    Samples of one problem under one seed begin with the same random numbers, so that checkpoints
    that differ little often answer alike.
    """
    together = chance = weight = covariance = alone_a = alone_b = 0.0
    for pairs, (_, samples_a), (_, samples_b) in zip(shared, a, b, strict=True):
        n = len(pairs)
        if n < 2:
            continue
        right_a, right_b = sum(x for x, _ in pairs), sum(y for _, y in pairs)
        product = sum(x and y for x, y in pairs) - right_a * right_b / n
        varied_a, varied_b = right_a * (n - right_a) / n, right_b * (n - right_b) / n
        together += product
        chance += varied_a * varied_b / (n - 1)
        weight += (varied_a > 0 and varied_b > 0) * (n - 1)
        covariance += n * product / (n - 1) / (samples_a * samples_b)
        alone_a += varied_a / (n - 1) / samples_a
        alone_b += varied_b / (n - 1) / samples_b
    if together <= SHARED_Z * math.sqrt(chance):
        return 0.0
    found = min(covariance / math.sqrt(alone_a * alone_b), 1.0)
    return found * weight / (weight + PRIOR)
