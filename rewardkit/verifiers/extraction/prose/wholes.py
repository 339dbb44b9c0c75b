"""What is one quantity in several numbers: a date, `2 hours and 30 minutes`, `20 in total`."""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.prose.last_quantity import last_quantity
from rewardkit.verifiers.extraction.prose.units_behind import unit_behind
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.numbers import MONTHS
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.sought import Sought
from rewardkit.verifiers.vocabulary.units import LARGER_UNITS, SMALLER_UNITS, UNITS

VALUE = as_pattern(r"\d|\\(?:pi|infty)|π|∞")
_TOTAL = Sought(
    r"(?<![\w.,/])\$?\d[\d.,]*+(?: \d{3}\b)*(?:\s[a-z]+){0,3}"
    r"\s(?:in\stotal|altogether|in\sall)\b(?!.*\d)"
)
_MONTH = rf"(?:{'|'.join(MONTHS)})"
_DATE = Sought(
    rf"()\b(?:{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?,?\s\d{{4}}|\d{{1,2}}(?:st|nd|rd"
    rf"|th)?\s{_MONTH},?\s\d{{4}})\b"
)
_MIXED_UNIT = as_pattern(r"(\d)\s?(h|m|s|g|min|hr|hrs|mins|kg|cm|ft|in|lb|oz)\b\.?")
_ONE_NUMBER = r"(?<!\d)(?<!\d[.,])\d[\d.,]*+"
"""Its digits are read once: a thousand of them are no thousand beginnings."""
_MIXED = Sought(
    rf"(){_ONE_NUMBER}\s?{alternatives(LARGER_UNITS)}(?:[,.]|,?\s(?:and|und|et|y|e))?"
    rf"\s{_ONE_NUMBER}\s?{alternatives(SMALLER_UNITS)}\b"
)
"""What is one quantity in several numbers: `2 hours and 30 minutes`."""
_TWO_UNITS = Sought(
    rf"(?:({_ONE_NUMBER}\s?{alternatives(UNITS)}),?\s\(?or\s{_ONE_NUMBER}\s?{alternatives(LARGER_UNITS)}"
    rf"(?:,|,?\sand)?\s{_ONE_NUMBER}\s?{alternatives(SMALLER_UNITS)}"
    rf"|{_ONE_NUMBER}\s?{alternatives(UNITS)}(?:,?\s\(?or|\s\(?i\.e\.)"
    rf"\s{_ONE_NUMBER}\s?{alternatives(UNITS)})\b"
)
"""One quantity in two units: `180 minutes or 3 hours`."""
_TWO_NUMBERS = as_pattern(r"\d\D+\d")
_UNITS_BESIDE = as_pattern(
    r"[\d.,]\s?(?:[^\W\d_]+|‰)(?:[,.]|,?\s(?:and|und|et|y|e|\(?or|\(?i\.e\.))?\s(?=\d)", re.I
)
"""What stands between the two numbers of either, so that few sentences are searched for them."""


def quantity(text: str) -> str | None:
    """Return the last quantity of a calculation with the unit behind it, or None."""
    value = last_quantity(text)
    return value + unit_of(text, value) if value else value


def unit_of(text: str, value: str) -> str:
    """Return the unit behind the last of a value in a text, as what follows it; else nothing."""
    start = text.rfind(value)
    return unit_behind(text, start + len(value)) if start >= 0 else ""


def named_whole(clause: str) -> str | None:
    """Return the date, the mixed measure or the total that a clause ends with, else None."""
    several = _TWO_NUMBERS.search(clause)
    beside = several and _UNITS_BESIDE.search(clause)
    for pattern in (_DATE, _TWO_UNITS, _MIXED) if beside else (_DATE,) if several else ():
        found = list(pattern.finditer(clause))
        if found and not VALUE.search(clause, found[-1].end()):
            return _MIXED_UNIT.sub(r"\1\\text{ \2}", found[-1][1] or found[-1][0])
    total = _TOTAL.search(clause)
    return quantity(total[0]) if total else None
