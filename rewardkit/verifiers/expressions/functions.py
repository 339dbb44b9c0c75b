"""The functions that an answer may apply, each of numbers that have been worked out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from rewardkit.verifiers.expressions.arithmetic import Arithmetic, Undefined, Unsupported, Value
from rewardkit.verifiers.limits import MAX_BITS, MAX_FACTORIAL, TooComplex
from rewardkit.verifiers.vocabulary.patterns import words


def applied(name: str, values: Sequence[Value], at: Arithmetic) -> Value:
    """Return the value of a function; of an unknown one, a value that depends on its name.

    Raises:
        Undefined, Unsupported, TooComplex
    """
    if name in FUNCTIONS:
        return FUNCTIONS[name](at, *values)
    if name in _ELEMENTARY and len(values) == 1:
        return _elementary(at, name, values[0])
    return _uninterpreted(at, name, values)


def _elementary(at: Arithmetic, name: str, value: Value) -> Value:
    """Return a function of one number that mpmath knows."""
    x = at.inexact(value)
    at.charge(at.elementary_steps)
    if abs(x) > 10**15:
        raise TooComplex("a function of a huge number")
    # So near its flat place that the precision shows nothing: cos 10^-50, tanh 200.
    at.absorbed |= bool(x and abs(x) < at.mp.mpf(10) ** (-at.digits // 2))
    at.absorbed |= name in ("tanh", "coth") and bool(abs(x) > at.digits)
    try:
        result = getattr(at.mp, name.replace("arc", "a"))(x)
    except ZeroDivisionError as pole:
        raise Undefined(name) from pole
    if not at.mp.isfinite(result):
        raise Undefined(name)
    return result


def _uninterpreted(at: Arithmetic, name: str, values: Sequence[Value]) -> Value:
    """Return a value that depends on the name and, smoothly, on the arguments: f(x)."""
    seed = sum(ord(c) * 31**k for k, c in enumerate(name)) % 9973
    total = at.mp.mpf(seed) / 97
    for position, value in enumerate(values, start=1):
        total += at.mp.sqrt(at.inexact(value) + seed + position) * position
    at.charge(at.elementary_steps)
    return total


def _logarithm(at: Arithmetic, x: Value, base: Value = Fraction(10)) -> Value:
    if x == 0 or base in (0, 1):
        raise Undefined("a logarithm")
    at.charge(2 * at.elementary_steps)
    found = at.mp.log(at.inexact(x)) / at.mp.log(at.inexact(base))
    if isinstance(x, Fraction) and isinstance(base, Fraction):
        whole = Fraction(int(at.mp.nint(at.mp.re(found))))
        if at.exact_power(base, whole) == x:
            return whole
    return found


def _natural_logarithm(at: Arithmetic, x: Value) -> Value:
    if x == 0:
        raise Undefined("a logarithm")
    at.charge(at.elementary_steps)
    return at.mp.log(at.inexact(x))


def _floor(at: Arithmetic, value: Value) -> Value:
    """Round down, but only where the precision leaves no doubt about which way."""
    x = at.real(value)
    if isinstance(x, Fraction):
        return Fraction(math.floor(x))
    if abs(x) > 10**15 or abs(x - at.mp.nint(x)) < at.mp.mpf(10) ** (-at.digits // 2):
        raise Unsupported("rounding what may be a whole number")
    return Fraction(int(at.mp.floor(x)))


def _double_factorial(at: Arithmetic, value: Value) -> Value:
    """Return n!! = n (n - 2) (n - 4) ..., which is 1 for 0 and -1."""
    [n] = at.integers((value,))
    if n < -1:
        raise Undefined("a double factorial")
    if n > MAX_FACTORIAL:
        raise TooComplex("the double factorial of a large number")
    at.charge(max(n, 0))
    return at.bounded(Fraction(math.prod(range(n, 0, -2))))


def _modulo(at: Arithmetic, *values: Value) -> Value:
    a, b = at.integers(values)
    if b == 0:
        raise Undefined("modulo zero")
    return Fraction(a % b)


def _binomial(at: Arithmetic, *values: Value) -> Value:
    n, k = at.integers(values)
    if k < 0 or n < 0:
        raise Undefined("a binomial coefficient")
    if k > n:
        return Fraction(0)
    k = min(k, n - k)
    if k * max(n.bit_length(), 1) > MAX_BITS or k > MAX_FACTORIAL:
        raise TooComplex("a binomial coefficient of large numbers")
    at.charge(k)
    return at.bounded(Fraction(math.comb(n, k)))


def _zeta(at: Arithmetic, s: Value) -> Value:
    """Return Riemann's zeta function."""
    x = at.inexact(s)
    if s == 1:
        raise Undefined("the zeta function at its pole")
    if abs(x) > 100:
        raise Unsupported("the zeta function of a large number")
    at.charge(50 * at.elementary_steps)
    return at.mp.zeta(x)


_ELEMENTARY = words("""sin cos tan cot sec csc arcsin arccos arctan arccot sinh cosh tanh coth
    arg""")
"""Functions of one number; mpmath calls `arcsin` asin."""
FUNCTIONS: dict[str, Callable[..., Value]] = {
    "log": _logarithm,
    "ln": _natural_logarithm,
    "floor": _floor,
    "ceil": lambda at, x: -_floor(at, -x),
    "max": lambda at, *values: max(map(at.real, values), key=at.inexact),
    "min": lambda at, *values: min(map(at.real, values), key=at.inexact),
    "gcd": lambda at, *values: Fraction(math.gcd(*at.integers(values))),
    "lcm": lambda at, *values: at.bounded(Fraction(math.lcm(*at.integers(values)))),
    "mod": _modulo,
    "binom": _binomial,
    "zeta": _zeta,
    "Re": lambda at, x: at.mp.mpc(at.inexact(x)).real,
    "Im": lambda at, x: at.mp.mpc(at.inexact(x)).imag,
    "cis": lambda at, angle: at.exponential(at.inexact(angle) * at.mp.mpc(0, 1)),
    "double factorial": _double_factorial,
}
KNOWN_CALLS = frozenset({*_ELEMENTARY, *FUNCTIONS, "det"})
"""Functions with a meaning of their own; any other call is an unknown function."""
