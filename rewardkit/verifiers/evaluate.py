"""Trees -> numbers: the functions, sums and products of an answer, over `arithmetic`."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from rewardkit.verifiers.arithmetic import Undefined as Undefined
from rewardkit.verifiers.arithmetic import Unsupported as Unsupported
from rewardkit.verifiers.arithmetic import Value as Value
from rewardkit.verifiers.arithmetic import _Arithmetic
from rewardkit.verifiers.limits import (
    MAX_BITS,
    MAX_FACTORIAL,
    MAX_SUM_TERMS,
    TooComplex,
)
from rewardkit.verifiers.nodes import Node, contains


class Evaluator(_Arithmetic):
    """Evaluate trees with given values of their symbols, to `digits` significant digits.

    >>> from rewardkit.verifiers.parser import parse
    >>> Evaluator({}, 30).value(parse("1/2 + 1/3"))
    Fraction(5, 6)
    """

    def _call(self, name: str, *arguments: Node) -> Value:
        function = _FUNCTIONS.get(name)
        if function is not None:
            try:
                return function(self, *arguments)
            except (TypeError, ValueError) as error:
                raise Unsupported(f"{name} of {len(arguments)} arguments") from error
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
        # So near its flat place that the precision shows nothing: cos 10^-50, tanh 200.
        self.absorbed |= bool(x and abs(x) < self.mp.mpf(10) ** (-self.digits // 2))
        self.absorbed |= name in ("tanh", "coth") and bool(abs(x) > self.digits)
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
        found = self.mp.log(self.inexact(x)) / self.mp.log(self.inexact(b))
        if isinstance(x, Fraction) and isinstance(b, Fraction):
            whole = Fraction(int(self.mp.nint(self.mp.re(found))))
            if self.exact_power(b, whole) == x:
                return whole
        return found

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

    def double_factorial(self, argument: Node) -> Value:
        """Return n!! = n (n - 2) (n - 4) ..., which is 1 for 0 and -1."""
        [n] = self.integers((argument,))
        if n < -1:
            raise Undefined("a double factorial")
        if n > MAX_FACTORIAL:
            raise TooComplex("the double factorial of a large number")
        self.charge(max(n, 0))
        return self.bounded(Fraction(math.prod(range(n, 0, -2))))

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
    "Im": Evaluator.imaginary_part, "cis": Evaluator.cis,
    "double factorial": Evaluator.double_factorial,
}  # fmt: skip
KNOWN_CALLS = frozenset({*_ELEMENTARY, *_FUNCTIONS, "det"})
"""Functions with a meaning of their own; any other call is an unknown function."""
Evaluator.methods = {
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
