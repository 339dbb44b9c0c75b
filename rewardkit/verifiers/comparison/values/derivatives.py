"""Derivatives: `dy/dx` and `y'` beside each other, `\\partial f/\\partial x` and `f_x`."""

from __future__ import annotations

from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.trees import map_children, symbols

_INDEPENDENT = frozenset("xt")


def derivatives_alike(gold: Node, pred: Node) -> tuple[Node, Node]:
    """Return both answers with `dy/dx` as `y'`, where one of them writes a derivative so."""
    if "partial" in symbols(gold) ^ symbols(pred):
        gold, pred = _lowered(gold), _lowered(pred)
    primed = [any(name.endswith("'") for name in symbols(tree)) for tree in (gold, pred)]
    if primed[0] == primed[1]:
        return gold, pred
    return (gold, _primed(pred)) if primed[0] else (_primed(gold), pred)


def _lowered(tree: Node) -> Node:
    match tree:
        case nodes.Div(
            nodes.Mul((nodes.Sym("partial"), nodes.Sym(name))),
            nodes.Mul((nodes.Sym("partial"), nodes.Sym(variable))),
        ):
            return nodes.Sym(f"{name}_{variable}")
    return map_children(tree, _lowered)


def _primed(tree: Node) -> Node:
    match tree:
        case nodes.Div(
            nodes.Mul((nodes.Sym("d"), nodes.Sym(name))),
            nodes.Mul((nodes.Sym("d"), nodes.Sym(variable))),
        ) if variable in _INDEPENDENT and name != variable:
            return nodes.Sym(name + "'")
    return map_children(tree, _primed)
