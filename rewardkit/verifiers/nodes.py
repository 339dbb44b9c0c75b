"""The tree an answer is parsed into.

A node is a kind and its arguments, hashable and comparable. Kinds:

numbers      num(Fraction, literal text)  sym(name)  const(pi | e | i | inf)
arithmetic   add(*terms)  mul(*factors)  div(a, b)  pow(a, b)  neg(a)  pm(a, b)  mp(a, b)
             percent(a)  degree(a)  fact(a)  abs(a)  call(name, *args)  based(digits, base)
             big(operator, variable | None, low | None, high | None, body)
collections  list(*items)  either(*items)  set(*items)
             seq(open, close, *items)  matrix(*rows of tuples)
             builder(variable, condition)  ratio(*parts)  dots()
sets         union(a, b)  inter(a, b)  minus(a, b)  named(R | Z | N | Q | C | empty)
relations    rel(operators, *sides)  with operators among = != < <= > >= ~ in
others       quantity(value, unit name)  time(seconds, am/pm known)  date(month, day, year or 0)
             text(words)
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple


class Node(NamedTuple):
    """One node of an answer's tree; see the module for the kinds."""

    kind: str
    args: tuple[Any, ...] = ()


def node(kind: str, *args: Any) -> Node:
    """Return a node."""
    return Node(kind, args)


def number(value: int | Fraction, literal: str = "") -> Node:
    """Return a number node; `literal` is the text it was written as."""
    return Node("num", (Fraction(value), literal))


def factors(tree: Node) -> list[Node]:
    """Return the factors of a product, in the order they are written."""
    if tree.kind != "mul":
        return [tree]
    return [part for factor in tree.args for part in factors(factor)]


def with_symbol(tree: Node, name: str) -> Node:
    """Return the tree with the constant `i` or `e` as a symbol of that name."""
    if tree == node("const", name):
        return node("sym", name)
    return Node(
        tree.kind,
        tuple(with_symbol(arg, name) if isinstance(arg, Node) else arg for arg in tree.args),
    )


def walk(tree: Node) -> Iterator[Node]:
    """Yield a node and all nodes below it."""
    stack: list[Any] = [tree]
    while stack:
        top = stack.pop()
        if isinstance(top, Node):
            yield top
        if isinstance(top, tuple):
            stack.extend(reversed(top.args if isinstance(top, Node) else top))


def levels(tree: Node) -> int:
    """Return how many levels a tree has.

    >>> levels(number(1)), levels(node("neg", number(1)))
    (1, 2)
    """
    count, level = 0, [tree]
    while level:
        count += 1
        level = [child for parent in level for child in _children(parent.args)]
    return count


def _children(args: tuple[Any, ...]) -> Iterator[Node]:
    for arg in args:
        if isinstance(arg, Node):
            yield arg
        elif isinstance(arg, tuple):
            yield from _children(arg)


def symbols(tree: Node) -> set[str]:
    """Return the names of the free symbols."""
    found: set[str] = set()
    bound: set[str] = set()
    stack: list[Any] = [tree]
    while stack:
        top = stack.pop()
        if type(top) is Node:
            if top.kind == "sym":
                found.add(top.args[0])
            elif top.kind not in _LEAVES:
                if top.kind == "big" and top.args[1] is not None:
                    bound.add(top.args[1].args[0])
                stack.extend(top.args)
        elif type(top) is tuple:
            stack.extend(top)
    return found - bound


def contains(tree: Node, *kinds: str) -> bool:
    """Return whether any node of these kinds is in the tree."""
    stack: list[Any] = [tree]
    while stack:
        top = stack.pop()
        if type(top) is Node:
            if top.kind in kinds:
                return True
            if top.kind not in _LEAVES:
                stack.extend(top.args)
        elif type(top) is tuple:
            stack.extend(top)
    return False


_LEAVES = frozenset(("num", "sym", "const", "named", "based", "time", "date"))


def substitute(tree: Any, names: dict[str, Node]) -> Any:
    """Return the tree with symbols replaced."""
    if isinstance(tree, Node):
        if tree.kind == "sym":
            return names.get(tree.args[0], tree)
        return Node(tree.kind, tuple(substitute(arg, names) for arg in tree.args))
    if isinstance(tree, tuple):
        return tuple(substitute(arg, names) for arg in tree)
    return tree
