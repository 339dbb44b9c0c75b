"""Sets of whole numbers: `x in Z` beside other conditions, as lists of runs of integers."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NamedTuple

from rewardkit.verifiers.nodes import Node, node, number, symbols
from rewardkit.verifiers.realsets import INFINITY, MINUS_INFINITY, NoSet, real_set

_WHOLE = {"Z": None, "N": None, "Z>0": ">", "Z>=0": ">=", "Z<0": "<"}
"""The sets of whole numbers, and how they bound a number at zero; N may or may not hold 0."""
Run = tuple[Any, Any]
"""The first and the last whole number of a run; either may be infinite."""


def whole_set(tree: Node) -> list[Run] | None:
    """Return the whole numbers that a tree describes in runs, or None for other trees.

    >>> from rewardkit.verifiers.parser import parse
    >>> whole_set(parse(r"\\{x \\in \\mathbb{Z} \\mid 1 \\le x < 4\\}"))
    [(1, 3)]
    """
    items = _conditions(tree)
    domains = [item for item in items if _is_domain(item)]
    rest = [item for item in items if not _is_domain(item)]
    if len(domains) != 1 or not rest or any(item.kind != "rel" for item in rest):
        return _listed(tree)
    variable, domain = domains[0].args[1], domains[0].args[2].args[0]
    if any(symbols(item) != symbols(variable) for item in rest) or any(
        item.args[0] == ("=",) for item in rest
    ):
        return None
    if bound := _WHOLE[domain]:
        rest.append(node("rel", (bound,), variable, number(0)))
    try:
        pieces = real_set(node("list", *rest))
    except NoSet:
        return None
    if domain == "N" and (not pieces or pieces[0].low in (MINUS_INFINITY, 0)):
        return None  # whether 0 is a natural number would decide
    runs = [_run(piece) for piece in pieces]
    return [run for run in runs if run[0] <= run[1]]


class Congruence(NamedTuple):
    """Some remainders of a number with or without a name: `n = 2, 5 (mod 9)`."""

    name: Node | None
    modulus: int
    residues: frozenset[int]


def congruence(tree: Node) -> Congruence | None:
    """Return the remainders that a tree states, or None when it states anything else.

    >>> from rewardkit.verifiers.parser import parse
    >>> sorted(congruence(parse(r"n \\equiv -2, 2 \\pmod 9")).residues)
    [2, 7]
    """
    names, moduli, values = set(), set(), []
    for item in tree.args if tree.kind in ("list", "either") else (tree,):
        if item.kind == "rel" and item.args[0] == ("equiv",):
            names.add(item.args[1])
            item = item.args[2]
        if item.kind == "quantity" and item.args[1].startswith("mod"):
            moduli.add(item.args[1].removeprefix("mod"))
            item = item.args[0]
        if _positive(item).kind != "num" or _value(item).denominator != 1:
            return None
        values.append(int(_value(item)))
    modulus = moduli.pop() if len(moduli) == 1 else ""
    if not (modulus.isdigit() and int(modulus) > 0) or len(names) > 1:
        return None
    residues = frozenset(value % int(modulus) for value in values)
    return Congruence(names.pop() if names else None, int(modulus), residues)


def domain_of(tree: Node) -> str | None:
    """Return the set of whole numbers that a list declares a parameter to be in."""
    found = {item.args[2].args[0] for item in _conditions(tree) if _is_domain(item)}
    return found.pop() if len(found) == 1 else None


def _conditions(tree: Node) -> tuple[Any, ...]:
    if tree.kind == "builder":
        return _conditions(tree.args[1])
    return tree.args if tree.kind == "list" else (tree,)


def _is_domain(tree: Node) -> bool:
    return (
        tree.kind == "rel"
        and tree.args[0] == ("in",)
        and tree.args[1].kind == "sym"
        and tree.args[2].kind == "named"
        and tree.args[2].args[0] in _WHOLE
    )


def _listed(tree: Node) -> list[Run] | None:
    """Return the runs of a set or list of integers."""
    if tree.kind not in ("set", "list") or not all(
        item.kind == "num" and item.args[0].denominator == 1 for item in map(_positive, tree.args)
    ):
        return None
    values = sorted({int(_value(item)) for item in tree.args})
    runs: list[Run] = []
    for value in values:
        if runs and runs[-1][1] == value - 1:
            runs[-1] = (runs[-1][0], value)
        else:
            runs.append((value, value))
    return runs


def _positive(tree: Node) -> Node:
    return tree.args[0] if tree.kind == "neg" else tree


def _value(tree: Node) -> Fraction:
    value: Fraction = _positive(tree).args[0]
    return -value if tree.kind == "neg" else value


def _floor(value: Any) -> int:
    return math.floor(value) if isinstance(value, Fraction) else int(value.context.floor(value))


def _run(piece: Any) -> Run:
    low = -math.inf if piece.low == MINUS_INFINITY else -_floor(-piece.low)
    high = math.inf if piece.high == INFINITY else _floor(piece.high)
    low += low == piece.low and not piece.closed_low
    high -= high == piece.high and not piece.closed_high
    return low, high
