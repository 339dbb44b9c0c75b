"""Does the text say another value as well, go on to one, or claim the contrary in the end?

`7/10 of it, meaning 3/10 of it`, `I first get 33, but a recount shows 29`, `It is true. Final
verdict: false.` do. Two values of different things agree, `18 pupils, in other words 9 pairs`; so
do two writings of one, `2 hours, that is 120 minutes`.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.expressions.units import known_unit, unit_of
from rewardkit.verifiers.extraction.objections.place import Place
from rewardkit.verifiers.extraction.prose.another import number_of
from rewardkit.verifiers.extraction.prose.denials import REFUTED
from rewardkit.verifiers.extraction.wanted.times import clock_time
from rewardkit.verifiers.vocabulary.alternatives import SO
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.sought import Beginning, Sought, holds_one
from rewardkit.verifiers.vocabulary.wordings import CLASSES, RESTATING

_AGAIN = Sought(
    rf"\b(?:{RESTATING},?|(?:(?:and|but|yet),?\s)?(?:at\sthe\ssame\stime|at\sonce|simultaneously),?|(?:and|but|yet)\salso|yet)"
    r"\s(?:(?:it|he|she|that)(?:['’]s|\sis)\s)?(?:(?!(?:by|of|in|with|from|for|to|as|on|into)\b|less|more|fewer|than|between|not|only|[a-z]+er\b)[a-z]+,?\s){0,3}?"
    r"(?=[$\\(]{0,2}-?\d|(?P<word>[a-z]+)[.!]?\W*\Z)"
)
"""What says a value again, up to it."""
_VALUE = as_pattern(
    r"[$\\(]{0,2}(-?\d[\d,]*(?:\.\d+)?(?:/\d+)?)(?![\d:])[$\\)]{0,2}\s?(%|[^\W\d_]+|)"
)
_MEASURE = as_pattern(r"-?\d[\d,./]*(?:\s?\\?%|\s?[^\W\d_\\]+(?:\s[^\W\d_]+)*|\\text\{[^{}]*\})?")
_OTHERWISE = as_pattern(
    r"[^.;]*?\b(?:each|per|every|apiece|times|more|less|fewer|of\s(?:them|these|those|which|whom)|plus|minus|ago|later|than|to|or)\b"
    r"|\s*[-+*/×·=^]|\sand\s\d"
)
_ELSE_AT = Beginning(
    r"[^\w.;]{0,3}\s(?:or\s)?(?:alternatively|otherwise|else),?\s(?:(?:at|by|around|it(?:'s|\sis))\s)?(\d{1,2}:\d\d)"
)
"""Behind a time, another one in its place: `7:15, alternatively at 8:15`."""
_INTERVAL = as_pattern(r"([\[(])\s?([^\[\]()]+?)\s?([\])])")
_TIME = as_pattern(r"(\d{1,2}:\d\d)(?:\s?([ap])\.?m\b\.?)?\Z", re.I)
_UNIT = as_pattern(r"[$\\)]{0,2}\s?(%|[^\W\d_]+|)")
_CONTRAST = r"(?:but|yet|however|unless|instead|(?:even\s)?(?:though|although))"
_IN_ORDER = (
    r"(?:(?:and\s)?then|now(?!\sthat)|after(?:wards|\swhich|\s[a-z]+ing\b[^\d,]*,)|once\b[^\d,]*,)"
)
_NOT_SO = (
    r"(?:would|because(?!\sof)|since|verif\w+|wrong|mistakes?|errors?|incorrect|why|note|recall|total|sum"
    r"|other|also|out)\b"
)
_ARRIVES = (
    r"(?:\b(?:is|are|be|shows?|says?|stays?|remains?|leaves?|left|makes?|gets?|got|gives?|gave|obtain|find|found|so|thus|hence|becomes?"
    r"|yields?|reads?|comes?\sto|turns?\sout(?:\sto\sbe)?)\s|:\s)"
)
_LAST = r"[$\\(]{0,2}(?P<last>-?\d[\d.,/]*(?<![.,]))\W{0,3}(?:\s?[a-z%]+)?\W*\Z"
_SENTENCE = rf"(?:(?!\b{_NOT_SO})[^;\n\d])*{_ARRIVES}{_LAST}"
_BUT_THEN = as_pattern(rf"[^\d]{{0,60}}?\b{_CONTRAST}\b{_SENTENCE}")
_GOES_ON = as_pattern(rf"[^\d]{{0,60}}?\b(?:{_CONTRAST}|{_IN_ORDER})\b{_SENTENCE}")
"""Behind a value, what arrives at another one in the end: `33, but a recount shows 29`."""
_NOT_OR = rf"(?!\b{_NOT_SO}|\bnot\b|n't|\bdoubts?\b)"
_ANOTHER_OPTION = as_pattern(
    rf"(?:{_NOT_OR}[^\n]){{0,60}}?\b(?:{_CONTRAST}|{_IN_ORDER}|or)\b(?:{_NOT_OR}[^;\n])*\s\(?[a-j]\)?(?:\.\s(?:both|either|each|they)\b[^.]*)?\W*\Z"
)
_OPTION_IS = as_pattern(
    rf"[)\].]*\s(?!(?:because|since|as|the|this|that|it|an?|all|every|option|choice|[a-z]+ing)\b)(?:[^\s.;,:]+\s){{1,3}}(?:{REFUTED}|(?:(?:has\sto|must)\sbe|is)\s(?:ruled\sout|discarded|rejected|dropped)\b)",
)
"""`(A) 5 hours is wrong.`"""
_OPENS = as_pattern(
    rf"\W*(?:(?:{SO}|in\s(?:conclusion|summary|short|total|the\send)|to\s(?:sum\sup|conclude)|all\sin\sall|conclusion|summary|finally)\b[,:]?\s)?",
    re.I,
)
_STOP = as_pattern(r"(?<=[.!?;])\s+|\n+")
_POLE = as_pattern(r"\W*(yes|no|true|false)\b[,:.!]*\s*", re.I)
_VERDICT = as_pattern(
    r"\W*(?:(?:my|the|our)\s)?(?:(?:final|last|overall)\s)?(?:verdict|decision|conclusion|judge?ment|answer)\s?:\s?(?P<not>not\s)?(?P<pole>yes|no|true|false)\W*\Z",
    re.I,
)
_CHOOSES = as_pattern(
    rf"\W*(?:(?i:{SO}),?\s)(?:I\s|we\s|you\s)?(?:should\s|must\s|will\s)?(?:choose|pick|select|mark|tick|take|circle|go\swith|go\sfor)\s(?:option\s|answer\s|letter\s)?\(?([A-Z])\)?\W*\Z"
)
_NOT = as_pattern(r"\b(?:not|never|no)\b|n't\b")
_HELP = {
    "isnt": "is", "arent": "are", "doesnt": "", "dont": "", "does": "", "do": "", "didnt": "",
    "did": "", "cant": "can", "cannot": "can", "wont": "will", "wasnt": "was", "werent": "were",
    "not": "", "no": "", "never": "", "a": "", "an": "", "the": "", "any": "",
}  # fmt: skip
_WORD = as_pattern(r"[^\W_]+")
_PRONOUNS = frozenset(("it", "they", "thi", "that", "these"))
_MAX_SUBJECT = 3
"""Words at most that a pronoun stands for."""
_POLES = ("yes", "no", "true", "false")
_POSITIVE = ("yes", "true")
_MAX_CHARS = 400


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
    if again is None or holds_one(said.after[: again.start()], ("n't ", ", not ")):
        return False  # `; don't take the 4, which is ...`
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


def goes_on(said: Place, *, marked: bool) -> bool:
    """Return whether a text goes on from a value to another one, and ends with that.

    What is `marked` as the answer is only given up within its sentence.

    >>> from rewardkit.verifiers.extraction.objections.place import place_of
    >>> goes_on(place_of("33", "I first get 33, but a recount shows 29."), marked=False)
    True
    >>> goes_on(place_of("33", "I get 33, but not by adding the 4."), marked=False)
    False
    """
    value = said.value
    rest = said.after if marked else f"{said.after}{said.stop} {said.behind}"
    if not has_digit(value) or not has_digit(rest):
        return False
    other = (_BUT_THEN if marked else _GOES_ON).match(rest)
    return other is not None and other["last"] not in value


def leaves_option(letter: str, value: str, text: str) -> bool:
    """Return whether a text says of the option that it names that it is wrong, or offers another.

    >>> leaves_option("C", "C", "C, or maybe D"), leaves_option("A", "A", "(A) 5 hours is wrong.")
    (True, True)
    >>> leaves_option("A", "A", "(A) The sum is wrong."), leaves_option("C", "C", "C, not D")
    (False, False)
    """
    at = text.find(letter, max(0, text.rfind(value)))
    rest = text[at + 1 :].lower().replace("’", "'")
    if at < 0 or len(rest) > _MAX_CHARS:
        return False
    return bool(_OPTION_IS.match(rest) or _ANOTHER_OPTION.match(rest))


def is_overruled(value: str, text: str) -> bool:
    """Return whether a text ends by claiming the contrary of its yes, no or option.

    >>> is_overruled("Yes", "Yes, the lines meet. In conclusion, the lines don't meet.")
    True
    >>> is_overruled("true", "It is true. Final verdict: false."), is_overruled("A", "So, pick B.")
    (True, True)
    >>> is_overruled("Yes", "Yes, it is finite. In conclusion, it is not infinite.")
    False
    """
    said = value.strip(" .!*$()").lower()
    is_option = len(said) == 1 and said.isalpha()
    if not (is_option or said in _POLES):
        return False
    text = text.strip()[-_MAX_CHARS:]
    *before, last = _STOP.split(text.replace("’", "'"))
    if is_option:
        chosen = _CHOOSES.match(last)
        return chosen is not None and chosen[1].lower() != said
    positive = said in _POSITIVE
    if verdict := _VERDICT.match(last):
        return (verdict["pole"].lower() in _POSITIVE) == (positive == bool(verdict["not"]))
    return bool(before) and _denies(before[0], last, positive)


def _denies(first: str, last: str, positive: bool) -> bool:
    """Return whether the last sentence says the first again, with a denial more or less."""
    pole = _POLE.match(first)
    if pole is None or (pole[1].lower() in _POSITIVE) != positive:
        return False
    begin = _OPENS.match(last)
    claim = last[begin.end() if begin else 0 :]
    one, other = first[pole.end() :], claim
    if not one or bool(_NOT.search(one)) == bool(_NOT.search(other)):
        return False
    return _is_same(_words(one), _words(other))


def _is_same(one: list[str], other: list[str]) -> bool:
    """Return whether two clauses say the same, where a pronoun may be the subject of one."""
    if one == other:
        return len(one) > 1
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    if {longer[0] if longer else "", shorter[0] if shorter else ""} & _PRONOUNS:
        said = shorter[1:] if shorter and shorter[0] in _PRONOUNS else longer[1:]
        whole = longer if said == shorter[1:] else shorter
        rest = len(whole) - len(said)
        return bool(said) and whole[rest:] == said and rest <= _MAX_SUBJECT
    return False


def _words(clause: str) -> list[str]:
    """Return the words of a clause in one form of its verb, without denials and articles."""
    words = (_HELP.get(word, word) for word in _WORD.findall(clause.lower().replace("'", "")))
    return [word.removesuffix("es").removesuffix("s") for word in words if word]
