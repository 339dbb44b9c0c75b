"""Exact rationals where the operations allow it, else high-precision floats.

Every operation is charged against a budget of steps and every exact number is bounded in size, so
that an evaluation ends after the same work on any machine, whatever the text asked for.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import Any

from rewardkit.verifiers.limits import (
    MAX_BITS,
    MAX_EXPONENT_BITS,
    MAX_FACTORIAL,
    MAX_MATRIX_ENTRIES,
    MAX_STEPS,
    TooComplex,
    work,
)

Value = Any
"""A Fraction, or an mpmath mpf or mpc."""


class Undefined(Exception):
    """The expression has no value here: division by zero, a pole, a limit, infinity."""


class Unsupported(Exception):
    """This evaluator does not know the operation."""


class Arithmetic:
    """Numbers at one precision, and what has been worked out with them so far."""

    def __init__(self, digits: int, steps: int = MAX_STEPS) -> None:
        self.digits = digits
        self.steps = steps
        self.widest = 0
        """Bits of the widest exact number that has been rounded to the precision."""
        self.absorbed = False
        """Whether a term has been too small to change a sum, at the precision."""
        self.elementary_steps = 40 * max(1, digits // 160)
        self._mp: Any = None

    @property
    def mp(self) -> Any:
        """The mpmath context at this precision; imported only when something is irrational."""
        if self._mp is None:
            self._mp = context(self.digits)
        return self._mp

    def charge(self, steps: int) -> None:
        """Count steps against the budget."""
        work.charge(steps)
        self.steps -= steps
        if self.steps < 0:
            raise TooComplex("the evaluation takes too many steps")

    def real(self, value: Value) -> Value:
        """Return a value that must be real without the rounding noise of an imaginary part."""
        if isinstance(value, Fraction):
            return value
        if self.leaves_reals(value):
            raise Undefined("not real")
        return value.real if isinstance(value, self.mp.mpc) else value

    def leaves_reals(self, value: Value) -> bool:
        """Return whether a value has an imaginary part that is no rounding noise."""
        if isinstance(value, Fraction) or not isinstance(value, self.mp.mpc):
            return False
        least = power_of_ten(-self.digits // 2, self.digits)
        return bool(abs(value.imag) > abs(value.real) * least)

    def inexact(self, value: Value) -> Value:
        """Return a value as an mpmath number."""
        if isinstance(value, Fraction):
            bits = value.numerator.bit_length() + value.denominator.bit_length()
            self.widest = max(self.widest, bits)
            top = self.mp.mpf(value.numerator)
            return top if value.denominator == 1 else top / value.denominator
        return value

    def integers(self, values: Iterable[Value]) -> list[int]:
        """Return whole numbers, which the values must be."""
        found = list(values)
        if not all(isinstance(v, Fraction) and v.denominator == 1 for v in found):
            raise Undefined("not whole numbers")
        return [int(v) for v in found]

    def bounded(self, value: Fraction) -> Fraction:
        """Return an exact number unless it has grown too large."""
        bits = value.numerator.bit_length() + value.denominator.bit_length()
        if bits > MAX_BITS:
            raise TooComplex(f"an exact number of {bits} bits")
        self.charge(bits >> 9)
        return value

    # -- sums and products

    def added(self, a: Value, b: Value) -> Value:
        """Return a sum, exact where both terms are."""
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return self.bounded(a + b)
        a, b = self.inexact(a), self.inexact(b)
        small, large = sorted((abs(a), abs(b)))
        # Three digits more than the precision: what cancels to rounding noise is larger than that.
        if small and small < large * power_of_ten(-self.digits - 3, self.digits):
            self.absorbed = True
        return a + b

    def multiplied(self, a: Value, b: Value) -> Value:
        """Return a product, exact where both factors are."""
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return self.bounded(a * b)
        return self.inexact(a) * self.inexact(b)

    def divided(self, a: Value, b: Value) -> Value:
        """Return a quotient, exact where both parts are."""
        if b == 0:
            raise Undefined("division by zero")
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return self.bounded(a / b)
        return self.inexact(a) / self.inexact(b)

    def determinant(self, rows: list[list[Value]]) -> Value:
        """Return the determinant of a square matrix, by elimination; the rows are used up."""
        if any(len(row) != len(rows) for row in rows) or len(rows) ** 2 > MAX_MATRIX_ENTRIES:
            raise Unsupported("a determinant")
        result: Value = Fraction(1)
        for column in range(len(rows)):
            pivot = next((r for r in range(column, len(rows)) if rows[r][column] != 0), None)
            if pivot is None:
                return Fraction(0)
            if pivot != column:
                rows[column], rows[pivot] = rows[pivot], rows[column]
                result = -result
            result = self.multiplied(result, rows[column][column])
            for below in rows[column + 1 :]:
                ratio = below[column] / rows[column][column]
                for k in range(column, len(rows)):
                    below[k] = self.added(below[k], -self.multiplied(ratio, rows[column][k]))
        return result

    # -- powers

    def power(self, a: Value, b: Value) -> Value:
        """Return a power: the real one of an odd root, else the principal one."""
        if a == 0:
            if isinstance(b, Fraction) and b > 0:
                return Fraction(0)
            raise Undefined("a power of zero")
        odd_root = isinstance(b, Fraction) and b.denominator > 1 and b.denominator % 2 == 1
        if odd_root and not a.imag and a.real < 0:
            # The cube root of -8 is -2 wherever answers are graded, not 1 + i sqrt 3.
            size = self._principal_power(-a, b)
            return -size if b.numerator % 2 else size
        return self._principal_power(a, b)

    def _principal_power(self, a: Value, b: Value) -> Value:
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            exact = self.exact_power(a, b)
            if exact is not None:
                return exact
            if b.denominator == 1 and MAX_EXPONENT_BITS >= b.numerator.bit_length() > 36 and a > 0:
                return self._high_power(a, b.numerator)
        a, b = self.inexact(a), self.inexact(b)
        self.charge(self.elementary_steps)
        if not (abs(self.mp.mag(a)) < 400 and self.mp.mag(b) < 30):  # else it is of no such size
            _check_exponent(self.mp.log(a) * b)
        if isinstance(b, self.mp.mpf) and self.mp.isint(b):
            return a ** int(b)
        if isinstance(a, self.mp.mpf) and a < 0:
            a = self.mp.mpc(a)
        return a**b

    def exact_power(self, a: Fraction, b: Fraction) -> Fraction | None:
        """Return a power as a fraction, or None when it is irrational or too large."""
        if b.denominator == 1:
            size = max(a.numerator.bit_length(), a.denominator.bit_length())
            if a in (1, -1):
                return a if b.numerator % 2 else Fraction(1)
            if abs(b.numerator) * size > MAX_BITS:
                return None
            self.charge(abs(b.numerator) * size >> 9)
            return a**b.numerator
        if a > 0 and b.denominator <= 64:
            top, bottom = (_root(part, b.denominator) for part in (a.numerator, a.denominator))
            if top is not None and bottom is not None:
                return self.exact_power(Fraction(top, bottom), Fraction(b.numerator))
        return None

    def _high_power(self, a: Fraction, exponent: int) -> Value:
        """Return a power with more digits than can be written: 2^(2^2017)."""
        bits = exponent.bit_length()
        self.charge(self.elementary_steps + bits)
        with self.mp.extraprec(bits + 20):  # as many digits of the logarithm are before its point
            return self.mp.exp(self.mp.log(self.inexact(a)) * exponent)

    def exponential(self, exponent: Value) -> Value:
        """Return e to a power."""
        exponent = self.inexact(exponent)
        self.charge(self.elementary_steps)
        _check_exponent(exponent)
        return self.mp.exp(exponent)

    def factorial(self, n: Value) -> Value:
        """Return a factorial; beyond exact reach, by the gamma function."""
        if not isinstance(n, Fraction):
            raise Unsupported("the factorial of an irrational number")
        if n.denominator != 1 or n < 0:
            raise Undefined("a factorial")
        if n <= MAX_FACTORIAL:
            self.charge(int(n))
            return self.bounded(Fraction(math.factorial(int(n))))
        if n.numerator.bit_length() > 36:
            raise TooComplex("the factorial of a number above 10^10")
        self.charge(200)
        return self.mp.gamma(self.mp.mpf(n.numerator) + 1)


def _check_exponent(logarithm: Value) -> None:
    """Refuse numbers of astronomical size; takes the logarithm of one."""
    if abs(logarithm) > 10**12:
        raise TooComplex("a number of more than 10^11 digits")


@cache
def context(digits: int) -> Any:
    """Return an mpmath context of that many significant digits."""
    import mpmath

    made = mpmath.MPContext()
    made.dps = digits
    return made


@cache
def power_of_ten(exponent: int, digits: int) -> Value:
    """Return a power of ten to so many digits."""
    return context(digits).mpf(10) ** exponent


def _root(n: int, degree: int) -> int | None:
    """Return the exact root of a natural number, or None when it is irrational."""
    if degree == 2:
        root = math.isqrt(n)
    elif n.bit_length() <= 52:
        root = round(float(n) ** (1 / degree))
    else:
        root = _newton_root(n, degree)
    return root if root**degree == n else None


def _newton_root(n: int, degree: int) -> int:
    x = 1 << -(-n.bit_length() // degree)
    while True:
        y = ((degree - 1) * x + n // x ** (degree - 1)) // degree
        if y >= x:
            return x
        x = y
