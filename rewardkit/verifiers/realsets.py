"""Sets of real numbers: intervals, unions, and the solutions of simple inequalities.

`(2, inf)`, `x > 2`, `2 < x` and `{x | x > 2}` all become the same sorted list of intervals.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise
from typing import Any, NamedTuple

from rewardkit.verifiers.evaluate import Evaluator, Undefined, Unsupported
from rewardkit.verifiers.limits import MAX_ITEMS, TooComplex
from rewardkit.verifiers.nodes import Node, node, symbols, walk

DIGITS = 60
INFINITY = "inf"
MINUS_INFINITY = "-inf"
Bound = Any
"""A Fraction, an mpmath number, or one of the two infinities."""


class Interval(NamedTuple):
    """A piece of the real line."""

    low: Bound
    closed_low: bool
    high: Bound
    closed_high: bool


RealSet = list[Interval]
LINE: RealSet = [Interval(MINUS_INFINITY, False, INFINITY, False)]
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}


class NoSet(Exception):
    """The tree is no set of real numbers that can be written as intervals."""


def real_set(tree: Node) -> RealSet:
    """Return the set that a tree describes, as disjoint intervals in order.

    Raises:
        NoSet: it describes none, or one that this module cannot solve for.
    """
    return _joined(_set(tree))


def same_sets(a: RealSet, b: RealSet) -> bool:
    """Return whether two sets are equal."""
    return len(a) == len(b) and all(_same_interval(x, y) for x, y in zip(a, b, strict=True))


def _same_interval(a: Interval, b: Interval) -> bool:
    closed = a.closed_low == b.closed_low and a.closed_high == b.closed_high
    return closed and order(a.low, b.low) == 0 and order(a.high, b.high) == 0


def variable_of(tree: Node) -> str | None:
    """Return the one variable of an inequality; None for a set without one."""
    if tree.kind == "builder" or tree.kind in ("seq", "named", "set"):
        return None
    names = symbols(tree)
    return names.pop() if len(names) == 1 else None


def _set(tree: Node) -> RealSet:
    match tree.kind, tree.args:
        case "named", ("R",):
            return LINE
        case "named", ("empty",):
            return []
        case "seq", (opening, closing, low, high):
            # `(2, -1)` is a point; nobody writes the empty set so.
            interval = Interval(_bound(low), opening == "[", _bound(high), closing == "]")
            return _interval(interval) or _fail()
        case "set", items:
            return [_point(_bound(item)) for item in items]
        case "union", (a, b):
            return _set(a) + _set(b)
        case "inter", (a, b):
            return _intersection(_joined(_set(a)), _joined(_set(b)))
        case "minus", (a, b):
            return _intersection(_joined(_set(a)), _complement(_joined(_set(b))))
        case "builder", (variable, condition):
            return _set(condition) if variable.kind == "sym" else _fail()
        case "either", items:
            return [part for item in items for part in _set(item)]
        case "list", items if all(item.kind == "rel" for item in items):
            found = LINE
            for item in items:
                found = _intersection(found, _joined(_set(item)))
            return found
        case "rel", (operators, *sides):
            return _relation(operators, sides)
    return _fail()


def _fail() -> RealSet:
    raise NoSet


def _relation(operators: tuple[str, ...], sides: list[Node]) -> RealSet:
    if operators == ("in",):
        return _set(sides[1])
    if operators == ("notin",):
        return _complement(_joined(_set(sides[1])))
    if not set(operators) <= set(_MIRRORED):
        raise NoSet
    whole = node("list", *sides)
    names = symbols(whole)
    applied = {part for part in walk(whole) if part.kind == "call" and part.args[0] in "fgh"}
    if len(applied) == 1:
        # The relation bounds the values of one function: `0 < f(x) < 1`.
        sides = [_replaced(side, applied.copy().pop()) for side in sides]
        names = symbols(node("list", *sides))
    if len(names) != 1:
        raise NoSet
    name = names.pop()
    found = LINE
    for operator, left, right in zip(operators, sides, sides[1:], strict=False):
        found = _intersection(found, _joined(_solve(operator, left, right, name)))
    return found


def _replaced(tree: Node, part: Node) -> Node:
    if tree == part:
        return node("sym", "f()")
    return Node(
        tree.kind, tuple(_replaced(a, part) if isinstance(a, Node) else a for a in tree.args)
    )


def _solve(operator: str, left: Node, right: Node, name: str) -> RealSet:
    """Solve `left operator right` where both sides are linear, or an absolute value of one."""
    for a, b, op in ((left, right, operator), (right, left, _MIRRORED[operator])):
        if a.kind == "abs" and name in symbols(a) and name not in symbols(b):
            inner, minus = a.args[0], node("neg", b)
            above, below = _solve(op, inner, b, name), _solve(_MIRRORED[op], inner, minus, name)
            if op in ("<", "<="):
                return _intersection(_joined(above), _joined(below))
            return above + below if op in (">", ">=") else _fail()
        if b == node("const", "inf") or b == node("neg", node("const", "inf")):
            if name in symbols(a) and a.kind == "sym" and op in ("<", ">"):
                return LINE
            raise NoSet
    difference = node("add", left, node("neg", right))
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
        return [_point(root)]
    if operator == "!=":
        return _complement([_point(root)])
    upward = (operator in (">", ">=")) == (slope > 0)
    closed = operator in ("<=", ">=")
    if upward:
        return [Interval(root, closed, INFINITY, False)]
    return [Interval(MINUS_INFINITY, False, root, closed)]


def _quadratic(operator: str, a: Bound, b: Bound, c: Bound) -> RealSet:
    """Solve `a x^2 + b x + c operator 0`, `a` not zero."""
    within = b * b - 4 * a * c
    if _tiny(within):
        roots = [-b / (2 * a)]
    elif within < 0:
        roots = []
    else:
        at = Evaluator({}, DIGITS)
        root = at.mp.sqrt(at.inexact(within))
        roots = sorted((at.inexact(-b) + sign * root) / at.inexact(2 * a) for sign in (-1, 1))
    points = [_point(root) for root in roots]
    if operator in ("=", "!="):
        return points if operator == "=" else _complement(points)
    ends = [MINUS_INFINITY, *roots, INFINITY]
    pieces = [Interval(low, False, high, False) for low, high in pairwise(ends)]
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
    if tree == node("const", "inf"):
        return INFINITY
    if tree == node("neg", node("const", "inf")):
        return MINUS_INFINITY
    return _at(tree, "", 0)


def _point(value: Bound) -> Interval:
    return Interval(value, True, value, True)


def _interval(interval: Interval) -> RealSet:
    """Return the interval as a set; an infinite end is open, a backward interval is empty."""
    low, closed_low, high, closed_high = interval
    closed_low = closed_low and low != MINUS_INFINITY
    closed_high = closed_high and high != INFINITY
    side = order(low, high)
    if side > 0 or (side == 0 and not (closed_low and closed_high)):
        return []
    return [Interval(low, closed_low, high, closed_high)]


def order(a: Bound, b: Bound) -> int:
    """Return -1, 0 or 1 as `a` is below, equal to, or above `b`."""
    infinite = {MINUS_INFINITY: -1, INFINITY: 1}
    ranks = tuple(infinite[v] if isinstance(v, str) else 0 for v in (a, b))
    if any(ranks):
        return (ranks[0] > ranks[1]) - (ranks[0] < ranks[1])
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return (a > b) - (a < b)
    at = Evaluator({}, DIGITS)
    gap = at.inexact(a) - at.inexact(b)
    if abs(gap) <= abs(at.inexact(b)) * at.mp.mpf(10) ** (20 - DIGITS):
        return 0
    return 1 if gap > 0 else -1


def _joined(parts: RealSet) -> RealSet:
    """Sort intervals and join those that touch."""
    if len(parts) > MAX_ITEMS:
        raise TooComplex(f"a union of {len(parts)} intervals")
    joined: RealSet = []
    for part in sorted(parts, key=cmp_to_key(_by_start)):
        if joined:
            last = joined[-1]
            side = order(part.low, last.high)
            if side < 0 or (side == 0 and (part.closed_low or last.closed_high)):
                reach = order(part.high, last.high)
                high = part.high if reach > 0 else last.high
                closed = part.closed_high if reach > 0 else last.closed_high
                if reach == 0:
                    closed = part.closed_high or last.closed_high
                joined[-1] = Interval(last.low, last.closed_low, high, closed)
                continue
        joined.append(part)
    return joined


def _by_start(a: Interval, b: Interval) -> int:
    return order(a.low, b.low) or int(b.closed_low) - int(a.closed_low)


def _intersection(a: RealSet, b: RealSet) -> RealSet:
    found: RealSet = []
    for x in a:
        for y in b:
            side = order(x.low, y.low)
            low, closed_low = (x.low, x.closed_low) if side > 0 else (y.low, y.closed_low)
            if side == 0:
                closed_low = x.closed_low and y.closed_low
            side = order(x.high, y.high)
            high, closed_high = (x.high, x.closed_high) if side < 0 else (y.high, y.closed_high)
            if side == 0:
                closed_high = x.closed_high and y.closed_high
            found += _interval(Interval(low, closed_low, high, closed_high))
    return found


def _complement(parts: RealSet) -> RealSet:
    found: RealSet = []
    low, closed = MINUS_INFINITY, False
    for part in parts:
        found += _interval(Interval(low, closed, part.low, not part.closed_low))
        low, closed = part.high, not part.closed_high
    return found + _interval(Interval(low, closed, INFINITY, False))
