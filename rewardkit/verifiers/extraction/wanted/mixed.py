"""A gold answer that is words with mathematics, `increasing on (0, 2)`, said word for word."""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.prose.denials import is_negated
from rewardkit.verifiers.parsing.spelling.characters import unify
from rewardkit.verifiers.vocabulary.alternatives import DENIED_OR_DOUBTED
from rewardkit.verifiers.vocabulary.commands import TEXT_COMMAND

_STYLE = re.compile(TEXT_COMMAND + r"\s*\{([^{}]*)\}|\\(?:[,;:! ()]|left|right)|[$*]")
_GAP = re.compile(r"\s*([-+=<>(),\[\]^/])\s*")
_WORDS = re.compile(r"[a-zA-Z]{3,}\s(?:.*\s)?[^a-z]*[\d()\[\]]")
_UNSURE = re.compile(
    rf"\b(?:{DENIED_OR_DOUBTED}|cannot|impossible|unlikely|incorrect|no|maybe|perhaps|would|or|if|assum\w+"
    r"|wrong|false|whether)\b|n['’]t\b|\?",
    re.I,
)
_MAX_CHARS = 80


def is_phrase(gold: str) -> bool:
    """Return whether a gold answer that is no mathematics is words with some in it."""
    return len(gold) < _MAX_CHARS and _WORDS.match(gold) is not None


def phrase_in(gold: str, sentence: str) -> str | None:
    """Return the gold answer where a sentence ends with it and means it, else None.

    >>> phrase_in("increasing on (0, 2)", "So $f$ is increasing on $(0,2)$.")
    'increasing on (0, 2)'
    >>> phrase_in("continuous at x = 2", "f is discontinuous at x = 2.")
    """
    wanted, said = _spelled(gold), _spelled(sentence)
    before = said.removesuffix(wanted)
    if before == said or before[-1:].isalnum() or _UNSURE.search(before) or is_negated(before):
        return None
    return gold


def _spelled(text: str) -> str:
    """Return a text in one spelling, without the gaps around signs."""
    text = unify(_STYLE.sub(lambda style: style[1] or "", text)).lower()
    return " ".join(_GAP.sub(r"\1", text).split()).rstrip(" .!")
