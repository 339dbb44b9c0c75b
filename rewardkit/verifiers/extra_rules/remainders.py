"""Remainders: `n = 2, 5 (mod 9)`, and the lines `n = 9k + 2` that say the same."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from rewardkit.verifiers.comparison.result import Result, decided, different
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.equality import is_same
from rewardkit.verifiers.expressions.evaluate import constant_value
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.trees import at_point, contains, minus, symbols
from rewardkit.verifiers.limits import NotAnswer, TooComplex
from rewardkit.verifiers.parsing.parser import parse

PARAMETERS = frozenset("kmnlt")
"""Names that stand for any whole number where nothing says so."""


class Congruence(NamedTuple):
    """Some remainders of a number with or without a name: `n = 2, 5 (mod 9)`."""

    name: Node | None
    modulus: int
    residues: frozenset[int]


def congruences(gold: Node, pred: Node) -> Result | None:
    """Compare remainders; the name of what leaves them may be left out, or they may be a line."""
    stated = congruence(gold)
    mine = stated or _lines(gold)
    if mine is None:
        return None  # as most golds, which are a number
    other = congruence(pred)
    theirs = other or _lines(pred)
    if theirs is None or (not (stated or other) and mine != theirs):
        return None
    if mine.name and theirs.name and mine.name != theirs.name:
        return different("remainder", "other names")
    same = mine[1:] == theirs[1:]
    return decided(same, "remainder", "the same remainders", "the remainders differ")


def congruence(tree: Node) -> Congruence | None:
    """Return the remainders that a tree states, or None when it states anything else.

    >>> sorted(congruence(parse(r"n \\equiv -2, 2 \\pmod 9")).residues)
    [2, 7]
    """
    if not contains(tree, nodes.Quantity, nodes.Call):  # which a modulus is read as
        return None
    names, moduli, values = set(), set(), []
    for item in _stated(tree):
        if isinstance(item, nodes.Relation) and item.operators == ("equiv",):
            name, item = item.sides
            names.add(name)
            if isinstance(item, nodes.Call) and item.name == "mod":  # `n \equiv 1 mod 4`
                item, divisor = item.arguments
                moduli.add(str(_whole(divisor) or 0))
        if isinstance(item, nodes.Quantity) and item.unit.startswith("mod"):
            moduli.add(item.unit.removeprefix("mod"))
            item = item.value
        if (value := _whole(item)) is None:
            return None
        values.append(value)
    return _left_by(names, _modulus(moduli.pop()) if len(moduli) == 1 else 0, values)


def _left_by(names: set[Node], modulus: int, values: Iterable[int]) -> Congruence | None:
    """Return the remainders that some values of one number leave."""
    if modulus <= 0 or len(names) > 1:
        return None
    residues = frozenset(value % modulus for value in values)
    return Congruence(names.pop() if names else None, modulus, residues)


def _stated(tree: Node) -> tuple[Node, ...]:
    """Return what a list states, without `x in Z`, which a remainder says of its number anyway."""
    items = tree.items if isinstance(tree, nodes.Enumeration) else (tree,)
    kept = (item for item in items if getattr(item, "operators", None) != ("in",))
    return tuple(kept) or items


def _whole(tree: Node) -> int | None:
    if not isinstance(tree, nodes.Expression) or contains(tree, nodes.Quantity):
        return None
    value = tree.value if type(tree) is nodes.Num else None
    if value is None and not symbols(tree):
        value = constant_value(tree)
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else None


@lru_cache(maxsize=256)
def _modulus(written: str) -> int:
    """Return what a modulus is worth, `10^6` or `2^{61}-1`; 0 where that is no whole number."""
    if written.isdigit():
        return int(written)
    try:
        return _whole(parse(written)) or 0
    except (NotAnswer, TooComplex):
        return 0


def _lines(tree: Node) -> Congruence | None:
    """Return the remainders of `x = 7k + 3`, or of several such lines with one step.

    Every number is one of `n + 1`, so that a step of 1 says nothing of remainders.
    """
    names, steps, starts = set(), set(), set()
    for item in _stated(tree):
        if isinstance(item, nodes.Relation):
            if item.operators != ("=",) or not isinstance(item.sides[0], nodes.Sym):
                return None
            names.add(item.sides[0])
            item = item.sides[1]
        line = integer_line(item)
        if line is None:
            return None
        starts.add(line[0])
        steps.add(abs(line[1]))
    if len(steps) != 1 or 1 in steps or any(name.name in PARAMETERS - {"n"} for name in names):
        return None
    return _left_by({*names}, steps.pop(), starts)


def line(tree: Node, parameter: str) -> tuple[Node, Node] | None:
    """Return the value at k = 0 and the step, of an expression that is a line in k alone."""
    if isinstance(tree, nodes.Relation) and tree.operators == ("=",):
        tree = tree.sides[1]
    if not isinstance(tree, nodes.Expression) or symbols(tree) != {parameter}:
        return None
    first, second, third = (at_point(tree, {parameter: Fraction(k)}) for k in range(3))
    step = minus(second, first)
    return (first, step) if is_same(step, minus(third, second)) else None


def integer_line(tree: Node) -> tuple[int, int] | None:
    """Return the start and the step of `7k + 3`: a line in one parameter, in whole numbers."""
    if not isinstance(tree, nodes.Expression) or len(names := symbols(tree)) != 1:
        return None
    if not names <= PARAMETERS or (found := line(tree, *names)) is None:
        return None
    start, step = (constant_value(part) for part in found)
    if not (isinstance(start, Fraction) and isinstance(step, Fraction)):
        return None
    if start.denominator != 1 or step.denominator != 1 or not step:
        return None
    return int(start), int(step)
