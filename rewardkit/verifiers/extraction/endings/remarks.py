"""Remarks behind thoughts, which say nothing of the answer: `Hope that helps!`."""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.prose.doubts import doubts
from rewardkit.verifiers.extraction.prose.spoken import refuses, said
from rewardkit.verifiers.extraction.text.plain import without_tags
from rewardkit.verifiers.extraction.text.visible import OPENS_ANSWER
from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS
from rewardkit.verifiers.vocabulary.patterns import alternatives

_MAX_CHARS = 600
_DIGIT = re.compile("[0-9]")
_VALUE = re.compile(rf"[\d\\=<>√π∞½¼¾]|\b{alternatives(NUMBER_WORDS)}\b", re.I)
_DENIES = re.compile(
    r"\b(?:not|no|never|cannot|unable|fail(?:s|ed)?|wait|however)\b|n['’]t\b", re.I
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_TURN = re.compile(r"\n\s*(?:User|Human|Assistant|Teacher):")
_OF_DIALOGUE = re.compile(
    r"\s*(?:(?:[Nn]ext|[Ff]inally|[Nn]ow|[Tt]hen),?\s)?(?:The|the|An|Another)\s(?:[Uu]ser|[Aa]ssistant|[Hh]uman)\b"
    r"(?:(?!\b(?:wrong|incorrect|mistake|error|not)\b)[^.?!\n\d<])*[.?!]?|\s*\[[^\[\]\d<]*\]"
)
"""Talk of who speaks, and what stands for the rest of it: `[The dialogue goes on unchanged]`."""


def says_no_value(text: str) -> bool:
    """Return whether a text is words alone, which name no number and no option and answer nothing.

    >>> says_no_value("Hope that helps!"), says_no_value("Twelve."), says_no_value("No, it is not.")
    (True, False, False)
    """
    if "<" not in text and _DIGIT.search(text):
        return False
    text = without_tags(text).strip()
    if _VALUE.search(text) or said(text) is not None:
        return False
    return _WORD.search(text) is not None or not any(c.isalnum() for c in text)


def is_remark(after: str) -> bool:
    """Return whether a text that follows thoughts leaves their answer as it is.

    An answer tag does not: who leaves it empty answers nothing.
    """
    if OPENS_ANSWER.search(after):
        return False
    if told := _OF_DIALOGUE.match(after):
        turn = _TURN.search(after, told.end())
        after = after[told.end() : turn.start() if turn else None]
    if len(after) > _MAX_CHARS:
        return False
    bare = without_tags(after)
    return says_no_value(bare) and not (refuses(bare) or doubts(bare) or _DENIES.search(bare))
