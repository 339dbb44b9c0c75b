"""What a sentence means that is not the gold answer as it stands."""

from __future__ import annotations

from functools import lru_cache

from rewardkit.verifiers.comparison.result import Result, different, equal
from rewardkit.verifiers.comparison.written.choices import option
from rewardkit.verifiers.extraction.endings.questions import says_nothing
from rewardkit.verifiers.extraction.endings.unsettled import gives_up, settles_nothing
from rewardkit.verifiers.extraction.marked import Found
from rewardkit.verifiers.extraction.meant import meant
from rewardkit.verifiers.extraction.prose.another import is_in_reserve, names_another
from rewardkit.verifiers.extraction.prose.behind import without_reasons
from rewardkit.verifiers.extraction.prose.claims import claims
from rewardkit.verifiers.extraction.prose.contrasts import affirmed
from rewardkit.verifiers.extraction.prose.doubts import is_hedged
from rewardkit.verifiers.extraction.prose.last_quantity import last_quantity
from rewardkit.verifiers.extraction.prose.prose import statement
from rewardkit.verifiers.extraction.prose.spoken import NO_SOLUTION, NOWHERE, said, said_behind_no
from rewardkit.verifiers.extraction.text.beside import behind_words, implied, restated, without_note
from rewardkit.verifiers.extraction.text.number_words import dozen
from rewardkit.verifiers.extraction.text.plain import (
    before_calculation,
    counted,
    measured_by_letter,
)
from rewardkit.verifiers.reading_again.case import Case, Reading
from rewardkit.verifiers.vocabulary.alternatives import BECAUSE
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.characters import has_digit

_NUMBER = as_pattern(r"-?\d[\d.,]*")
"""What can be read in no other way."""
_DIGITS = as_pattern(r"\d[\d.,]*")
_LETTER = as_pattern(r"[^\W\d_](?<!\de(?=[-+\d]))")
"""One that is no sign of an exponent, as in `4.5e-7`."""
_EXCLAIMED = as_pattern(r"(-?\d[\d.,/]*)!")
"""What is said with force, outside a formula."""
_REASON = as_pattern(rf"\b(?:{BECAUSE}|for|if)\b")
_BESIDE = as_pattern(r"\bor\b|,\s*\w+\}?(?:,|\Z)")
"""What puts another answer beside a word in a box: `12 or no solution`, `odd, impossible`."""
_SENTENCE_IN_BOX = as_pattern(r"\\text\w{0,2}\s*\{([^{}]{9,200})\}")
_NOTHING_IS = frozenset((NO_SOLUTION, NOWHERE))
"""Two words for one: `no such limit exists` and `it does not exist`."""


def meant_by(case: Case, text: str, result: Result) -> Reading:
    """Return what a sentence means and its comparison, or the answer as it stands with its own."""
    found = case.found
    if _NUMBER.fullmatch(found.text):
        return text, result
    word, wanted = said(found.text), _word_of(case.gold)
    if word == "no" and wanted != word:
        word = said_behind_no(found.text) or word
    if word and wanted:
        if word != wanted and not {word, wanted} <= _NOTHING_IS:
            return word, different("text", "other words")
        return (text, result) if _is_open(found) else (word, equal("text", "both say so"))
    again = _value(case, text, word)
    if not again:
        result = restated_alike(case, result)
        again = _last_side(case, text, result)
    if not again or again == text:
        return text, result
    second = case.compare(again)
    if not second.equal and again.endswith(")"):  # `the chance is 3/8 (0.375)`
        second = restated_alike(case._replace(found=Found(again, found.by)), second)
    # Nobody need ask whether a wrong answer was meant, which takes longer than to compare it.
    return (text, result) if second.equal and _is_unsaid(found, again) else (again, second)


def _value(case: Case, text: str, word: str | None) -> str | None:
    """Return the value that a sentence states, or `text` where it does not claim what it names."""
    found = case.found
    boxed = _SENTENCE_IN_BOX.fullmatch(found.text) if found.by == "box" else None
    in_words = word == NO_SOLUTION or (found.by == "box" and not boxed)
    said_so = boxed[1] if boxed else found.text
    again = word if in_words else meant(found, said_so, case.gold)
    if again and (boxed or found.by == "tag"):
        tagged = not boxed and _has_one_number(said_so)
        if (boxed or tagged) and not claims(said_so, again, marked=tagged):
            return text
    if not (again or word == NO_SOLUTION or is_hedged(found.text)):
        again = without_note(found.text, boxed=found.by == "box") or implied(found.text)
        if not again and (said := without_reasons(affirmed(found.text))) != found.text:
            again = said  # `42, not 24`
    if not (again or word) and found.by == "box":
        again = behind_words(found.text)
    return again or (None if _LETTER.search(case.gold) else _counted(case))


def _has_one_number(text: str) -> bool:
    """Return whether a text has one number; of more than one, the second is looked for."""
    first = _DIGITS.search(text)
    return first is not None and _DIGITS.search(text, first.end()) is None


def _counted(case: Case) -> str | None:
    """Return the number of things, or the dozen of them, that stands alone."""
    found = case.found
    if not has_digit(found.text):
        return dozen(found.text)
    if found.by in ("the answer is", "last number") and (
        exclaimed := _EXCLAIMED.fullmatch(found.text)
    ):
        return exclaimed[1]
    if not case.options.missing_unit:
        return None
    glued = None if found.by == "box" else measured_by_letter(found.text)
    return glued or counted(found.text)


def _last_side(case: Case, text: str, result: Result) -> str | None:
    """Return the last side of a chain that parses as none, where the gold is no equation."""
    found = case.found
    chain = found.by in ("last formula", "whole response") and result.method == "kind"
    several = found.text.count("=") > 1 or ("=" in found.text and "\\ce{" in found.text)
    return text.rpartition("=")[2] if chain and several and "=" not in case.gold else None


def restated_alike(case: Case, result: Result) -> Result:
    """Return the result of both writings of an answer that says itself again, or its own."""
    twice = restated(case.found.text)
    results = [case.compare(one) for one in twice]
    return results[0] if twice and all(one.equal for one in results) else result


def explained(case: Case, text: str, result: Result) -> Reading:
    """Compare what a calculation explains that is the last thing said: `163 eggs: 61 + 102`."""
    before = before_calculation(case.response, text)
    value = before and (last_quantity(before) or statement(before))
    return (value, case.compare(value)) if value else (text, result)


def _is_unsaid(found: Found, value: str) -> bool:
    """Return whether a sentence that names a value leaves it open, in reserve or in the air."""
    return (
        _is_open(found)
        or is_in_reserve(found.text, value)
        or (_is_marked(found) and says_nothing(found.text))
    )


def _is_open(found: Found) -> bool:
    """Return whether a sentence that answers names another value as well, or settles on none."""
    marked = _is_marked(found)
    if (marked or found.by == "the answer is") and names_another(found.text):
        return True
    if found.by == "box":
        beside = _BESIDE.search(_REASON.split(found.text, maxsplit=1)[0])
        return beside is not None or gives_up(found.text)
    return marked and settles_nothing(found.text)


def _is_marked(found: Found) -> bool:
    """Return whether an answer stands in a mark that may hold whole sentences."""
    return found.by in ("tag", "final answer")


@lru_cache(maxsize=4096)
def _word_of(gold: str) -> str:
    """Return the word or option that a gold answer is, or nothing."""
    return said(gold) or (option(gold) or ("",))[0]
