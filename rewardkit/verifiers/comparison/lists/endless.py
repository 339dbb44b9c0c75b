"""Endless lists, `1, 3, 5, ...`: the same when the longer one goes on as the shorter one does."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.evaluate import constant_value
from rewardkit.verifiers.expressions.nodes import Node

_SHOWN = 3
"""So many values show a step or a quotient; one more shows a second difference."""


def alike_long(gold: Node, pred: Node) -> tuple[Node, Node]:
    """Return two lists that end in dots, the shorter one gone on with as far as the longer."""
    if type(gold) is not type(pred):
        return gold, pred
    mine, theirs = _shown(gold), _shown(pred)
    if not mine or not theirs or len(mine) == len(theirs):
        return gold, pred
    short, long = sorted((mine, theirs), key=len)
    if _continued(short, len(long)) == long:
        return (gold, gold) if short is theirs else (pred, pred)
    return gold, pred


def _shown(tree: Node) -> list[Fraction]:
    """Return the values before the dots at the end of a list, or nothing for any other tree."""
    if not isinstance(tree, nodes.Collection | nodes.Bracketed):
        return []
    *items, last = tree.items
    if not isinstance(last, nodes.Dots):
        return []
    values = [constant_value(item) for item in items if isinstance(item, nodes.Expression)]
    exact = [value for value in values if isinstance(value, Fraction)]
    return exact if len(exact) == len(items) >= _SHOWN else []


def _continued(values: list[Fraction], count: int) -> list[Fraction] | None:
    """Return the first so many values by the simplest rule that the given ones follow."""
    found = list(values)
    steps = [b - a for a, b in pairwise(values)]
    turns = [b - a for a, b in pairwise(steps)]
    ratio = values[1] / values[0] if values[0] else None
    while len(found) < count:
        step = found[-1] - found[-2]
        if len({*steps}) == 1:
            found.append(found[-1] + step)
        elif ratio and all(b == a * ratio for a, b in pairwise(values)):
            found.append(found[-1] * ratio)
        elif len(values) > _SHOWN and len({*turns}) == 1:
            found.append(found[-1] + step + turns[0])
        else:
            return None
    return found
