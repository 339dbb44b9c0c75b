"""Chains of equalities: what `x = 2 + 3 = 5` says, and whether it contradicts itself."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from rewardkit.verifiers.declarations import without_declarations
from rewardkit.verifiers.equality import Answer, rounds_to, same_expression
from rewardkit.verifiers.evaluate import Evaluator, Undefined, Unsupported
from rewardkit.verifiers.forms import (
    EXPRESSIONS,
    LISTS,
    is_constant,
    is_name,
    plain_number,
)
from rewardkit.verifiers.limits import (
    TooComplex,
)
from rewardkit.verifiers.nodes import Node, node, number, symbols
from rewardkit.verifiers.quantities import measured
from rewardkit.verifiers.units import sizes_like, unit_of


def false_relation(tree: Node) -> bool:
    """Return whether a chain of equalities contradicts itself: `3 = 4`, `1 = 2 = 3`."""
    if tree.kind in LISTS:
        return any(false_relation(item) for item in tree.args)
    if tree.kind != "rel" or not set(tree.args[0]) <= {"=", "~"}:
        return False
    sides = [(op, side) for op, side in zip(("=", *tree.args[0]), tree.args[1:], strict=True)]
    constants = [(op, s) for op, s in sides if is_constant(s)]
    exact = [s for op, s in constants if op == "="]
    if is_name(sides[0][1]) and symbols(sides[0][1]):
        # `z = 3 + 3 = 2` ends in what it says z is; `z = 6 = 2` says two things, but
        # `z = 3 + 3 = 5 = 6` only slips on its way to what z was from the start.
        if len(exact) > 2 and not plain_number(exact[0]):
            exact = exact[-1:] if _same(exact[0], exact[-1]) else exact
        exact = [s for s in exact if plain_number(s)]
        constants = [(op, s) for op, s in constants if op == "="]
    if any(_contradict(a, b) and not _rounds(a, b) for a, b in pairwise(exact)):
        return True
    return any(op == "~" and exact and not _near(exact[-1], s) for op, s in constants)


def _contradict(a: Node, b: Node) -> bool:
    """Return whether `a = b` is false; a unit left out of one side may be any of its kind."""
    if "quantity" not in (a.kind, b.kind):
        return same_expression(a, b) is Answer.DIFFERENT
    (x, unit_x), (y, unit_y) = measured(a), measured(b)
    if unit_x and unit_y:
        first, second = unit_of(unit_x), unit_of(unit_y)
        if first.dimensions == second.dimensions:
            x, y = node("mul", x, number(first.size)), node("mul", y, number(second.size))
        return same_expression(x, y) is Answer.DIFFERENT
    known = unit_of(unit_x or unit_y or "")
    if unit_y:
        x, y = y, x
    scales = [Fraction(1), *(known.size / size for size in sizes_like(known))]
    return all(
        same_expression(node("mul", x, number(scale)), y) is Answer.DIFFERENT for scale in scales
    )


def _rounds(exact: Node, decimal: Node) -> bool:
    """Return whether a step only rounds: `246/595 = 0.4134`."""
    written = plain_number(decimal)
    return bool(written) and plain_number(exact) is None and rounds_to(exact, str(written), 3)


def _same(a: Node, b: Node) -> bool:
    return same_expression(a, b) is Answer.EQUAL


def _near(exact: Node, approximate: Node) -> bool:
    try:
        at = Evaluator({}, 30)
        x, y = at.inexact(at.real(exact)), at.inexact(at.real(approximate))
    except (Undefined, Unsupported, TooComplex):
        return False
    places = (plain_number(approximate) or "").partition(".")[2]
    if places.isdigit() and abs(x - y) > 2 * at.mp.mpf(10) ** -len(places):
        return False  # a wrong digit
    return bool(abs(x - y) <= abs(x) / 20)


def settled(tree: Node) -> Node:
    """Return a chain of equalities as `name = value`, or as its value when it names none."""
    if tree.kind in ("list", "either"):
        items = without_declarations(tree.args)
        if len(items) < len(tree.args):
            tree = items[0] if len(items) == 1 else node(tree.kind, *items)
    if tree.kind != "rel" or not set(tree.args[0]) <= {"=", "~"}:
        return tree
    operators = tree.args[0]
    sides: list[Node] = list(tree.args[1:])
    if operators == ("=",) and is_name(sides[1]) and is_constant(sides[0]):
        return node("rel", operators, sides[1], sides[0])
    exact = [s for op, s in zip(("=", *operators), sides, strict=True) if op == "="]
    if all(is_constant(s) for s in exact):
        return exact[-1] if len(exact) > 1 or (len(sides) == 2 and "~" in operators) else tree
    if len(exact) == 1:  # `x ~ 11`: all there is
        return node("rel", ("=",), sides[0], sides[1])
    if len(exact) > 2 and not symbols(exact[-1]):
        if is_name(exact[0]):
            return node("rel", ("=",), exact[0], exact[-1])
        if exact[-1].kind in EXPRESSIONS:
            return exact[-1]
    if len(exact) > 2 and all(is_name(s) for s in exact[:-1]) and exact[-1].kind != "sym":
        return exact[-1]
    return node("rel", ("=",), exact[0], exact[-1]) if len(exact) == 2 else tree


def each_named(tree: Node) -> Node:
    """Return `x = y = 1` as the list `x = 1, y = 1`."""
    if tree.kind != "rel" or len(tree.args) < 4 or set(tree.args[0]) != {"="}:
        return tree
    *names, value = tree.args[1:]
    if len({*names}) < len(names) or any(name.kind != "sym" for name in names) or symbols(value):
        return tree
    return node("list", *(node("rel", ("=",), name, value) for name in names))


def zipped(names: Node, values: Node) -> Node:
    """Return `(a, b) = (1, 2)` as the list `a = 1, b = 2`."""
    pairs = zip(names.args[2:], values.args[2:], strict=False)
    return node("list", *(node("rel", ("=",), n, v) for n, v in pairs))
