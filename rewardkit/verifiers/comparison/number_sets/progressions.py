"""Endless sets of whole numbers: `{3k : k in Z}`, `{..., -3, 0, 3, ...}`, all multiples of 3."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.evaluate import constant_value
from rewardkit.verifiers.expressions.nodes import Node, number
from rewardkit.verifiers.expressions.trees import at_point, symbols
from rewardkit.verifiers.vocabulary.commands import STYLED_TEXT

_SHOWN = 3
"""So many values show how a set goes on."""
_KNOWN = 8
"""So many first values are compared of a set that an expression gives."""
_STARTS = {"Z>0": (1,), "Z>=0": (0,), "N": (0, 1)}
_TEXT = re.compile(STYLED_TEXT.pattern + r"|[$]|\\[,;: ]")
_SAID = re.compile(
    r"(?:the\s)?(?:set\sof\s)?(?:all\s)?(?:of\s)?(?:the\s)?(?:(?P<sign>positive|negative)\s)?(?:"
    r"(?:(?:integer|whole)\s)?multiples?\sof\s(?P<step>\d+)"
    r"|(?P<parity>even|odd)\s(?:integers|numbers|whole\snumbers)"
    r"|(?:integers|whole\snumbers)\s(?:that\sare\s|which\sare\s)?divisible\sby\s(?P<by>\d+))\.?"
)


class Endless(NamedTuple):
    """A set of whole numbers without end."""

    firsts: tuple[tuple[Fraction, ...], ...]
    """Its first values, in the readings that it has; empty where it has no first one."""
    rest: Fraction
    step: Fraction
    """Where it has no first value: how far its values are apart, and the least that is not < 0."""


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


def spoken_set(text: str) -> Node | None:
    """Return the endless set that words name, `all multiples of 3`, or None.

    >>> spoken_set("the positive multiples of 3").condition.sides[1].name, spoken_set("multiples")
    ('Z>0', None)
    """
    said = _SAID.fullmatch(" ".join(_TEXT.sub(lambda m: m[1] or " ", text).lower().split()))
    if said is None:
        return None
    step = 2 if said["parity"] else int(said["step"] or said["by"])
    sign = said["sign"]
    parameter: Node = nodes.Sym("k")
    if sign == "negative":
        parameter = nodes.Neg(parameter)
    element: Node = nodes.Mul((number(step), parameter))
    if said["parity"] == "odd":
        element = nodes.Add((element, number(1 if sign == "negative" else -1)))
    domain = nodes.NamedSet("Z>0" if sign else "Z")
    return nodes.SetBuilder(element, nodes.Relation(("in",), (nodes.Sym("k"), domain)))
