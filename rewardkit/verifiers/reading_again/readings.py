"""The readings of an answer in their order; the first that equals the gold decides."""

from __future__ import annotations

from functools import lru_cache

from rewardkit.verifiers.comparison.result import different
from rewardkit.verifiers.comparison.texts import gold_reading
from rewardkit.verifiers.expressions.nodes import Node, Quantity
from rewardkit.verifiers.expressions.quantities import measured
from rewardkit.verifiers.extraction.last_part import MARKS
from rewardkit.verifiers.extraction.marked import Found
from rewardkit.verifiers.extraction.prose.units_behind import with_unit_behind
from rewardkit.verifiers.extraction.text.beside import with_declaration
from rewardkit.verifiers.extraction.text.elsewhere import as_elsewhere
from rewardkit.verifiers.extraction.wanted.wanted import seen
from rewardkit.verifiers.gold import answer_alone
from rewardkit.verifiers.parsing.parser import reading
from rewardkit.verifiers.reading_again.by_kind import of_kind
from rewardkit.verifiers.reading_again.case import Case, Reading
from rewardkit.verifiers.reading_again.roots import as_roots
from rewardkit.verifiers.reading_again.sentences import explained, meant_by, restated_alike
from rewardkit.verifiers.reading_again.two_writings import (
    counts_listed,
    says_two_sizes,
    states_twice,
    two_writings,
)
from rewardkit.verifiers.vocabulary.characters import has_digit

_SET_APART = frozenset(
    ("box", "last formula", "the answer is", "is the answer", "last number", "last in bold")
)
"""Signs of an answer in a formula, box or bold type that its unit may stand behind."""
_LISTS = ("last number", "last formula", "whole response")
"""Signs of values that a sentence may list behind their count."""


def compared(case: Case, text: str) -> Reading:
    """Return an answer as it is best read, and what its comparison says.

    Raises:
        TooComplex: a reading is beyond the limits.
        NeedsSympy: only unbounded work can decide, and the case does not allow it.
    """
    text, result = _as_it_says(case, text)
    if not result.equal and has_digit(case.gold):
        text, result = _elsewhere(case, (text, result))
    if not result.equal and (again := of_kind(case)):
        text, result = again, case.compare(again)
    if not result.equal and (roots := as_roots(case, text)) and roots[1].equal:
        return roots
    if not result.equal and case.found.by in _LISTS and case.gold.isdecimal():
        count = counts_listed(seen(case.response))
        if count == case.gold:
            return count, case.compare(count)
    if not result.equal:
        return _written_twice(case, (text, result))
    if case.found.by not in MARKS and says_two_sizes(case.response, case.options):
        return text, different("units", "said again, it is another quantity")
    return text, result


def _written_twice(case: Case, before: Reading) -> Reading:
    """Compare either writing of a quantity that is said in two units, or as two numbers.

    A gold that has no unit may be of any: the writing that is said last is meant for it.
    """
    marked = case.found.by in MARKS
    text = case.found.text if marked else seen(case.response)
    said_again = two_writings if marked else states_twice
    both = said_again(text, case.options) if has_digit(case.gold) else None
    measured_in_two = both and isinstance(reading(both[1]), Quantity) and not _has_unit(case.gold)
    for again in (both or ())[1 if measured_in_two else 0 :]:
        if (result := case.compare(again)).equal:
            return again, result
    return before


def _as_it_says(case: Case, text: str) -> Reading:
    """Compare an answer as it stands, then by what it means as a sentence."""
    by = case.found.by
    if by in _SET_APART and _has_unit(case.gold):
        text = with_unit_behind(text, case.response)
    result = case.compare(text)
    declared = text if result.equal or by != "box" else with_declaration(text, case.response)
    if declared != text:
        return declared, case.compare(declared)
    if result.method == "policy" and by not in MARKS:
        return explained(case, text, result)
    if not result.equal and by == "last number":
        return text, restated_alike(case, result)
    if not result.equal and by != "unsettled":
        return meant_by(case, text, result)
    return text, result


def _elsewhere(case: Case, before: Reading) -> Reading:
    """Compare an answer with its numbers read as another language writes them."""
    found = case.found
    written = found.text.strip()
    again = as_elsewhere(written, case.response)
    if again == written or found.by == "unsettled":
        return before
    other = _as_it_says(case._replace(found=Found(again, found.by)), answer_alone(again) or again)
    return other if other[1].equal or not has_digit(written) else before


@lru_cache(maxsize=4096)
def _has_unit(gold: str) -> bool:
    tree = gold_reading(gold)
    return isinstance(tree, Node) and measured(tree)[1] not in (None, "degrees")
