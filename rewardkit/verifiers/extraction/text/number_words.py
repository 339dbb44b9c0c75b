"""Counts, parts, chances and dozens that English says in words."""

from __future__ import annotations

import re
from fractions import Fraction

from rewardkit.verifiers.extraction.text.cuts import start_of
from rewardkit.verifiers.parsing.tokens.numerals import number_in_words
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.numbers import MULTIPLES, NUMBER_WORDS, PARTS, SCALES
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.roles import STATING_VERBS
from rewardkit.verifiers.vocabulary.sought import Parts, Sought, holds_one, lowered
from rewardkit.verifiers.vocabulary.units import LARGER_UNITS, SMALLER_UNITS, UNITS

_ONE_WORD = alternatives(word for word in NUMBER_WORDS if NUMBER_WORDS[word] != 1)
_MORE_WORDS = rf"(?:(?:[\s-]|\sand\s){alternatives((*NUMBER_WORDS, 'hundred', *SCALES))})*"
NUMBER_IN_WORDS = Sought(
    rf"\b(?P<sign>(?:negative|minus)\s)?(?P<words>{_ONE_WORD}{_MORE_WORDS}"
    rf"|(?:half\s)?a\s(?:dozen|hundred|thousand|million)|one\s(?:hundred|thousand|million){_MORE_WORDS}"
    r"|(?:(?<=negative\s)|(?<=minus\s)|(?<=just\s)|(?<=only\s)|(?<=exactly\s))one)\b"
    r"(?!-(?:hal(?:f|ves)|thirds?|quarters?|(?:four|fif|six|seven|eigh|nin|ten)ths?)\b)"
)
_BELOW_ZERO = as_pattern(
    rf"\b(?P<words>{_ONE_WORD}{_MORE_WORDS})(?P<unit>\sdegrees?(?:\s[A-Za-z]+)?)?\s(?P<way>below|above)\szero\b",
    re.I,
)
_MAX_COUNTS = 300
_LAST_DIGIT = as_pattern(r"(?s:.*)[0-9]")
_LEADS = as_pattern(
    rf"(?:\b{alternatives(STATING_VERBS)}|'(?:s|ll|d))\s(?:with\s)?"
    r"(?:just\s|only\s|exactly\s|a\stotal\sof\s)?\Z",
    re.I,
)
_SHARE = as_pattern(
    rf"\W*(?:(?:so|thus|only|just|exactly),?\s)*{alternatives(NUMBER_WORDS)}\s"
    r"(?:out\s)?of\s(?:the|these|those)\s",
    re.I,
)
"""`Only six of the ten students passed.`"""


def value_in_words(found: re.Match[str]) -> Fraction | None:
    """Return the value of a number in words, without its sign."""
    words = found["words"].lower().replace("-", " ").split()
    value = MULTIPLES.get(words[-1]) if words[0] in ("a", "half") else number_in_words(words)
    if value is None:
        return None
    return Fraction(value) / 2 if words[0] == "half" else Fraction(value)


def with_below_zero(text: str) -> str:
    """Return a text whose numbers in words below and above zero are in digits, with their sign.

    >>> with_below_zero("It was fifteen degrees below zero."), with_below_zero("It was fifteen.")
    ('It was -15 degrees.', 'It was fifteen.')
    """
    return (
        _BELOW_ZERO.sub(_below_zero, text)
        if holds_one(text, (" below zero", " above zero"))
        else text
    )


def _below_zero(said: re.Match[str]) -> str:
    value = value_in_words(said)
    sign = "-" if said["way"] == "below" else ""
    return said[0] if value is None else f"{sign}{value}{said['unit'] or ''}"


def with_counts(text: str) -> str:
    """Return a text with the counts of its last sentence in digits where the last is in words.

    One count alone is left as it is: there is no other to be told from.

    >>> with_counts("Each of the 5 children gets three."), with_counts("She gets three cakes.")
    ('Each of the 5 children gets 3.', 'She gets three cakes.')
    """
    start = max(0, len(text) - _MAX_COUNTS)
    last = text[start:]
    digit = _LAST_DIGIT.match(last)
    behind = last[digit.end() :] if digit else last
    if not NUMBER_IN_WORDS.may_be_in(behind):
        return text
    found = list(NUMBER_IN_WORDS.finditer(last))
    if not found or has_digit(last[found[-1].end() :]):
        return text
    start += start_of(last, found[-1].start())
    sentence = text[start:]
    if len(list(NUMBER_IN_WORDS.finditer(sentence))) < 2 and not has_digit(sentence):
        return text
    stated = _LEADS.search(text[start : len(text) - len(last) + found[-1].start()])
    if not stated and not _SHARE.match(sentence):
        return text
    return text[:start] + NUMBER_IN_WORDS.sub(_count, sentence)


def _count(found: re.Match[str]) -> str:
    value = value_in_words(found)
    return (
        found[0]
        if value is None or value.denominator > 1
        else str(-value if found["sign"] else value)
    )


