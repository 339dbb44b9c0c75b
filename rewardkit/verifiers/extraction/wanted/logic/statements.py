"""A statement `If ..., then ...` that a sentence ends with, with `isn't` for `is not` or so."""

from __future__ import annotations

import re

from rewardkit.verifiers.vocabulary.patterns import LEFT_OPEN

_GOLD = re.compile(r"\W*If\s[^.?!]{4,160},\s[^.?!]{4,160}\W*", re.I)
_FORMULA = re.compile(r"[$\\=<>]")
_NOT = (
    (re.compile(r"\bcan(?:no|['’])t\b", re.I), "can not"),
    (re.compile(r"\bwon['’]t\b", re.I), "will not"),
    (re.compile(r"n['’]t\b", re.I), " not"),
)
_LEADS = re.compile(
    r"(?:\A|[:\"“'‘*]|\b(?:is|are|reads?|says?|states?|that|statement))[\s\"“'‘*:]*\Z"
)
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_BETWEEN = frozenset(("then", "a", "an", "the"))
_MAX_CHARS = 600


def is_statement(gold: str) -> bool:
    """Return whether a gold answer is a sentence with a condition, in words alone.

    >>> is_statement("If it rains, then we stay."), is_statement("If x = 2, then y = 3.")
    (True, False)
    """
    return _GOLD.fullmatch(gold) is not None and not _FORMULA.search(gold)


def statement_in(gold: str, sentence: str) -> str | None:
    """Return the statement that a sentence ends with, word for word the gold answer or None.

    >>> statement_in("If it is not dry, then we stay.", "It reads: if it isn't dry, we stay.")
    'If it is not dry, then we stay.'
    """
    at = max(sentence.rfind("If "), sentence.rfind("if "))
    if at < 0 or len(sentence) > _MAX_CHARS:
        return None
    before = sentence[:at]
    if not _LEADS.search(before) or LEFT_OPEN.search(before):
        return None
    return gold if _words(sentence[at:]) == _words(gold) else None


def _words(text: str) -> list[str]:
    for pattern, plain in _NOT:
        text = pattern.sub(plain, text)
    return [word for word in _WORD.findall(text.lower()) if word not in _BETWEEN]
