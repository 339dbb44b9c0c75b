"""What a list says of its parameters, `k in Z`, beside the values that it lists."""

from __future__ import annotations

from rewardkit.verifiers.nodes import Node, symbols


def without_declarations(items: tuple[Node, ...]) -> tuple[Node, ...]:
    """Drop `k in Z` where another item gives a value by k, and `n >= 1` beside `a_n = 2n`."""
    kept = tuple(
        item
        for item in items
        if not (
            declares(item)
            and any(
                _is_defined_by(symbols(item.args[1]), other) for other in items if other is not item
            )
        )
    )
    return kept or items


def declares(item: Node) -> bool:
    """Return whether an item says what a parameter may be: `k in Z`, `n >= 1`."""
    if item.kind != "rel" or len(item.args) != 3 or not symbols(item.args[1]):
        return False
    if item.args[0] == ("in",):
        return bool(item.args[2].kind == "named")
    # of the index of a sequence, whose first one need not be said
    return item.args[0] in ((">",), (">=",)) and symbols(item.args[1]) <= set("nkm")


def _is_defined_by(names: set[str], item: Node) -> bool:
    """Return whether an item is a value, or an equation for another unknown, that uses names."""
    if item.kind == "rel":
        defined = item.args[1]
        return (
            item.args[0] == ("=",)
            and names <= symbols(item)
            and (defined.kind == "call" or not names & symbols(defined))
        )
    return names <= symbols(item)
