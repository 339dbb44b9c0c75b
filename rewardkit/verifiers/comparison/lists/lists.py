"""What a list says: its values, the names it gives them, and what its dots stand for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from msgspec import structs

from rewardkit.verifiers.comparison.lists.declarations import without_declarations
from rewardkit.verifiers.comparison.names import is_name
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.nodes import Node, number
from rewardkit.verifiers.limits import MAX_ITEMS


class NamedValues(NamedTuple):
    """The values of a list, and the names that `x = 1, y = 2` gives them."""

    values: tuple[Node, ...]
    names: tuple[Node, ...]
    """One for each value, and no two alike; empty where the values are not named so."""

    @property
    def interchangeable(self) -> bool:
        """Whether the names are x_1, x_2, ...: then their order says nothing."""
        parts = [n.name.partition("_") for n in self.names if isinstance(n, nodes.Sym)]
        same = len(parts) == len(self.names) and len({base for base, _, _ in parts}) == 1
        return same and all(sign for _, sign, _ in parts)

    def in_order(self) -> tuple[Node, ...]:
        """Return the values as a tuple would hold them: by name, for x, y, z."""
        named = zip(self.names, self.values, strict=False)
        by_name = {name.name: value for name, value in named if isinstance(name, nodes.Sym)}
        if len(by_name) < len(self.values):
            return self.values
        return tuple(by_name[name] for name in sorted(by_name))


def named_values(tree: Node) -> NamedValues:
    """Return what a list or a set lists, or one value alone."""
    items = tree.items if isinstance(tree, nodes.Collection) else (tree,)
    pairs = [pair for item in without_declarations(items) for pair in _pairs(item)]
    values = tuple(value for _, value in pairs)
    names = tuple(name for name, _ in pairs if name is not None)
    size = len(set(names))
    if len(names) < len(values):
        return NamedValues(values, ())
    if size == len(names):
        return NamedValues(values, names)
    rounds, rest = divmod(len(names), size)
    if size > 1 and not rest and names == names[:size] * rounds:  # `p = 5, q = 2; p = 7, q = 2`
        rows = (values[k : k + size] for k in range(0, len(values), size))
        values = tuple(nodes.Bracketed("(", ")", row) for row in rows)
    return NamedValues(values, ())


def _pairs(item: Node) -> Iterator[tuple[Node | None, Node]]:
    match item:
        case nodes.Relation(("=",), (name, value)) if is_name(name):
            yield name, value
        case nodes.Enumeration(items):
            for part in items:
                yield from _pairs(part)
        case _:
            yield None, item


def continued(tree: Node) -> Node:
    """Return a list with its dots filled in, where they continue whole numbers evenly."""
    if not isinstance(tree, (nodes.Collection, nodes.Bracketed)):
        return tree
    if not isinstance(tree.items[-2:][0], nodes.Dots):
        return tree
    values = [item.value for item in tree.items if isinstance(item, nodes.Num)]
    if len(values) < 3 or len(values) < len(tree.items) - 1:
        return tree
    first, step, reach = values[0], values[1] - values[0], values[-1] - values[0]
    even = all(b - a == step for a, b in pairwise(values[:-1]))
    if not even or not step or reach % step or reach / step < len(values) - 1:
        return tree
    count = int(reach / step) + 1
    if count > MAX_ITEMS:
        return tree
    return structs.replace(tree, items=tuple(number(first + step * k) for k in range(count)))
