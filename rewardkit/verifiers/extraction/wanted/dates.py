"""The date that a response ends with: `it is March 5`, `am 5. März 2024`, `3/31/1999`."""

from __future__ import annotations

import re

from rewardkit.verifiers.vocabulary.alternatives import ORDINAL_ENDS
from rewardkit.verifiers.vocabulary.numbers import MONTHS
from rewardkit.verifiers.vocabulary.numbers_elsewhere import MONTHS_ELSEWHERE, folded
from rewardkit.verifiers.vocabulary.patterns import alternatives

_MONTH = rf"(?:{alternatives(MONTHS)}|{alternatives(month[:3] for month in MONTHS)})\b\.?"
_DAY = rf"\d{{1,2}}(?:{ORDINAL_ENDS})?"
_DATE = re.compile(
    rf"\b\d{{4}}-\d\d-\d\d\b|\b{_MONTH}\s{_DAY}(?![\d:])(?:,?\s\d{{4}}\b)?|\b{_DAY}\s(?:of\s)?{_MONTH}(?:,?\s\d{{4}}\b)?",
    re.I,
)
_ELSEWHERE = re.compile(
    r"\b(\d{1,2})(?:\.|er|º|°|ro|-?го)?\s(?:de\s)?([^\W\d_]{3,9})\b(?:\s(?:de\s|del\s)?(\d{4})\b)?"
)
_SLASHED = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})/(\d{4})(?![\d/])")


def date_in(sentences: list[str], denied: re.Pattern[str]) -> str | None:
    """Return the last date of the last sentence that names one, where it says nothing against.

    >>> date_in(["We start on 3 May.", "So it is June 2."], re.compile("not"))
    'June 2'
    """
    for sentence in reversed(sentences):
        if dates := list(_DATE.finditer(sentence)):
            last = dates[-1]
            return None if denied.search(sentence, max(0, last.start() - 20)) else last[0]
    return None


def in_english(text: str) -> str:
    """Return a text with the dates of other languages, and those in numbers, as English has them.

    >>> in_english("am 5. März 2024"), in_english("on 3/31/1999"), in_english("on 4/5/1999")
    ('am 5 march 2024', 'on march 31 1999', 'on 4/5/1999')
    """
    return _SLASHED.sub(_month_first, _ELSEWHERE.sub(_in_english, text))


def _in_english(date: re.Match[str]) -> str:
    """Return `1 de mayo de 2024` as `1 may 2024`."""
    month = MONTHS_ELSEWHERE.get(folded(date[2]))
    return date[0] if month is None else f"{date[1]} {MONTHS[month]} {date[3] or ''}".rstrip()


def _month_first(date: re.Match[str]) -> str:
    """Return `12/31/1999` as `december 31 1999`; of two numbers up to 12 nobody can say which."""
    first, second = int(date[1]), int(date[2])
    day, month = (first, second) if first > second else (second, first)
    if not (first == second or day > 12) or not 1 <= month <= 12:
        return date[0]
    return f"{MONTHS[month - 1]} {day} {date[3]}"
