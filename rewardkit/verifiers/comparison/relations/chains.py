"""Chains of equalities: what `x = 2 + 3 = 5` says, and whether it contradicts itself."""

from __future__ import annotations

from itertools import pairwise

from rewardkit.verifiers.comparison.lists.lists import without_declarations
from rewardkit.verifiers.comparison.names import is_arithmetic, is_constant, is_name, is_operator
from rewardkit.verifiers.comparison.result import Context
from rewardkit.verifiers.comparison.values.values import as_written
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.equality import Answer, is_same, rounds_to, same_expression
from rewardkit.verifiers.expressions.evaluate import decimal_value
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.quantities import measured
from rewardkit.verifiers.expressions.trees import symbols


def _is_chain(tree: nodes.Relation) -> bool:
    return {*tree.operators} <= {"=", "~"}


def false_relation(tree: Node) -> bool:
    """Return whether a chain of equalities contradicts itself: `3 = 4`, `1 = 2 = 3`."""
    if isinstance(tree, nodes.Collection):
        return any(map(false_relation, tree.items))
    if not isinstance(tree, nodes.Relation) or not _is_chain(tree):
        return False
    first = tree.sides[0]
    steps = zip(("=", *tree.operators), tree.sides, strict=True)
    constants = [(op, side) for op, side in steps if is_constant(side)]
    exact = [side for op, side in constants if op == "="]
    if is_name(first) and symbols(first):
        # `z = 3 + 3 = 2` ends in what it says z is; `z = 6 = 2` says two things, but
        # `z = 3 + 3 = 5 = 6` only slips on its way to what z was from the start.
        if len(exact) > 2 and not as_written(exact[0]) and is_same(exact[0], exact[-1]):
            exact = exact[-1:]
        exact = [side for side in exact if as_written(side)]
        constants = [(op, side) for op, side in constants if op == "="]
    if any(_contradict(a, b) and not _rounds(a, b) for a, b in pairwise(exact)):
        return True
    return any(op == "~" and exact and not _near(exact[-1], side) for op, side in constants)


def _contradict(a: Node, b: Node) -> bool:
    """Return whether `a = b` is false; with units, only where they are the same."""
    match (a, b):
        case (nodes.Percent(), nodes.Percent()):
            pass
        case (nodes.Percent(inner), bare) | (bare, nodes.Percent(inner)):
            if same_expression(inner, bare) is not Answer.DIFFERENT:
                return False  # `28 + 32 = 60%`: of percents, all of them
    if isinstance(a, nodes.Quantity) or isinstance(b, nodes.Quantity):
        return measured(a)[1] == measured(b)[1] and _contradict(measured(a)[0], measured(b)[0])
    return same_expression(a, b) is Answer.DIFFERENT


def _rounds(exact: Node, decimal: Node) -> bool:
    """Return whether a step only rounds: `246/595 = 0.4134`."""
    written = as_written(decimal)
    return bool(written) and as_written(exact) is None and rounds_to(exact, str(written), 3)


def _near(exact: Node, approximate: Node) -> bool:
    x, y = decimal_value(exact), decimal_value(approximate)
    if x is None or y is None:
        return False
    return bool(abs(x - y) <= abs(x) / 20)


def middle_differs(gold: Node, pred: Node, context: Context) -> bool:
    """Return whether two chains `a = b = c` differ in a step that is more than arithmetic."""
    if not (isinstance(gold, nodes.Relation) and isinstance(pred, nodes.Relation)):
        return False
    if len(gold.sides) != len(pred.sides) or not (_is_chain(gold) and _is_chain(pred)):
        return False  # chains of inequalities are sets
    # A slip in whole numbers on the way to what was said is not held against an answer.
    return any(
        not (is_arithmetic(a) and is_arithmetic(b)) and not context.same(a, b)
        for a, b in zip(gold.sides[1:-1], pred.sides[1:-1], strict=True)
    )


def settled(tree: Node) -> Node:
    """Return a chain of equalities as `name = value`, or as its value when it names none."""
    if isinstance(tree, nodes.Enumeration):
        items = without_declarations(tree.items)
        tree = items[0] if len(items) == 1 < len(tree.items) else type(tree)(items)
    if not isinstance(tree, nodes.Relation) or not _is_chain(tree):
        return tree
    operators, sides = tree.operators, tree.sides
    if operators == ("=",) and is_name(sides[1]) and is_constant(sides[0]):
        return nodes.Relation(operators, sides[::-1])
    exact = [side for op, side in zip(("=", *operators), sides, strict=True) if op == "="]
    first, last = exact[0], exact[-1]
    if all(isinstance(side, nodes.Based) or is_constant(side) for side in exact):
        return last if len(exact) > 1 or operators == ("~",) else tree
    if len(exact) == 1:  # `x ~ 11`: all there is
        return nodes.Relation(("=",), sides[:2])
    if len(exact) == 2:
        return nodes.Relation(("=",), (first, last))
    if not symbols(last):
        if is_name(first):
            return nodes.Relation(("=",), (first, last))
        if isinstance(last, nodes.Expression):
            return last
    if is_name(first) and all(is_operator(side) or is_same(side, last) for side in exact[1:-1]):
        return nodes.Relation(("=",), (first, last))  # `f(x) = (2x+1)^2 = 4x^2 + 4x + 1`
    if not any(map(is_name, exact)) and all(is_same(side, last) for side in exact[:-1]):
        return last  # `(x + 1) + (x + 2) = x + 1 + x + 2 = 2x + 3`
    return last if all(map(is_name, exact[:-1])) and not isinstance(last, nodes.Sym) else tree
