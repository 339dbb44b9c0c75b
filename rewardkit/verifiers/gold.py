"""Gold answers: the answer in a solution's text, and what is wrong with one that cannot be met."""

from __future__ import annotations

import re
from functools import lru_cache

from rewardkit.verifiers.comparison.texts import as_integer
from rewardkit.verifiers.expressions.equality import check_workable
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.format.boxes import last_box
from rewardkit.verifiers.limits import TooComplex
from rewardkit.verifiers.parsing.parser import reading
from rewardkit.verifiers.parsing.spelling.surroundings import trim
from rewardkit.verifiers.vocabulary.commands import TEXT_COMMAND

_CALLED = r"(?:(?:the )?(?:final )?ans(?:wer)?(?: is|:)\s*:?|from(?= \d))"
_PREFACE = re.compile(rf"\A(?:{_CALLED}|{TEXT_COMMAND}\s*\{{\s*{_CALLED}\s*\}})\s*", re.I)
_UNIT_APART = re.compile(r"(?<=\d) ([NJWVCFTAKHLmgs])\Z")
"""What measures a gold answer, `12 V`: a product of variables has no gap."""
_DOLLARS = re.compile(r"\$\d[\d.,]*")
_SIGN = re.compile(r"[<>=≤≥≠+×÷*/-]|\\(?:[lg](?:e|eq|t)|neq?|times|div)")
_EXCLAIMED = re.compile(r"(?<=\d)(\s(?:[a-z]+\s)*[a-z]{3,})!++\Z")
"""What is said with force of a count, and no factorial: `187 raspberries!`."""
_CONTROL = re.compile(r"[\x00-\x07\x0e-\x1f\x7f]")
"""None that a wrongly escaped `\\t`, `\\b`, `\\f`, `\\r` of a LaTeX command leaves."""
_BRACE = re.compile(r"(?<!\\)[{}]")
_STRUCTURE = re.compile(
    r"\\(?:[dtc]?frac|sqrt|left|right|boxed|fbox|text|cdot|times|pm|in|[lg]eq?|neq?)\b"
)
_SPOKEN = re.compile("@|[^\\W\\d_]{2}|[^\\W\\d_\\x00-\\x7f]|[\u25a0-\u27bf]")
"""What words and pictures (☆) have, and a broken formula of one-letter names has not."""


@lru_cache(maxsize=4096)
def gold_text(answer: str) -> str:
    """Return the answer that a gold, which may be a whole solution, comes to."""
    gold = answer_alone(boxed_answer(answer))
    if gold.endswith("}") and len(_BRACE.findall(gold)) % 2 and "{" in gold:
        gold = _closed(gold)
    gold = _UNIT_APART.sub(r"\\text{ \1}", gold)
    return f"\\{gold}" if _DOLLARS.fullmatch(gold) else gold


def boxed_answer(answer: str) -> str:
    """Return what the last box of a worked solution holds, or the text where it has none."""
    found = last_box(answer) if "box" in answer else None
    return found.text if found and found.text else answer


def _closed(text: str) -> str:
    """Return a gold with the one brace that it lost at its end, `\\frac{1}{2^{15}`."""
    try:
        return text + "}" if isinstance(reading(text + "}"), Node) else text
    except TooComplex:
        return text


def answer_alone(text: str) -> str:
    """Return an answer without what surrounds it: dollar signs, `the answer is`.

    >>> answer_alone("$45$"), answer_alone("The answer is 7"), answer_alone("187 raspberries!")
    ('45', '7', '187 raspberries')
    """
    text = _PREFACE.sub("", trim(text))
    if text.endswith("!"):
        text = _EXCLAIMED.sub(r"\1", text)
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
        if isinstance(tree := reading(text), Node):
            check_workable(tree)
            return None
    except TooComplex as limit:
        return f"the gold answer is beyond the limits: {limit}"
    if _SIGN.fullmatch(text):
        return None
    braces = _BRACE.findall(text)
    if braces.count("{") != braces.count("}"):
        return "the braces of the gold answer are not balanced"
    if text.count("\\begin") != text.count("\\end"):
        return "an environment of the gold answer is not closed"
    if not _SPOKEN.search(_STRUCTURE.sub("", text)) and not _NOTATION.fullmatch(text):
        return "the gold answer is neither mathematics nor words"
    return None


_NOTATION = re.compile(
    r"(?=.*[A-Z])[\w\s\\{}^+()>=.-]+|.*(?:[¬∧∨∀∃→↔⇒⇔]|\\(?:neg|lnot|forall|exists|iff|implies)).*",
    re.S,
)
"""What may be chemistry, `2H_2 + O_2 -> 2H_2O`, or logic, with letters apart."""
