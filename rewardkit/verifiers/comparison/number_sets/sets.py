"""Sets of numbers, however they are written: as intervals, relations, unions or their elements."""

from __future__ import annotations

from rewardkit.verifiers.comparison.names import domain_of
from rewardkit.verifiers.comparison.number_sets.intervals import same_sets
from rewardkit.verifiers.comparison.number_sets.real_sets import NoSet, real_set
from rewardkit.verifiers.comparison.result import Context, Result, decided, different
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.trees import children, substitute

INEQUALITIES = frozenset(("<", ">", "<=", ">=", "!=", "in", "notin"))


def sets(gold: Node, pred: Node, context: Context) -> Result | None:
    """Compare sets of reals or integers; two tuples and two lists of elements are not for here."""
    if not (_may_be_set(gold) and _may_be_set(pred)):
        return None
    if type(gold) is type(pred) and isinstance(gold, (nodes.Bracketed, nodes.SetOf)):
        return None
    if not context.options.relation_as_set and _is_inequality(gold) != _is_inequality(pred):
        return different("set", "one is a relation, the other a set")
    if bool(domain_of(gold)) != bool(domain_of(pred)):
        return different("set", "one is a set of whole numbers, the other is not")
    try:
        mine, theirs = real_set(gold), real_set(pred)
    except NoSet:
        return _parts_of_sets(gold, pred, context)
    same, other = "both are the same set of real numbers", "the sets of real numbers differ"
    return decided(same_sets(mine, theirs), "set", same, other)


def _may_be_set(tree: Node) -> bool:
    match tree:
        case nodes.SetOperation() | nodes.NamedSet() | nodes.SetBuilder() | nodes.SetOf():
            return True
        case nodes.Bracketed():
            return True
        case nodes.Enumeration(items):
            relations = all(isinstance(item, nodes.Relation) for item in items)
            return relations and any(map(_may_be_set, items))
        case nodes.Relation(operators):
            return not INEQUALITIES.isdisjoint(operators)
    return False


def _is_inequality(tree: Node) -> bool:
    """Return whether a tree is an inequality, or several."""
    if isinstance(tree, nodes.Enumeration):
        return all(map(_is_inequality, tree.items))
    return isinstance(tree, nodes.Relation) and bool(set(tree.operators) & (INEQUALITIES - {"in"}))


def _parts_of_sets(gold: Node, pred: Node, context: Context) -> Result | None:
    """Compare set expressions that hold symbols: the same operator over equal parts."""
    if type(gold) is not type(pred) or not isinstance(gold, (nodes.SetOperation, nodes.SetBuilder)):
        return None
    mine, theirs = children(gold), children(pred)
    if isinstance(pred, nodes.SetBuilder) and isinstance(pred.element, nodes.Sym):
        theirs = tuple(substitute(part, {pred.element.name: mine[0]}) for part in theirs)
    same = context.all_same(mine, theirs)
    if not same and not isinstance(gold, (nodes.Difference, nodes.SetBuilder)):
        same = context.all_same(mine, theirs[::-1])
    return decided(same, "set", "the sets have equal parts", "the sets have different parts")
