"""Values that the last lines of a text list, one each: `- 6`, `2. x = 7`."""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.wanted.kinds import VALUE
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern

EQUATION = as_pattern(
    r"(?:[-*•]\s+)?[$*]*([a-zA-Z])(?:\s?=\s?|[$*]*:[$*]*\s?[$*]*)([^$=*:]+?)[$*]*[.,;]?"
)
"""Alone on its line, behind a sign of a list or not: `- $x = 1 + 2t$`, `- x: 5`."""
_ITEM = as_pattern(
    rf"(?:[-*•]|\d{{1,2}}[.)])\s+(?:\**\$?[a-zA-Z](?:_\d)?\s?=\s?)?\**\$?({VALUE})\$?\**[.,;]?"
)


def _last_lines(text: str, count: int, line: re.Pattern[str]) -> list[re.Match[str]]:
    """Return so many last lines of a text where they, and none before them, are of a kind."""
    lines = [one.strip() for one in text.split("\n") if one.strip()]
    found = [line.fullmatch(one) for one in lines[-count - 1 :]]
    of_kind = [one for one in found[-count:] if one]
    return of_kind if len(of_kind) == count and (len(lines) == count or not found[0]) else []


def lines_in(text: str, count: int) -> str | None:
    """Return the values that so many last lines list, one each behind a sign: `- 6`, `2. x = 7`."""
    return ", ".join(item[1] for item in _last_lines(text, count, _ITEM)) or None


def rows_in(text: str, count: int) -> str | None:
    """Return the equations that so many last lines are, one each, of different unknowns."""
    rows = _last_lines(text, count, EQUATION) if count > 1 else []
    differ = rows and len({row[1] for row in rows}) == count
    return ", ".join(f"{row[1]} = {row[2]}" for row in rows) if differ else None
