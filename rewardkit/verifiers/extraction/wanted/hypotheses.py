"""What a test of a hypothesis decides: `We fail to reject the null hypothesis`."""

from __future__ import annotations

import re
from functools import lru_cache

from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.commands import STYLED_TEXT
from rewardkit.verifiers.vocabulary.sought import holds_one

_NULL = as_pattern(
    r"\bnull\b|\bH\s?_?\s?\{?[0o]\}?(?!\w)|H₀|\bNullhypothese\b|\bhypothèse\snulle|\bhipótesis\snula"
    r"|\bipotesi\snulla|\bhipótese\snula|\b(?:the|this)\s(?:hypothesis|claim)\b",
    re.I,
)
_REJECTS = as_pattern(
    r"\b(?:reject(?:s|ed|ing|ion)?|verw[ei]rf\w*|verworfen|abgelehnt|rejet\w+|rechaz\w+|rifiut\w+|rejeit\w+)\b",
    re.I,
)
_KEEPS = as_pattern(r"\b(?:accept(?:s|ed)?|retain(?:s|ed)?|keep|beibehalten)\b", re.I)
_DENIED = as_pattern(
    r"\b(?:not|no|never|cannot|unable|fail(?:s|ed)?|failure|insufficient|lack|nicht|kein\w*|pas|non|não)\b|n['’]t\b",
    re.I,
)
_OPEN = as_pattern(
    r"\b(?:if|unless|whether|maybe|perhaps|would|could|might|or|falls?\sin|alternative)\b|\?", re.I
)
_CLAUSE = as_pattern(r"[,;:]\s|\s(?:so|thus|hence|therefore)\s|\.\s")
_WORDS = ("eject", "ccept", "etain", "keep", "erw", "abgelehnt", "ejet", "echaz", "ifiut", "ejeit")
_MAX_GOLD, _MAX_CHARS = 60, 300
_KEPT, _REJECTED = "fail to reject H_0", "reject H_0"


@lru_cache(maxsize=4096)
def decides(gold: str) -> str | None:
    """Return the decision that a short answer is, `reject H_0` or `fail to reject H_0`, or None.

    >>> decides(r"\\text{Reject } H_0"), decides("do not reject H_0"), decides("reject the offer")
    ('reject H_0', 'fail to reject H_0', None)
    """
    return _decision(gold) if len(gold) <= _MAX_GOLD else None


def decision_in(gold: str, sentence: str) -> str | None:
    """Return what a sentence decides, as the gold answer is written where both say the same.

    >>> decision_in("reject H_0", "As p < 0.05, we reject the null hypothesis.")
    'reject H_0'
    >>> decision_in("reject H_0", "We do not reject the null hypothesis.")
    'fail to reject H_0'
    """
    said = _decision(sentence) if len(sentence) <= _MAX_CHARS else None
    return gold if said and said == decides(gold) else said


def _decision(text: str) -> str | None:
    """Return the one decision that the clauses of a text say, None where it is left open."""
    if not holds_one(text, _WORDS):
        return None
    text = STYLED_TEXT.sub(r"\1", text).replace("$", "").replace("*", "")
    if not _NULL.search(text):
        return None
    said = set()
    for clause in _CLAUSE.split(text):
        rejects = _REJECTS.search(clause) is not None
        if not rejects and not _KEEPS.search(clause):
            continue
        if _OPEN.search(clause):
            return None
        said.add(_REJECTED if rejects != bool(_DENIED.search(clause)) else _KEPT)
    return said.pop() if len(said) == 1 else None
