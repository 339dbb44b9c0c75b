"""A response that ends with an answer tag in which nothing stands: it answers nothing."""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.marked import (
    CLOSING,
    CONCLUDES,
    NOTHING_YET,
    OPENINGS,
    TAGS_ALONE,
    claimed,
)
from rewardkit.verifiers.extraction.prose.prose import EXAMPLE

_SPOKEN_OF = re.compile(r"\b(?:within|in|inside|between|with|using)\s(?:the\s)?\Z", re.I)
"""Before a tag, what shows that it is only named: `enclosed within <answer> </answer>`."""
_FEW_WORDS = 3
"""So few words behind it are an answer that stands outside of its tag."""
_MAX_BLANK = 120
"""Characters of a tag in which nothing stands, and what closes it."""


def is_blank(text: str) -> bool:
    """Return whether a text is an `<answer>` tag in which nothing stands, and nothing else.

    >>> is_blank(" <answer> answer here </answer>"), is_blank("<answer>"), is_blank("So 12.")
    (True, True, False)
    """
    if len(text) > _MAX_BLANK or not OPENINGS[0].search(text):
        return False
    return NOTHING_YET.fullmatch(TAGS_ALONE.sub("", text)) is not None


def is_left_blank(text: str) -> bool:
    """Return whether a text ends with a closed `<answer>` tag in which nothing stands.

    >>> is_left_blank("It has 12 faces. <answer> </answer>"), is_left_blank("<answer>12</answer>")
    (True, False)
    """
    if ">" not in text[-_MAX_BLANK:]:
        return False
    last: re.Match[str] | None = None
    for last in OPENINGS[0].finditer(text, max(0, len(text) - _MAX_BLANK)):  # noqa: B007
        pass
    if last is None or not CLOSING.search(text, last.end()):
        return False
    if _SPOKEN_OF.search(text, max(0, last.start() - 40), last.start()):
        return False
    held, _, rest = text[last.end() :].partition("</")
    if not NOTHING_YET.fullmatch(TAGS_ALONE.sub("", held)):
        return False
    rest = TAGS_ALONE.sub("", f"</{rest}")
    return NOTHING_YET.fullmatch(rest) is not None or not (
        claimed(rest)
        or CONCLUDES.search(rest)
        or (len(rest.split()) < _FEW_WORDS and not EXAMPLE.search(rest))
    )
