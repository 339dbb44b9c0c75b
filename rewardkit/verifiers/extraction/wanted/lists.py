"""A list of words that a last sentence says in any order, `The winners are Ben, Anna and Carl`."""

from __future__ import annotations

import re
from functools import lru_cache

from rewardkit.verifiers.vocabulary.commands import TEXT_COMMAND
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import CONCLUSIONS, JOINING_ELSEWHERE, OR_ELSEWHERE

_STYLED = re.compile(TEXT_COMMAND + r"\s*\{([^{}]*)\}")
_ELSEWHERE = alternatives(JOINING_ELSEWHERE - OR_ELSEWHERE)
_AND = rf"(?:\s*,\s*(?:(?:and|&)\s)?|\s(?:and|&|{_ELSEWHERE})\s)"
_BETWEEN = re.compile(_AND)
_ITEM = re.compile(r"[^\W\d_]{2,}(?:[\s'-][^\W\d_]+){0,2}|[IVX]+")
_PART = re.compile(
    r"(?:,|\b(?:and|or|(?:one|any|some)\sof|between|among|from|about|than|besides|compar\w+|consider\w*|given|without))\s*"
    r"(?:the\s|an?\s)?\Z",
    re.I,
)
"""Before a list, what makes it a part of a longer one or of another phrase."""
_CONCLUDES = re.compile(rf"\A\W*{alternatives(CONCLUSIONS)},\s\Z", re.I)
_ENDS = re.compile(
    r"\s*(?:[.!)*}]*\s*\Z|\(|,?\s(?:who|which|since|because|as|with|in|so|for|by|at)\b"
    r"|\s(?:is|are|was|were|both|each|won|win|share|tie|tied|remain|\w+ed)\b)"
)
"""What may follow a list that is the whole of what is said."""
_DENIED = re.compile(
    r"\b(?:not|never|neither|either|or|if|suppose|assume|whether|might|could|but|except)\b|n['’]t\b|\?",
    re.I,
)


@lru_cache(maxsize=4096)
def listed(gold: str) -> tuple[str, ...]:
    """Return the words that a gold answer lists, or nothing where it lists none.

    >>> listed("Anna, Ben, and Carl"), listed("red")
    (('Anna', 'Ben', 'Carl'), ())
    """
    styled = _STYLED.fullmatch(gold)
    items = tuple(map(str.strip, _BETWEEN.split(styled[1] if styled else gold)))
    return items if len(items) > 1 and all(map(_ITEM.fullmatch, items)) else ()


def list_in(items: tuple[str, ...], sentence: str) -> str | None:
    """Return the list that a sentence says, where it is of just these items, in any order.

    >>> list_in(("red", "blue"), "The colors left are blue and red.")
    'blue, red'
    >>> list_in(("red", "blue"), "They are blue, red and tan."), list_in(("a b", "c"), "It is c.")
    (None, None)
    """
    item = rf"(?:the\s|an?\s)?({alternatives(items)})"
    run = re.search(
        rf"(?<![\w-]){item}(?:{_AND}{item}){{{len(items) - 1}}}(?![\w-])", sentence, re.I
    )
    if run is None or _DENIED.search(sentence):
        return None
    said = [piece.strip() for piece in _BETWEEN.split(run[0])]
    if len({piece.lower() for piece in said}) != len(items):
        return None
    before = sentence[: run.start()]
    longer = _PART.search(before) and not _CONCLUDES.match(before)
    return None if longer or not _ENDS.match(sentence, run.end()) else ", ".join(said)
