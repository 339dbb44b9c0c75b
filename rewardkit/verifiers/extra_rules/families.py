"""Families of solutions: `x = pi/4 + k pi, k in Z`, whatever the parameter is called."""

from __future__ import annotations

from rewardkit.verifiers.comparison.lists.lists import (
    declared_by,
    without_declarations,
)
from rewardkit.verifiers.comparison.names import domain_of
from rewardkit.verifiers.comparison.result import Context, Result
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.trees import (
    classes,
    contains,
    substitute,
    symbols,
    walk,
)
from rewardkit.verifiers.extra_rules.remainders import PARAMETERS, congruences


def compare_trees(gold: Node, pred: Node, context: Context) -> Result | None:
    """Compare families after calling their parameter alike, and remainders of numbers."""
    may_be = not classes(gold, pred).isdisjoint((nodes.Quantity, nodes.Either))
    if may_be and (found := congruences(gold, pred)) is not None:
        return found
    domains = {domain_of(gold), domain_of(pred)} - {None}
    if len(domains) > 1:
        return None
    mine, theirs = unfolded(gold), unfolded(pred)
    theirs = parameter_renamed(mine, theirs)
    return None if (mine, theirs) == (gold, pred) else context.compare(mine, theirs)


def unfolded(tree: Node) -> Node:
    """Return a set of values, `{x | x = k pi, k in Z}` or `{k pi | k in Z}`, as they are listed."""
    if not isinstance(tree, nodes.SetBuilder):
        return tree
    element, condition = tree.element, tree.condition
    items = condition.items if isinstance(condition, nodes.ListOf) else (condition,)
    match [item for item in items if declared_by(item)], items:
        case [nodes.Relation(("in",))], (declared,):
            if isinstance(element, nodes.Expression) and not isinstance(element, nodes.Sym):
                return nodes.ListOf((element, declared))
        case [nodes.Relation(("in",))], (nodes.Relation(("=",), (named, _)), _) if named == element:
            return nodes.ListOf(items)
    return tree


def parameter_renamed(gold: Node, pred: Node) -> Node:
    """Return the answer with its one odd symbol called as the gold's, where both are parameters."""
    mine, theirs = symbols(gold) - symbols(pred), symbols(pred) - symbols(gold)
    if len(mine) != 1 or len(theirs) != 1:
        return pred
    declared = mine == {_declared(gold)}, theirs == {_declared(pred)}
    periodic = contains(gold, nodes.Degree) or nodes.Const("pi") in walk(gold)
    if not (any(declared) or periodic):
        return pred
    if all(
        known or name <= PARAMETERS for known, name in zip(declared, (mine, theirs), strict=True)
    ):
        return substitute(pred, {theirs.pop(): nodes.Sym(mine.pop())})
    return pred


def _declared(tree: Node) -> str | None:
    """Return the one parameter that a list declares, `k` of `k in Z`, when it needs no other."""
    if not isinstance(tree, nodes.Enumeration):
        return None
    relations = [item for item in tree.items if isinstance(item, nodes.Relation)]
    found = [relation.sides[0] for relation in relations if relation.operators == ("in",)]
    if len(found) != 1 or len(without_declarations(tree.items)) == len(tree.items):
        return None
    return found[0].name if isinstance(found[0], nodes.Sym) else None
