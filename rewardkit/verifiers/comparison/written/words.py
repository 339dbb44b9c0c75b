"""Answers compared by how they are written: as words, or letter by letter."""

from __future__ import annotations

import re
from functools import lru_cache

from rewardkit.verifiers.parsing.spelling.characters import unify
from rewardkit.verifiers.vocabulary import commands, wordings
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import OPTIONAL_WORDS

_LATEX_STYLE = re.compile(
    r"\\" + alternatives(commands.TEXT_COMMANDS | commands.STYLE_COMMANDS) + r"\b\s*"
)
_FRACTION = re.compile(r"\\[dtc]frac\b")
_OR_EQUAL = re.compile(r"\\([lgn])eq(?:slant)?\b")
_LISTED = re.compile(r"\s*,\s*(?:and\s)?|\s+and\s+")
_SPACE = re.compile(commands.SPACE)
_WORD = re.compile(r"[^\W_]+|[^\s\w{}$,.;:\"'!?]")
_HYPHEN = re.compile(r"(?<=[a-zA-Z])-(?=[a-zA-Z])")
_PHRASE = re.compile(rf"\b{alternatives(wordings.SAME_PHRASES)}\b")
_MAX_CHARS = 120
"""A longer text is no answer in a few words."""


def words(text: str) -> list[str]:
    """Return the words and signs of a text answer, for comparing; articles and style are dropped.

    >>> words(r"\\text{The Ellipse.}") == words("an ellipse")
    True
    """
    text = unify(text)
    if "\\" in text or "~" in text:
        text = _SPACE.sub(" ", _LATEX_STYLE.sub(" ", text))
        text = _OR_EQUAL.sub(r"\\\1e", _FRACTION.sub(r"\\frac", text))
    return [w for w in _WORD.findall(text.casefold()) if w not in OPTIONAL_WORDS]


def items(text: str) -> frozenset[str]:
    """Return the words that a text lists, or nothing where it lists none.

    >>> sorted(items("Wednesday and Monday")), items("Monday")
    (['monday', 'wednesday'], frozenset())
    """
    pieces = [" ".join(words(piece)) for piece in _LISTED.split(text)]
    listed = frozenset(pieces)
    plain = all(piece and piece.count(" ") < 2 for piece in pieces)
    return listed if plain and 1 < len(pieces) == len(listed) else frozenset()


def said_alike(gold: str, text: str) -> bool:
    """Return whether two answers in words say the same in different words.

    >>> said_alike("at most 5", "no more than 5"), said_alike("Tuesday", "on Tuesday")
    (True, True)
    >>> said_alike("no one", "no")
    False
    """
    if len(gold) > _MAX_CHARS or len(text) > _MAX_CHARS or "?" in text:
        return False
    wanted, said = _core(gold), _core(text)
    return bool(wanted) and "".join(wanted) == "".join(said)


@lru_cache(maxsize=1024)
def _core(text: str) -> list[str]:
    """Return the words of an answer as they are said most shortly."""
    said = words(_HYPHEN.sub(" ", text))
    while len(said) > 1 and said[0] in wordings.LEADING and len(said[1]) > 1:  # `A to B` is no B
        said = said[1:]
    if len(said) > 1 and said[-1] in wordings.TRAILING and said[-2] not in wordings.NOT_BEFORE_ONE:
        said = said[:-1]
    phrase = " ".join(wordings.SAME_WORDS.get(word, word) for word in said)
    return _PHRASE.sub(lambda m: wordings.SAME_PHRASES[m[0]], phrase).split()


def written_alike(one: str, other: str) -> bool:
    r"""Return whether two texts are the same but for spaces and the style of letters.

    >>> written_alike("x + 1", "x+1"), written_alike(r"\text{Fe}_{2}", "Fe_2")
    (True, True)
    """
    if one == other:
        return True
    first = one.lstrip()[:1], other.lstrip()[:1]
    return (first[0] == first[1] or "\\" in first) and unspaced(one) == unspaced(other)


def unspaced(text: str) -> str:
    """Return a text without its spaces, but for one between digits, which says something."""
    if "\\text" in text or "\\mathrm" in text:  # `\text{Fe}_2\text{O}_3`
        text = _UPRIGHT.sub(r"\1", _ONE_IN_BRACES.sub(r"\1", text))
    pieces = text.split()
    if len(pieces) > 1:
        pieces = _BETWEEN_DIGITS.sub("\0", text).split()
    return "".join(pieces)


_BETWEEN_DIGITS = re.compile(r"(?<=\d)\s+(?=\d)")
_ONE_IN_BRACES = re.compile(r"(?<=[_^])\{([^{}\s\\])\}")
_UPRIGHT = re.compile(r"\\" + alternatives(commands.FORMULA_COMMANDS) + r"\s*\{([^{}]*)\}")
