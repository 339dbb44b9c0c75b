"""Measured quantities in a tree: a value and the name of its unit."""

from __future__ import annotations

from rewardkit.verifiers.nodes import Node
from rewardkit.verifiers.units import LETTER_UNITS


def measured(tree: Node) -> tuple[Node, str | None]:
    """Return a measured quantity as its value and its unit (None: it has none)."""
    if tree.kind == "quantity":
        return tree.args
    if tree.kind == "degree":
        return tree.args[0], "degrees"
    return _lettered(tree) or (tree, None)


def _lettered(tree: Node) -> tuple[Node, str] | None:
    """Read `5 m/s`, a number times letters, as a quantity: where the other side has a unit."""
    if tree.kind not in ("mul", "div"):
        return None
    left, right = tree.args[0], tree.args[-1]
    if tree.kind == "mul" and left.kind == "num" and (name := _unit_letters(right)):
        return left, name
    found = _lettered(left)
    if found is None or not (name := _unit_letters(right)):
        return None
    return found[0], f"{found[1]} per {name}" if tree.kind == "div" else f"{found[1]} {name}"


def _unit_letters(tree: Node) -> str | None:
    match tree.kind, tree.args:
        case "sym", (name,) if name.lower() in LETTER_UNITS:
            return str(name.lower())
        case "pow", (base, Node("num", (power, _))) if power in (2, 3):
            name = _unit_letters(base)
            return f"{name}^{power}" if name else None
        case "div", (top, bottom):
            above, below = _unit_letters(top), _unit_letters(bottom)
            return f"{above} per {below}" if above and below else None
    return None
