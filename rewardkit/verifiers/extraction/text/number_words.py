"""Parts, chances and dozens that English says in words."""

from __future__ import annotations

import re
from fractions import Fraction

from rewardkit.verifiers.vocabulary.numbers import MULTIPLES, NUMBER_WORDS, PARTS
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.sought import holds_one, lowered

_MULTIPLE = re.compile(r"\W*an?\s(dozen|hundred|thousand|million|billion)(?:\s[a-z]+)?\W*", re.I)
_MAX_CHARS = 200
_NUMBER = rf"\d+|{alternatives(NUMBER_WORDS)}"
_FEW = [word for word, value in NUMBER_WORDS.items() if 0 < value < 10]
_PART = alternatives(name for name, size in PARTS.items() if size >= Fraction(1, 20))
_PARTS = re.compile(
    rf"\b(?P<sign>minus\s|negative\s)?(?:(?:(?P<article>an?)\s(?P<noun>[a-z]{{3,9}})"
    rf"|(?P<whole>{_NUMBER}))\sand\s(?P<more>an?|{_NUMBER})[\s-](?P<part>{_PART})"
    rf"|(?P<count>{alternatives(_FEW)})[\s-](?P<parts>{_PART})(?=\sof\b|\W*(?:\Z|[.;,!](?:\s|\Z))))\b"
    r"(?![^.\n]*\d)",
    re.I,
)
_PARTS_IN_LOW = re.compile(_PARTS.pattern)
"""They in lower case, since a search that ignores case takes many times as long."""
_PART_WORD = re.compile(rf"[\s-]{_PART}\b")
"""The last word of each, which is found first: a text is searched only near it."""
_ENDINGS = tuple({name.rstrip("s")[-4:] for name, size in PARTS.items() if size >= Fraction(1, 20)})
_MAX_BEFORE = 60
"""So many characters of it may stand before its last word."""
_ARTICLES = {"a": 1, "an": 1}


def with_parts(text: str) -> str:
    """Return a text with what English says in halves, thirds and the like in digits.

    >>> with_parts("It takes two and a half hours."), with_parts("an hour and a half")
    ('It takes 2.5 hours.', '1.5 hours')
    >>> with_parts("The slope is minus three fourths."), with_parts("He is in the third row.")
    ('The slope is -3/4.', 'He is in the third row.')
    """
    low = lowered(text)
    if not holds_one(low, _ENDINGS):
        return text
    said = any(
        _PARTS_IN_LOW.search(low, max(0, last.start() - _MAX_BEFORE), last.end())
        for last in _PART_WORD.finditer(low)
    )
    return _PARTS.sub(_in_digits, text) if said else text


_CHANCE = re.compile(
    rf"\b(is|be|of|are)\s(\d+|{alternatives(NUMBER_WORDS)})\s(?:in|out\sof)\s"
    rf"(\d+|{alternatives(NUMBER_WORDS)})(?=\W*\Z)",
    re.I,
)
_CHANCES = ("chance", "probabilit", "odds", "likelihood")
_MAX_CHANCE = 160


def with_chance(text: str) -> str:
    """Return a text with the chance that it ends with as a fraction: `the odds are 1 in 5`.

    >>> with_chance("So the chance of red is one in five."), with_chance("It is one in five.")
    ('So the chance of red is 1/5.', 'It is one in five.')
    """
    last = text[-30:]
    if " in " not in last and " out of " not in last:
        return text
    start = max(0, len(text) - _MAX_CHANCE)
    chance = _CHANCE.search(text, max(0, len(text) - 40))
    if chance is None or not holds_one(text[start:].lower(), _CHANCES):
        return text
    favourable, all_ = (NUMBER_WORDS.get(n.lower(), n) for n in chance.groups()[1:])
    return f"{text[: chance.start()]}{chance[1]} {favourable}/{all_}{text[chance.end() :]}"


def _in_digits(match: re.Match[str]) -> str:
    """Return `two and three fifths` as 2.6, `three fifths` as 3/5."""
    whole = 1 if match["article"] else _size(match["whole"] or "0")
    count = _size(match["more"] or match["count"])
    value = whole + count * PARTS[(match["part"] or match["parts"]).lower()]
    sign = "-" if match["sign"] else ""
    decimal = value > 1 and 10**4 % value.denominator == 0
    written = f"{float(value):.12g}" if decimal else str(value)
    return f"{sign}{written} {match['noun']}s" if match["noun"] else f"{sign}{written}"


def _size(word: str) -> int:
    low = word.lower()
    return int(word) if word.isdecimal() else _ARTICLES.get(low) or NUMBER_WORDS[low]


def dozen(text: str) -> str | None:
    """Return the number that a text is that says no more than `a dozen eggs`, or None.

    >>> dozen("A dozen eggs."), dozen("a dozen or more")
    ('12', None)
    """
    multiple = _MULTIPLE.fullmatch(text) if len(text) < _MAX_CHARS else None
    return str(MULTIPLES[multiple[1].lower()]) if multiple else None
