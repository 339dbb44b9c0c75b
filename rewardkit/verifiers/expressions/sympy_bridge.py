"""Integrals, limits and endless sums, by sympy: the one part whose work has no bound.

It runs in a `VerifierPool` worker only, in a copy for each verdict. Sympy expressions are built
from the parsed tree, node by node; no text reaches sympy. How far it may go is counted in the
expressions that sympy makes: these depend neither on the load of the machine nor on what was asked
before. What it does besides is bounded by the worker's limits.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.arithmetic import Unsupported
from rewardkit.verifiers.expressions.equality import Answer
from rewardkit.verifiers.expressions.nodes import Node, number
from rewardkit.verifiers.expressions.trees import factors
from rewardkit.verifiers.limits import MAX_SYMPY_NODES, TooComplex
from rewardkit.verifiers.vocabulary.patterns import same_as

DIGITS = 40
WARM_DUMMIES, DUMMIES = 10**12, 2 * 10**12
"""The first numbers of dummy symbols: those that the tables hold, and those of a verdict."""


class _Spent(BaseException):
    """Sympy has made all expressions it may; no `Exception`, for sympy goes on after those."""


def same_by_sympy(gold: Node, pred: Node) -> Answer:
    """Return whether two expressions are equal, as far as sympy can tell.

    Raises:
        TooComplex: it takes too many steps.
    """
    try:
        with _at_most(MAX_SYMPY_NODES):
            return _compared(gold, pred)
    except _Spent:
        raise TooComplex("sympy takes too many steps") from None
    except (ArithmeticError, NotImplementedError, TypeError, ValueError, AttributeError):
        return Answer.UNKNOWN  # sympy fails on some sums that have no value


def begin_anew(dummies: int = DUMMIES) -> None:
    """Bring sympy to one state, warmed or not: how many steps are taken depends on it."""
    from sympy.core.cache import clear_cache
    from sympy.core.random import seed
    from sympy.core.symbol import Dummy

    clear_cache()
    seed(0)
    # Numbers order the dummy symbols, and sets of them. Sympy draws the first, below 10**7.
    Dummy._base_dummy_index, Dummy._count = dummies, 0


@contextmanager
def _at_most(nodes: int) -> Iterator[None]:
    """End with `_Spent` when sympy has made so many expressions."""
    from sympy.core.basic import Basic

    original: Any = Basic.__dict__["__new__"]
    make, left = original.__func__, nodes

    def counted(cls: Any, *arguments: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise _Spent
        return make(cls, *arguments)

    patched: Any = Basic
    patched.__new__ = staticmethod(counted)
    try:
        yield
    finally:
        patched.__new__ = original


def _compared(gold: Node, pred: Node) -> Answer:
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

    match tree:
        case nodes.Num(value):
            return sympy.Rational(value.numerator, value.denominator)
        case nodes.Sym(name):
            return sympy.Symbol(name, positive=True)
        case nodes.Const(name):
            return {"pi": sympy.pi, "e": sympy.E, "i": sympy.I, "inf": sympy.oo}[name]
        case nodes.Add(terms):
            return sympy.Add(*map(build, terms))
        case nodes.Mul(parts):
            return sympy.Mul(*map(build, parts))
        case nodes.Neg(inner):
            return -build(inner)
        case nodes.Div(top, bottom):
            return build(top) / build(bottom)
        case nodes.Pow(base, exponent):
            return build(base) ** build(exponent)
        case nodes.Abs(inner):
            return sympy.Abs(build(inner))
        case nodes.Factorial(inner):
            return sympy.factorial(build(inner))
        case nodes.Call("log", (inner,)):
            return sympy.log(build(inner), 10)
        case nodes.Call(name, arguments) if name in _FUNCTIONS:
            return getattr(sympy, _FUNCTIONS[name])(*map(build, arguments))
        case nodes.BigOperator():
            return _big_operator(tree, sympy)
    raise Unsupported(type(tree).__name__)


def _big_operator(tree: nodes.BigOperator, sympy: Any) -> Any:
    if tree.operator == "int":
        if tree.low is None or tree.high is None:
            raise Unsupported("an indefinite integral")
        inner, name = _integrand(tree.body)
        if name in ("e", "i"):
            raise Unsupported("an integral over a constant")
        return sympy.Integral(_built(inner, sympy), _range(name, tree.low, tree.high, sympy))
    if tree.variable is None or tree.low is None:
        raise Unsupported(tree.operator)
    body = _built(tree.body, sympy)
    if tree.operator == "lim":
        symbol = sympy.Symbol(tree.variable, positive=True)
        return sympy.Limit(body, symbol, _built(tree.low, sympy))
    if tree.high is None:
        raise Unsupported(tree.operator)
    make = sympy.Sum if tree.operator == "sum" else sympy.Product
    return make(body, _range(tree.variable, tree.low, tree.high, sympy))


def _range(name: str, low: Node, high: Node, sympy: Any) -> tuple[Any, Any, Any]:
    return sympy.Symbol(name, positive=True), _built(low, sympy), _built(high, sympy)


def _integrand(body: Node) -> tuple[Node, str]:
    """Take `dx` off the end of an integral's body."""
    match factors(body):
        case [*rest, nodes.Sym("d"), nodes.Sym(name)]:
            return (nodes.Mul(tuple(rest)) if rest else number(1)), name
    raise Unsupported("an integral without its variable")


_FUNCTIONS = same_as("""sin: sin; cos: cos; tan: tan; cot: cot; sec: sec; csc: csc; asin: arcsin;
    acos: arccos; atan: arctan; sinh: sinh; cosh: cosh; tanh: tanh; log: log ln; binomial: binom;
    floor: floor; ceiling: ceil; gamma: Gamma""")
"""Functions, and what sympy calls them."""
