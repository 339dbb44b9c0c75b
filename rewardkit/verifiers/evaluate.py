"""Trees -> numbers: exact rationals where the operations allow it, else high-precision floats.

Every operation is charged against a budget of steps and every exact number is bounded in size, so
that an evaluation ends after the same work on any machine, whatever the text asked for.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rewardkit.verifiers.limits import (
    MAX_BITS,
    MAX_EXPONENT_BITS,
    MAX_FACTORIAL,
    MAX_MATRIX_ENTRIES,
    MAX_STEPS,
    MAX_SUM_TERMS,
    TooComplex,
    work,
)
from rewardkit.verifiers.nodes import Node, contains

Value = Any
"""A Fraction, or an mpmath mpf or mpc."""


class Undefined(Exception):
    """The expression has no value here: division by zero, a pole, a limit, infinity."""


class Unsupported(Exception):
    """This evaluator does not know the operation."""


class Evaluator:
    """Evaluate trees with given values of their symbols, to `digits` significant digits.

    >>> from rewardkit.verifiers.parser import parse
    >>> Evaluator({}, 30).value(parse("1/2 + 1/3"))
    Fraction(5, 6)
    """

    def __init__(self, values: Mapping[str, Fraction], digits: int, steps: int = MAX_STEPS) -> None:
        self.values = dict(values)
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

    def value(self, tree: Node) -> Value:
        """Return the value of a tree.

        Raises:
            Undefined, Unsupported, TooComplex
        """
        self.charge(1)
        method = _METHODS.get(tree.kind)
        if method is None:
            raise Unsupported(tree.kind)
        return method(self, *tree.args)

    def charge(self, steps: int) -> None:
        """Count steps against the budget."""
        work.charge(steps)
        self.steps -= steps
        if self.steps < 0:
            raise TooComplex("the evaluation takes too many steps")

    def real(self, tree: Node) -> Value:
        """Return the value of a tree that must be real."""
        value = self.value(tree)
        if isinstance(value, Fraction):
            return value
        if self.leaves_reals(value):
            raise Undefined("not real")
        return value.real if isinstance(value, self.mp.mpc) else value

    def leaves_reals(self, value: Value) -> bool:
        """Return whether a value has an imaginary part that is no rounding noise."""
        if not isinstance(value, self.mp.mpc):
            return False
        return bool(abs(value.imag) > abs(value.real) * self.mp.mpf(10) ** (-self.digits // 2))

    def inexact(self, value: Value) -> Value:
        """Return a value as an mpmath number."""
        if isinstance(value, Fraction):
            bits = value.numerator.bit_length() + value.denominator.bit_length()
            self.widest = max(self.widest, bits)
            return self.mp.mpf(value.numerator) / value.denominator
        return value

    # -- arithmetic

    def _num(self, value: Fraction, _: str) -> Value:
        return value

    def _sym(self, name: str) -> Value:
        if name in self.values:
            return self.values[name]
        raise Unsupported(f"no value for {name}")

    def _const(self, name: str) -> Value:
        if name == "inf":
            raise Undefined("infinity")
        if name == "i":
            return self.mp.mpc(0, 1)
        return +(self.mp.pi if name == "pi" else self.mp.e)

    def _add(self, *terms: Node) -> Value:
        total = self.value(terms[0])
        for term in terms[1:]:
            total = self.added(total, self.value(term))
        return total

    def added(self, a: Value, b: Value) -> Value:
        """Return a sum, exact where both terms are."""
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return self.bounded(a + b)
        a, b = self.inexact(a), self.inexact(b)
        small, large = sorted((abs(a), abs(b)))
        # Three digits more than the precision: what cancels to rounding noise is larger than that.
        if small and small < large * self.mp.mpf(10) ** (-self.digits - 3):
            self.absorbed = True
        return a + b

    def _mul(self, *factors: Node) -> Value:
        result = self.value(factors[0])
        for factor in factors[1:]:
            result = self.multiplied(result, self.value(factor))
        return result

    def multiplied(self, a: Value, b: Value) -> Value:
        """Return a product, exact where both factors are."""
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return self.bounded(a * b)
        return self.inexact(a) * self.inexact(b)

    def bounded(self, value: Fraction) -> Fraction:
        """Return an exact number unless it has grown too large."""
        bits = value.numerator.bit_length() + value.denominator.bit_length()
        if bits > MAX_BITS:
            raise TooComplex(f"an exact number of {bits} bits")
        self.charge(bits >> 9)
        return value

    def _div(self, top: Node, bottom: Node) -> Value:
        a, b = self.value(top), self.value(bottom)
        if b == 0:
            raise Undefined("division by zero")
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            return self.bounded(a / b)
        return self.inexact(a) / self.inexact(b)

    def _neg(self, inner: Node) -> Value:
        return -self.value(inner)

    def _percent(self, inner: Node) -> Value:
        return self.value(inner) / 100

    def _degree(self, inner: Node) -> Value:
        return self.inexact(self.value(inner)) * self.mp.pi / 180

    def _quantity(self, inner: Node, _: str, __: int) -> Value:
        return self.value(inner)

    def _ratio(self, *parts: Node) -> Value:
        if len(parts) != 2:
            raise Unsupported("ratio")
        return self._div(*parts)

    def _abs(self, inner: Node) -> Value:
        if inner.kind == "matrix":
            return self.determinant(inner)
        return abs(self.value(inner))

    def _pow(self, base: Node, exponent: Node) -> Value:
        if base == Node("const", ("e",)):
            return self.exponential(self.value(exponent))
        a, b = self.value(base), self.value(exponent)
        if a == 0:
            if isinstance(b, Fraction) and b > 0:
                return Fraction(0)
            raise Undefined("a power of zero")
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            exact = self.exact_power(a, b)
            if exact is not None:
                return exact
            if b.denominator == 1 and MAX_EXPONENT_BITS >= b.numerator.bit_length() > 36 and a > 0:
                return self.high_power(a, b.numerator)
        a, b = self.inexact(a), self.inexact(b)
        self.charge(self.elementary_steps)
        log_a = self.mp.log(a)
        self.check_exponent(log_a * b)
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

    def high_power(self, a: Fraction, exponent: int) -> Value:
        """Return a power with more digits than can be written: 2^(2^2017)."""
        bits = exponent.bit_length()
        self.charge(self.elementary_steps + bits)
        with self.mp.extraprec(bits + 20):  # as many digits of the logarithm are before its point
            return self.mp.exp(self.mp.log(self.inexact(a)) * exponent)

    def exponential(self, exponent: Value) -> Value:
        """Return e to a power."""
        exponent = self.inexact(exponent)
        self.charge(self.elementary_steps)
        self.check_exponent(exponent)
        return self.mp.exp(exponent)

    def check_exponent(self, logarithm: Value) -> None:
        """Refuse numbers of astronomical size; takes the logarithm of one."""
        if abs(logarithm) > 10**12:
            raise TooComplex("a number of more than 10^11 digits")

    def _fact(self, inner: Node) -> Value:
        n = self.value(inner)
        if not isinstance(n, Fraction):
            raise Unsupported("the factorial of an irrational number")
        if n.denominator != 1 or n < 0:
            raise Undefined("a factorial")
        if n > MAX_FACTORIAL:
            return self.large_factorial(n.numerator)
        self.charge(int(n))
        return self.bounded(Fraction(math.factorial(int(n))))

    def large_factorial(self, n: int) -> Value:
        """Return a factorial beyond exact reach, by the gamma function."""
        if n.bit_length() > 36:
            raise TooComplex("the factorial of a number above 10^10")
        self.charge(200)
        return self.mp.gamma(self.mp.mpf(n) + 1)

    # -- functions

    def _call(self, name: str, *arguments: Node) -> Value:
        function = _FUNCTIONS.get(name)
        if function is not None:
            return function(self, *arguments)
        if name == "det" and len(arguments) == 1 and arguments[0].kind == "matrix":
            return self.determinant(arguments[0])
        if name in _ELEMENTARY and len(arguments) == 1:
            return self.elementary(name, arguments[0])
        if name in _OPAQUE or len(name) > 24:
            raise Unsupported(name)
        return self.uninterpreted(name, arguments)

    def elementary(self, name: str, argument: Node) -> Value:
        """Return a function of one number that mpmath knows."""
        x = self.inexact(self.value(argument))
        self.charge(self.elementary_steps)
        if abs(x) > 10**15:
            raise TooComplex("a function of a huge number")
        result = getattr(self.mp, _ELEMENTARY[name])(x)
        if not self.mp.isfinite(result):
            raise Undefined(name)
        return result

    def logarithm(self, argument: Node, base: Node | None = None) -> Value:
        """Return a logarithm, to base 10 when none is given."""
        x = self.value(argument)
        b = self.value(base) if base is not None else Fraction(10)
        if x == 0 or b in (0, 1):
            raise Undefined("a logarithm")
        self.charge(2 * self.elementary_steps)
        return self.mp.log(self.inexact(x)) / self.mp.log(self.inexact(b))

    def natural(self, argument: Node) -> Value:
        """Return a natural logarithm."""
        x = self.value(argument)
        if x == 0:
            raise Undefined("a logarithm")
        self.charge(self.elementary_steps)
        return self.mp.log(self.inexact(x))

    def floor(self, argument: Node) -> Value:
        """Return the largest whole number below."""
        return self.rounded(argument, math.floor)

    def ceil(self, argument: Node) -> Value:
        """Return the smallest whole number above."""
        return self.rounded(argument, math.ceil)

    def rounded(self, argument: Node, down: Any) -> Value:
        """Round, but only where the precision leaves no doubt about which way."""
        x = self.real(argument)
        if isinstance(x, Fraction):
            return Fraction(down(x))
        if abs(x) > 10**15 or abs(x - self.mp.nint(x)) < self.mp.mpf(10) ** (-self.digits // 2):
            raise Unsupported("rounding what may be a whole number")
        return Fraction(int(self.mp.floor(x) if down is math.floor else self.mp.ceil(x)))

    def largest(self, *arguments: Node) -> Value:
        """Return the largest of some numbers."""
        return max((self.real(a) for a in arguments), key=self.inexact)

    def smallest(self, *arguments: Node) -> Value:
        """Return the smallest of some numbers."""
        return min((self.real(a) for a in arguments), key=self.inexact)

    def integers(self, arguments: tuple[Node, ...]) -> list[int]:
        """Return the arguments as whole numbers, which they must be."""
        values = [self.value(a) for a in arguments]
        if not all(isinstance(v, Fraction) and v.denominator == 1 for v in values):
            raise Undefined("not whole numbers")
        return [int(v) for v in values]

    def gcd(self, *arguments: Node) -> Value:
        """Return the greatest common divisor."""
        return Fraction(math.gcd(*self.integers(arguments)))

    def lcm(self, *arguments: Node) -> Value:
        """Return the least common multiple."""
        return self.bounded(Fraction(math.lcm(*self.integers(arguments))))

    def modulo(self, *arguments: Node) -> Value:
        """Return a remainder."""
        a, b = self.integers(arguments)
        if b == 0:
            raise Undefined("modulo zero")
        return Fraction(a % b)

    def binomial(self, *arguments: Node) -> Value:
        """Return a binomial coefficient."""
        n, k = self.integers(arguments)
        if k < 0 or n < 0:
            raise Undefined("a binomial coefficient")
        if k > n:
            return Fraction(0)
        k = min(k, n - k)
        if k * max(n.bit_length(), 1) > MAX_BITS or k > MAX_FACTORIAL:
            if n.bit_length() > 36:
                raise TooComplex("a binomial coefficient of a number above 10^10")
            self.charge(600)
            gamma = self.mp.loggamma
            return self.mp.exp(gamma(n + 1) - gamma(k + 1) - gamma(n - k + 1))
        self.charge(k)
        return self.bounded(Fraction(math.comb(n, k)))

    def sign(self, argument: Node) -> Value:
        """Return the sign: -1, 0 or 1."""
        x = self.real(argument)
        return Fraction((x > 0) - (x < 0))

    def real_part(self, argument: Node) -> Value:
        """Return the real part."""
        return self.mp.mpc(self.inexact(self.value(argument))).real

    def imaginary_part(self, argument: Node) -> Value:
        """Return the imaginary part."""
        return self.mp.mpc(self.inexact(self.value(argument))).imag

    def uninterpreted(self, name: str, arguments: tuple[Node, ...]) -> Value:
        """Return a value that depends on the name and, smoothly, on the arguments: f(x)."""
        seed = sum(ord(c) * 31**k for k, c in enumerate(name)) % 9973
        total = self.mp.mpf(seed) / 97
        for position, argument in enumerate(arguments, start=1):
            total += self.mp.sqrt(self.inexact(self.value(argument)) + seed + position) * position
        self.charge(self.elementary_steps)
        return total

    def determinant(self, matrix: Node) -> Value:
        """Return the determinant of a square matrix, by elimination."""
        rows = [[self.value(cell) for cell in row] for row in matrix.args]
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

    def _big(
        self, operator: str, variable: Node | None, low: Node | None, high: Node | None, body: Node
    ) -> Value:
        if operator not in ("sum", "prod") or variable is None or low is None or high is None:
            raise Unsupported(operator)
        if contains(low, "const") or contains(high, "const"):
            raise Unsupported("an endless sum")
        first, last = self.value(low), self.value(high)
        if not (isinstance(first, Fraction) and isinstance(last, Fraction)):
            raise Unsupported("a sum with irrational bounds")
        if first.denominator != 1 or last.denominator != 1:
            raise Undefined("a sum with broken bounds")
        if last - first > MAX_SUM_TERMS:
            raise TooComplex(f"a sum of {last - first} terms")
        name = variable.args[0]
        saved = self.values.get(name)
        total: Value = Fraction(int(operator == "prod"))
        combine = self.added if operator == "sum" else self.multiplied
        for k in range(int(first), int(last) + 1):
            self.values[name] = Fraction(k)
            total = combine(total, self.value(body))
        if saved is None:
            self.values.pop(name, None)
        else:
            self.values[name] = saved
        return total


def context(digits: int) -> Any:
    """Return an mpmath context of that many significant digits."""
    found = _CONTEXTS.get(digits)
    if found is None:
        import mpmath

        found = mpmath.MPContext()
        found.dps = digits
        _CONTEXTS[digits] = found
    return found


def _root(n: int, degree: int) -> int | None:
    """Return the exact root of a natural number, or None when it is irrational."""
    if degree == 2:
        root = math.isqrt(n)
    elif n.bit_length() < 900:
        root = round(float(n) ** (1 / degree))
        if n.bit_length() > 52:
            root = _newton_root(n, degree)
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


_CONTEXTS: dict[int, Any] = {}
_ELEMENTARY = {
    "sin": "sin", "cos": "cos", "tan": "tan", "cot": "cot", "sec": "sec", "csc": "csc",
    "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arccot": "acot", "sinh": "sinh",
    "cosh": "cosh", "tanh": "tanh", "coth": "coth", "arg": "arg",
}  # fmt: skip
_OPAQUE = frozenset(["det", "deg", "continued", "overline"])
_FUNCTIONS: dict[str, Any] = {
    "log": Evaluator.logarithm, "ln": Evaluator.natural, "floor": Evaluator.floor,
    "ceil": Evaluator.ceil, "max": Evaluator.largest, "min": Evaluator.smallest,
    "gcd": Evaluator.gcd, "lcm": Evaluator.lcm, "mod": Evaluator.modulo,
    "binom": Evaluator.binomial, "sgn": Evaluator.sign, "Re": Evaluator.real_part,
    "Im": Evaluator.imaginary_part,
}  # fmt: skip
KNOWN_CALLS = frozenset({*_ELEMENTARY, *_FUNCTIONS, "det"})
"""Functions with a meaning of their own; any other call is an unknown function."""
_METHODS: dict[str, Any] = {
    kind: getattr(Evaluator, "_" + kind)
    for kind in [
        "num",
        "sym",
        "const",
        "add",
        "mul",
        "div",
        "neg",
        "percent",
        "degree",
        "quantity",
        "ratio",
        "abs",
        "pow",
        "fact",
        "call",
        "big",
    ]
}
