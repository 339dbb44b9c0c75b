"""What a text means that is no answer as it stands: its statement, or its chain's last member."""

from __future__ import annotations

from itertools import pairwise

from rewardkit.verifiers.extraction.endings.ending import may_name
from rewardkit.verifiers.extraction.endings.words_behind import without_words_behind
from rewardkit.verifiers.extraction.marked import Found
from rewardkit.verifiers.extraction.prose.prose import statement
from rewardkit.verifiers.extraction.prose.sentences import without_reason
from rewardkit.verifiers.extraction.stated import stated
from rewardkit.verifiers.extraction.text.boxes import find_boxes, grouped, joined
from rewardkit.verifiers.extraction.text.formulas import last_member
from rewardkit.verifiers.extraction.text.plain import last_step
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern

_PROSE = as_pattern(r"(?:(?<![\\\w])[^\W\d_]{2,}[,.:]?\s+){3}")
_EQUALS = ("=", " = ")


def meant(found: Found, text: str, gold: str) -> str | None:
    """Return what a text states, what its chain ends in, or what it names its answer, else None.

    >>> meant(Found("So it is 7 times 3, or 21.", "tag"), "So it is 7 times 3, or 21.", "21")
    '21'
    """
    if found.by == "tag" and ", " in text:
        text = without_words_behind(text)
    if value := statement(text) or last_step(text):
        return _as_named(value, text, gold) if "=" in gold else value
    if found.by == "box" or "=" in gold:
        return None
    if "=" in text and (value := last_member(text)):
        return value
    if found.by == "tag" and " because " in text and (value := without_reason(text)) != text:
        return value
    if found.by == "tag" and may_name(text) and (named := stated(text)):
        return named.text if named.by == "the answer is" else None
    return None


def _as_named(value: str, text: str, gold: str) -> str:
    """Return the formula for the gold's unknown where a text says a value as one of it."""
    name = gold.partition("=")[0].strip()
    alone = len(name) == 1 and name.isalpha()
    return next(
        (f"{name}{sign}{value}" for sign in _EQUALS if alone and f"{name}{sign}{value}" in text),
        value,
    )


def bare_answer(text: str) -> str:
    """Return a gold answer without the text, box or dollar signs around it."""
    if "\\boxed" in text or "\\fbox" in text:
        boxes = find_boxes(text)
        gaps = (text[a.end : b.start] for a, b in pairwise(boxes))
        if not any(c.isalnum() for gap in gaps for c in gap):
            return joined(boxes)  # nothing is said between them: all are the answer
        return joined(grouped(boxes, text)[-1])
    if len(text) < 300 or not _PROSE.search(text):
        return text
    found = stated(text)
    return found.text if found else text
