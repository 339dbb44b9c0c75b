"""Endless sets of numbers, `{3k : k in Z}`, and endless lists, `1, 3, 5, ...`."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from rewardkit.verifiers.comparison.result import Context, Result, decided
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.evaluate import constant_value
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.trees import at_point, symbols

_SHOWN = 3
"""So many values show how a set goes on."""
_KNOWN = 8
"""So many first values are compared of a set that an expression gives."""
_STARTS = {"Z>0": (1,), "Z>=0": (0,), "N": (0, 1)}
_Values = list[Fraction]


def compare_trees(gold: Node, pred: Node, _: Context) -> Result | None:
    """Compare two endless sets or lists; None where either tree is anything else."""
    same, other = "both go on in the same way", "they go on in other ways"
    mine, theirs = _both_ways(gold), _both_ways(pred)
    if mine and theirs:
        return decided(mine == theirs, "set", same, other)
    firsts = _first_values(gold), _first_values(pred)
    if not all(firsts) or type(gold) is type(pred) is nodes.SetBuilder:
        return None
    begins = _goes_on if type(gold) is type(pred) else _begins
    alike = any(begins(*sorted((a, b), key=len)) for a in firsts[0] for b in firsts[1])
    return decided(alike, "set", same, other)


def _both_ways(tree: Node) -> tuple[Fraction, Fraction] | None:
    """Return the rest and the step of `{3k : k in Z}` or `{..., -3, 0, 3, ...}`.

    >>> from rewardkit.verifiers.parsing.parser import parse
    >>> _both_ways(parse(r"\\{3k + 1 : k \\in \\mathbb{Z}\\}"))
    (Fraction(1, 1), Fraction(3, 1))
    """
    values: _Values | None = None
    match tree:
        case nodes.SetOf((nodes.Dots(), *items, nodes.Dots())):
            values = _exact(items)
        case nodes.SetBuilder(element, nodes.Relation(("in",), (name, nodes.NamedSet("Z")))):
            values = _values_at(element, name, 0)
    steps = {b - a for a, b in pairwise(values or ())}
    if not values or len(values) < _SHOWN or len(steps) != 1 or not (step := abs(steps.pop())):
        return None
    return values[0] % step, step


def _first_values(tree: Node) -> list[_Values]:
    """Return the first values of a set or list with a beginning, in the readings that it has."""
    found: list[_Values | None] = []
    match tree:
        case nodes.SetBuilder(element, nodes.Relation(("in",), (name, nodes.NamedSet(domain)))):
            found = [_values_at(element, name, start) for start in _STARTS.get(domain, ())]
        case nodes.Collection((*items, nodes.Dots())):
            found = [_exact(items)]
    return [values for values in found if values and len(values) >= _SHOWN]


def _values_at(element: Node, name: Node, start: int) -> _Values | None:
    if not isinstance(element, nodes.Expression) or not isinstance(name, nodes.Sym):
        return None
    if symbols(element) != {name.name}:
        return None
    places = range(start, start + _KNOWN)
    return _exact([at_point(element, {name.name: Fraction(place)}) for place in places])


def _exact(items: list[Node]) -> _Values | None:
    values = [constant_value(item) for item in items if isinstance(item, nodes.Expression)]
    exact = [value for value in values if isinstance(value, Fraction)]
    return exact if len(exact) == len(items) else None


def _goes_on(short: _Values, long: _Values) -> bool:
    """Return whether the longer one goes on by the simplest rule that the shorter one follows."""
    steps = [b - a for a, b in pairwise(short)]
    turns = [b - a for a, b in pairwise(steps)]
    ratio = short[1] / short[0] if short[0] else None
    found = list(short)
    while len(found) < len(long):
        step = found[-1] - found[-2]
        if len({*steps}) == 1:
            found.append(found[-1] + step)
        elif ratio and all(b == a * ratio for a, b in pairwise(short)):
            found.append(found[-1] * ratio)
        elif len(short) > _SHOWN and len({*turns}) == 1:
            found.append(found[-1] + step + turns[0])
        else:
            return False
    return found == long


def _begins(short: _Values, long: _Values) -> bool:
    return long[: len(short)] == short
