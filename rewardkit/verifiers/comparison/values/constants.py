"""Free constants of an answer, which may be called anything: `+ C` of an integral, `ax + b`."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from itertools import permutations

from rewardkit.verifiers.comparison.result import Context, Result, equal
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.equality import is_same
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.trees import (
    at_point,
    children,
    minus,
    substitute,
    symbols,
    walk,
)

_VARIABLES = ("x", "t", "u", "y", "z", "theta", "s", "r", "v", "w", "n")
"""What a function is of, and no constant; where there are several, the first is integrated over."""
_CONSTANT = re.compile(r"[a-zA-Z]|[cCkKaAbB]_\d")
_OF_INTEGRATION = re.compile(r"[CcKk](?:_\d)?")
_PLACES = (Fraction(3, 7), Fraction(5, 2), Fraction(41, 3))
"""A logarithm or root may not be defined at one of them."""


def free_constants(gold: Node, pred: Node, context: Context) -> Result | None:
    """Compare functions after calling the answer's free constants as the gold's.

    Each is said once, or is the same letter in capitals, and is no variable. One alone is a
    constant of integration.
    """
    mine, theirs = symbols(gold) - symbols(pred), symbols(pred) - symbols(gold)
    if not 0 < len(mine) == len(theirs) <= 3 or symbols(gold).isdisjoint(_VARIABLES):
        return None
    folded = {name.casefold() for name in mine} == {name.casefold() for name in theirs}
    case_apart = folded and all(map(_OF_INTEGRATION.fullmatch, mine | theirs))
    if not case_apart and not (_are_once(gold, mine) and _are_once(pred, theirs)):
        return None
    if not all(_CONSTANT.fullmatch(n) and n not in _VARIABLES for n in mine | theirs):
        return None
    added = _is_added(gold, mine) and _is_added(pred, theirs)
    if len(mine) == 1 and not case_apart and not added:
        return None
    for names in permutations(map(nodes.Sym, sorted(mine))):
        renamed = substitute(pred, dict(zip(sorted(theirs), names, strict=True)))
        if (found := context.compare(gold, renamed)).equal:
            return found
    return None


def _are_once(tree: Node, names: set[str]) -> bool:
    said = Counter(part.name for part in walk(tree) if isinstance(part, nodes.Sym))
    return all(said[name] == 1 for name in names)


def _is_added(tree: Node, names: set[str]) -> bool:
    """Return whether a constant of integration stands at the end of a sum, `F(x) + C`."""
    tree = tree.sides[-1] if isinstance(tree, nodes.Relation) else tree
    terms = [term.name for term in children(tree) if isinstance(term, nodes.Sym)]
    return isinstance(tree, nodes.Add) and all(
        name in terms and _OF_INTEGRATION.fullmatch(name) for name in names
    )


def antiderivatives(gold: Node, pred: Node, _: Context) -> Result | None:
    """Compare two sums that end in a free constant by whether the rest parts by a constant.

    None where that does not make them equal: they may still be so in another way.
    """
    mine, theirs = _without_constant(gold), _without_constant(pred)
    if mine is None or theirs is None:
        return None
    over = next((name for name in _VARIABLES if name in symbols(mine)), None)
    if over is None:
        return None
    gap = minus(mine, theirs)
    if any(is_same(gap, at_point(gap, {over: place})) for place in _PLACES):
        return equal("symbolic", "they part by a constant, which the constant of integration takes")
    return None


def _without_constant(tree: Node) -> Node | None:
    """Return the sum of all terms but its one free constant."""
    if not isinstance(tree, nodes.Add):
        return None
    free = [t for t in tree.terms if isinstance(t, nodes.Sym) and _OF_INTEGRATION.fullmatch(t.name)]
    rest = nodes.Add(tuple(term for term in tree.terms if term not in free))
    return rest if len(free) == 1 and free[0].name not in symbols(rest) else None
