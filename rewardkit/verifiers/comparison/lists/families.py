"""Families of solutions: `x = pi/4 + k pi, k in Z`, whatever the parameter is called."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import permutations

from rewardkit.verifiers.comparison.lists.lists import declared_by, without_declarations
from rewardkit.verifiers.comparison.result import Context, Result
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.equality import is_same
from rewardkit.verifiers.expressions.evaluate import constant_value, decimal_value
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.trees import (
    at_point,
    children,
    contains,
    minus,
    multiple,
    substitute,
    symbols,
    walk,
)

_CONSTANTS = frozenset("abckmnrstuABCDKLMPQ")
"""Names of constants and parameters that may have any value."""
_OF_INTEGRATION = re.compile(r"C|[cC]_\d+")
_VARIABLES = frozenset("nrstuvwxyz") | {"theta"}
_MOST_CONSTANTS = 3
_WHOLE = frozenset("nmpxN")
"""Unknowns that a formula of one parameter says all values of."""
PARAMETERS = frozenset("kmnlt")
"""Names that stand for any whole number where nothing says so."""


def parameters(gold: Node, pred: Node, context: Context) -> Result | None:
    """Compare after calling the answer's one free parameter as the gold's."""
    mine, theirs = symbols(gold) - symbols(pred), symbols(pred) - symbols(gold)
    if not mine or len(mine) != len(theirs):
        return None
    if _are_constants(gold, mine, theirs):
        results = (
            context.compare(gold, substitute(pred, dict(zip(theirs, names, strict=True))))
            for names in permutations(map(nodes.Sym, mine))
        )
        return next((result for result in results if result.equal), None)
    renamed = parameter_renamed(gold, pred)
    return context.compare(gold, renamed) if renamed is not None else None


def _are_constants(gold: Node, mine: set[str], theirs: set[str]) -> bool:
    """Return whether names are constants of a family of functions: `C_1 e^x + C_2`, `Ae^x + B`.

    One side calls them as nothing else is called, and they are factors or terms of the gold.
    """
    if len(mine) > _MOST_CONSTANTS:
        return False
    if not any(all(map(_OF_INTEGRATION.fullmatch, names)) for names in (mine, theirs)):
        return False
    if not all(name in _CONSTANTS or _OF_INTEGRATION.fullmatch(name) for name in mine | theirs):
        return False
    if _VARIABLES.isdisjoint(symbols(gold)):
        return False
    for part in walk(gold):
        match part:
            case nodes.Pow() | nodes.Call() if mine & symbols(part):
                return False
            case nodes.Div(_, bottom) if mine & symbols(bottom):
                return False
    return True


def _is_family(gold: Node, odd: set[str]) -> bool:
    """Return whether a gold is a point or function for each value of its one odd symbol."""
    match gold:
        case nodes.Bracketed(_, _, items):
            return len(items) > 1 and symbols(gold) == odd
        case nodes.Relation(("=",), (nodes.Call(_, arguments), value)):
            names = {part.name for part in arguments if isinstance(part, nodes.Sym)}
            return bool(names) and symbols(value) - names == odd
        case nodes.Relation(("=",), (nodes.Sym(name), value)):
            if name in _WHOLE and odd == symbols(value) <= PARAMETERS - {name}:
                return True  # `n = 2^k - 1`
            return odd <= {"C", "c"} and name != "C" and len(symbols(value)) > 1
    return False


def unfolded(tree: Node) -> Node:
    """Return a set of values, `{x | x = k pi, k in Z}` or `{k pi | k in Z}`, as they are listed."""
    match tree:
        case nodes.Relation(("in",), (nodes.Sym(), nodes.SetOf() | nodes.ListOf() as listed)):
            return nodes.SetOf(listed.items)
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


def with_parameter_of(gold: Node, pred: Node) -> Node:
    """Return the answer with its parameter, declared or alone, called as the gold's."""
    mine = _declared(gold)
    names = symbols(pred)
    if mine is None and len(alone := symbols(gold) - names) == 1 and alone <= PARAMETERS:
        theirs = _declared(pred)
        return substitute(pred, {theirs: nodes.Sym(*alone)}) if theirs else pred
    if mine is None or mine in names:
        return pred
    theirs = _declared(pred)
    if theirs is None and len(odd := names - symbols(gold)) == 1 and odd <= PARAMETERS:
        [theirs] = odd
    return pred if theirs is None else substitute(pred, {theirs: nodes.Sym(mine)})


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
    mine, theirs = _line(gold, parameter), _line(pred, parameter)
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


def _line(tree: Node, parameter: str) -> tuple[Node, Node] | None:
    """Return the value at k = 0 and the step, of an expression that is a line in k alone."""
    if isinstance(tree, nodes.Relation) and tree.operators == ("=",):
        tree = tree.sides[1]
    if not isinstance(tree, nodes.Expression) or symbols(tree) != {parameter}:
        return None
    first, second, third = (at_point(tree, {parameter: Fraction(k)}) for k in range(3))
    step = minus(second, first)
    return (first, step) if is_same(step, minus(third, second)) else None


def integer_line(tree: Node) -> tuple[int, int] | None:
    """Return the start and the step of `7k + 3`: a line in one parameter, in whole numbers."""
    if not isinstance(tree, nodes.Expression) or len(names := symbols(tree)) != 1:
        return None
    if not names <= PARAMETERS or (line := _line(tree, *names)) is None:
        return None
    start, step = (constant_value(part) for part in line)
    if not (isinstance(start, Fraction) and isinstance(step, Fraction)):
        return None
    if start.denominator != 1 or step.denominator != 1 or not step:
        return None
    return int(start), int(step)


def parameter_renamed(gold: Node, pred: Node) -> Node | None:
    """Rename the answer's one odd symbol to the gold's, when both are free parameters.

    That is a constant of integration (`C` and `c`), or the whole number of a periodic family.
    """
    mine, theirs = symbols(gold) - symbols(pred), symbols(pred) - symbols(gold)
    if not mine or len(mine) != len(theirs):
        return None
    constants = {name.casefold() for name in mine} == {name.casefold() for name in theirs}
    if constants and all(re.fullmatch(r"[cC](_\d+)?", name) for name in mine | theirs):
        if isinstance(gold, nodes.Sym):
            return None
        by_fold = {name.casefold(): nodes.Sym(name) for name in mine}
        return substitute(pred, {name: by_fold[name.casefold()] for name in theirs})
    family = _is_family(gold, mine)
    periodic = contains(gold, nodes.Degree) or nodes.Const("pi") in walk(gold)
    if len(mine) != 1 or not mine | theirs <= (_CONSTANTS if family else PARAMETERS):
        return None
    return substitute(pred, {theirs.pop(): nodes.Sym(mine.pop())}) if family or periodic else None
