"""Derivatives: `dy/dx` and `y'` beside each other, `\\partial f/\\partial x` and `f_x`."""

from __future__ import annotations

from functools import partial

from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.trees import map_children, symbols


def derivatives_alike(gold: Node, pred: Node) -> tuple[Node, Node]:
    """Return both answers with `dy/dx` as `y'`, where only one of them writes a derivative so."""
    names = symbols(gold), symbols(pred)
    if "partial" in names[0] ^ names[1]:
        return _named(gold, "partial"), _named(pred, "partial")
    primed = [any(name.endswith("'") for name in said) for said in names]
    if primed[0] == primed[1]:
        return gold, pred
    return (gold, _named(pred, "d")) if primed[0] else (_named(gold, "d"), pred)


def _named(tree: Node, sign: str) -> Node:
    """Return the tree with `dy/dx` as `y'`, or `\\partial f/\\partial x` as `f_x`."""
    match tree:
        case nodes.Div(
            nodes.Mul((nodes.Sym(above), nodes.Sym(name))),
            nodes.Mul((nodes.Sym(below), nodes.Sym(variable))),
        ) if above == below == sign:
            if sign == "partial":
                return nodes.Sym(f"{name}_{variable}")
            if variable in ("x", "t") and name != variable:
                return nodes.Sym(name + "'")
    return map_children(tree, partial(_named, sign=sign))
