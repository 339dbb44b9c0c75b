"""Families of solutions: `x = pi/4 + k pi, k in Z`, whatever the parameter is called."""

from __future__ import annotations

import re
from fractions import Fraction

from rewardkit.verifiers.declarations import declares, without_declarations
from rewardkit.verifiers.equality import Answer, same_expression
from rewardkit.verifiers.evaluate import Evaluator, Undefined, Unsupported
from rewardkit.verifiers.forms import EXPRESSIONS, at_point
from rewardkit.verifiers.limits import TooComplex
from rewardkit.verifiers.nodes import Node, node, number, substitute, symbols, walk

_PARAMETERS = frozenset("kmnlt")


def unfolded(tree: Node) -> Node:
    """Return a set of values, `{x | x = k pi, k in Z}` or `{k pi | k in Z}`, as they are listed."""
    if tree.kind != "builder":
        return tree
    element, condition = tree.args
    items = condition.args if condition.kind == "list" else (condition,)
    declared = [item for item in items if declares(item)]
    if len(declared) != 1 or declared[0].args[0] != ("in",):
        return tree
    if len(items) == 1 and element.kind in EXPRESSIONS and element.kind != "sym":
        return node("list", element, *declared)
    if len(items) == 2 and items[0].kind == "rel" and items[0].args[:2] == (("=",), element):
        return node("list", *items)
    return tree


def with_parameter_of(gold: Node, pred: Node) -> Node:
    """Return the answer with its declared parameter called as the gold's."""
    mine, theirs = _declared(gold), _declared(pred)
    if mine is None or theirs is None or mine == theirs or mine in symbols(pred):
        return pred
    return substitute(pred, {theirs: node("sym", mine)})  # type: ignore[no-any-return]


def _declared(tree: Node) -> str | None:
    """Return the one parameter that a list declares, `k` of `k in Z`, when it needs no other."""
    if tree.kind not in ("list", "either"):
        return None
    found = [i.args[1] for i in tree.args if i.kind == "rel" and i.args[0] == ("in",)]
    if (
        len(found) != 1
        or found[0].kind != "sym"
        or len(without_declarations(tree.args)) == len(tree.args)
    ):
        return None
    name: str = found[0].args[0]
    return name


def whole_parameter(tree: Node) -> str | None:
    """Return the parameter that a list declares to be any whole number, else None."""
    name = _declared(tree)
    declared = node("rel", ("in",), node("sym", name or ""), node("named", "Z"))
    return name if name and declared in tree.args else None


def differ_by_periods(gold: Node, pred: Node, parameter: str) -> bool:
    """Return whether `a + k p` and `b + k q` take the same values: q = +-p, and p divides a - b."""
    if gold.kind == pred.kind == "rel" and gold.args[1] != pred.args[1]:
        return False
    mine, theirs = _line(gold, parameter), _line(pred, parameter)
    if mine is None or theirs is None:
        return False
    (start, step), (other, pace) = mine, theirs
    if all(_differ(step, sign) for sign in (pace, node("neg", pace))):
        return False
    gap = node("add", start, node("neg", other))
    try:
        at = Evaluator({}, 30)
        count = int(at.mp.nint(at.inexact(at.real(node("div", gap, step)))))
    except (Undefined, Unsupported, TooComplex):
        return False
    return not _differ(gap, node("mul", number(count), step))


def _line(tree: Node, parameter: str) -> tuple[Node, Node] | None:
    """Return the value at k = 0 and the step, of an expression that is a line in k alone."""
    if tree.kind == "rel" and tree.args[0] == ("=",):
        tree = tree.args[2]
    if tree.kind not in EXPRESSIONS or symbols(tree) != {parameter}:
        return None
    first, second, third = (at_point(tree, {parameter: Fraction(k)}) for k in range(3))
    step = node("add", second, node("neg", first))
    return None if _differ(step, node("add", third, node("neg", second))) else (first, step)


def _differ(a: Node, b: Node) -> bool:
    return same_expression(a, b) is not Answer.EQUAL


def parameter_renamed(gold: Node, pred: Node) -> Node | None:
    """Rename the answer's one odd symbol to the gold's, when both are free parameters.

    That is a constant of integration (`C` and `c`), or the whole number of a periodic family.
    """
    mine, theirs = symbols(gold) - symbols(pred), symbols(pred) - symbols(gold)
    constants = {name.casefold() for name in mine} == {name.casefold() for name in theirs}
    if constants and mine and all(re.fullmatch(r"[cC](_\d+)?", name) for name in mine | theirs):
        if gold.kind == "sym" or len(mine) != len(theirs):
            return None
        by_fold = {name.casefold(): node("sym", name) for name in mine}
        return substitute(pred, {name: by_fold[name.casefold()] for name in theirs})  # type: ignore[no-any-return]
    if len(mine) != 1 or len(theirs) != 1:
        return None
    a, b = mine.pop(), theirs.pop()
    periodic = (
        any(p == node("const", "pi") or p.kind == "degree" for p in walk(gold))
        and {a, b} <= _PARAMETERS
    )
    if not periodic:
        return None
    renamed: Node = substitute(pred, {b: node("sym", a)})
    return renamed
