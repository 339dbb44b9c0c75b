"""Families of solutions: `x = pi/4 + k pi, k in Z`, whatever the parameter is called."""

from __future__ import annotations

from rewardkit.verifiers.comparison.lists.lists import (
    declared_by,
    without_declarations,
)
from rewardkit.verifiers.comparison.names import domain_of
from rewardkit.verifiers.comparison.relations.chains import settled
from rewardkit.verifiers.comparison.result import Context, Result, equal
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.equality import is_same
from rewardkit.verifiers.expressions.evaluate import decimal_value
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.trees import (
    children,
    classes,
    contains,
    minus,
    multiple,
    substitute,
    symbols,
    walk,
)
from rewardkit.verifiers.extra_rules.remainders import PARAMETERS, congruences, line

_WHOLE = frozenset("nmpxN")
"""Unknowns that a formula of one parameter says all values of."""
POINT_PARAMETERS = frozenset("abcrsu")
"""Other names that a family of points may be counted by."""


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
    parameter = whole_parameter(mine)
    if parameter and differ_by_periods(settled(mine), settled(theirs), parameter):
        return equal("set", "the same values, counted from another one")
    return None if (mine, theirs) == (gold, pred) else context.compare(mine, theirs)


def _is_family(gold: Node, odd: set[str]) -> bool:
    """Return whether a gold is a point or function for each value of its one odd symbol."""
    match gold:
        case nodes.Bracketed(_, _, items):
            return len(items) > 1 and symbols(gold) == odd
        case nodes.Relation(("=",), (nodes.Sym(name), value)):  # `n = 2^k - 1`
            return name in _WHOLE and odd == symbols(value) <= PARAMETERS - {name}
    return False


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
    family = _is_family(gold, mine)
    periodic = contains(gold, nodes.Degree) or nodes.Const("pi") in walk(gold)
    if not (any(declared) or family or periodic):
        return pred
    names = PARAMETERS | POINT_PARAMETERS if family else PARAMETERS
    if all(known or name <= names for known, name in zip(declared, (mine, theirs), strict=True)):
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


def whole_parameter(tree: Node) -> str | None:
    """Return the parameter that a list declares to be any whole number, else None."""
    name = _declared(tree)
    declared = nodes.Relation(("in",), (nodes.Sym(name or ""), nodes.NamedSet("Z")))
    return name if declared in children(tree) else None


def differ_by_periods(gold: Node, pred: Node, parameter: str) -> bool:
    """Return whether `a + k p` and `b + k q` take the same values: q = +-p, and p divides a - b."""
    match gold, pred:
        case nodes.Relation(_, (one, *_)), nodes.Relation(_, (another, *_)) if one != another:
            return False
    mine, theirs = line(gold, parameter), line(pred, parameter)
    if mine is None or theirs is None:
        return False
    (start, step), (other, pace) = mine, theirs
    if not is_same(step, pace) and not is_same(step, nodes.Neg(pace)):
        return False
    gap = minus(start, other)
    count = decimal_value(nodes.Div(gap, step))
    if count is None:
        return False
    return is_same(gap, multiple(step, int(count.context.nint(count))))
