"""Antiderivatives that part by a constant: `sin(x)^2 + C` and `-cos(2x)/2 + C`."""

from __future__ import annotations

import re
from fractions import Fraction

from rewardkit.verifiers.comparison.result import Context, Result, equal
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.equality import is_same
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.trees import at_point, minus, symbols

_CONSTANT = re.compile(r"[CcK](?:_\d)?")
_VARIABLES = ("x", "t", "u", "y", "z", "theta", "s", "r", "v", "w")
"""What is integrated over where there are several unknowns: the first of them."""
_PLACES = (Fraction(3, 7), Fraction(5, 2), Fraction(41, 3))
"""A logarithm or root may not be defined at one of them."""


def antiderivatives(gold: Node, pred: Node, _: Context) -> Result | None:
    """Compare two sums that end in a free constant by whether the rest parts by a constant.

    None where that does not make them equal: they may still be so in another way.
    """
    mine, theirs = _without_constant(gold), _without_constant(pred)
    if mine is None or theirs is None or mine[1] != theirs[1]:
        return None
    over = next((name for name in _VARIABLES if name in symbols(mine[0])), None)
    if over is None:
        return None
    gap = minus(mine[0], theirs[0])
    if any(is_same(gap, at_point(gap, {over: place})) for place in _PLACES):
        return equal("symbolic", "they part by a constant, which the constant of integration takes")
    return None


def _without_constant(tree: Node) -> tuple[Node, str] | None:
    """Return the sum of all terms but its one free constant, and that one's name."""
    if not isinstance(tree, nodes.Add):
        return None
    constants = [t for t in tree.terms if isinstance(t, nodes.Sym) and _CONSTANT.fullmatch(t.name)]
    if len(constants) != 1:
        return None
    [constant] = constants
    rest = nodes.Add(tuple(term for term in tree.terms if term != constant))
    return (rest, constant.name) if constant.name not in symbols(rest) else None
