"""A day, way or colour that another language says where the gold is one: `un samedi`."""

from __future__ import annotations

import re

from rewardkit.verifiers.vocabulary.numbers_elsewhere import folded
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import REASONS_ELSEWHERE
from rewardkit.verifiers.vocabulary.words_elsewhere import SAID_ELSEWHERE, WITHOUT_GAPS

_MAX_CHARS = 200
"""A longer last sentence says more than a word."""
_WORD = re.compile(r"[^\W\d_]+(?:-feira)?")
_GLUED = re.compile(alternatives(WITHOUT_GAPS))
_REASON = re.compile(
    rf"(?:[,;]?\s|[,，;；]\s?)(?:car|da|denn|weil|pues|pois|{alternatives(REASONS_ELSEWHERE)})\s.*"
    r"|，?因为.*",
    re.I | re.S,
)
_LEFT_OPEN = re.compile(
    r"\b(?:nicht|kein\w*|pas|plus|non?|não|niet|geen|не|oder|ou|o|of|или|wenn|falls|si|se|если|als"
    r"|ob|weder|ni|vielleicht|vermutlich|wohl|peut|quizás?|tal\svez|forse|talvez|misschien|может"
    r"|возможно|наверное|aber|doch|mais|pero|ma|mas|maar|но|un\sautre|ander\w*)\b"
    r"|[不没非]是|不一定|或|如果|是否|吗|아니|만약|또는|ではな|じゃな|[?？\d]",
    re.I,
)
"""What denies a word, leaves it open or sets another one beside it."""
_ASKED = frozenset(SAID_ELSEWHERE.values())


def said_elsewhere(gold: str, sentence: str) -> str | None:
    """Return what English calls the one such word of a sentence, where the gold is one.

    >>> said_elsewhere("Saturday", "Das war ein Samstag."), said_elsewhere("Friday", "星期六")
    ('saturday', 'saturday')
    >>> said_elsewhere("red", "Sie ist nicht rot."), said_elsewhere("rhombus", "Sie ist rot.")
    (None, None)
    """
    if gold.lower() not in _ASKED or len(sentence) > _MAX_CHARS:
        return None
    claim = _REASON.sub("", sentence)
    if not claim.isascii() and (glued := _GLUED.findall(claim)):
        said = {WITHOUT_GAPS[word] for word in glued}
        claim = _GLUED.sub("", claim)
    else:
        words = (SAID_ELSEWHERE.get(folded(word)) for word in _WORD.findall(claim))
        said = {word for word in words if word}
    alone = len(said) == 1 and not _LEFT_OPEN.search(claim)
    return said.pop() if alone else None
