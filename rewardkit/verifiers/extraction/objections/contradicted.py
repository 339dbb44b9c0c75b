"""Does its sentence say another value as well?

`7/10 of it, meaning 3/10 of it` does. Two values of different things agree, `18 pupils, in other
words 9 pairs`; so do two writings of one, `2 hours, that is 120 minutes`.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.expressions.units import known_unit, unit_of
from rewardkit.verifiers.extraction.objections.place import Place
from rewardkit.verifiers.extraction.prose.another import number_of
from rewardkit.verifiers.extraction.wanted.times import clock_time
from rewardkit.verifiers.vocabulary.sought import Beginning, Sought
from rewardkit.verifiers.vocabulary.wordings import CLASSES, RESTATING

_AGAIN = Sought(
    rf"\b(?:{RESTATING},?|(?:(?:and|but|yet),?\s)?(?:at\sthe\ssame\stime|at\sonce|simultaneously),?|(?:and|but|yet)\salso|yet)"
    r"\s(?:(?:it|he|she|that)(?:['’]s|\sis)\s)?(?:(?!(?:by|of|in|with|from|for|to|as|on|into)\b|less|more|fewer|than|between|not|only|[a-z]+er\b)[a-z]+,?\s){0,3}?"
    r"(?=[$\\(]{0,2}-?\d|(?P<word>[a-z]+)[.!]?\W*\Z)"
)
"""What says a value again, up to it."""
_VALUE = re.compile(
    r"[$\\(]{0,2}(-?\d[\d,]*(?:\.\d+)?(?:/\d+)?)(?![\d:])[$\\)]{0,2}\s?(%|[^\W\d_]+|)"
)
_MEASURE = re.compile(r"-?\d[\d,./]*(?:\s?\\?%|\s?[^\W\d_\\]+(?:\s[^\W\d_]+)*|\\text\{[^{}]*\})?")
_OTHERWISE = re.compile(
    r"[^.;]*?\b(?:each|per|every|apiece|times|more|less|fewer|of\s(?:them|these|those|which|whom)|plus|minus|ago|later|than|to|or)\b"
    r"|\s*[-+*/×·=^]|\sand\s\d"
)
_ELSE_AT = Beginning(
    r"[^\w.;]{0,3}\s(?:or\s)?(?:alternatively|otherwise|else),?\s(?:(?:at|by|around|it(?:'s|\sis))\s)?(\d{1,2}:\d\d)"
)
"""Behind a time, another one in its place: `7:15, alternatively at 8:15`."""
_INTERVAL = re.compile(r"([\[(])\s?([^\[\]()]+?)\s?([\])])")
_TIME = re.compile(r"(\d{1,2}:\d\d)(?:\s?([ap])\.?m\b\.?)?\Z", re.I)
_UNIT = re.compile(r"[$\\)]{0,2}\s?(%|[^\W\d_]+|)")


def is_contradicted(value: str, said: Place) -> bool:
    """Return whether behind a value its sentence says it again as another value of the same.

    >>> from rewardkit.verifiers.extraction.objections.place import place_of
    >>> is_contradicted("18", place_of("18", "He has 18 pens, that is 22."))
    True
    >>> is_contradicted("18", place_of("18", "He has 18 pens, that is 9 pairs."))
    False
    >>> is_contradicted("Monday", place_of("Monday", "It falls on a Monday, i.e. Tuesday."))
    True
    """
    if " or " in value and _has_two_brackets(value):
        return True
    instead = _ELSE_AT.match(said.after)
    if instead and (time := _TIME.match(value.strip(" .!$"))):
        return instead[1] != time[1]
    again = _AGAIN.search(said.after)
    if again is None or "n't " in said.after[: again.start()]:  # `; don't take the 4, which is ...`
        return False
    value, rest = value.strip(" .!$"), said.after
    if time := _TIME.match(value):
        other = clock_time(rest[again.start() :])
        return other is not None and other.split()[0] != time[1]
    first = _VALUE.match(value) if _MEASURE.fullmatch(value) else None
    if first is None:
        return value.isalpha() and bool(again["word"]) and _is_another(value, again["word"])
    second = _VALUE.match(rest, again.end())
    if second is None or _OTHERWISE.match(rest, second.end()):
        return False
    unit = _UNIT.match(rest)
    return _differ((first[1], first[2] or (unit[1] if unit else "")), (second[1], second[2]))


def _has_two_brackets(value: str) -> bool:
    """Return whether a value is an interval with other brackets again: `[0, 1] or (0, 1)`."""
    intervals = {(one[1], one[2].replace(" ", ""), one[3]) for one in _INTERVAL.finditer(value)}
    return len(intervals) > len({ends for _, ends, _ in intervals})


def _is_another(value: str, word: str) -> bool:
    """Return whether two words are different ones of a class."""
    one, other = value.lower(), word.lower()
    return one != other and any({one, other} <= words for words in CLASSES)


def _differ(first: tuple[str, str], second: tuple[str, str]) -> bool:
    """Return whether two numbers with units are different values of the same."""
    (one, unit), (other, other_unit) = first, second
    x, y = number_of(one), number_of(other)
    if x is None or y is None:
        return False
    percents = [name in ("%", "percent") for name in (unit, other_unit)]
    x, y = x / 100 if percents[0] else x, y / 100 if percents[1] else y
    if x == y or abs(x - y) <= abs(x) / 50:
        return False
    if any(percents):
        return not {100 * x, x} & {y, 100 * y}
    if unit.lower() == other_unit or not other_unit:
        return True
    if not (known_unit(unit) and known_unit(other_unit)):
        return False
    measure, other_measure = unit_of(unit), unit_of(other_unit)
    return (
        measure.dimensions == other_measure.dimensions
        and x * measure.size != y * other_measure.size
    )
