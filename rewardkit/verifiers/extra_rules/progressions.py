"""Endless sets of numbers, `{3k : k in Z}`, and endless lists, `1, 3, 5, ...`."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from rewardkit.verifiers.comparison.result import Context, Result, equal
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.evaluate import constant_value
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.trees import at_point, symbols

_SHOWN = 3
"""So many values show how a set goes on."""
_KNOWN = 8
"""So many first values are compared of a set that an expression gives."""
_STARTS = {"Z>0": (1,), "Z>=0": (0,), "N": (0, 1)}


class Endless(NamedTuple):
    """A set of whole numbers without end."""

    firsts: tuple[tuple[Fraction, ...], ...]
    """Its first values, in the readings that it has; empty where it has no first one."""
    rest: Fraction
    step: Fraction
    """Where it has no first value: how far its values are apart, and the least that is not < 0."""


def compare_trees(gold: Node, pred: Node, context: Context) -> Result | None:
    """Compare two endless sets or lists; None where either tree is anything else."""
    if same_endless(gold, pred):
        return equal("set", "both go on in the same way")
    longer = alike_long(gold, pred)
    return context.compare(*longer) if longer != (gold, pred) else None


def same_endless(gold: Node, pred: Node) -> bool:
    """Return whether two trees are the same endless set, written in different ways."""
    mine = endless(gold)
    theirs = mine and endless(pred)
    if mine is None or theirs is None:
        return False
    if type(gold) is type(pred) and mine.firsts:
        return False  # two lists, and two expressions, are compared as such
    if bool(mine.firsts) != bool(theirs.firsts):
        return False
    if not mine.firsts:
        return mine[1:] == theirs[1:]
    return any(_alike(a, b) for a in mine.firsts for b in theirs.firsts)


def _alike(some: tuple[Fraction, ...], others: tuple[Fraction, ...]) -> bool:
    count = min(len(some), len(others))
    return count >= _SHOWN and some[:count] == others[:count]


def endless(tree: Node) -> Endless | None:
    """Return the endless set of whole numbers that a tree is, or None for any other.

    >>> from rewardkit.verifiers.parsing.parser import parse
    >>> endless(parse(r"\\{3k : k \\in \\mathbb{Z}\\}")).step
    Fraction(3, 1)
    """
    if isinstance(tree, nodes.SetOf):
        return _listed(tree.items)
    if isinstance(tree, nodes.SetBuilder):
        return _built(tree.element, tree.condition)
    return None


def _listed(items: tuple[Node, ...]) -> Endless | None:
    if not items or not isinstance(items[-1], nodes.Dots):
        return None
    both = isinstance(items[0], nodes.Dots)
    values = [_value(item) for item in items[both:-1]]
    shown = [value for value in values if value is not None]
    if len(shown) < len(values) or len(shown) < _SHOWN:
        return None
    if not both:
        return Endless((tuple(shown),), Fraction(0), Fraction(0))
    steps = {b - a for a, b in pairwise(shown)}
    return _line(shown[0], steps.pop()) if len(steps) == 1 else None


def _built(element: Node, condition: Node) -> Endless | None:
    names = symbols(element)
    if len(names) != 1 or not isinstance(element, nodes.Expression):
        return None
    [name] = names
    starts = _starts(condition, name)
    if starts is None:
        return None
    first = min(starts, default=0)
    places = [Fraction(first + k) for k in range(_KNOWN + len(starts))]
    values = [_value(at_point(element, {name: place})) for place in places]
    known = tuple(value for value in values if value is not None)
    if len(known) < len(values):
        return None
    if starts:
        firsts = tuple(known[start - first :][:_KNOWN] for start in starts)
        return Endless(firsts, Fraction(0), Fraction(0))
    steps = {b - a for a, b in pairwise(known)}
    return _line(known[0], steps.pop()) if len(steps) == 1 else None


def _line(value: Fraction, step: Fraction) -> Endless | None:
    return Endless((), value % abs(step), abs(step)) if step else None


def _starts(condition: Node, name: str) -> tuple[int, ...] | None:
    """Return where a parameter may begin; none for all whole numbers, None where it is no such."""
    match condition:
        case nodes.Relation(("in",), (nodes.Sym(declared), nodes.NamedSet(domain))):
            if declared != name:
                return None
            return () if domain == "Z" else _STARTS.get(domain)
        case nodes.ListOf((nodes.Relation(("=",), (nodes.Sym(declared), first)), *rest)):
            *shown, last = rest
            values = [_value(first), *map(_value, shown)]
            if declared != name or len(values) < 2 or not isinstance(last, nodes.Dots):
                return None
            start = values[0]
            if start is None or values != [start + k for k in range(len(values))]:
                return None
            return (int(start),) if start.denominator == 1 else None
    return None


def _value(tree: Node) -> Fraction | None:
    found = constant_value(tree) if isinstance(tree, nodes.Expression) else None
    return found if isinstance(found, Fraction) else None


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
