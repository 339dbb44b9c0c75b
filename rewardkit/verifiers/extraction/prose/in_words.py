"""The number that a sentence without digits says: `So the probability is one third`."""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.prose.units_behind import unit_behind
from rewardkit.verifiers.extraction.text.number_words import NUMBER_IN_WORDS, value_in_words
from rewardkit.verifiers.parsing.forms.spoken import spoken_value
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.numbers import MULTIPLES, NUMBER_WORDS, PARTS
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import CONCLUSIONS

_MULTIPLE = as_pattern(rf"\s({alternatives(MULTIPLES)})\b", re.I)
_FRACTION_WORDS = as_pattern(
    r"(?:\b(?:is|are|be|of|to|on|at|get|gets|gives)|=)\s+(?:exactly\s|just\s)?(?:one|an?)[\s-]"
    r"(half|third|quarter|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\W*\Z",
    re.I,
)
"""`So the probability is one third.`"""
_PARTS_IN_WORDS = as_pattern(
    rf"\b({alternatives(NUMBER_WORDS)})"
    rf"-({alternatives(name for name, size in MULTIPLES.items() if size < 1)})\b",
    re.I,
)
_POINT = as_pattern(
    rf"\b{alternatives(NUMBER_WORDS)}(?:[\s-]{alternatives(NUMBER_WORDS)})?\spoint"
    rf"(?:\s{alternatives(word for word, value in NUMBER_WORDS.items() if value < 10)})+\b",
    re.I,
)
_BEFORE_HOUR = as_pattern(r"\s[a-z]+\s(?:to|past|before|after)\s")
"""What names a time of day behind a number: `ten minutes to midnight`."""
_BEHIND_NUMBER = as_pattern(r"[\s-](?:(?<=-)(first|second)|([a-z]+))\b", re.I)
_DOLLARS_AND = as_pattern(r"\sdollars?(?:\sand|,)?\s", re.I)
_CENTS = as_pattern(r"\scents?\b", re.I)
_KNOWN = as_pattern(r"\bthe\s(?:other|same|first|last|whole|original)\s\Z", re.I)
"""Before a count, what shows that it was given: `the ages of the other three children`."""
STATED_IN_WORDS = as_pattern(
    rf"\A\W*{alternatives(CONCLUSIONS)}\b"
    rf"|\b(?:is|are|equals|gives|makes|get|on)\s(?:exactly\s)?(?:(?:one"
    rf"|an?)[\s-])?{alternatives(NUMBER_WORDS)}"
    r"(?:[\s-][a-z]+)?\W*\Z|\bone[\s-](?:half|third|quarter|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\W*\Z",
    re.I,
)
"""A last sentence without digits that concludes, or ends with its number: `The sum is zero.`"""


def number_in_words(sentence: str, *, doubted: bool = False) -> str | None:
    """Return the one number that a sentence without digits names, `two` of `two more eggs`."""
    if (part := _FRACTION_WORDS.search(sentence)) and not doubted:
        name = {"half": "halves"}.get(part[1].lower(), f"{part[1].lower()}s")
        return str(MULTIPLES[name])
    if (spoken := spoken_value(sentence.strip(" .!*"))) is not None:
        return str(spoken)
    if (point := _POINT.search(sentence)) and (spoken := spoken_value(point[0])) is not None:
        return f"{spoken.numerator / spoken.denominator}"
    found = list(NUMBER_IN_WORDS.finditer(sentence))
    if len(found) == 2 and _DOLLARS_AND.fullmatch(sentence, found[0].end(), found[1].start()):
        money = [value_in_words(one) for one in found]
        if _CENTS.match(sentence, found[1].end()) and None not in money:
            return f"${money[0]}.{money[1]!s:0>2}"
    if not found and (parts := _PARTS_IN_WORDS.search(sentence)):
        return str(NUMBER_WORDS[parts[1].lower()] * MULTIPLES[parts[2].lower()])
    if len(found) != 1 or _KNOWN.search(sentence, 0, found[0].start()):
        return None
    behind = _BEHIND_NUMBER.match(sentence, found[0].end())
    if behind and (behind[1] or behind[2].lower() in PARTS):
        spoken = spoken_value(f"{found[0][0]} {behind[0][1:]}")
        return None if spoken is None else str(spoken)
    value = value_in_words(found[0])
    if value is None:
        return None
    multiple = _MULTIPLE.match(sentence, found[0].end())
    value *= MULTIPLES[multiple[1].lower()] if multiple else 1
    timed = _BEFORE_HOUR.match(sentence, found[0].end()) is not None
    unit = "" if timed else unit_behind(sentence, found[0].end())
    return f"{'-' if found[0]['sign'] else ''}{value}{unit}"
