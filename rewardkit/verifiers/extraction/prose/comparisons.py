"""What stands behind a count to compare it or to say what it is made of: no value of its own.

`48 books, 12 more than last year`, `12 apples, 7 of which are new`, `6 boxes: five full and one`.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.text.plain import places_of
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.sought import Beginning, holds_one

_ITEMS = as_pattern(r"(?<=[a-z])(?::|\s[-–—])\s(?=(?:\d|[a-z])[^=:]*(?:,|\sand|\splus)\s)", re.I)
_LISTED = as_pattern(
    r"(?<=[a-z\d])(?::\s|\s\(|,\s(?=[a-z]\s?=))"
    r"((?:[a-z]\s?=\s?)?-?\d[\d./]*(?:(?:,|,?\sand)\s(?:[a-z]\s?=\s?)?-?\d[\d./]*)+)\)?\s*\Z"
)
"""The values that are counted, behind their count: `3 primes: 2, 3 and 5`."""
_BEFORE_ITEMS = (": ", " - ", " – ", " — ", " (", ", ")
_ITEM = as_pattern(r",\s(?:and\s)?|\s(?:and|plus)\s")
_PART = as_pattern(r"(?<![\w.,])\d{1,6}(?![\d.,/%]*\d)")
_COUNT = as_pattern(rf"(?:\d+|{alternatives(NUMBER_WORDS)})\b", re.I)
_BESIDE_IT = Beginning(
    r"\W*and\s(?:[a-z]+\s){1,8}\d+\stimes\sas\s(?:many|much)\s(?:[a-z]+\s)?as\b|"
    r"\W*(?:that|this|which)(?:['’]s|\s(?:is|makes))\s\S{0,2}\d\S*\s(?:[a-z]+\s){0,2}"
    r"(?:more|less|fewer|times|higher|lower|[a-z]{2,7}er)\s(?:[a-z]+\s){0,2}than\b"
    r"|\W*(?:this|that)\sis\s(?:indeed\s)?the\s(?:only|smallest|largest|first|unique)\s[^.,:=]*\Z"
    r"|\W*the\s\d\S*\s(?:[a-z]+\s){0,2}(?:are|were)\s(?:those|the\sones)\b"
    r"|\W*the\s(?:remaining|other)\s\d\S*\s(?:[a-z]+\s){0,2}"
    r"(?:violate|fail|(?:do|are)(?:n['’]t|\snot)|cannot|can['’]t|are\stoo)\b"
)
"""A sentence on how the value before it compares: `that is 8 more than last year`."""
_LEFT_OUT = as_pattern(
    r"\W*(?:(?:this|that|it|which)\s(?:does\snot|doesn['’]t)\s(?:include|count)"
    r"|(?:not\s(?:counting|including)|excluding|ignoring|leaving\sout|apart\sfrom|without\scounting)"
    r"(?![^.]*\b(?:we|you|there)\s(?:have|get|find|are|remain)\b)"
    r"|the\s\d[^.]*\bnot\s(?:counted|included))\b",
    re.I,
)
"""One on what the value leaves out: `not counting the 5 cars`."""


def compares(sentence: str) -> bool:
    """Return whether a sentence only says how the value before it compares, or what it leaves out.

    >>> compares("not counting the 5 cars"), compares("So 5 cars are left")
    (True, False)
    """
    return _BESIDE_IT.match(sentence) is not None or _LEFT_OUT.match(sentence) is not None


def without_items(clause: str) -> str:
    """Return a clause without what adds up to its count: `6 boxes: five full and one other`."""
    if not holds_one(clause, _BEFORE_ITEMS):
        return clause
    if listed := _LISTED.search(clause):
        before, count = clause[: listed.start()], str(len(_ITEM.split(listed[1])))
        behind = [before[at + len(count) :] for at in places_of(count, before)]
        return before if any(rest[1:2].isalpha() for rest in behind) else clause
    items = _ITEMS.search(clause)
    counts = [_COUNT.match(item) for item in _ITEM.split(clause[items.end() :])] if items else []
    if items and not all(counts):
        parts = [int(part) for part in _PART.findall(clause, items.end())]
        before = clause[: items.start()]
        whole = len(parts) > 1 and any(places_of(str(sum(parts)), before))
        return before if whole else clause
    if not items:
        return clause
    said = [one[0].lower() for one in counts if one]
    total = sum(int(one) if one.isdecimal() else NUMBER_WORDS[one] for one in said)
    before = clause[: items.start()]
    return before if list(places_of(str(total), before)) else clause
