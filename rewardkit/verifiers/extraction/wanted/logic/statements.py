"""What a sentence ends with that is a statement in words: a condition, or what a condition is.

`If it is not dry, then we stay`, with `isn't` for `is not` or so; `sufficient but not necessary`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.commands import TEXT_COMMAND
from rewardkit.verifiers.vocabulary.patterns import LEFT_OPEN

_GOLD = as_pattern(r"\W*If\s[^.?!]{4,160},\s[^.?!]{4,160}\W*", re.I)
_FORMULA = as_pattern(r"[$\\=<>]")
_NOT = (
    (as_pattern(r"\bcan(?:no|['’])t\b", re.I), "can not"),
    (as_pattern(r"\bwon['’]t\b", re.I), "will not"),
    (as_pattern(r"n['’]t\b", re.I), " not"),
)
_LEADS = as_pattern(
    r"(?:\A|[:\"“'‘*]|\b(?:is|are|reads?|says?|states?|that|statement))[\s\"“'‘*:]*\Z"
)
_WORD = as_pattern(r"[^\W_]+(?:-[^\W_]+)*")
_BETWEEN = frozenset(("then", "a", "an", "the"))
_MAX_CHARS = 600
_ADJECTIVE = as_pattern(r"\b(?:(in|un)?(sufficient|necessary)|suffic(?:es?))\b", re.I)
_CHINESE = as_pattern(
    r"(?P<neither>既(?:不|非)充分[也又](?:不|非)必要|既(?:不|非)必要[也又](?:不|非)充分)"
    r"|(?P<both>充要|充分(?:且|而且|并且)?必要|必要(?:且|而且|并且)?充分)"
    r"|(?P<sufficient>充分(?:而|但|且)?(?:不|非)必要)|(?P<necessary>必要(?:而|但|且)?(?:不|非)充分)"
)
_NEGATES = as_pattern(r"\b(?:not|never|neither|nor|without\sbeing|fails\sto\sbe)\b|n['’]t\b", re.I)
_JOINS = as_pattern(r"\s(?:and|but|yet)\s(?:also\s)?", re.I)
_DOUBTED = as_pattern(
    r"\b(?:whether|suppose|assume|maybe|perhaps|might|could|would|or|unless|wrong|false|it\sis\snot\strue)\b"
    r"|(?<!only\s)\bif\b|\?|不是|并非|是否|错|误|吗",
    re.I,
)
_SUPPOSED = as_pattern(r"(?:若|如果|假如)[^，,。]*(?:充分|必要|充要)")
_SENTENCE = as_pattern(r"[。！；]\s*(?=.)")
_STYLED = as_pattern(TEXT_COMMAND + r"\s*\{([^{}]*)\}|[*$]")
_ADJECTIVES = as_pattern(
    r"(?:(?:an?|the|both|but|and|yet|not|neither|nor|it|is|condition|sufficient|necessary|insufficient|unnecessary)\b"
    r"[\s,.;]*)+|[^\x00-\x7f]{2,14}",
    re.I,
)


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


class Necessity(NamedTuple):
    """Whether a condition is sufficient, and whether it is necessary."""

    sufficient: bool
    necessary: bool


_IN_WORDS = {
    Necessity(True, False): "sufficient but not necessary",
    Necessity(False, True): "necessary but not sufficient",
    Necessity(True, True): "necessary and sufficient",
    Necessity(False, False): "neither necessary nor sufficient",
}
_CHINESE_NAMES = {
    "neither": Necessity(False, False), "both": Necessity(True, True),
    "sufficient": Necessity(True, False), "necessary": Necessity(False, True),
}  # fmt: skip


@lru_cache(maxsize=4096)
def necessity(gold: str) -> Necessity | None:
    """Return what a gold answer says of a condition where it says nothing else, else None.

    >>> necessity("sufficient but not necessary"), necessity("necessary")
    (Necessity(sufficient=True, necessary=False), None)
    >>> necessity("既不充分也不必要条件"), necessity("充要条件").sufficient
    (Necessity(sufficient=False, necessary=False), True)
    """
    text = _STYLED.sub(lambda style: style[1] or "", gold).strip()
    return _said(text) if _ADJECTIVES.fullmatch(text) else None


def necessity_in(gold: str, sentence: str) -> str | None:
    """Return a gold answer on a condition where a sentence says the same, else what it says.

    >>> said = "It is a sufficient condition, but it isn't a necessary one."
    >>> necessity_in("充分不必要条件", said), necessity_in("necessary and sufficient", said)
    ('充分不必要条件', 'sufficient but not necessary')
    """
    said = _said(_SENTENCE.split(sentence.strip())[-1]) if len(sentence) <= _MAX_CHARS else None
    return gold if said == necessity(gold) else said and _IN_WORDS[said]


def _said(text: str) -> Necessity | None:
    if _DOUBTED.search(text):
        return None
    if found := {one.lastgroup for one in _CHINESE.finditer(text)}:
        if _SUPPOSED.search(text):
            return None
        return _CHINESE_NAMES[found.pop() or ""] if len(found) == 1 else None
    holds: dict[str, bool] = {}
    end, negated = 0, False
    for adjective in _ADJECTIVE.finditer(text):
        between = text[end : adjective.start()]
        # `not necessary and sufficient` may deny both or one
        if negated and _JOINS.fullmatch(between) and "and" in between.lower():
            return None
        negated = _NEGATES.search(between) is not None or adjective[1] is not None
        name = (adjective[2] or "sufficient").lower()
        if holds.setdefault(name, not negated) == negated:
            return None
        end = adjective.end()
    return Necessity(holds["sufficient"], holds["necessary"]) if len(holds) == 2 else None
