"""The smallest gain that a design would have shown four times out of five; McNemar's own limits."""

from __future__ import annotations

import math
from collections.abc import Callable

from rewardkit.evaluation.statistics.distributions import (
    binomial_two_sided,
    first_where,
    normal_quantile,
    t_quantile,
)

POWER = 0.8
"""The share of real gains of the detectable size that a comparison shows."""


def standard_errors(df: float) -> float:
    """Return how many standard errors a gain must have to be shown with 80 % power at 5 %.

    >>> round(standard_errors(1e6), 2)
    2.8
    """
    return t_quantile(0.975, df) + t_quantile(POWER, df)


def smallest_gain(shown: Callable[[float], bool], room: float) -> float | None:
    """Return the smallest gain that is shown, or None where not even `room` is.

    >>> smallest_gain(lambda gain: gain >= 0.125, 0.5), smallest_gain(lambda gain: False, 0.5)
    (0.125, None)
    """
    if room <= 0 or not shown(room):
        return None
    return first_where(shown, 0.0, room)


def mcnemar_limits(gained: int, lost: int, problems: int, level: float) -> tuple[float, float]:
    """Return the interval of the gain (Bonett and Price, J. Educ. Behav. Stat. 37:479, 2012).

    >>> [round(end, 4) for end in mcnemar_limits(10, 3, 18, 0.95)]
    [0.0028, 0.6972]
    """
    up, down = (gained + 1) / (problems + 2), (lost + 1) / (problems + 2)
    half = normal_quantile(0.5 + level / 2) * math.sqrt(
        (up + down - (up - down) ** 2) / (problems + 2)
    )
    return max(up - down - half, -1.0), min(up - down + half, 1.0)


def mcnemar_gain(gained: int, lost: int, problems: int, room: float) -> float | None:
    """Return the smallest gain that the exact test shows with 80 % power, or None beyond `room`.

    As many problems are taken to change as did, the gain making more of them change for B.
    """

    def shown(gain: float) -> bool:
        more = problems * gain
        spread = math.sqrt(max(gained + lost, more) - more * gain)
        least = more - normal_quantile(POWER) * spread
        changed = math.floor(max(gained + lost, least))
        up = math.floor((changed + least) / 2)
        return least > 0 and binomial_two_sided(up, changed) <= 0.05

    return smallest_gain(shown, room)
