"""What the main clause of a sentence states, without the clauses and phrases beside it.

`CUTS` names what may stand beside the statement, in the order in which it is taken out. Of what is
left, the statement is a date, a mixed measure or a total; a count in words that the sentence begins
with; or the last quantity up to the phrases behind the value that the clause leads to.
"""

from __future__ import annotations

from rewardkit.verifiers.extraction.prose.comes_to import comes_to
from rewardkit.verifiers.extraction.prose.comparisons import without_items
from rewardkit.verifiers.extraction.prose.cuts import CLAUSES, LEADING, PHRASES, PLAINLY
from rewardkit.verifiers.extraction.prose.cutter import after
from rewardkit.verifiers.extraction.prose.last_quantity import last_quantity
from rewardkit.verifiers.extraction.prose.leads import without_beside
from rewardkit.verifiers.extraction.prose.wholes import VALUE, named_whole, unit_of
from rewardkit.verifiers.extraction.text.plain import places_of
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.sought import Beginning, Sought
from rewardkit.verifiers.vocabulary.units import UNITS

_COMPARED = Sought(
    r"\d\s(?:[a-z]+\s){0,2}(?:more|less|fewer)\sthan\s(?:that|this|it|what|twice|half|double|an?\s(?:third|quarter|fifth)|(?:three|four|\d+)\stimes)\b"
    r"|\b(?:about|around|roughly|approximately)\s\$?\d[\d.,]*\s?(?:to|-|–)\s?\$?\d"
)
"""What states no value: `5 less than that`, `about 12 to 14`."""
_TO_MORE = as_pattern(r"(?:\s(?:to|or\sup\sto)\s|\s?[-–—]\s?)[$€£]?\d")
_SPELLED = Beginning(
    r"\W*(?!one\s[a-z]+\sis\s(?:about|approximately|roughly|exactly|equal\sto)\s\d)"
    rf"({alternatives(NUMBER_WORDS)})\s(?:of\s(?:the|these|those|his|her|their)\s\d"
    r"|(?:[a-z]+\s){1,3}(?:are|were|is|was|remains?|remained|will)\b)"
)
"""The count that a sentence begins with, in words: `Two more hours are needed`."""
_UNIT = as_pattern(r"\s*([a-zA-Z]{2,})\b")
_PAIR = as_pattern(r"\W*\d[\d.,]*\s([a-z]{3,})(?:\s[a-z]{3,})?,?\sand\s")
"""What comes before the second of two counts that are all that is said: `12 apples and `."""
_IS_LAST = as_pattern(r"\b(?:is|are|equals)\s(?:[a-zA-Z]\s?=\s?)?\$?\Z")
_SUBJECT = as_pattern(
    r"\s*(?:is|are|was|equals)\s(?!the\s(?:only\s|[a-z]+est\s)?(?:remainder|number|sum|total|answer|value|product|solution|root)\b)"
    r"[^.]*\d"
)
"""What follows a value that a sentence is about: `7 is half of 14`."""


def stated_in(sentence: str) -> str | None:
    """Return the quantity that the main clause of a sentence states, with its unit, or None.

    >>> stated_in("Of the 24 pieces, 7 are left"), stated_in("7 is half of 14")
    ('7', None)
    """
    sentence = comes_to(after(LEADING, PLAINLY.sub("", sentence)))
    if _COMPARED.search(sentence):
        return None
    clause = without_items(after(PHRASES, sentence))
    if whole := named_whole(clause):
        return whole
    if spelled := _SPELLED.match(sentence):
        return str(NUMBER_WORDS[spelled[1].lower()])
    clause = without_beside(after(CLAUSES, clause))
    value = last_quantity(clause)
    if value is None or _is_no_statement(value, sentence):
        return None
    return value + unit_of(clause, value)


def _is_no_statement(value: str, sentence: str) -> bool:
    """Return whether a sentence is about a value, gives a second one with it, or a range."""
    places = list(places_of(value, sentence))
    if not places:
        return _is_second_of_two(sentence, value)
    ends = len(places) > 1 and not VALUE.search(sentence, places[-1] + len(value))
    ends = ends and _IS_LAST.search(sentence, 0, places[-1]) is not None
    stated = places[-1 if ends else 0] + len(value)
    return bool(
        _SUBJECT.match(sentence, stated)
        or _TO_MORE.match(sentence, places[-1] + len(value))
        or _is_second_of_two(sentence, value)
    )


def _is_second_of_two(clause: str, value: str) -> bool:
    """Return whether a value is the second of two counts alone, `12 apples and 13 pears`."""
    start = clause.rfind(value)
    first = _PAIR.fullmatch(clause, 0, start) if start > 0 else None
    second = _UNIT.match(clause, start + len(value)) if first else None
    if first is None or second is None or "=" in clause:
        return False
    return (
        not any(noun.lower() in UNITS for noun in (first[1], second[1])) and first[1] != second[1]
    )
