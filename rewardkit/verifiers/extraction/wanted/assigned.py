"""Who is what, in any order: `B is a knight and A is a knave`, where the gold says so of each."""

from __future__ import annotations

import re
from functools import lru_cache

from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.commands import STYLED_TEXT
from rewardkit.verifiers.vocabulary.patterns import LEFT_OPEN, alternatives
from rewardkit.verifiers.vocabulary.phrases import CONCLUSIONS
from rewardkit.verifiers.vocabulary.sought import holds_one

_IS = as_pattern(
    r"(?P<who>[A-Z]\w{0,15})\s(?:is|must\sbe|has\sto\sbe)\s(?:(?:thus|then|therefore|indeed|clearly)\s)?"
    r"(?:an?\s|the\s)?(?P<what>[a-z]{3,20}(?:\s[a-z]{3,20})?)"
)
_SAME_VERB = as_pattern(
    r"(?P<who>[A-Z]\w{0,15})\s(?:an?\s|the\s)?(?P<what>[a-z]{3,20}(?:\s[a-z]{3,20})?)"
)
"""What goes on without a verb: `A is a knight and B a knave`."""
_BETWEEN = as_pattern(r"\s*(?:[,;]\s?(?:and|while|whereas|but)?|\b(?:and|while|whereas))\s+")
_OPENING = as_pattern(
    rf"\W*(?:{alternatives(CONCLUSIONS)}|in\sconclusion|finally|we\s(?:get|have|conclude)\sthat)\b[,:]?\s+",
    re.I,
)
_LABEL = as_pattern(r"\b([A-Z]\w{0,15}):\s(?=[a-z])")
"""Who something is said of behind a colon: `Bob: knave`."""
_SENTENCE = as_pattern(r"(?<=[.!])\s+|\s*\n+\s*")
_MAX_CHARS = 300
_VERBS = (" is ", " must be ", " has to be ")


@lru_cache(maxsize=4096)
def assigned(gold: str) -> frozenset[tuple[str, str]]:
    """Return who is what in an answer that says so of two or more, and nothing else.

    >>> sorted(assigned("A is a knave, B is a knight")), sorted(assigned("A is a knave"))
    ([('A', 'knave'), ('B', 'knight')], [])
    """
    if len(gold) > _MAX_CHARS or not holds_one(gold, _VERBS):
        return frozenset()
    plain = STYLED_TEXT.sub(r"\1", gold).replace("$", "").replace("*", "").strip(" .!")
    first, *others = _BETWEEN.split(plain)
    rows = [_IS.fullmatch(first), *(_row(piece) for piece in others)]
    said = {row["who"]: row["what"] for row in rows if row}
    return frozenset(said.items()) if len(said) == len(rows) > 1 else frozenset()


def _row(piece: str) -> re.Match[str] | None:
    return _IS.fullmatch(piece) or _SAME_VERB.fullmatch(piece)


def assigned_in(gold: str, text: str, last: str) -> str | None:
    """Return the gold answer where the last sentence, or one for each, says the same of each.

    >>> said = "So B is a knight and A is a knave."
    >>> assigned_in("A is a knave, B is a knight", said, said)
    'A is a knave, B is a knight'
    >>> assigned_in("A is a knave, B is a knight", said, "B is a knight or A is a knave.")
    """
    if says := _said(gold, last):
        return says
    each = [one.strip(" .!*-") for one in _SENTENCE.split(text.strip())[-len(assigned(gold)) :]]
    return _said(gold, ", ".join(each)) if all(map(_IS.fullmatch, each)) else None


def _said(gold: str, sentence: str) -> str | None:
    claim = _OPENING.sub("", sentence.strip(), count=1)
    claim = _LABEL.sub(r"\1 is ", claim) if ": " in claim else claim
    said = frozenset() if LEFT_OPEN.search(claim) else assigned(claim)
    if not said:
        return None
    return gold if said == assigned(gold) else claim
