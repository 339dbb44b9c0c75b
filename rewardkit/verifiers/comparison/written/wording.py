"""Answers in words that say the same in other words: `Quadrant III`, the third quadrant."""

from __future__ import annotations

import re
from functools import lru_cache

from rewardkit.verifiers.comparison.written.words import words
from rewardkit.verifiers.parsing.forms.bounds import Bound, bound
from rewardkit.verifiers.vocabulary import wordings
from rewardkit.verifiers.vocabulary.numbers import MULTIPLES, NUMBER_WORDS
from rewardkit.verifiers.vocabulary.units import PERCENT_WORDS

_MAX_CHARS = 120
"""A longer text is no answer in a few words."""
_HYPHEN = re.compile(r"(?<=[a-zA-Z])-(?=[a-zA-Z])")
_JOINED = re.compile(r"\s*,\s*(?:(?:and|or)\s+)?|\s+(and|or|nor)\s+")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
_PHRASES = [(re.compile(rf"\b{said}\b"), plain) for said, plain in wordings.SAME_PHRASES.items()]
_STYLE = re.compile(r"\\text\s*\{([^{}]*)\}|[{}$~]|\\[ ,;]")
_NAMED = re.compile(r"(?:[Tt]he\s)?([A-Za-z]+)\s\(?([A-Z])\)?\.?")
_CHANGES = PERCENT_WORDS | frozenset(MULTIPLES)
"""What makes another bound of one, behind its number."""


def said_alike(gold: str, text: str) -> bool:
    """Return whether two answers in words say the same in different words.

    >>> said_alike("third quadrant", "Quadrant III"), said_alike("Tuesday", "on Tuesday")
    (True, True)
    >>> said_alike("at least 12", "12 or more"), said_alike("no one", "no")
    (True, False)
    """
    if len(gold) > _MAX_CHARS or len(text) > _MAX_CHARS or "?" in text:
        return False
    if _is_letter(gold, text):
        return True
    wanted, said = _core(gold), _core(text)
    if not (wanted and said):
        return False
    if "".join(wanted) == "".join(said) or _is_short_for(said, wanted):
        return True
    adjective = wanted[-1] not in wordings.NO_ADJECTIVES
    if adjective and said[-1] in wordings.KINDS_OF_THINGS and said[:-1] == wanted:
        return True
    if _is_label(wanted, said) or _is_label(said, wanted):
        return True
    joined = _joined(gold)
    if joined is not None and joined == _joined(text):
        return True
    least = bound(gold)
    return least is not None and _bounds_alike(least, bound(text))


@lru_cache(maxsize=1024)
def _core(text: str) -> list[str]:
    """Return the words of an answer as they are said most shortly."""
    said = words(_HYPHEN.sub(" ", text))
    while len(said) > 1 and said[0] in wordings.LEADING and len(said[1]) > 1:  # `A to B` is no B
        said = said[1:]
    while len(said) > 1 and said[-1] in wordings.TRAILING:
        if said[-2] in wordings.NOT_BEFORE_ONE:
            break
        said = said[:-1]
    phrase = " ".join(wordings.SAME_WORDS.get(word, word) for word in said)
    if " " in phrase:
        for pattern, plain in _PHRASES:
            phrase = pattern.sub(plain, phrase)
    return _numbered(phrase.split())


def _numbered(said: list[str]) -> list[str]:
    """Return `quadrant #3` for `third quadrant`, `quadrant iii` and `quadrant 3`."""
    if not 0 < len(said) < 3:
        return said
    place = _ORDINAL.fullmatch(said[0])
    number = int(place[1]) if place else wordings.ORDINAL_WORDS.get(said[0])
    if number is not None:
        return [*said[1:], f"#{number}"]
    if len(said) == 2 and said[0].isalpha() and said[0] not in NUMBER_WORDS:
        last = wordings.NUMERALS.get(said[1], said[1])
        if isinstance(last, int) or last.isdecimal():
            return [said[0], f"#{last}"]
    return said


def _is_short_for(said: list[str], wanted: list[str]) -> bool:
    """Return whether a word is another cut off, of a day, month, truth or way: `Thu`, `T`, `SE`."""
    if wanted in (["true"], ["false"]):
        return said == [wanted[0][0]]
    ways = wordings.COMPASS
    if ways.get(said[0]) == "".join(wanted) or ways.get(wanted[0]) == "".join(said):
        return True
    one = len(said) == len(wanted) == 1 and 2 < len(said[0]) < 6
    return one and wanted[0] in wordings.NAMES_OF_TIMES and wanted[0].startswith(said[0])


def _is_label(named: list[str], label: list[str]) -> bool:
    """Return whether one answer is the other's label: `B` of `Container B`."""
    if len(named) != 2 or len(label) != 1 or named[0] not in wordings.LABELLED:
        return False
    (alone,), name = label, named[1]
    if name.startswith("#"):
        return name in (f"#{wordings.NUMERALS.get(alone, alone)}", alone)
    return len(name) == 1 and name.isalpha() and alone == name


def _is_letter(gold: str, text: str) -> bool:
    """Return whether one answer is a capital and the other one calls it by a name: `Letter A`."""
    for label, named in ((gold, text), (text, gold)):
        found = _NAMED.fullmatch(_STYLE.sub(r"\1", named).strip()) if len(label) < 9 else None
        letter = found[2] if found and found[1].lower() in wordings.LABELLED else None
        if letter and letter == _STYLE.sub(r"\1", label).strip(" ()"):
            return True
    return False


def _joined(text: str) -> tuple[str, frozenset[str], str] | None:
    """Return what joins the things that an answer names, these, and what they share at the end."""
    split = _JOINED.split(text)
    by = {name for name in split[1::2] if name}
    if len(by) != 1 or "(" in text:
        return None
    pieces = [words(_HYPHEN.sub(" ", _STYLE.sub(r"\1", piece))) for piece in split[::2]]
    if not all(pieces):
        return None
    name = by.pop()
    opens = pieces[0][0] in ("neither", "either", "both")
    if (name == "nor") != (pieces[0][0] == "neither"):
        return None
    pieces[0] = pieces[0][opens:]
    last = pieces[-1][-1] if len(pieces[-1]) > 1 else ""
    bare = [" ".join(piece[:-1] if last and piece[-1] == last else piece) for piece in pieces]
    things = frozenset(bare)
    return (name, things, last) if all(bare) and len(things) == len(bare) > 1 else None


def _bounds_alike(wanted: Bound, said: Bound | None) -> bool:
    if said is None or wanted[:2] != said[:2]:
        return False
    if wanted.unit == said.unit:
        return True
    beside = (wanted.unit or said.unit).split()
    return not (wanted.unit and said.unit) and all(
        word.isalpha() and word not in _CHANGES for word in beside
    )
