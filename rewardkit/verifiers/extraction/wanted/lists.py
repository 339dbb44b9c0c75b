"""A list of words that a last sentence says in any order, `The winners are Ben, Anna and Carl`."""

from __future__ import annotations

import re
from functools import lru_cache

from rewardkit.verifiers.vocabulary.alternatives import BECAUSE
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.commands import STYLED_TEXT
from rewardkit.verifiers.vocabulary.patterns import LEFT_OPEN, alternatives
from rewardkit.verifiers.vocabulary.phrases import CONCLUSIONS, JOINING_ELSEWHERE, OR_ELSEWHERE
from rewardkit.verifiers.vocabulary.sought import Sought

_ELSEWHERE = alternatives(JOINING_ELSEWHERE - OR_ELSEWHERE)
_AND = rf"(?:\s*,\s*(?:(?:and|&)\s)?|\s(?:and|&|{_ELSEWHERE})\s)"
_BETWEEN = as_pattern(_AND)
_ITEM = as_pattern(r"[^\W\d_]{2,}(?:[\s'-][^\W\d_]+){0,2}|[IVX]+")
_PART = as_pattern(
    r"(?:,|\b(?:and|or|(?:one|any|some)\sof|between|among|from|about|than|besides|compar\w+|consider\w*|given|without))\s*"
    r"(?:the\s|an?\s)?\Z",
    re.I,
)
"""Before a list, what makes it a part of a longer one or of another phrase."""
_CONCLUDES = as_pattern(rf"\A\W*{alternatives(CONCLUSIONS)},\s\Z", re.I)
_ENDS = as_pattern(
    rf"\s*(?:[.!)*}}]*\s*\Z|\(|,?\s(?:who|which|{BECAUSE}|with|in|so|for|by|at)\b"
    r"|\s(?:is|are|was|were|both|each|won|win|share|tie|tied|remain|\w+ed)\b)"
)
"""What may follow a list that is the whole of what is said."""
_THEN = as_pattern(
    r",?\s(?:and\s)?(?:then(?:\sby)?|followed\sby|next|finally|lastly|after\s(?:that|which)|last)\s(?:come[s]?\s|by\s)?(?!the\s(?!\S+[.,!]))"
)
_ARTICLE = as_pattern(r"\A(?:the|an?)\s")
_FIRST = as_pattern(r"\b[Ff]irst,?\s\Z")
_COMES_FIRST = as_pattern(r"\s(?:(?:comes?|is|was|goes|finishe[sd]|arrive[sd])\sfirst)(?=,\s)")
"""What says that a list is in its order: `Ben comes first, then Anna`."""


_IN_ORDER = Sought(
    r"\b(?<!\bno\s)(?<!\bany\s)(?<!particular\s)(?<!alphabetical\s)(?:order|ranking|rank(?:s|ed)?|sorted|arranged|sequence|finish(?:es|ed)?)\b"
    r"|\b(?:first\sto\slast|last\sto\sfirst|top\sto\sbottom|bottom\sto\stop|left\sto\sright|right\sto\sleft|[a-z]+est\sto\s(?:the\s)?[a-z]+est)\b"
)
"""What says that a list is in its order."""
_MAX_CHARS = 400


def is_in_another_order(items: tuple[str, ...], text: str) -> bool:
    """Return whether a text says to list some words in order, and lists them in another one.

    >>> is_in_another_order(("cat", "owl"), "The order is owl, cat.")
    True
    >>> is_in_another_order(("cat", "owl"), "They are owl and cat.")
    False
    """
    text = text[-_MAX_CHARS:]
    if not _IN_ORDER.search(text):
        return False
    low = text.lower()
    places = [low.rfind(item.lower()) for item in items]
    return min(places) >= 0 and places != sorted(places)


