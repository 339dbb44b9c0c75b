"""What is asked once more of a value that is right: its response may not answer with it."""

from __future__ import annotations

from rewardkit.verifiers.extraction.endings.asides import without_asides
from rewardkit.verifiers.extraction.endings.unsettled import NOT_EXACT, UNDONE
from rewardkit.verifiers.extraction.endings.words_behind import without_words_behind
from rewardkit.verifiers.extraction.marked import Found
from rewardkit.verifiers.extraction.objections.asked import asks
from rewardkit.verifiers.extraction.objections.contradicted import (
    goes_on,
    is_contradicted,
    is_overruled,
    leaves_option,
)
from rewardkit.verifiers.extraction.objections.described import (
    is_described,
    is_labelled_otherwise,
)
from rewardkit.verifiers.extraction.objections.disowned import is_disowned, may_be_disowned, pleads
from rewardkit.verifiers.extraction.objections.example import is_example
from rewardkit.verifiers.extraction.objections.only_told import is_only_told
from rewardkit.verifiers.extraction.objections.place import Place, is_named_alone, place_of
from rewardkit.verifiers.extraction.objections.unanswered import (
    has_none_here,
    is_of_another_task,
    is_unanswered,
)
from rewardkit.verifiers.extraction.prose.another import says_two
from rewardkit.verifiers.extraction.text.beside import (
    goes_another_way,
    is_of_another,
    multiplies,
    ways_of,
)
from rewardkit.verifiers.extraction.text.plain import without_turns
from rewardkit.verifiers.extraction.wanted.kinds import kind_of
from rewardkit.verifiers.extraction.wanted.lists import (
    is_in_another_order,
    listed,
    lists_a_rejected,
)
from rewardkit.verifiers.extraction.wanted.wanted import seen
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.commands import STYLED_TEXT
from rewardkit.verifiers.vocabulary.sought import holds_one

_OF_MANY = as_pattern(r"mod|dots|\\in\b|∈|\\mid|\{[^{}]*[:|]")
_FAMILY = as_pattern(r"\W*[a-z]\s?(?:=|≡|\\equiv(?![a-z]))[^=≡]*mod")
"""All numbers that leave a remainder, of which nobody says that one is meant."""
_RANGE = as_pattern(r"\W*\d[\d.]*\s(?:to|[-–])\s\d[\d.]*\s[^\W\d_]{2,}")
"""`3 to 4 hours`, where `3 to 4` is a ratio."""
_NUMBER = as_pattern(r"\d+")
_IS_VALUE = as_pattern(r"[^<>=≤≥\\]*\d[^<>=≤≥\\]*")
"""A date, a time or a ratio, but no relation: `The condition is p < 1` says one."""
_WORD = as_pattern(r"[^\W\d_]{2,}")
_HOLDS = ("tag", "box")
"""Marks that show where the answer ends: nothing beside them is said of it."""
_WHOLE = (*_HOLDS, "final answer")
_MARKED = (*_WHOLE, "the answer is")
_NAMED = ("the answer is", "final answer")
_LISTS = frozenset(("list", "named", "words listed"))
_MAX_NEAR = 300
_MAX_TURNS = 20_000
"""From so far before the end of a response, turns of an invented dialogue are looked for."""


def objection(
    gold: str, found: Found, value: str, response: str, method: str, *, worked_out: bool
) -> tuple[str, str] | None:
    """Return what speaks against a right value, as a method and a reason, or None.

    >>> objection("5", Found("5", "last number"), "5", "Convert 5 kg.", "exact", worked_out=True)
    ('extraction', 'a value of something else than the answer')
    """
    if not _OF_MANY.search(gold) and _answers_something_else(gold, found, value, response):
        return "extraction", "a value of something else than the answer"
    if "=" in gold and is_of_another(gold, value, response):
        return "relation", "the value of another unknown"
    if (ways := ways_of(gold)) and goes_another_way(ways, response):
        return "units", "another way"
    if method == "symbolic" and "/" not in value and _RANGE.match(STYLED_TEXT.sub(r"\1", value)):
        return "range", "from one number to another, no ratio of them"
    near = response[-_MAX_NEAR:]
    if method == "symbolic" and worked_out and UNDONE.search(near):
        return "unevaluated", "said not to be worked out"
    if method == "rounded" and NOT_EXACT.search(near):
        return "rounded", "said not to be the exact value"
    if method == "units" and "%" in gold and multiplies(value, response):
        return "units", "so many times as much is no percentage"
    return None


def _answers_something_else(gold: str, found: Found, value: str, response: str) -> bool:
    """Return whether what is said around a value shows that it was not meant as the answer."""
    by, text = found.by, seen(response)
    if holds_one(response[-_MAX_TURNS:], ("User:", "Human:")):
        own = seen(without_turns(response))  # an invented dialogue speaks against nothing
        text = own if value in own else text
    if by != "refusal" and has_none_here(text):
        return True
    marked = by in _MARKED
    if marked and gold.isdecimal() and "mod" in value and _FAMILY.match(value):
        return True
    if by == "box":
        if may_be_disowned(found.text, text) and _is_left(place_of(found.text, text), marked=True):
            return True
        text = STYLED_TEXT.sub(r"\1", found.text) if "\\text" in found.text else ""
    elif by == "tag":
        text = found.text
    if by == "last number" and not _is_in(value, text):  # it is said in words
        text = without_words_behind(text)
    if not _WORD.search(text) or is_named_alone(value, text):
        return False
    text = without_asides(text) if by not in _MARKED else text
    if "," in gold and kind_of(gold) in _LISTS and _lists_otherwise(gold, by, value, text):
        return True
    if len(gold) == 1 and gold.isalpha() and leaves_option(gold, value, text):
        return True
    said = place_of(value, text, named=by in _NAMED)
    return (
        asks(said, marked=marked, looked_for=_is_looked_for(value, found))
        or is_of_another_task(said)
        or is_example(said)
        or is_described(said, marked=marked)
        or pleads(said)
        or is_labelled_otherwise(said)
        or is_contradicted(value, said)
        or is_overruled(value, text)
        or is_unanswered(value, text)
        or (said.value in value.lower() and _is_left(said, marked=marked))
        or (gold.isdecimal() and says_two(text))
    )


def _is_left(said: Place, *, marked: bool) -> bool:
    """Return whether a response does not stand by a value, or goes on to another one."""
    return is_disowned(said) or is_only_told(said) or goes_on(said, marked=marked)


def _is_looked_for(value: str, found: Found) -> bool:
    """Return whether a value was looked for in the text, as no sign of an answer holds it."""
    if not _IS_VALUE.fullmatch(STYLED_TEXT.sub(r"\1", value) if "\\" in value else value):
        return False
    return found.by == "words" or (found.by not in _WHOLE and not _is_in(value, found.text))


def _lists_otherwise(gold: str, by: str, value: str, text: str) -> bool:
    """Return whether a text lists what a gold answer does in another order, or rejects a part."""
    if items := listed(gold):
        return is_in_another_order(items, text)
    return by not in _HOLDS and lists_a_rejected(value, text)


def _is_in(value: str, text: str) -> bool:
    """Return whether a text has the numbers of a value, or all of it."""
    numbers = _NUMBER.findall(value)
    return value in text or (bool(numbers) and all(number in text for number in numbers))
