"""The few distribution functions that evaluation needs, in pure Python, accurate to about 1e-10.

They are here so that the core needs neither SciPy nor NumPy; the tests hold them to SciPy's.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from statistics import NormalDist

_NORMAL = NormalDist()


def normal_cdf(z: float) -> float:
    """Return P(Z <= z) for a standard normal Z."""
    return 0.5 * math.erfc(-z / math.sqrt(2))


def normal_quantile(probability: float) -> float:
    """Return the z with P(Z <= z) = probability."""
    return _NORMAL.inv_cdf(probability)


def beta_cdf(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function I_x(a, b) (Lentz's continued fraction)."""
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    if x > (a + 1) / (a + b + 2):  # there the fraction converges slowly; its mirror does not
        return 1.0 - beta_cdf(1 - x, b, a)
    log_front = (
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    tiny = 1e-300
    c, d = 1.0, 1.0 / _away_from_zero(1 - (a + b) * x / (a + 1), tiny)
    fraction = d
    for m in range(1, 10_000):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1.0 / _away_from_zero(1 + numerator * d, tiny)
            c = _away_from_zero(1 + numerator / c, tiny)
            fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return math.exp(log_front) * fraction / a


def beta_quantile(probability: float, a: float, b: float) -> float:
    """Return the x with I_x(a, b) = probability."""
    return _invert(lambda x: beta_cdf(x, a, b), probability, 0.0, 1.0)


def t_cdf(t: float, df: float) -> float:
    """Return P(T <= t) for Student's t with `df` degrees of freedom."""
    tail = 0.5 * beta_cdf(df / (df + t * t), df / 2, 0.5)
    return tail if t < 0 else 1 - tail


def t_two_sided(t: float, df: float) -> float:
    """Return P(|T| >= |t|), without the cancellation of 1 - P(T <= t)."""
    return beta_cdf(df / (df + t * t), df / 2, 0.5)


@cache
def t_quantile(probability: float, df: float) -> float:
    """Return the t with P(T <= t) = probability."""
    if probability == 0.5:  # where the distribution function is too flat to be inverted
        return 0.0
    if probability < 0.5:
        return -t_quantile(1 - probability, df)
    high = 2.0
    while t_cdf(high, df) < probability:
        high *= 2
    return _invert(lambda t: t_cdf(t, df), probability, 0.0, high)


def clopper_pearson(successes: float, trials: float, level: float = 0.95) -> tuple[float, float]:
    """Return the exact binomial interval; both counts may be fractional (effective) ones.

    >>> low, high = clopper_pearson(10, 10)
    >>> round(low, 4), high
    (0.6915, 1.0)
    """
    return binomial_limits(successes, trials, 0.0, level)


def binomial_limits(
    successes: float, trials: float, shift: float, level: float = 0.95
) -> tuple[float, float]:
    """Return a binomial interval between Clopper and Pearson's (shift 0) and Jeffreys' (0.5).

    Where the first covers at least what it says, the second covers it on average. No failure
    reaches 1, no success 0.

    >>> low, high = binomial_limits(10, 10, shift=0.5)
    >>> round(low, 4), high
    (0.7828, 1.0)
    """
    alpha = 1 - level
    failures = trials - successes
    a, b = successes + shift, failures + shift
    # Rounding may leave 1e-15 of a success; a beta quantile at such a parameter is noise.
    low = 0.0 if successes < 1e-9 else beta_quantile(alpha / 2, a, b + 1 - 2 * shift)
    high = 1.0 if failures < 1e-9 else beta_quantile(1 - alpha / 2, a + 1 - 2 * shift, b)
    return low, high


def binomial_two_sided(successes: int, trials: int) -> float:
    """Return the exact two-sided p-value of `successes` under a fair coin."""
    if trials == 0:
        return 1.0
    extreme = min(successes, trials - successes)
    tail = sum(math.comb(trials, i) for i in range(extreme + 1))
    return min(1.0, 2 * tail / (1 << trials))


def first_where(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Return the least value between low and high at which a condition holds that then goes on to.

    >>> first_where(lambda x: x * x >= 0.25, 0.0, 8.0)
    0.5
    """
    for _ in range(50):  # to 1e-15 of the bracket
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _away_from_zero(value: float, tiny: float) -> float:
    return tiny if abs(value) < tiny else value


def _invert(cdf: Callable[[float], float], target: float, low: float, high: float) -> float:
    """Return x with cdf(x) = target between low and high (false position, Illinois variant)."""
    below, above = cdf(low) - target, cdf(high) - target
    side = 0
    x = low
    for _ in range(200):
        # In the tails the secant crawls; every third step halves the bracket instead.
        x = (low + high) / 2 if side >= 2 else low - below * (high - low) / (above - below)
        if not low < x < high:
            x = (low + high) / 2
        if x in (low, high) or high - low <= 1e-15 * abs(x):
            break
        value = cdf(x) - target
        if value == 0:
            break
        if value < 0:
            low, below = x, value
            above /= 2
        else:
            high, above = x, value
            below /= 2
        side = 0 if side >= 2 else side + 1
    return x
