"""Another reading of a comma, for two answers that differ: before decimals."""

from __future__ import annotations

import re

from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.limits import NotAnswer
from rewardkit.verifiers.parsing.parser import parse

_DECIMAL_COMMA = re.compile(
    r"(?P<before>[\\$€£]*-?(?:\d{1,3}(?:[. ]\d{3})+|\d+))(?:,|\{,\})(?P<places>\d+)"
    r"(?P<unit>\s?(?:\\?%|[$€£]|\\text\{[^{}]*\}(?:\^\{?[23]\}?)?|[^\W\d_][^\d,]*)?)"
)
"""`2,74`, `1.234,5 km`; three digits behind a comma are thousands, but for `0,125`."""
_LISTED = re.compile(r"-?\d+,\d")
"""Golds with one digit after the comma are as often two numbers: `3,5`."""


def with_points(gold_text: str, text: str) -> tuple[Node, Node] | None:
    """Read `2,74` as 2.74 where the other side is no list, or a decimal so written too."""
    sides = [_pointed(side) for side in (gold_text, text)]
    if sides == [gold_text, text] or _LISTED.fullmatch(gold_text):
        return None
    for before, after in zip((gold_text, text), sides, strict=True):
        if before == after and "," in before:
            return None
    try:
        return parse(sides[0]), parse(sides[1])
    except NotAnswer:
        return None


def _pointed(text: str) -> str:
    """Return a number with a decimal comma with a point instead."""
    found = _DECIMAL_COMMA.fullmatch(text)
    if found is None:
        return text
    before, places = re.sub(r"(?<=\d)[. ]", "", found["before"]), found["places"]
    if len(places) == 3 and before.lstrip("\\$€£-") != "0":
        return text
    return f"{before}.{places}{found['unit']}"
