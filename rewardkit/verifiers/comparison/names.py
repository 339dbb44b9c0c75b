"""Names and constants: what may stand left of `=` as the name of the value on the right."""

from __future__ import annotations

from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.functions import KNOWN_CALLS
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.trees import children, symbols, walk


def is_name(tree: Node) -> bool:
    """Return whether a tree may stand left of `=` as the name of the right side's value."""
    match tree:
        case nodes.Sym():
            return True
        case nodes.Call():  # `sin 2x`, `P(X = 2)`; but `sin 30` is a value
            return not is_constant(tree)
        case (
            nodes.Abs() | nodes.Degree() | nodes.SetOperation() | nodes.SetOf() | nodes.Bracketed()
        ):
            return all(map(is_name, children(tree)))
        case nodes.BigOperator("lim"):
            return is_name(tree.body)
        case nodes.Ratio(parts) if all(isinstance(part, nodes.Sym) for part in parts):
            return True
        case nodes.Div(top, bottom) if _is_differential(top) and _is_differential(bottom):
            return True
        case nodes.Div() | nodes.Ratio() | nodes.Mul():
            return all(map(is_name, children(tree))) and _all_capital(tree)
    return False


def _is_differential(tree: Node) -> bool:
    return isinstance(tree, nodes.Mul) and tree.factors[0] in (nodes.Sym("d"), nodes.Sym("partial"))


def _all_capital(tree: Node) -> bool:
    names = symbols(tree)
    return bool(names) and all(name[0].isupper() for name in names)


def is_operator(tree: Node) -> bool:
    """Return whether a tree asks to be worked out: an integral, `1 + 2 + ... + n`, `d/dx f`."""
    match tree:
        case nodes.BigOperator():
            return True
        case nodes.Add(terms):
            return any(isinstance(term, nodes.Dots) for term in terms)
        case nodes.Mul((nodes.Div(nodes.Sym("d"), nodes.Mul((nodes.Sym("d"), nodes.Sym()))), *_)):
            return True
    return False


def is_combination(tree: Node) -> bool:
    """Return whether a tree puts several unknowns together, as `m + n` or `x^2 + y^2` does."""
    powers = numbers = 0
    for part in walk(tree):
        match part:
            case nodes.Sym() | nodes.Add() | nodes.Mul() | nodes.Div() | nodes.Neg():
                pass
            case nodes.Pow(_, exponent):
                powers += isinstance(exponent, nodes.Num)
            case nodes.Num(value) if value > 1:
                numbers += 1
            case _:
                return False
    return numbers == powers and len(symbols(tree)) > 1


def is_constant(tree: Node) -> bool:
    """Return whether an expression has no unknowns: no symbols, no `f(2)`."""
    if not isinstance(tree, nodes.Expression) or symbols(tree):
        return False
    return all(part.name in KNOWN_CALLS for part in walk(tree) if isinstance(part, nodes.Call))


def is_arithmetic(tree: Node) -> bool:
    """Return whether an expression is of numbers and the four operations alone."""
    return all(
        isinstance(part, (nodes.Num, nodes.Add, nodes.Mul, nodes.Div, nodes.Neg))
        for part in walk(tree)
    )


def domain_of(tree: Node) -> str | None:
    """Return the set of numbers that a list declares a parameter to be in, `Z` of `k in Z`."""
    condition = tree.condition if isinstance(tree, nodes.SetBuilder) else tree
    found = set()
    for item in condition.items if isinstance(condition, nodes.ListOf) else (condition,):
        match item:
            case nodes.Relation(("in",), (nodes.Sym(), nodes.NamedSet(domain))) if domain != "R":
                found.add(domain)
    return found.pop() if len(found) == 1 else None
