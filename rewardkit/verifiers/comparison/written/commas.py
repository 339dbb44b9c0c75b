"""Other readings of a comma, for two answers that differ: between items, or before decimals."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rewardkit.verifiers.expressions.nodes import Bracketed, ListOf, Node
from rewardkit.verifiers.limits import NotAnswer
from rewardkit.verifiers.parsing.parser import parse

_JOINED = re.compile(r"(?<=\d),(?!0)\d{3}(?!\d)")
"""Thousands, or two numbers; no item of a list begins with a zero."""
_DECIMAL_COMMA = re.compile(
    r"(?P<before>[\\$€£]*-?(?:\d{1,3}(?:[. ]\d{3})+|\d+))(?:,|\{,\})(?P<places>\d+)"
    r"(?P<unit>\s?(?:\\?%|[$€£]|\\text\{[^{}]*\}(?:\^\{?[23]\}?)?|[^\W\d_][^\d,]*)?)"
)
"""`2,74`, `1.234,5 km`; three digits behind a comma are thousands, but for `0,125`."""
_LISTED = re.compile(r"-?\d+,\d")
"""Golds with one digit after the comma are as often two numbers: `3,5`."""


def other_readings(gold_text: str, text: str) -> Iterator[tuple[Node, Node]]:
    """Yield both answers as they read with commas taken in another way, alike on both sides."""
    for read in (_as_lists, _as_decimals):
        if (sides := read(gold_text, text)) is not None:
            yield sides


def _as_lists(gold_text: str, text: str) -> tuple[Node, Node] | None:
    """Read `100,200` as two numbers where it could also be one, and the other side is a list.

    In order: what separates them is a guess, and no guess may reorder what was written.
    """
    if bool(_JOINED.search(gold_text)) == bool(_JOINED.search(text)):
        return None
    found = _parsed(gold_text, text, thousands=False)
    if found and isinstance(found[0], ListOf) and isinstance(found[1], ListOf):
        return Bracketed("(", ")", found[0].items), Bracketed("(", ")", found[1].items)
    return None


def _as_decimals(gold_text: str, text: str) -> tuple[Node, Node] | None:
    """Read `2,74` as 2.74 where the other side is no list, or a decimal so written too."""
    sides = [_pointed(side) for side in (gold_text, text)]
    if sides == [gold_text, text] or _LISTED.fullmatch(gold_text):
        return None
    for before, after in zip((gold_text, text), sides, strict=True):
        if before == after and "," in before:
            return None
    return _parsed(*sides)


def _pointed(text: str) -> str:
    """Return a number with a decimal comma with a point instead."""
    found = _DECIMAL_COMMA.fullmatch(text)
    if found is None:
        return text
    before, places = re.sub(r"(?<=\d)[. ]", "", found["before"]), found["places"]
    if len(places) == 3 and before.lstrip("\\$€£-") != "0":
        return text
    return f"{before}.{places}{found['unit']}"


def _parsed(gold_text: str, text: str, *, thousands: bool = True) -> tuple[Node, Node] | None:
    try:
        return parse(gold_text, thousands=thousands), parse(text, thousands=thousands)
    except NotAnswer:
        return None
