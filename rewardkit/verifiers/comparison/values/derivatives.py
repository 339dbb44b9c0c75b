"""Derivatives: `dy/dx` and `y'` beside each other."""

from __future__ import annotations

from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.trees import map_children, symbols


def derivatives_alike(gold: Node, pred: Node) -> tuple[Node, Node]:
    """Return both answers with `dy/dx` as `y'`, where only one of them writes a derivative so."""
    primed = [any(name.endswith("'") for name in symbols(tree)) for tree in (gold, pred)]
    if primed[0] == primed[1]:
        return gold, pred
    return (gold, _primed(pred)) if primed[0] else (_primed(gold), pred)


def _primed(tree: Node) -> Node:
    match tree:
        case nodes.Div(
            nodes.Mul((nodes.Sym("d"), nodes.Sym(name))),
            nodes.Mul((nodes.Sym("d"), nodes.Sym("x" | "t" as variable))),
        ) if name != variable:
            return nodes.Sym(name + "'")
    return map_children(tree, _primed)
