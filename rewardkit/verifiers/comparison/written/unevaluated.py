"""A calculation that was asked for and is handed back: `513^2-487^2` where 26000 is wanted."""

from __future__ import annotations

from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.trees import children, walk

_ASKED_FOR = frozenset(("mod", "gcd", "lcm", "det"))
_SIGNS = frozenset(("sum", "prod", "int", "lim"))
_LONG = 10
"""From here on a whole number is long enough that its sums and products are worked out."""
_CLOSED_FORM = 10**12
"""A value from here on may stay what it is: `2^{100}-1`."""


def is_unevaluated(gold: Node, pred: Node) -> bool:
    """Return whether the gold is a plain number and the answer a calculation with plain numbers.

    A calculation is a finite sum, product, integral or limit with a sign of its own; a sum or
    product of several terms, of which two hold a number of two digits that is no power of ten,
    other than powers of primes; or a remainder, a common divisor or multiple or a determinant.
    Fractions, roots, powers, factorials, binomial coefficients, prime factors with their powers
    and what holds pi, e or another function are answers.
    """
    if isinstance(pred, nodes.Relation) and {*pred.operators} == {"="}:
        pred = pred.sides[-1]
    if isinstance(pred, nodes.Quantity):
        pred = pred.value
    if isinstance(pred, nodes.BigOperator) and pred.operator in _SIGNS:
        constants = any(isinstance(part, nodes.Const) for part in walk(pred))
        return _is_rational(gold) and (pred.operator in ("int", "lim") or not constants)
    value = _plain_number(gold)
    if value is None or _plain_number(pred) is not None or abs(value) >= _CLOSED_FORM:
        return False
    parts = list(walk(pred))
    if not all(isinstance(part, _PLAIN) for part in parts):
        return False
    if calls := {part.name for part in parts if isinstance(part, nodes.Call)}:
        reduced = isinstance(pred, nodes.Call) and pred.arguments[0] == gold  # `3 mod 7` is 3
        return calls <= _ASKED_FOR and not reduced
    return any(_is_calculation(part) for part in parts)


_PLAIN = (
    nodes.Num,
    nodes.Add,
    nodes.Mul,
    nodes.Neg,
    nodes.Pow,
    nodes.Call,
    nodes.Div,
    nodes.Abs,
    nodes.Quantity,
)


def _is_rational(tree: Node) -> bool:
    return all(isinstance(part, nodes.Num | nodes.Neg | nodes.Div) for part in walk(tree))


def _plain_number(tree: Node) -> int | None:
    """Return a written whole number or decimal, cut to a whole one; None for anything else."""
    if isinstance(tree, nodes.Neg):
        tree = tree.value
    return int(tree.value) if isinstance(tree, nodes.Num) and tree.literal else None


def _is_calculation(tree: Node) -> bool:
    """Return whether at least two terms or factors hold a long number."""
    if not isinstance(tree, nodes.Add | nodes.Mul):
        return False
    if any(isinstance(part, nodes.Num) and not part.literal for part in walk(tree)):
        return False  # `12 dollars and 50 cents`
    terms = list(children(tree))
    if isinstance(tree, nodes.Mul) and any(isinstance(term, nodes.Pow) for term in terms):
        terms = [term for term in terms if not _is_prime(term)]
    return sum(map(_holds_long, terms)) > 1


def _is_prime(tree: Node) -> bool:
    """Return whether a factor is a prime number below a thousand, or a power of one."""
    if isinstance(tree, nodes.Pow):
        tree = tree.base
    if not isinstance(tree, nodes.Num) or not 1 < tree.value < 1000:
        return False
    return all(tree.value % k for k in range(2, int(tree.value**0.5) + 1))


def _holds_long(tree: Node) -> bool:
    return any(
        isinstance(part, nodes.Num)
        and part.value >= _LONG
        and part.value.denominator == 1
        and str(part.value.numerator).strip("0") != "1"
        for part in walk(tree.base if isinstance(tree, nodes.Pow) else tree)
    )
