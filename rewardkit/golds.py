"""Gold answers that are no text: numbers, and lists of them, are read as they print."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from numbers import Number
from typing import TypeAlias

Gold: TypeAlias = "str | int | float | Fraction | Sequence[Gold] | None"
"""A gold answer as a data set holds it; what is no text is read as it prints."""


MAX_DEPTH = 32
"""How deep the lists of a gold answer may be nested."""


def as_text(gold: Gold, depth: int = MAX_DEPTH) -> str:
    """Return a gold answer as text: a number as it prints, a list as its items with commas.

    Nothing at all (None, or NaN, which tables write for it) is the empty text, which every verifier
    calls a BAD_GOLD.

    Raises:
        TypeError: it is neither text nor a number nor a list of these, or beyond use.

    >>> from fractions import Fraction
    >>> as_text(0.5), as_text(Fraction(1, 3)), as_text(True), as_text([1, 2.5])
    ('0.5', '1/3', 'True', '1, 2.5')
    """
    if isinstance(gold, str):
        return gold
    if isinstance(gold, (bool, Number)):
        text = _printed(gold)
        return "" if text.lower() == "nan" else text
    if isinstance(gold, (list, tuple)):
        if not depth:
            raise TypeError(f"a gold answer is nested {MAX_DEPTH} lists deep at most")
        return ", ".join(_item(item, depth - 1) for item in gold)
    if gold is None:
        return ""
    raise TypeError(
        f"a gold answer is text, a number or a list of these, and not a {type(gold).__name__}"
    )


def _item(item: Gold, depth: int) -> str:
    """Return an item of a list as text; one that is a list itself keeps together."""
    text = as_text(item, depth)
    return f"({text})" if isinstance(item, (list, tuple)) else text


def _printed(number: object) -> str:
    try:
        return str(number)
    except ValueError as error:  # Python writes no whole number of thousands of digits
        raise TypeError(f"a gold answer that is a number cannot be written ({error})") from error
