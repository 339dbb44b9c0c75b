"""Gold answers that are no text: numbers, and lists of them, are read as they print."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from numbers import Number
from typing import TypeAlias

Gold: TypeAlias = "str | int | float | Fraction | Sequence[Gold] | None"
"""A gold answer as a data set holds it; what is no text is read as it prints."""


def as_text(gold: Gold) -> str:
    """Return a gold answer as text: a number as it prints, a list as its items with commas.

    Nothing at all (None, or NaN, which tables write for it) is the empty text, which every verifier
    calls a BAD_GOLD.

    Raises:
        TypeError: it is neither text nor a number nor a list of these.

    >>> from fractions import Fraction
    >>> as_text(0.5), as_text(Fraction(1, 3)), as_text(True), as_text([1, 2.5])
    ('0.5', '1/3', 'True', '1, 2.5')
    """
    if isinstance(gold, str):
        return gold
    if isinstance(gold, (bool, Number)):
        text = str(gold)
        return "" if text.lower() == "nan" else text
    if isinstance(gold, (list, tuple)):
        return ", ".join(_item(item) for item in gold)
    if gold is None:
        return ""
    raise TypeError(
        f"a gold answer is text, a number or a list of these, and not a {type(gold).__name__}"
    )


def _item(item: Gold) -> str:
    """Return an item of a list as text; one that is a list itself keeps together."""
    return f"({as_text(item)})" if isinstance(item, (list, tuple)) else as_text(item)
