"""A function defined by cases against one expression that says the same: `|x|`, `max(x, 0)`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

from rewardkit.verifiers.comparison.result import Context, Result, different, equal
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.equality import is_same
from rewardkit.verifiers.expressions.evaluate import constant_value
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.trees import at_point, symbols
from rewardkit.verifiers.limits import work

_STEPS = tuple(map(Fraction, ("0", "1/7", "2/3", "5/2", "13", "101")))
"""How far from a bound of a case both sides are tried, to its left and right."""
_HOLDS: dict[nodes.RelationSign, Callable[[Any, Any], bool]] = {
    "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge, "=": operator.eq,
    "!=": operator.ne,
}  # fmt: skip
_OTHERWISE = nodes.Sym("label:otherwise")
_Case = tuple[Node, Node]


def compare_trees(gold: Node, pred: Node, _: Context) -> Result | None:
    """Compare cases with one expression of absolute values or extremes, beside each bound.

    Of linear pieces nothing is left to chance by that: they agree where they do at three points.
    """
    for cases, other in ((gold, pred), (pred, gold)):
        if not isinstance(cases, nodes.ListOf) or not isinstance(other, nodes.Expression):
            continue
        if len(names := symbols(other)) != 1 or (read := _cases(cases, *names)) is None:
            return None
        return _at_points(read, other, *names)
    return None


def _cases(tree: nodes.ListOf, name: str) -> list[_Case] | None:
    """Return each value with the condition on one unknown under which it holds, else None."""
    found: list[_Case] = []
    for item in tree.items:
        match item:
            case nodes.Bracketed(_, _, (nodes.Expression() as value, condition)) if symbols(
                value
            ) <= {name} and (condition == _OTHERWISE or _bounds(condition, name)):
                found.append((value, condition))
            case _:
                return None
    return found if 1 < len(found) < 5 else None


def _bounds(condition: Node, name: str) -> list[Fraction]:
    """Return the numbers that a condition compares an unknown with; none of another condition."""
    if not isinstance(condition, nodes.Relation) or not _HOLDS.keys() >= {*condition.operators}:
        return []
    others = [side for side in condition.sides if side != nodes.Sym(name)]
    bounds = [bound for side in others if isinstance(bound := constant_value(side), Fraction)]
    return bounds if len(bounds) == len(others) == len(condition.sides) - 1 else []


def _at_points(cases: list[_Case], other: Node, name: str) -> Result | None:
    bounds = {bound for _, condition in cases for bound in _bounds(condition, name)}
    points = {bound + sign * step for bound in bounds for step in _STEPS for sign in (1, -1)}
    for point in sorted(points):
        work.charge(20)
        value = next((value for value, holds in cases if _is_met(holds, name, point)), None)
        if value is None:
            return None
        if not is_same(*(at_point(side, {name: point}) for side in (value, other))):
            return different("function", f"the functions differ at {point}")
    return equal("function", "the same function, by cases and in one expression")


def _is_met(condition: Node, name: str, point: Fraction) -> bool:
    if not isinstance(condition, nodes.Relation):
        return True
    sides = [point if side == nodes.Sym(name) else constant_value(side) for side in condition.sides]
    steps = zip(condition.operators, pairwise(sides), strict=True)
    return all(_HOLDS[sign](*pair) for sign, pair in steps)