_REJECTED = Sought(
    r"(-?\d[\d./]*(?<![./]))[$\\)}\s]*\s(?:(?:must|has\sto|should|can|may)\s(?:then\s|therefore\s)?be\s|is\s|was\s|has\sbeen\s)"
    r"(?:(?:then|thus|therefore|clearly|an?)\s){0,2}(?:reject|discard|exclud|dismiss|ruled|dropped|extraneous|invalid|not\s|no\s)"
    r"|\b(?:reject|discard|exclude|dismiss|rule\sout|drop)(?:ing|s|es|ed)?\s(?:the\s)?(?:[a-z]+\s)?\$?(?:[a-z]\s?=\s?)?(-?\d[\d./]*(?<![./]))"
    r"|(-?\d[\d./]*(?<![./]))[$\\)}\s]*\s(?:does\snot|doesn['’]t|do\snot|fails|cannot|can['’]t|isn['’]t)\b"
)
"""A value that is no solution, `x = 8 must be rejected`."""
_SECOND = Sought(
    r"\bthe\s(?:first|second|former|latter|other)\s(?:one\s|root\s|value\s|solution\s)?(?:must|has\sto|should|is|does)\s(?:be\s)?"
    r"(?:reject|discard|exclud|dismiss|ruled|dropped|extraneous|invalid|not\b|no\b)"
)
_NUMBER = as_pattern(r"-?\d[\d./]*(?<![./])")
_LAST = 200


def lists_a_rejected(text: str, response: str) -> bool:
    """Return whether a list holds a value of which the end of its response says it is none.

    >>> lists_a_rejected("3, 8", "Only x = 3 is a solution; x = 8 must be rejected.")
    True
    >>> lists_a_rejected("3, 8", "x = 3 or x = 8; x = 0 must be rejected.")
    False
    """
    last = response[-_LAST:]
    if _SECOND.search(last):
        return True
    values = set(_NUMBER.findall(text))
    return any(
        not values.isdisjoint(found.groups())
        for found in _REJECTED.finditer(last.replace("−", "-"))
    )


@lru_cache(maxsize=4096)
def listed(gold: str) -> tuple[str, ...]:
    """Return the words that a gold answer lists, or nothing where it lists none.

    >>> listed("Anna, Ben, and Carl"), listed("red")
    (('Anna', 'Ben', 'Carl'), ())
    """
    styled = STYLED_TEXT.fullmatch(gold)
    items = tuple(map(str.strip, _BETWEEN.split(styled[1] if styled else gold)))
    return items if len(items) > 1 and all(map(_ITEM.fullmatch, items)) else ()


def list_in(items: tuple[str, ...], sentence: str) -> str | None:
    """Return the list that a sentence says, where it is of just these items, in any order.

    >>> list_in(("red", "blue"), "The colors left are blue and red.")
    'blue, red'
    >>> list_in(("red", "blue"), "They are blue, red and tan."), list_in(("a b", "c"), "It is c.")
    (None, None)
    """
    in_turn = _THEN.search(sentence)
    sentence = _COMES_FIRST.sub("", _THEN.sub(", ", sentence)) if in_turn else sentence
    item = rf"(?:the\s|an?\s)?({alternatives(items)})"
    run = re.search(
        rf"(?<![\w-]){item}(?:{_AND}{item}){{{len(items) - 1}}}(?![\w-])", sentence, re.I
    )
    if run is None or LEFT_OPEN.search(sentence):
        return None
    said = [piece.strip() for piece in _BETWEEN.split(run[0])]
    if len({piece.lower() for piece in said}) != len(items):
        return None
    bare = [_ARTICLE.sub("", piece.lower()) for piece in said]
    if in_turn and bare != [item.lower() for item in items]:
        return None
    before = _FIRST.sub("", sentence[: run.start()]) if in_turn else sentence[: run.start()]
    longer = _PART.search(before) and not _CONCLUDES.match(before)
    return None if longer or not _ENDS.match(sentence, run.end()) else ", ".join(said)
