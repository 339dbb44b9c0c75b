"""What a list says of its parameters, `k in Z`, beside the values that it lists."""

from __future__ import annotations

from rewardkit.verifiers.expressions.nodes import Call, NamedSet, Node, Relation
from rewardkit.verifiers.expressions.trees import symbols


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
        case Relation(("in",), (declared, NamedSet())):
            return symbols(declared)
        case Relation((">",) | (">=",), (declared, _)) if symbols(declared) <= set("nkm"):
            return symbols(declared)  # of the index of a sequence, whose first one need not be said
    return set()


def _uses(names: set[str], item: Node) -> bool:
    """Return whether an item is a value, or an equation for another unknown, that uses names."""
    if not isinstance(item, Relation):
        return names <= symbols(item)
    defined = item.sides[0]
    return (
        item.operators == ("=",)
        and names <= symbols(item)
        and (isinstance(defined, Call) or not names & symbols(defined))
    )
