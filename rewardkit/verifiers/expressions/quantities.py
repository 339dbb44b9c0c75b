"""Measured quantities in a tree: a value and the name of its unit."""

from __future__ import annotations

from rewardkit.verifiers.expressions.nodes import (
    Degree,
    Div,
    Mul,
    Neg,
    Node,
    Num,
    Pow,
    Quantity,
    Sym,
)
from rewardkit.verifiers.expressions.trees import symbols
from rewardkit.verifiers.expressions.units import unit_word
from rewardkit.verifiers.vocabulary.units import LETTER_UNITS


def measured(tree: Node) -> tuple[Node, str | None]:
    """Return a measured quantity as its value and its unit (None: it has none)."""
    match tree:
        case Quantity(value, unit):
            return value, unit
        case Degree(value):
            return value, "degrees"
    return _lettered(tree) or (tree, None)


def _lettered(tree: Node) -> tuple[Node, str] | None:
    """Read `5 m/s`, a number times letters, as a quantity: where the other side has a unit."""
    match tree:
        case Mul((first, last)) if not symbols(first) and (name := _unit_letters(last)):
            return first, name
        case Mul((first, *_, last)) | Div(first, last):
            found, name = _lettered(first), _unit_letters(last)
            if found and name:
                joined = " per " if isinstance(tree, Div) else " "
                return found[0], f"{found[1]}{joined}{name}"
    return None


def _unit_letters(tree: Node) -> str | None:
    match tree:
        case Sym(name) if name in LETTER_UNITS:
            return unit_word(name)
        case Pow(base, Num(power)) | Pow(base, Neg(Num(power))) if power in (1, 2, 3):
            letters, sign = _unit_letters(base), "-" * isinstance(tree.exponent, Neg)
            return f"{letters}^{sign}{power}" if letters else None
        case Div(top, bottom):
            above, below = _unit_letters(top), _unit_letters(bottom)
            return f"{above} per {below}" if above and below else None
    return None
