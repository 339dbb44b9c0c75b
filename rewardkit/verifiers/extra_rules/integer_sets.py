"""Sets of whole numbers: `x in Z` beside other conditions, as runs of integers."""

from __future__ import annotations

import math
from fractions import Fraction

from rewardkit.verifiers.comparison.number_sets.intervals import Cut
from rewardkit.verifiers.comparison.number_sets.real_sets import NoSet, real_set
from rewardkit.verifiers.comparison.result import Context, Result, decided
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.evaluate import constant_value
from rewardkit.verifiers.expressions.nodes import Node, number
from rewardkit.verifiers.expressions.trees import symbols

_WHOLE: dict[str, nodes.RelationSign | None] = {
    "Z": None, "N": None, "Z>0": ">", "Z>=0": ">=", "Z<0": "<",
}  # fmt: skip
"""The sets of whole numbers, and how they bound a number at zero; N may or may not hold 0."""
Run = tuple[int | float, int | float]
"""The first and the last whole number of a run; either may be infinite."""


def compare_trees(gold: Node, pred: Node, _: Context) -> Result | None:
    """Compare two sets of whole numbers of which one is given by conditions."""
    if not (_is_bounded(gold) or _is_bounded(pred)):
        return None
    mine, theirs = integer_set(gold), integer_set(pred)
    if mine is None or theirs is None:
        return None
    same, other = "both are the same set of whole numbers", "the sets of whole numbers differ"
    return decided(mine == theirs, "set", same, other)


def _is_bounded(tree: Node) -> bool:
    return any(map(_domain, _conditions(tree)))


def integer_set(tree: Node) -> list[Run] | None:
    """Return the whole numbers that a tree describes in runs, or None for other trees.

    >>> from rewardkit.verifiers.parsing.parser import parse
    >>> integer_set(parse(r"\\{x \\in \\mathbb{Z} \\mid 1 \\le x < 4\\}"))
    [(1, 3)]
    """
    items = _conditions(tree)
    domains = [found for item in items if (found := _domain(item))]
    rest = [item for item in items if isinstance(item, nodes.Relation) and not _domain(item)]
    if len(domains) != 1 or not rest or len(rest) < len(items) - 1:
        return _listed(tree)
    [(variable, domain)] = domains
    if any(symbols(item) != {variable} or item.operators == ("=",) for item in rest):
        return None
    if bound := _WHOLE[domain]:
        rest.append(nodes.Relation((bound,), (nodes.Sym(variable), number(0))))
    try:
        pieces = real_set(nodes.ListOf(tuple(rest)))
    except NoSet:
        return None
    if domain == "N" and (not pieces or pieces[0].start.at in (-math.inf, 0)):
        return None  # whether 0 is a natural number would decide
    runs = [(_wholes_before(start) + 1, _wholes_before(end)) for start, end in pieces]
    return [run for run in runs if run[0] <= run[1]]


def _conditions(tree: Node) -> tuple[Node, ...]:
    if isinstance(tree, nodes.SetBuilder):
        return _conditions(tree.condition)
    return tree.items if isinstance(tree, nodes.ListOf) else (tree,)


def _domain(tree: Node) -> tuple[str, str] | None:
    """Return the name and the set of `x in Z`."""
    match tree:
        case nodes.Relation(("in",), (nodes.Sym(name), nodes.NamedSet(domain))) if domain in _WHOLE:
            return name, domain
    return None


def _listed(tree: Node) -> list[Run] | None:
    """Return the runs of a set or list of integers."""
    items = tree.items if isinstance(tree, (nodes.SetOf, nodes.ListOf)) else ()
    values = [constant_value(item) for item in items if isinstance(item, nodes.Expression)]
    whole = {int(v) for v in values if isinstance(v, Fraction) and v.denominator == 1}
    if not items or len(values) < len(items) or not all(value in whole for value in values):
        return None
    runs: list[Run] = []
    for value in sorted(whole):
        if runs and runs[-1][1] == value - 1:
            runs[-1] = (runs[-1][0], value)
        else:
            runs.append((value, value))
    return runs


def _wholes_before(cut: Cut) -> int | float:
    """Return the last whole number before a cut, which may be infinite."""
    value = cut.at
    if isinstance(value, float):
        return value
    below = math.floor(value) if isinstance(value, Fraction) else int(value.context.floor(value))
    return below - (below == value and not cut.after)
