"""What a response says of the gold's kind, a date, a list or an option, and when that is asked."""

from __future__ import annotations

from rewardkit.verifiers.comparison.written.choices import NO_OPTION, option
from rewardkit.verifiers.extraction.endings.answer_tags import says_no_value
from rewardkit.verifiers.extraction.extract import thought
from rewardkit.verifiers.extraction.last_part import MARKS
from rewardkit.verifiers.extraction.marked import Found
from rewardkit.verifiers.extraction.wanted.kinds import kind_of
from rewardkit.verifiers.extraction.wanted.options import beside_its_value, chosen, is_option
from rewardkit.verifiers.extraction.wanted.wanted import boxed_in_sentence, seen, wanted
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.reading_again.case import Case
from rewardkit.verifiers.reading_again.two_writings import states_twice
from rewardkit.verifiers.vocabulary.characters import has_digit

_IN_BOX = (
    "words",
    "set",
    "labelled",
    "matrix",
    "assigned",
    "decision",
    "related",
    "numbers",
    "necessity",
    "quantified",
    "statement",
)
"""Kinds of gold answers that a box may say in a sentence."""


def looked_for(found: Found | None, gold: str, response: str, options: MathOptions) -> Found | None:
    """Return an answer, or in its place what was thought, or what is said of the gold's kind."""
    if (found is None or says_no_value(found.text)) and has_digit(gold):
        found = thought(response, options) or found
    kind = kind_of(gold)
    timed = kind == "time" and found is not None and found.by not in MARKS
    if kind and (timed or found is None):
        says = wanted(gold, seen(response), options)
        found = Found(says, "words") if says else found
    if found is None and has_digit(gold) and (both := states_twice(seen(response), options)):
        return Found(both[1], "last number")
    return found


def of_kind(case: Case) -> str | None:
    """Return what the response says of the gold's kind; what is marked speaks for itself."""
    gold, response, found, options, _ = case
    kind = kind_of(gold)
    if not kind:
        return None
    parts = kind == "parts"
    if kind == "written" and found.by in ("final answer", "the answer is"):
        whole = wanted(gold, seen(response), options)
        return whole if whole and whole.endswith(found.text.strip(" .")) else None
    if kind == "option" and (is_option(found.text.strip("*")) or option(found.text, NO_OPTION)):
        return None
    if (
        kind == "option"
        and found.by in MARKS
        and (named := beside_its_value(found.text, seen(response)))
    ):
        return named
    if kind == "option" and found.by == "final answer":
        behind = seen(response).rpartition(found.text)[2]
        return wanted(gold, found.text, options) or wanted(gold, behind, options)
    if kind == "labelled" and found.by == "final answer":
        return wanted(gold, seen(response), options)  # `Final answer: mean = 5, mode = 4`
    if found.by in ("tag", "final answer") and not (parts and found.by != "tag"):
        return wanted(gold, found.text, options)
    if found.by == "unsettled" and kind not in ("list", "labelled"):
        return None
    if found.by == "the answer is" and kind == "set":
        return wanted(gold, found.text, options)
    if found.by == "box" and kind in ("list", "labelled", "named"):
        several = boxed_in_sentence(gold, response)
        return several or (wanted(gold, found.text, options) if kind == "labelled" else None)
    if found.by == "box" and kind == "option":
        return chosen(seen(response).rpartition("\\boxed{")[2].partition("}")[2])
    if found.by == "box" and not parts:
        return wanted(gold, found.text, options) if kind in _IN_BOX else None
    return wanted(gold, seen(response), options)
