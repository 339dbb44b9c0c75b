"""Second readings of a comma: between items, or before decimals."""

from __future__ import annotations

import re
from itertools import pairwise

from rewardkit.verifiers.expressions.nodes import Bracketed, ListOf, Node
from rewardkit.verifiers.limits import NotAnswer
from rewardkit.verifiers.parsing.parser import parse
from rewardkit.verifiers.parsing.spelling.decimals import with_points

_JOINED = re.compile(r",\d{3}(?!\d)(?<=\d,\d{3})")
"""Thousands, or two numbers; it begins with the comma, which is found in no time."""
_ONE = re.compile(r",0\d\d(?!\d)(?<=\d,0\d\d)")
"""No item of a list begins with a zero."""
_COMMA = re.compile(r"-?(?:0,\d+|\d+,(?!\d{3}\Z)\d+)|-?(?:0\{,\}\d+|\d+\{,\}(?!\d{3}\Z)\d+)")
"""Three digits after it make it a separator of thousands."""
_LAST_SIDE = re.compile(
    r"(?<=[\d})%])(\s*\$?\s*(?:=|≈|\\approx(?![a-z]))\s*-?\d+)(?:,|\{,\})(?:(?<=\D0,)|(?<=\D0\{,\})|(?!\d{3}(?!\d)))(?=\d+(?:\s?\\?%)?\Z)"
)
"""The comma of the decimals that a number is worked out to: `3/5 = 0,6`."""
_LEADS = ("=", "≈", "\\approx")
_MAY_BE_DECIMAL = re.compile(r"[\\$€£]{0,2}-?\d[^,]*,")
"""Most texts with a comma are sentences, and begin otherwise."""
_LISTED = re.compile(r"-?\d+,\d")
"""Golds with one digit after the comma are as often two numbers: `3,5`."""
_DECIMAL = re.compile(r"-?\d*\.\d+")
_APART = re.compile(r"(?<=\d)[. ](?=\d{3}(?:[. ]\d{3})*,\d)")
"""Thousands apart before decimals: `1.234,5`."""
_LAKHS = re.compile(r"(?<![\d.,])\d{1,2}(?:,\d{2})+,\d{3}(?![\d,])")
_LISTED_WHOLE, _GROUPED = re.compile(r"-?\d+(?:,-?\d+){2,}"), re.compile(r"-?\d+(?:,\d{3})+")
_UNIT = r"[^\W\d_/²³. ]{1,4}(?:[²³]|\^\{?[23]\}?)?"
_MEASURE = re.compile(
    r"(?<=\d)(?:\s?\\text\{[^{},]*\}(?:\^\{?[23]\}?)?|\s?[^\W\d_][^\W\d_/²³. ]*"
    rf"|\s{_UNIT}(?:/{_UNIT})?)\Z"
)
"""What is counted behind a number, in any language: `2,5 mètres`, `4,5 cm²`, `1,2 g/cm³`."""


def as_lists(gold_text: str, text: str) -> tuple[Node, Node] | None:
    """Read `100,200` as two numbers where it could also be one, and the other side is a list.

    In order: what separates them is a guess, and no guess may reorder what was written.
    """
    if _is_plain_list(gold_text, text) or _is_plain_list(text, gold_text):
        return _parsed(gold_text, text, thousands=False)
    joined = [bool(_JOINED.search(side)) for side in (gold_text, text)]
    if joined[0] == joined[1] or _ONE.search(f"{gold_text} {text}"):
        return None
    try:
        gold, pred = parse(gold_text, thousands=False), parse(text, thousands=False)
    except NotAnswer:
        return None
    if isinstance(gold, ListOf) and isinstance(pred, ListOf):
        return Bracketed("(", ")", gold.items), Bracketed("(", ")", pred.items)
    return gold, pred


def _is_plain_list(text: str, other: str) -> bool:
    """Return whether commas stand between numbers, some where no thousands are apart: `2,101,7`."""
    if not _LISTED_WHOLE.fullmatch(text) or _GROUPED.fullmatch(text):
        return False
    return ", " in other or not _LAKHS.fullmatch(text)


def as_lakhs(gold_text: str, text: str) -> tuple[Node, Node] | None:
    """Read `1,20,000`, whose thousands are apart as in India, as one number."""
    if not (_JOINED.search(gold_text) or _JOINED.search(text)):
        return None
    sides = [_LAKHS.sub(_as_one, side) for side in (gold_text, text)]
    return _parsed(*sides) if sides != [gold_text, text] else None


def _as_one(number: re.Match[str]) -> str:
    """Return a number without the commas in it, unless it is as well a list in rising order."""
    parts = [int(part) for part in number[0].split(",")]
    rising = all(a < b for a, b in pairwise(parts))
    return number[0] if rising else number[0].replace(",", "")


def as_decimals(gold_text: str, text: str) -> tuple[Node, Node] | None:
    """Read `2,74` as 2.74 when the gold is no list, or a decimal so written too."""
    if (listed := with_points(text)) != text:
        return _parsed(with_points(gold_text), listed)
    chained = any(lead in text for lead in _LEADS) and (text[-1].isdigit() or text[-1] == "%")
    if chained and "," not in gold_text and (chain := _LAST_SIDE.sub(r"\1.", text)) != text:
        return _parsed(gold_text, chain)
    if not (_MAY_BE_DECIMAL.match(gold_text) or _MAY_BE_DECIMAL.match(text)):
        return None
    whole = [_APART.sub("", side) for side in (gold_text, text)]
    bare = [_MEASURE.sub("", side).rstrip(" %\\$€£").lstrip("\\$€£") for side in whole]
    sides = [(side, bool(_COMMA.fullmatch(side))) for side in bare]
    if not any(comma for _, comma in sides) or _LISTED.fullmatch(gold_text):
        return None
    counts = whole[0].isdecimal() and bare[1] == whole[1] and not bare[1].endswith(",00")
    no_list = "," not in whole[0] and not counts
    if not all(comma or _DECIMAL.fullmatch(side) for side, comma in sides[no_list:]):
        return None
    return _parsed(*(side.replace("{,}", ".").replace(",", ".") for side in whole))


def _parsed(gold_text: str, text: str, *, thousands: bool = True) -> tuple[Node, Node] | None:
    """Return two texts parsed, or None where words are in one that measure nothing."""
    try:
        return parse(gold_text, thousands=thousands), parse(text, thousands=thousands)
    except NotAnswer:
        return None