_MULTIPLE = as_pattern(r"\W*an?\s(dozen|hundred|thousand|million|billion)(?:\s[a-z]+)?\W*", re.I)
_MAX_CHARS = 200
_NUMBER = rf"\d+|{alternatives(NUMBER_WORDS)}"
_FEW = [word for word, value in NUMBER_WORDS.items() if 0 < value < 20]
_PART = alternatives(name for name, size in PARTS.items() if size >= Fraction(1, 20))
_PARTS = as_pattern(
    rf"\b(?P<sign>minus\s|negative\s)?(?:(?:(?P<article>an?)\s(?P<noun>[a-z]{{3,9}})"
    rf"|(?P<whole>{_NUMBER}))\sand\s(?P<more>an?|{_NUMBER})[\s-](?P<part>{_PART})"
    rf"|(?P<count>{alternatives(_FEW)})[\s-](?P<parts>{_PART})(?=\sof\b|\W*(?:\Z|[.;,!](?:\s|\Z))))\b"
    r"(?![^.\n]*\d)",
    re.I,
)
_PARTS_IN_LOW = as_pattern(_PARTS.pattern)
"""They in lower case, since a search that ignores case takes many times as long."""
_PART_WORD = as_pattern(rf"[\s-](?=[{''.join(sorted({name[0] for name in PARTS}))}]){_PART}\b")
"""The last word of each, which is found first: a text is searched only near it."""
_PART_OF_ONE = Sought(
    rf"\b(?:(?P<half>half)\s(?:of\s)?|(?:(?P<count>an?|{alternatives(_FEW)})[\s-](?P<part>{_PART})\s)of\s)an?\s"
    rf"(?P<unit>{alternatives(name for name in UNITS if len(name) > 2 and name.isascii())})\b"
)
"""A part of one of a unit: `three quarters of an hour`, `half a cup`."""
_LARGER = alternatives(name for name in LARGER_UNITS if len(name) > 3)
_SMALLER = alternatives(name for name in SMALLER_UNITS if len(name) > 3)
_TWO_UNITS = Sought(
    rf"\b({alternatives(NUMBER_WORDS)})\s({_LARGER})(?:,|,?\sand)?\s"
    rf"([a-z]+(?:-[a-z]+)?)\s({_SMALLER})\b"
)
_ONE_UNIT = Sought(
    r"(?P<lead>\b(?:takes?|took|lasts?|lasted|is|was|be|equals|runs\sfor|ran\sfor)\s"
    r"(?:(?:exactly|about|just|only|them|him|her|it)\s){0,2})(?:one|an?)\s"
    r"(?P<unit>second|minute|hour|day|week|month|year|decade|dollar|mile|meter|foot|yard|pound)"
    r"(?=\W*\Z|[.!]\s)"
)
"""One of a unit that ends a sentence, where the next words count nothing: `It takes a week`."""
_UNITS_SAID = Parts(_TWO_UNITS, _ONE_UNIT)
_FEET = as_pattern(r"(?<![\w.])(\d)\s?['’′]\s?(\d{1,2})\s?(?:[\"”″]|'')")
_MAY_BE_FEET = as_pattern(r"['’′]\s?\d")
_ENDINGS = tuple({name.rstrip("s")[-5:] for name, size in PARTS.items() if size >= Fraction(1, 20)})
_MAX_BEFORE = 60
"""So many characters of it may stand before its last word."""
_ARTICLES = {"a": 1, "an": 1}


def with_two_units(text: str) -> str:
    """Return a text with one quantity in two units in digits.

    >>> with_two_units("It took one hour and fifteen minutes."), with_two_units("It is 5'6''.")
    ('It took 1 hour 15 minutes.', 'It is 5 feet 6 inches.')
    """
    if _MAY_BE_FEET.search(text):
        text = _FEET.sub(r"\1 feet \2 inches", text)
    if not _UNITS_SAID.may_be_in(text):
        return text
    return _TWO_UNITS.sub(_both_in_digits, _ONE_UNIT.sub(r"\g<lead>1 \g<unit>", text))


def _both_in_digits(match: re.Match[str]) -> str:
    first, larger, second, smaller = match.groups()
    values = [number_in_words(word.lower().replace("-", " ").split()) for word in (first, second)]
    return match[0] if None in values else f"{values[0]} {larger} {values[1]} {smaller}"


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
    if _PART_OF_ONE.may_be_in(text):
        text = _PART_OF_ONE.sub(_part_of_one, text)
        low = lowered(text)
    said = any(
        _PARTS_IN_LOW.search(low, max(0, last.start() - _MAX_BEFORE), last.end())
        for last in _PART_WORD.finditer(low)
    )
    return _PARTS.sub(_in_digits, text) if said else text


def _part_of_one(match: re.Match[str]) -> str:
    size = Fraction(1, 2) if match["half"] else _size(match["count"]) * PARTS[match["part"].lower()]
    return f"{size} {match['unit']}"


_CHANCE = as_pattern(
    rf"\b(is|be|of|are|an?)\s(\d+|{alternatives(NUMBER_WORDS)})[\s-](?:in|out\sof)[\s-]"
    rf"(\d+|{alternatives(NUMBER_WORDS)})(?=(?:\s(?:chance|probability))?\W*\Z)",
    re.I,
)
_CHANCES = ("chance", "probabilit", "odds", "likelihood", "rate", "fraction", "proportion", "share")
_MAX_CHANCE = 160


def with_chance(text: str) -> str:
    """Return a text with the chance that it ends with as a fraction: `the odds are 1 in 5`.

    >>> with_chance("So the chance of red is one in five."), with_chance("It is one in five.")
    ('So the chance of red is 1/5.', 'It is one in five.')
    """
    last = text[-40:]
    if not holds_one(last, (" in ", " out of ", "-in-")):
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
