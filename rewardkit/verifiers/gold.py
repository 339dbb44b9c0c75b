"""Gold answers: the answer in a solution's text, and what is wrong with one that cannot be met."""

from __future__ import annotations

import re
from functools import lru_cache

from rewardkit.verifiers.comparison.texts import as_integer, gold_reading
from rewardkit.verifiers.expressions.equality import check_workable
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.format.boxes import last_box
from rewardkit.verifiers.limits import TooComplex
from rewardkit.verifiers.parsing.forms.compounds import is_compound, is_reaction
from rewardkit.verifiers.parsing.spelling.decimals import with_points
from rewardkit.verifiers.parsing.spelling.surroundings import trim
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.commands import TEXT_COMMAND

_CALLED = r"(?:the )?(?:final )?ans(?:wer)?(?: is|:)\s*:?"
_PREFACE = as_pattern(rf"\A(?:{_CALLED}|{TEXT_COMMAND}\s*\{{\s*{_CALLED}\s*\}})\s*", re.I)
_IN_BRACKETS = as_pattern(r"\s*\((or|not)\s+([^()]{1,60})\)\Z")
_BEGINS_PREFACE = frozenset("tTfFaA\\")
_DOLLARS = as_pattern(r"\$\d[\d.,]*")
_SIGN = as_pattern(r"[<>=≤≥≠+×÷*/-]|\\(?:[lg](?:e|eq|t)|neq?|times|div)")
_EXCLAIMED = as_pattern(r"(?<=\d)(\s(?:[a-z]+\s)*[a-z]{3,})!++\Z")
"""What is said with force of a count, and no factorial: `187 raspberries!`."""
_CONTROL = as_pattern(r"[\x00-\x07\x0e-\x1f\x7f]")
"""None that a wrongly escaped `\\t`, `\\b`, `\\f`, `\\r` of a LaTeX command leaves."""
_BRACE = as_pattern(r"(?<!\\)[{}]")
_OPENED, _SHUT = as_pattern(r"(?<!\\)\{"), as_pattern(r"(?<!\\)\}")
_STRUCTURE = as_pattern(
    r"\\(?:[dtc]?frac|sqrt|left|right|boxed|fbox|text|cdot|times|pm|in|[lg]eq?|neq?)\b"
)
_SPOKEN = as_pattern("@|[^\\W\\d_]{2}|[^\\W\\d_\\x00-\\x7f]|[\u25a0-\u27bf]")
"""What words and pictures (☆) have, and a broken formula of one-letter names has not."""


def answer_alone(text: str) -> str:
    """Return an answer without what surrounds it: dollar signs, `the answer is`, brackets.

    >>> answer_alone("$45$"), answer_alone("45 (not 46)"), answer_alone("1/2 (or 0.5)")
    ('45', '45', '1/2 or 0.5')
    """
    text = trim(text)
    text = _PREFACE.sub("", text) if text[:1] in _BEGINS_PREFACE else text
    if text.endswith("!"):
        text = _EXCLAIMED.sub(r"\1", text)
    beside = _IN_BRACKETS.search(text) if text.endswith(")") else None
    if beside is None or not beside.start():
        return text
    alone = text[: beside.start()]
    return f"{alone} or {beside[2]}" if beside[1] == "or" else alone


@lru_cache(maxsize=4096)
def gold_text(answer: str) -> str:
    """Return the answer that a gold, which may be a whole solution, comes to."""
    gold = with_points(_closed(answer_alone(_last_box_of(answer))))
    return f"\\{gold}" if _DOLLARS.fullmatch(gold) else gold


def _last_box_of(answer: str) -> str:
    """Return what the last box of a solution holds, else the text as it is."""
    found = last_box(answer) if "box" in answer else None
    return found.text if found and found.text else answer


def _closed(text: str) -> str:
    """Return a gold with the one brace that it lost at its end, `\\frac{1}{2^{15}`."""
    if not text.endswith("}") or len(_OPENED.findall(text)) != len(_SHUT.findall(text)) + 1:
        return text
    try:
        return text + "}" if isinstance(gold_reading(text + "}"), Node) else text
    except TooComplex:
        return text


@lru_cache(maxsize=4096)
def gold_fault(text: str) -> str | None:
    """Return what is wrong with a gold that is neither mathematics nor words, else None.

    >>> gold_fault(r"\\frac{1}{"), gold_fault("an ellipse")
    ('the braces of the gold answer are not balanced', None)
    """
    if not text:
        return "the gold answer is empty"
    if as_integer(text) is not None:
        return None
    if _CONTROL.search(text):
        return "the gold answer holds control characters"
    try:
        if isinstance(tree := gold_reading(text), Node):
            check_workable(tree)
            return None
    except TooComplex as limit:
        return f"the gold answer is beyond the limits: {limit}"
    if _SIGN.fullmatch(text) or is_reaction(text) or is_compound(text):
        return None
    braces = _BRACE.findall(text)
    if braces.count("{") != braces.count("}"):
        return "the braces of the gold answer are not balanced"
    if text.count("\\begin") != text.count("\\end"):
        return "an environment of the gold answer is not closed"
    if not _SPOKEN.search(_STRUCTURE.sub("", text)):
        return "the gold answer is neither mathematics nor words"
    return None
