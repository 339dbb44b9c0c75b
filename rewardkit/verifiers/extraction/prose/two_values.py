"""Two values in one place of a sentence: `at 10:05 or at 10:35`, `7/10 of it, meaning 3/10 of it`.

They are two where the same words stand behind both; a value in two units, or written in two ways,
is one. What joins them offers the second beside the first, or says that it is the first.
"""

from __future__ import annotations

import re
from fractions import Fraction

from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.sought import lowered
from rewardkit.verifiers.vocabulary.wordings import RESTATING

_COUNT = rf"(?:infinity|∞|{alternatives(NUMBER_WORDS)})"
_NUMBER = rf"-?\d+(?:,\d{{3}})*(?:\.\d+)?(?:/\d+|:\d\d)?%?(?![\w.,:/]*\d)|{_COUNT}\b"
_BEHIND = r"(?:\s(?!or\b|and\b|that\b|meaning\b|i\.e\.|which\b)[^\W\d_]+){0,5}?"
_TWO = re.compile(
    rf"(?<![\w.,:/=^])(?<!\d\s)(?:[$€£]\s?)?({_NUMBER})({_BEHIND})"
    r"(?:,?\s(?P<or>or)(?:\s(?:else|maybe|perhaps|possibly|it\sis))?"
    rf"|,?\s(?:and\sat\sthe\ssame\stime|{RESTATING}))"
    r",?\s(?P<placed>(?:(?:at|on|in|by|about|exactly|the|an?)\s)?)"
    rf"(?:[$€£]\s?)?(?P<other>{_NUMBER})(?P<behind>{_BEHIND})[.!)]*\s*\Z"
)
_OF_ANOTHER = re.compile(
    r"\b(?:half(?:\sof)?|twice|double|triple|thrice|(?:third|quarter|percent|square|root)\sof|%\sof|after|before|than|times|plus|minus|from)\s\Z"
)
"""What is worked out of the first value: `half of 120, which is 60`."""
_JOINS = (
    " or ", " same time", "that is", "i.e.", "meaning", "other words", "namely", "equivalently",
    "to put it", "which ",
)  # fmt: skip
_HALF_A_DAY = 720
_NEARLY = Fraction(1, 100)
"""Values this near are one that is rounded."""


def says_both(text: str) -> bool:
    """Return whether a text ends with two values where there is one to be named.

    >>> says_both("It leaves at 10:05 or at 10:35."), says_both("It is 0 or infinity.")
    (True, True)
    >>> says_both("It is 1/2 or 0.5."), says_both("It takes 90 minutes, that is 1.5 hours.")
    (False, False)
    """
    low = lowered(text)
    if not any(map(low.__contains__, _JOINS)):
        return False
    two = _TWO.search(low)
    if two is None or two[2] != two["behind"] or _OF_ANOTHER.search(low, 0, two.start()):
        return False
    in_digits = has_digit(two[1]) and has_digit(two["other"])
    if two["or"]:  # a bare `3 or 7` may be asked for, and is read as both
        beside = two[2] or two["placed"] or not in_digits
        return bool(beside) and _differ(two[1], two["other"])
    known = has_digit(low[: two.start()])  # `13 minus 1, that is 12`
    return in_digits and not known and _differ(two[1], two["other"])


def _differ(one: str, other: str) -> bool:
    first, second = number_of(one), number_of(other)
    if first is None or second is None:
        return one != other
    if ":" in one and ":" in other:
        return abs(first - second) not in (0, _HALF_A_DAY)
    return abs(first - second) > _NEARLY * max(abs(first), abs(second))


def number_of(written: str) -> Fraction | None:
    """Return the number that a text writes; of a time, its minutes; None for infinity."""
    if written in NUMBER_WORDS:
        return Fraction(NUMBER_WORDS[written])
    hours, colon, minutes = written.partition(":")
    try:
        if colon:
            return Fraction(60 * int(hours) + int(minutes))
        share = 100 if written.endswith("%") else 1
        return Fraction(written.rstrip("%").replace(",", "")) / share
    except (ValueError, ZeroDivisionError):
        return None
