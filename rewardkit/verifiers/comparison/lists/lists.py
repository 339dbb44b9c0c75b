"""What a list says: values, their names and parameters, and what its dots stand for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rewardkit.verifiers.comparison.names import is_name
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.trees import symbols


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


def without_declarations(items: tuple[Node, ...]) -> tuple[Node, ...]:
    """Drop `k in Z` where another item gives a value by k, and `n >= 1` beside `a_n = 2n`."""
    kept = tuple(item for item in items if not _only_declares(item, items))
    return kept or items


def _only_declares(item: Node, items: tuple[Node, ...]) -> bool:
    names = declared_by(item)
    return bool(names) and any(_uses(names, other) for other in items if other is not item)


def declared_by(item: Node) -> set[str]:
    """Return the parameters that an item says the domain of, `k in Z`, `n >= 1`; mostly none."""
    match item:
        case nodes.Relation(("in",), (declared, nodes.NamedSet())):
            return symbols(declared)
        case nodes.Relation((">",) | (">=",), (declared, _)) if symbols(declared) <= set("nkm"):
            return symbols(declared)  # of the index of a sequence, whose first one need not be said
    return set()


def _uses(names: set[str], item: Node) -> bool:
    """Return whether an item is a value, or an equation for another unknown, that uses names."""
    if not isinstance(item, nodes.Relation):
        return names <= symbols(item)
    defined = item.sides[0]
    return (
        item.operators == ("=",)
        and names <= symbols(item)
        and (isinstance(defined, nodes.Call) or not names & symbols(defined))
    )
