"""Propositions of logic: equal when they are true of the same."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from rewardkit.verifiers.comparison.result import Result, decided, different
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.trees import symbols
from rewardkit.verifiers.extra_rules.propositions import proposition
from rewardkit.verifiers.limits import TooComplex, work
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.parsing.parser import reading
from rewardkit.verifiers.parsing.spelling.surroundings import trim

_CONNECTIVES = frozenset(("not", "and", "or", "implies", "iff"))
_MAX_NAMES = 8


def compare_texts(gold_text: str, text: str, _: MathOptions) -> Result | None:
    """Compare propositions by their truth tables."""
    sides = [proposition(trim(side)) for side in (gold_text, text)]
    if not any(side is not None and _is_compound(side) for side in sides):
        return None
    gold, pred = (
        reading(text) if side is None else side
        for side, text in zip(sides, (gold_text, text), strict=True)
    )
    if not (isinstance(gold, Node) and isinstance(pred, Node)):
        return None
    if gold != pred and not (_is_proposition(gold) and _is_proposition(pred)):
        return different("logic", "one side is a proposition, the other is not")
    same, other = "the propositions are equivalent", "the propositions are not equivalent"
    return decided(gold == pred or _equivalent(gold, pred), "logic", same, other)


def _equivalent(gold: Node, pred: Node) -> bool:
    names = sorted(symbols(gold) | symbols(pred))
    if len(names) > _MAX_NAMES:
        raise TooComplex(f"a truth table of {len(names)} names")
    work.charge(2 ** len(names))
    return all(
        _holds(gold, given) == _holds(pred, given)
        for values in product((False, True), repeat=len(names))
        for given in [dict(zip(names, values, strict=True))]
    )


def _is_compound(tree: Node) -> bool:
    return isinstance(tree, nodes.Call) and tree.name in _CONNECTIVES


def _is_proposition(tree: Node) -> bool:
    match tree:
        case nodes.Sym():
            return True
        case nodes.Call(name, arguments) if name in _CONNECTIVES:
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
