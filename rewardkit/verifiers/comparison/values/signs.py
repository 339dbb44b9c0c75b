"""Plus-minus signs: the values that an answer with such signs stands for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product, repeat

from rewardkit.verifiers.comparison.result import Context, Result, different
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.trees import contains, map_children, walk


def signs(gold: Node, pred: Node, context: Context) -> Result | None:
    """Compare the values that signs stand for."""
    if not (_has_signs(gold) or _has_signs(pred)):
        return None
    gold, pred = signs_expanded(gold), signs_expanded(pred)
    if _has_signs(gold) or _has_signs(pred):
        return different("set", "signs that cannot be expanded alike")
    return context.compare(gold, pred)


def _has_signs(tree: Node) -> bool:
    return contains(tree, nodes.PlusMinus, nodes.MinusPlus)


def signs_expanded(tree: Node) -> Node:
    """Return the tree with each plus-minus as the two values it stands for."""
    match tree:
        case nodes.Relation(("=",), (left, _)) if contains(left, nodes.PlusMinus):
            return nodes.ListOf(_variants(tree))
        case nodes.Relation(("=",) | ("!=",) | ("equiv",) as operators, (left, right)):
            expanded = signs_expanded(right)
            if isinstance(expanded, nodes.ListOf):
                return nodes.ListOf(
                    tuple(nodes.Relation(operators, (left, value)) for value in expanded.items)
                )
            return tree if expanded == right else nodes.Relation(operators, (left, expanded))
        case nodes.Relation():
            return tree
        case nodes.Collection(items):
            grown = [signs_expanded(item) for item in items]
            parts = [i.items if isinstance(i, nodes.Enumeration) else (i,) for i in grown]
            return type(tree)(tuple(item for part in parts for item in part))
    variants = _variants(tree)
    return variants[0] if len(variants) == 1 else nodes.ListOf(variants)


def _variants(tree: Node) -> tuple[Node, ...]:
    """Return the values that the signs stand for: all of them together where one is minus-plus."""
    if not _has_signs(tree):
        return (tree,)
    count = sum(isinstance(part, nodes.PlusMinus) for part in walk(tree))
    if contains(tree, nodes.MinusPlus) or not 1 < count <= 6:
        chosen: list[Iterator[bool]] = [repeat(True), repeat(False)]
    else:
        chosen = [iter(each) for each in product((True, False), repeat=count)]
    return tuple(dict.fromkeys(_with_signs(tree, plus) for plus in chosen))


def _with_signs(tree: Node, plus: Iterator[bool]) -> Node:
    """Return the tree with the next of some signs for each that stands for two."""
    if not isinstance(tree, (nodes.PlusMinus, nodes.MinusPlus)):
        return map_children(tree, partial(_with_signs, plus=plus))
    positive = next(plus) == isinstance(tree, nodes.PlusMinus)
    value = _with_signs(tree.value, plus)
    if isinstance(value, nodes.Bracketed) and not positive:  # each entry of a vector takes it
        return map_children(value, nodes.Neg)
    return value if positive else nodes.Neg(value)
