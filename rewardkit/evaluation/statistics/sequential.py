"""Stop early without cheating: O'Brien-Fleming boundaries for looking several times.

Looking at a 5 % test after each batch of samples rejects far more often than 5 % of the time.
These boundaries spend the 5 % over the looks, nearly all of it at the end (Lan and DeMets, 1983).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rewardkit.errors import ConfigError
from rewardkit.evaluation.statistics.distributions import first_where, normal_cdf, normal_quantile

FIRST_LOOK = 16
"""Samples at the first look: earlier ones almost never stop."""
GRID = 240
"""Cells of the numerical integration; the boundaries are then right to about 0.002."""


def looks(samples: int) -> list[int]:
    """Return the numbers of samples at which to look: doubling up to `samples`, at most five.

    None is below 16, unless it is `samples` itself.

    >>> looks(64), looks(40), looks(8)
    ([16, 32, 64], [20, 40], [8])
    """
    found = [samples]
    while found[-1] % 2 == 0 and found[-1] // 2 >= FIRST_LOOK:
        found.append(found[-1] // 2)
    return sorted(found)[-5:]


def boundaries(information: Sequence[float], alpha: float = 0.05) -> list[float]:
    """Return the |z| at which to stop at each look.

    `information` is the share of all samples at each look, rising to 1. The chance of crossing
    any boundary without a difference is `alpha`.

    Raises:
        ConfigError: the shares do not rise to 1.

    >>> [round(z, 2) for z in boundaries([1.0])]
    [1.96]
    """
    if list(information) != sorted(set(information)) or information[-1] != 1 or information[0] <= 0:
        raise ConfigError(f"information must rise to 1, found {list(information)}")
    quantile = normal_quantile(1 - alpha / 2)
    spent = [2 * (1 - normal_cdf(quantile / math.sqrt(share))) for share in information]
    found: list[float] = []
    paths = _Paths()
    for share, total, before in zip(information, spent, [0.0, *spent], strict=False):
        limit = paths.limit(share, total - before)
        found.append(limit)
        paths = paths.within(share, limit * math.sqrt(share))
    return found


def adjusted(
    information: Sequence[float], limits: Sequence[float], z: float, level: float = 0.95
) -> tuple[float, float, float]:
    """Return the drift and its interval, given that the looks stopped at the last `z`.

    `information` and `limits` are of the looks that were taken, `z` is what the last one found.
    The drift is the expected z at information 1: its median-unbiased estimate and limits, where
    stopping earlier counts as more extreme (Tsiatis, Rosner and Mehta, Biometrics 40:797, 1984). A
    difference that stops early was lucky on average, so that the plain z / sqrt(information) is
    too large.

    >>> [round(drift, 2) for drift in adjusted([1.0], [1.96], 2.5)]
    [2.5, 0.54, 4.46]
    """
    if z < 0:
        drift, low, high = adjusted(information, limits, -z, level)
        return -drift, -high, -low
    paths, looks_taken = _Paths(), []
    scores = [limit * math.sqrt(share) for share, limit in zip(information, limits, strict=True)]
    for share, score in zip(information, scores, strict=True):
        looks_taken.append((paths, share, score))
        paths = paths.within(share, score)
    looks_taken[-1] = (*looks_taken[-1][:2], z * math.sqrt(information[-1]))

    def drift_of(tail: float) -> float:
        """Return the drift under which what was found, or more, has the probability `tail`."""

        def likely(drift: float) -> bool:
            return sum(one.beyond(share, at, drift) for one, share, at in looks_taken) >= tail

        naive, room = z / math.sqrt(information[-1]), 8 / math.sqrt(information[-1])
        return first_where(likely, naive - room, naive + room)

    drift, low, high = map(drift_of, (0.5, 0.5 - level / 2, 0.5 + level / 2))
    return drift, low, high


@dataclass(frozen=True)
class _Paths:
    """Scores s = z sqrt(t) at a share of the information, of paths that crossed no limit so far.

    Without drift, as mass by cells; with one the density is that times exp(drift s - drift² t / 2).
    """

    scores: Sequence[float] = (0.0,)
    masses: Sequence[float] = (1.0,)
    share: float = 0.0

    def beyond(self, share: float, score: float, drift: float = 0.0) -> float:
        """Return the chance of being above a score at a later share."""
        deviation = math.sqrt(share - self.share)
        ahead = drift * (share - self.share) - score
        tilt = drift**2 * self.share / 2
        return sum(
            mass * math.exp(drift * s - tilt) * normal_cdf((s + ahead) / deviation)
            for s, mass in zip(self.scores, self.masses, strict=True)
            if mass > 1e-15
        )

    def limit(self, share: float, chance: float) -> float:
        """Return the z on either side of which a later look is with this chance."""
        root = math.sqrt(share)
        return first_where(lambda z: 2 * self.beyond(share, z * root) <= chance, 0.0, 20.0)

    def within(self, share: float, limit: float) -> _Paths:
        """Return those that are still within ±limit at a later share, by cells of equal width."""
        deviation = math.sqrt(share - self.share)
        limit = min(limit, 6.0)  # beyond six deviations of the whole there is nothing to integrate
        width = 2 * limit / GRID
        edges = [-limit + i * width for i in range(GRID + 1)]
        masses = [0.0] * GRID
        for s, mass in zip(self.scores, self.masses, strict=True):
            if mass > 1e-15:
                below = [normal_cdf((edge - s) / deviation) for edge in edges]
                for i in range(GRID):
                    masses[i] += mass * (below[i + 1] - below[i])
        return _Paths([edge + width / 2 for edge in edges[:-1]], masses, share)
