"""Times of day in words: `half past seven`, `6 o'clock in the evening`."""

from __future__ import annotations

import re

from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS
from rewardkit.verifiers.vocabulary.patterns import alternatives

_HOURS = {word: value for word, value in NUMBER_WORDS.items() if 1 <= value <= 12}
_HOUR = rf"({alternatives(_HOURS)}|1[0-2]|[1-9])\b"
_WHEN = r"(?:\s(in\sthe\s(?:morning|afternoon|evening)|at\snight|[ap]\.?m\b\.?))?"
_PARTS = {"half past": 30, "quarter past": 15, "quarter after": 15, "quarter to": -15, "": 0}
_CLOCK = re.compile(
    rf"\b(?:(?:a\s)?(half past|quarter past|quarter after|quarter to)\s{_HOUR}(?:\so['’]clock)?"
    rf"|{_HOUR}\so['’]clock){_WHEN}",
    re.I,
)
_OTHERWISE = re.compile(
    r"\b(?:not|or|if|before|after|until|between|about|around|almost)\b|n['’]t\b|\?|\d:\d|\d\s?[ap]m",
    re.I,
)


def clock_time(sentence: str) -> str | None:
    """Return the one time that a sentence names in words, in digits; else None.

    >>> clock_time("They meet at half past seven."), clock_time("At 6 o'clock in the evening")
    ('7:30', '6:00 PM')
    """
    found = list(_CLOCK.finditer(sentence))
    if len(found) != 1 or _OTHERWISE.search(sentence.lower().replace("quarter after", "")):
        return None
    part, past, sharp, when = found[0].groups()
    hour = (past or sharp).lower()
    minutes = 60 * (_HOURS.get(hour) or int(hour)) + _PARTS[(part or "").lower()]
    half = _half_of_day((when or "").lower())
    return f"{(minutes // 60 - 1) % 12 + 1}:{minutes % 60:02}{half}"


def _half_of_day(when: str) -> str:
    """Return AM or PM for `in the morning`, `at night` or `p.m.`, and nothing for nothing."""
    if not when:
        return ""
    return " AM" if "morning" in when or when.startswith("a.") or when == "am" else " PM"
