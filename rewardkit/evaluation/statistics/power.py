"""The smallest gain that a design would have shown four times out of five."""

from __future__ import annotations

from collections.abc import Callable

from rewardkit.evaluation.statistics.distributions import first_where, t_quantile

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
