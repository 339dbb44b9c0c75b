"""Answers compared by how they are written: as words, or letter by letter."""

from __future__ import annotations

import re
from rewardkit.verifiers.parsing.spelling.characters import unify
from rewardkit.verifiers.vocabulary import commands
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import OPTIONAL_WORDS
from rewardkit.verifiers.vocabulary.wordings import BESIDE_CLASSES, NUMBER_CLASSES

_LATEX_STYLE = re.compile(
    r"\\" + alternatives(commands.TEXT_COMMANDS | commands.STYLE_COMMANDS) + r"\b\s*"
)
_SPELLINGS = [
    (re.compile(r"\\[dtc]frac\b"), r"\\frac"),
    (re.compile(r"\\([lg])eq(?:slant)?\b"), r"\\\1e"),
    (re.compile(r"\\neq\b"), r"\\ne"),
    (re.compile(r"\\forall\b"), "for all "),
]
_LISTED = re.compile(r"\s*,\s*(?:and\s)?|\s+and\s+")
_SPACE = re.compile(commands.SPACE)
_WORD = re.compile(r"[^\W_]+|[^\s\w{}$,.;:\"'!?]")


def words(text: str) -> list[str]:
    """Return the words and signs of a text answer, for comparing; articles and style are dropped.

    >>> words(r"\\text{The Ellipse.}") == words("an ellipse")
    True
    """
    text = unify(text)
    if "\\" in text or "~" in text:
        text = _SPACE.sub(" ", _LATEX_STYLE.sub(" ", text))
        for pattern, plain in _SPELLINGS:
            text = pattern.sub(plain, text)
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


def number_class(answer: list[str]) -> frozenset[str]:
    """Return which numbers the words of an answer name, or nothing where they say more.

    >>> sorted(number_class(words("all odd integers"))), number_class(words("odd or negative"))
    (['odd'], frozenset())
    """
    named = frozenset(word.removesuffix("s") for word in answer if word not in BESIDE_CLASSES)
    return named if named <= NUMBER_CLASSES else frozenset()


def is_proper_name(text: str) -> bool:
    """Return whether a text is a capitalised word: `Tom` and `tom` are no products."""
    return len(text) > 2 and text.isalpha() and text.istitle()


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
