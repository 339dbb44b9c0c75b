"""The lenient reading: the last mark that names a value of the kind, else the last sentences."""

from __future__ import annotations

import re
from itertools import islice

from rewardkit.verifiers.format.boxes import last_box
from rewardkit.verifiers.format.found import NOT_A_VALUE, NOT_DECLARED, Found, Missing, trimmed
from rewardkit.verifiers.format.markers import markers
from rewardkit.verifiers.format.tags import last_tag
from rewardkit.verifiers.format.thoughts import answer_start, thinks_on, without_end_tokens
from rewardkit.verifiers.kinds import Kind
from rewardkit.verifiers.lenient.letters import option, truth
from rewardkit.verifiers.lenient.numbers import is_value, pair, stated
from rewardkit.verifiers.lenient.sentences import last_sentences
from rewardkit.verifiers.lenient.turns import turn_end

_MAX_MARKERS = 5
_PLACEHOLDER = re.compile(
    r"[\s.…_?*\-\[\]<>]*|\W*(?:your|the|final|insert)?[\s_]*answer[\s_]*(?:goes\s)?(?:here)?\W*",
    re.I,
)
_TAGS_ALONE = re.compile(r"(?:\s|</?\s?\w+>)*")
_BOLD = re.compile(r"\*\*([^*\n]{1,80})\*\*")
_IS = re.compile(r"\b(?:is|are|was|were|be)\b:?\s|[:=：]\s*")


def read(response: str, kind: Kind, *, unclosed_think: str = "read") -> Found | Missing:
    """Return the one value of a kind that a response gives as its answer, or why it gives none.

    >>> read("He buys 3 of them. So he pays 12 dollars for 3 of them.", "number").text
    '12'
    """
    start = answer_start(response)
    if unclosed_think == "ignore" and thinks_on(response, start):
        return Missing(NOT_DECLARED, "the thoughts never end")
    if start and _TAGS_ALONE.fullmatch(response, start):
        start = 0  # nothing behind the thoughts: what they say last
    end = turn_end(response, start)
    for mark in _marks(response, start, end):
        if (value := _value(response, mark, kind)) is not None:
            return value
    return _unmarked(response, start, end, kind) or Missing(
        NOT_A_VALUE, f"nothing in the response can be read as {_SHOWN[kind]}"
    )


_SHOWN = {
    "number": "a number",
    "pair": "two numbers",
    "expression": "a formula or a number",
    "option": "an option",
    "truth": "yes, no, true or false",
    "words": "an answer in words",
}


def _marks(text: str, start: int, end: int) -> list[Found]:
    """Return the last box and tag, and the last marks in words, from the last to the first."""
    found = list(islice(markers(text, start, end), _MAX_MARKERS))
    box = last_box(text, start, end)
    tag = last_tag(text, start, end)
    if box is not None:
        found = [mark for mark in found if not box.start <= mark.start < box.end]
        found.append(box)
    if tag is not None and not _PLACEHOLDER.fullmatch(tag.text):
        found.append(tag)
    return sorted(found, key=lambda mark: mark.start, reverse=True)


def _value(text: str, mark: Found, kind: Kind) -> Found | None:
    """Return the value of a kind that a mark names: all that it holds, or what its sentence says."""
    if mark.by == "box":
        return mark if mark.text else None
    start, end = mark.start, mark.end
    if mark.text.endswith(">"):
        end = start + len(without_end_tokens(mark.text))
    held = text[start:end]
    if not held or _PLACEHOLDER.fullmatch(held):
        return None
    if kind == "option":
        return option(text, start, end) or (mark if is_value(held) else None)
    if kind == "truth":
        return truth(text, start, end)
    if kind == "words":
        return mark
    if is_value(held):
        return mark if _holds_value(held, kind) else None
    for a, b in last_sentences(text, start, end):
        if (value := _of_sentence(text, a, b, kind)) is not None:
            return value._replace(by=mark.by)
    return None


def _holds_value(held: str, kind: Kind) -> bool:
    return kind == "expression" or any(c.isdigit() for c in held) or "\\" in held or len(held) < 25


def _of_sentence(text: str, start: int, end: int, kind: Kind) -> Found | None:
    if kind == "option":
        return option(text, start, end)
    if kind == "truth":
        return truth(text, start, end)
    if kind == "pair":
        return pair(text, start, end) or stated(text, start, end, formulas=True)
    return stated(text, start, end, formulas=kind == "expression")


def _unmarked(text: str, start: int, end: int, kind: Kind) -> Found | None:
    """Return what the last sentences state, or all of a short response."""
    whole = trimmed(text, start, end, "whole response")
    if not whole.text:
        return None
    if (
        kind in ("words", "expression", "number", "pair")
        and "\n" not in whole.text
        and is_value(whole.text)
    ):
        return whole
    if kind == "words":
        return _words(text, start, end)
    for a, b in last_sentences(text, start, end):
        if (value := _of_sentence(text, a, b, kind)) is not None:
            return value
    return None


def _words(text: str, start: int, end: int) -> Found | None:
    """Return what the last sentence says in bold, or behind its last `is` or colon."""
    for a, b in last_sentences(text, start, end):
        if bold := _BOLD.search(text, a, b):
            return trimmed(text, *bold.span(1), "bold")
        last = None
        for last in _IS.finditer(text, a, b):
            pass
        return trimmed(text, last.end() if last else a, b, "sentence")
    return None
