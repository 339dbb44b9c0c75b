"""Sets of real numbers: intervals, unions, and the solutions of simple inequalities.

`(2, inf)`, `x > 2`, `2 < x` and `{x | x > 2}` all become the same sorted list of intervals.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import inf

from rewardkit.verifiers.comparison.number_sets.intervals import (
    DIGITS,
    LINE,
    Bound,
    Cut,
    Interval,
    RealSet,
    between,
    complement,
    intersection,
    joined,
    point,
)
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.arithmetic import Arithmetic, Undefined, Unsupported
from rewardkit.verifiers.expressions.evaluate import Evaluator
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.trees import map_children, minus, replaced, symbols, walk
from rewardkit.verifiers.limits import TooComplex

MIRRORED: dict[nodes.RelationSign, nodes.RelationSign] = {
    "<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!=",
}  # fmt: skip
"""Each operator that can be solved for, and what it is read from right to left."""


class NoSet(Exception):
    """The tree is no set of real numbers that can be written as intervals."""


def real_set(tree: Node) -> RealSet:
    """Return the set that a tree describes, as disjoint intervals in order.

    Raises:
        NoSet: it describes none, or one that this module cannot solve for.
    """
    return joined(_set(tree))


def variable_of(tree: Node) -> str | None:
    """Return the one variable of an inequality; None for a set without one."""
    if isinstance(tree, (nodes.SetBuilder, nodes.Bracketed, nodes.NamedSet, nodes.SetOf)):
        return None
    names = symbols(tree)
    return names.pop() if len(names) == 1 else None


def _set(tree: Node) -> RealSet:
    match tree:
        case nodes.NamedSet("R"):
            return LINE
        case nodes.NamedSet("empty"):
            return []
        case nodes.Bracketed(opening, closing, (low, high)):
            # `(2, -1)` is a point; nobody writes the empty set so.
            start, end = _bound(low), _bound(high)
            first = Cut(start, opening != "[" or start == -inf)
            return between(first, Cut(end, closing == "]" and end != inf)) or _fail()
        case nodes.SetOf(items):
            return [point(_bound(item)) for item in items]
        case nodes.Union(a, b):
            return _set(a) + _set(b)
        case nodes.Intersection(a, b):
            return intersection(_set(a), _set(b))
        case nodes.Difference(a, b):
            return intersection(_set(a), complement(_set(b)))
        case nodes.SetBuilder(nodes.Sym(), condition):
            return _set(condition)
        case nodes.Either(items):
            return [part for item in items for part in _set(item)]
        case nodes.ListOf(items) if all(isinstance(item, nodes.Relation) for item in items):
            found = LINE
            for item in items:
                found = intersection(found, _set(item))
            return found
        case nodes.Relation(("in",), (_, members)):
            return _set(members)
        case nodes.Relation(("notin",), (_, members)):
            return complement(_set(members))
        case nodes.Relation(operators) if MIRRORED.keys() >= {*operators}:
            return _relation(tree)
    return _fail()


def _fail() -> RealSet:
    raise NoSet


def _relation(tree: nodes.Relation) -> RealSet:
    calls = {p for p in walk(tree) if isinstance(p, nodes.Call) and p.name in ("f", "g", "h")}
    if len(calls) == 1:  # the relation bounds the values of one function: `0 < f(x) < 1`
        call = calls.pop()
        tree = map_children(tree, lambda side: replaced(side, call, nodes.Sym("f()")))
    names = symbols(tree)
    if len(names) != 1:
        raise NoSet
    name = names.pop()
    found = LINE
    for operator, (left, right) in zip(tree.operators, pairwise(tree.sides), strict=True):
        found = intersection(found, _solve(operator, left, right, name))
    return found


def _solve(operator: nodes.RelationSign, left: Node, right: Node, name: str) -> RealSet:
    """Solve `left operator right` where both sides are linear, or an absolute value of one."""
    for a, b, op in ((left, right, operator), (right, left, MIRRORED[operator])):
        if isinstance(a, nodes.Abs) and name in symbols(a) and name not in symbols(b):
            above = _solve(op, a.value, b, name)
            below = _solve(MIRRORED[op], a.value, nodes.Neg(b), name)
            if op in ("<", "<="):
                return intersection(above, below)
            return above + below if op in (">", ">=") else _fail()
        if b in (nodes.INFINITY, nodes.MINUS_INFINITY):
            return LINE if a == nodes.Sym(name) and op in ("<", ">") else _fail()
    difference = minus(left, right)
    at = [_at(difference, name, k) for k in (0, 1, 2, 7, 30)]
    bend = (at[2] - 2 * at[1] + at[0]) / 2
    slope = at[1] - at[0] - bend
    if not all(_tiny(at[j] - at[0] - slope * k - bend * k * k) for j, k in ((3, 7), (4, 30))):
        raise NoSet
    if not _tiny(bend):
        return _quadratic(operator, bend, slope, at[0])
    if _tiny(slope):
        raise NoSet
    root = -at[0] / slope
    if operator == "=":
        return [point(root)]
    if operator == "!=":
        return complement([point(root)])
    [(first, last)], upward = LINE, (operator in (">", ">=")) == (slope > 0)
    cut = Cut(root, upward == (operator in ("<", ">")))
    return [Interval(cut, last) if upward else Interval(first, cut)]


def _quadratic(operator: str, a: Bound, b: Bound, c: Bound) -> RealSet:
    """Solve `a x^2 + b x + c operator 0`, `a` not zero."""
    within = b * b - 4 * a * c
    if _tiny(within):
        roots = [-b / (2 * a)]
    elif within < 0:
        roots = []
    else:
        at = Arithmetic(DIGITS)
        root = at.mp.sqrt(at.inexact(within))
        roots = sorted((at.inexact(-b) + sign * root) / at.inexact(2 * a) for sign in (-1, 1))
    points = [point(root) for root in roots]
    if operator in ("=", "!="):
        return points if operator == "=" else complement(points)
    ends = [-inf, *roots, inf]
    pieces = [Interval(Cut(low, True), Cut(high, False)) for low, high in pairwise(ends)]
    wanted = operator in (">", ">=")
    # The sign alternates from piece to piece but across a double root, where it stays.
    outer = pieces if len(roots) < 2 else [pieces[0], pieces[2]]
    inner = [] if len(roots) < 2 else [pieces[1]]
    found = outer if (a > 0) == wanted else inner
    return found + points if operator in ("<=", ">=") else found


def _at(tree: Node, name: str, k: int) -> Bound:
    try:
        return Evaluator({name: Fraction(k)}, DIGITS).real(tree)
    except (Undefined, Unsupported, TooComplex) as error:
        raise NoSet from error


def _tiny(value: Bound) -> bool:
    return value == 0 if isinstance(value, Fraction) else bool(abs(value) < 1e-40)


def _bound(tree: Node) -> Bound:
    if tree in (nodes.INFINITY, nodes.MINUS_INFINITY):
        return inf if tree == nodes.INFINITY else -inf
    return _at(tree, "", 0)
