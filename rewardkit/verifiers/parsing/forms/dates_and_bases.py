"""Numbers in other bases, clock times, dates and remainders, which are read before any token."""

from __future__ import annotations

import re

from rewardkit.verifiers.expressions.nodes import ClockTime, Date, Neg, Node
from rewardkit.verifiers.parsing.spelling.surroundings import unmarked
from rewardkit.verifiers.parsing.tokens.numerals import based_number
from rewardkit.verifiers.vocabulary.numbers import MONTHS, ORDINALS
from rewardkit.verifiers.vocabulary.patterns import alternatives

_BASED = re.compile(r"\(?([0-9A-Fa-f]+(?:\.[0-9A-Fa-f]+)?)\)?_\{?(-?\d{1,2})\}?")
_PREFIXED = re.compile(r"(?P<sign>[-−])?0(?:[xX]([0-9A-Fa-f]+)|[oO]([0-7]+)|[bB]([01]+))")
_PREFIXED_BASES = (16, 8, 2)
_BASE_SIGN = re.compile(r"_|0[xXoObB]|[bB][aA][sS][eE]")
_MAX_WORDS = 80
"""From here on it is no hour and no date, however it is set."""
_NEVER = re.compile(r"[=^+*/<>|&\[]|\\(?:[dt]?frac|sqrt|pi)")
"""What no base, no time and no date is written with; most other answers are."""
_BASE_WORD = re.compile(r"(?:_\{?|\()?\s*base\s*(\d{1,2})\s*[)}]?", re.I)
_CLOCK = re.compile(
    r"(\d{1,2})\s*:\s*([0-5]\d)(?:\s*:\s*([0-5]\d))?\s*([ap])?\s*\.?\s*(?:m\b)?\.?", re.I
)
_HOUR = re.compile(r"(1[0-2]|[1-9])\s*([ap])\s*\.?\s*m\b\.?", re.I)
_NAMED_HOUR = re.compile(r"(?:12(?::00)?\s*)?(noon|midnight)", re.I)
_DAY = r"(\d{1,2})" + alternatives(ORDINALS) + "?"
_DATE = re.compile(
    rf"(?:([a-z]{{3,9}})\.?\s+{_DAY}|{_DAY}(?:\s+of)?\s+([a-z]{{3,9}})\.?)(?:,?\s+(\d{{4}}))?",
    re.I,
)


def special_form(text: str) -> Node | None:
    """Return a number in another base, a clock time or a date; None when the text is no such."""
    if _NEVER.search(text):
        return None
    based = _BASE_SIGN.search(text) is not None
    if not based and ":" not in text and (len(text) > _MAX_WORDS or "(" in text or "-" in text):
        return None
    bare = unmarked(text)
    match = _BASED.fullmatch(_BASE_WORD.sub(r"_\1", bare).replace(" ", "")) if based else None
    if match and 2 <= abs(int(match[2])) <= 36:
        return based_number(match[1], int(match[2]))
    if match := _PREFIXED.fullmatch(bare):
        kind = match.lastindex or 2
        size = based_number(match[kind], _PREFIXED_BASES[kind - 2])
        return Neg(size) if match["sign"] else size
    clock = bare.replace("{:}", ":").replace("\\", "").strip() if ":" in bare else ""
    match = _CLOCK.fullmatch(clock)
    if match and (match[4] or match[3] or match[2][0] == "0" or match[1][0] == "0"):
        half = match[4] or ("a" if match[1][0] == "0" else None)  # `07:30` is of 24 hours
        return _time(int(match[1]), half, int(match[2]) * 60 + int(match[3] or 0))
    if match := _HOUR.fullmatch(bare):
        return _time(int(match[1]), match[2])
    if match := _NAMED_HOUR.fullmatch(bare):
        return _time(12, "p" if match[1].lower() == "noon" else "a")
    return _date(bare) if len(bare) < 30 else None


def _time(hour: int, half: str | None, seconds: int = 0) -> ClockTime | None:
    """Return a time of the day; `half` is the a or p of a.m. and p.m., where it is said."""
    if hour * 3600 + seconds > 24 * 3600:
        return None
    if half and 1 <= hour <= 12:
        hour = hour % 12 + 12 * (half in "pP")
    return ClockTime(hour * 3600 + seconds, bool(half) or hour > 12 or hour == 0)


def _date(text: str) -> Date | None:
    """Return `March 5`, `5 March 2020` or `5th of March, 2020` as a date."""
    match = _DATE.fullmatch(text)
    if match is None:
        return None
    name = (match[1] or match[4]).lower()
    month = next((k for k, m in enumerate(MONTHS, 1) if m.startswith(name)), 0)
    day, year = int(match[2] or match[3]), int(match[5] or 0)
    return Date(month, day, year) if month and 1 <= day <= 31 else None
