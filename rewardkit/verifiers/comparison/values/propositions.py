"""Propositions of logic: equal when they are true of the same."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from rewardkit.verifiers.comparison.result import Context, Result, different, equal
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.trees import symbols
from rewardkit.verifiers.limits import TooComplex, work

_CONNECTIVES = frozenset(("not", "and", "or", "implies", "iff"))
_MAX_NAMES = 8


def propositions(gold: Node, pred: Node, _: Context) -> Result | None:
    """Compare propositions by their truth tables."""
    if not _is_compound(gold) and not _is_compound(pred):
        return None
    if not (_is_proposition(gold) and _is_proposition(pred)):
        return different("logic", "one side is a proposition, the other is not")
    names = sorted(symbols(gold) | symbols(pred))
    if len(names) > _MAX_NAMES:
        raise TooComplex(f"a truth table of {len(names)} names")
    work.charge(2 ** len(names))
    for values in product((False, True), repeat=len(names)):
        given = dict(zip(names, values, strict=True))
        if _holds(gold, given) != _holds(pred, given):
            return different("logic", "the propositions are not equivalent")
    return equal("logic", "the propositions are equivalent")


def _is_compound(tree: Node) -> bool:
    return isinstance(tree, nodes.Call) and tree.name in _CONNECTIVES


def _is_proposition(tree: Node) -> bool:
    match tree:
        case nodes.Sym():
            return True
        case nodes.Call(_, arguments) if _is_compound(tree):
            return all(map(_is_proposition, arguments))
        case nodes.Relation(("->",), sides):
            return all(map(_is_proposition, sides))
    return False


def _holds(tree: Node, given: Mapping[str, bool]) -> bool:
    match tree:
        case nodes.Sym(name):
            return given[name]
        case nodes.Call("not", (inner,)):
            return not _holds(inner, given)
        case nodes.Call("and", (a, b)):
            return _holds(a, given) and _holds(b, given)
        case nodes.Call("or", (a, b)):
            return _holds(a, given) or _holds(b, given)
        case nodes.Call("iff", (a, b)):
            return _holds(a, given) == _holds(b, given)
        case nodes.Call("implies", (a, b)) | nodes.Relation(_, (a, b)):
            return not _holds(a, given) or _holds(b, given)
    raise TypeError(type(tree).__name__)
