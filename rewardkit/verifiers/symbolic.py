"""Integrals, limits and endless sums, by sympy: the one part whose work has no bound.

It runs in a `VerifierPool` worker only. Sympy expressions are built from the parsed tree, node by
node; no text reaches sympy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rewardkit.verifiers.equality import Answer
from rewardkit.verifiers.evaluate import Unsupported
from rewardkit.verifiers.nodes import Node, factors, node, number

DIGITS = 40


def same_by_sympy(gold: Node, pred: Node) -> Answer:
    """Return whether two expressions are equal, as far as sympy can tell."""
    try:
        return _same(gold, pred)
    except (ArithmeticError, NotImplementedError, TypeError, ValueError, AttributeError):
        return Answer.UNKNOWN  # sympy fails on some sums that have no value


def _same(gold: Node, pred: Node) -> Answer:
    import sympy

    try:
        a, b = (_built(tree, sympy) for tree in (gold, pred))
    except Unsupported:
        return Answer.UNKNOWN
    a, b = a.doit(), b.doit()
    undone = (sympy.Integral, sympy.Limit)
    if a.has(*undone) or b.has(*undone):
        return Answer.UNKNOWN
    difference = sympy.simplify(a - b)
    if difference == 0:
        return Answer.EQUAL
    if difference.free_symbols:
        return Answer.DIFFERENT
    gap = sympy.N(difference, DIGITS)
    scale = sympy.Max(1, abs(sympy.N(b, DIGITS)))
    if not gap.is_number:
        return Answer.UNKNOWN
    near = abs(gap) < scale * sympy.Float(10) ** (10 - DIGITS)
    return Answer.EQUAL if near == True else Answer.DIFFERENT  # noqa: E712 sympy's own truth


def _built(tree: Node, sympy: Any) -> Any:
    """Return the sympy expression of a tree."""

    def build(part: Node) -> Any:
        return _built(part, sympy)

    match tree.kind, tree.args:
        case "num", (value, _):
            return sympy.Rational(value.numerator, value.denominator)
        case "sym", (name,):
            return sympy.Symbol(name, positive=True)
        case "const", (name,):
            return {"pi": sympy.pi, "e": sympy.E, "i": sympy.I, "inf": sympy.oo}[name]
        case "add", terms:
            return sympy.Add(*map(build, terms))
        case "mul", parts:
            return sympy.Mul(*map(build, parts))
        case "neg", (inner,):
            return -build(inner)
        case "div", (top, bottom):
            return build(top) / build(bottom)
        case "pow", (base, exponent):
            return build(base) ** build(exponent)
        case "abs", (inner,):
            return sympy.Abs(build(inner))
        case "fact", (inner,):
            return sympy.factorial(build(inner))
        case "call", (name, *arguments) if name in _FUNCTIONS:
            return _FUNCTIONS[name](sympy)(*map(build, arguments))
        case "big", (operator, variable, low, high, body):
            return _big(operator, variable, low, high, body, sympy)
    raise Unsupported(tree.kind)


def _big(
    operator: str,
    variable: Node | None,
    low: Node | None,
    high: Node | None,
    body: Node,
    sympy: Any,
) -> Any:
    if operator == "int":
        if low is None or high is None:
            raise Unsupported("an indefinite integral")
        inner, name = _integrand(body)
        bounds = (sympy.Symbol(name, positive=True), _built(low, sympy), _built(high, sympy))
        if name in ("e", "i"):
            raise Unsupported("an integral over a constant")
        return sympy.Integral(_built(inner, sympy), bounds)
    if variable is None or low is None:
        raise Unsupported(operator)
    symbol = sympy.Symbol(variable.args[0], positive=True)
    if operator == "lim":
        return sympy.Limit(_built(body, sympy), symbol, _built(low, sympy))
    if high is None:
        raise Unsupported(operator)
    make = sympy.Sum if operator == "sum" else sympy.Product
    return make(_built(body, sympy), (symbol, _built(low, sympy), _built(high, sympy)))


def _integrand(body: Node) -> tuple[Node, str]:
    """Take `dx` off the end of an integral's body."""
    parts = factors(body)
    if len(parts) < 2 or parts[-2] != node("sym", "d") or parts[-1].kind != "sym":
        raise Unsupported("an integral without its variable")
    rest = parts[:-2]
    inner = node("mul", *rest) if rest else number(1)
    return inner, parts[-1].args[0]


_FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "sin": lambda s: s.sin, "cos": lambda s: s.cos, "tan": lambda s: s.tan,
    "cot": lambda s: s.cot, "sec": lambda s: s.sec, "csc": lambda s: s.csc,
    "arcsin": lambda s: s.asin, "arccos": lambda s: s.acos, "arctan": lambda s: s.atan,
    "sinh": lambda s: s.sinh, "cosh": lambda s: s.cosh, "tanh": lambda s: s.tanh,
    "ln": lambda s: s.log, "log": lambda s: lambda x, base=10: s.log(x, base),
    "binom": lambda s: s.binomial, "floor": lambda s: s.floor, "ceil": lambda s: s.ceiling,
}  # fmt: skip
