"""Halves, quarters and dozens that English says in words."""

from __future__ import annotations

import re
from decimal import Decimal

from rewardkit.verifiers.vocabulary.numbers import MULTIPLES, NUMBER_WORDS
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.sought import holds_one, lowered

_MULTIPLE = re.compile(r"\W*an?\s(dozen|hundred|thousand|million|billion)(?:\s[a-z]+)?\W*", re.I)
_MAX_CHARS = 200
_HALVES = re.compile(
    rf"\b(?:(an?)\s([a-z]{{3,9}})|(\d+|{alternatives(NUMBER_WORDS)}))\sand\s(?:a|one"
    rf"|three)\s(half|quarters?)\b(?![^.\n]*\d)",
    re.I,
)
_AND_A_HALF = re.compile(r"and\s(?:a|one|three)\s(?:half|quarter)")
"""What every one of them holds, in lower case."""
_QUARTERS = {"half": 50, "quarter": 25, "quarters": 75}


def with_halves(text: str) -> str:
    """Return a text with its halves and quarters behind a number in digits.

    >>> with_halves("It takes two and a half hours."), with_halves("an hour and a half")
    ('It takes 2.5 hours.', '1.5 hours')
    """
    low = lowered(text)
    may = holds_one(low, ("half", "quarter")) and _AND_A_HALF.search(low)
    return _HALVES.sub(_in_digits, text) if may else text


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
    part = _QUARTERS[match[4].lower()]
    if match[1]:
        return f"{Decimal(100 + part) / 100} {match[2]}s"
    whole = int(match[3]) if match[3].isdecimal() else NUMBER_WORDS[match[3].lower()]
    return str(Decimal(100 * whole + part) / 100)


def dozen(text: str) -> str | None:
    """Return the number that a text is that says no more than `a dozen eggs`, or None.

    >>> dozen("A dozen eggs."), dozen("a dozen or more")
    ('12', None)
    """
    multiple = _MULTIPLE.fullmatch(text) if len(text) < _MAX_CHARS else None
    return str(MULTIPLES[multiple[1].lower()]) if multiple else None
