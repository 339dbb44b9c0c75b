"""An answer beside which another one is named: `45 (alternatively 46)`, `B (or C)`.

Two values in one place of a sentence, `at 10:05 or at 10:35`, are two where the same words stand
behind both; a value in two units, or written in two ways, is one. What joins them offers the second
beside the first, or says that it is the first: `7/10 of it, meaning 3/10 of it`.
"""

from __future__ import annotations

import re
from fractions import Fraction

from rewardkit.verifiers.expressions.units import known_unit
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.letters import OPTION_LETTER
from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import DOUBTS
from rewardkit.verifiers.vocabulary.sought import Sought, lowered
from rewardkit.verifiers.vocabulary.wordings import RESTATING

_VALUE = (
    r"(-?\d+(?:,\d{3})*(?:\.\d+)?(?:/\d+)?(?![\d.,/]*\d)"
    rf"|(?-i:{OPTION_LETTER})|yes|no|true|false)"
)
_MAYBE = (
    rf"(?:{alternatives(DOUBTS)}|quizás?|tal\svez|peut-être|vielleicht|forse|talvez|bien|auch|else)"
)
_ANOTHER = Sought(
    rf"[\w}})$][\s$.,;:(\[–—-]{{1,4}}(?:(?:or|oder|ou|o|oppure|ossia)\s(?:{_MAYBE}\s){{0,2}}|alternatively,?\s"
    rf"|{_MAYBE}\s|(?:(?:it|this|that|the\sanswer)\s)?(?:could|might|may)\s(?:also|"
    rf"equally(?:\swell)?|as\swell|well|just\sas\swell)\sbe\s|if\snot,?\s(?:then\s)?"
    rf"|failing\sthat,?\s|(?:second|other|next)\s(?:choice|guess|option):?\s)"
    rf"(?:it\sis\s)?[$]?{_VALUE}[$]?(?=(?:\s[^\W\d_]{{1,12}})?\s*(?:[).,;!?\]]|\Z|(?:if|when|too|also)\b))"
    rf"|[\w}})$][\s$.,;:(\[–—-]{{1,4}}(?:(?:but|though|although|and)\s)?[$]?{_VALUE}[$]?"
    r"\s(?:is|was|works|(?:would|could|might|may)\s(?:also\s)?be)"
    r"\s(?:(?:also|equally|just\sas|as|still|well)\s){0,2}"
    r"(?:acceptable|possible|correct|fine|right|valid|okay|ok|good|plausible|likely)(?:\s(?:too|as\swell))?\b"
    rf"|[\w}})$][\s$.,;:(\[–—-]{{1,4}}[$]?{_VALUE}[$]?\s(?:would|will|might|could)\s(?:also\s|"
    rf"equally\s)?(?:do|fit|work|pass|serve)"
    r"(?:\s(?:too|also|as\swell|just\sas\swell|equally\swell))?[.)\s]*\Z"
)
_WHERE = (
    r"(?:if|when|whenever|where|provided|for\s(?:odd|even|all|positive|negative|prime|[a-z]\s))"
)
_IN_OTHER_CASE = Sought(
    rf"[\w}})$]\s?,?\s{_WHERE}\b[^.!?\n]{{1,80}}?(?:[,;]|\sand|\sbut|\sor)\s"
    rf"(?:(?:and|but|or|also|it\sis)\s)?(?:[$]?{_VALUE}[$]?(?:\s[a-z]+)?,?\s(?:{_WHERE}|otherwise|else)\b"
    rf"|(?:otherwise|else),?\s(?:it\sis\s)?[$]?{_VALUE}(?=\W|\Z))"
)
"""One value in one case and another in another: `33 if n is odd, 34 if n is even`."""
_SAYS = (
    r"(?:then\s)?(?:(?:(?:the|my|our)\s(?:\w+\s)?(?:answer|result|value|total|number)|it)\s"
    r"|(?:take|use|try|accept)\s|I(?:['’]d|\swould|\swill)?\s(?:say|answer|take|go\swith|try|choose|pick)\s)?"
    r"(?:(?:is|(?:would|could|might|may|should|must)\s(?:also\s)?be|equals)\s)?"
)
OFFERS = Sought(
    r"\b(?:alternatively|failing\sthat|ersatzweise|notfalls|à\sdéfaut|en\ssu\sdefecto|alternativamente|in\salternativa"
    r"|(?:réponse|respuesta|risposta|resposta)\s(?:de\s|di\s)(?:secours|rechange|reserva|riserva|respaldo)"
    r"|as\s(?:an?|my)\s(?:fallback|backup|alternative|second\s\w+|plan\sB)"
    r"|(?:if|should|in\scase)\s(?:that|this|it|the\s(?:first|former)(?:\sone)?|my\s(?:first\s)?answer)"
    r"(?:['’]s|\s(?:is|be|was|turns?|proves?|isn['’]t|fails?|should|does))\b[^.,;\n\d]{0,40}"
    r"|(?:backup|fallback|alternat(?:iv)?e|runner-up|reserve|second|next)\s?(?:best\s)?(?:answer|guess"
    r"|candidate|bet|choice))(?:[\s,:–—-]|\sis\s|\sof\s){1,3}"
    rf"{_SAYS}[$]?{_VALUE}[$]?(?:\s[a-z]+)?(?:\sinstead)?\W*\Z"
)
"""A last sentence that offers another answer: `If that is wrong, then my answer is 6.`"""
_NUMBER = r"[$\\({]{0,3}-?\d[\d.,/]*(?<![.,])(?:%|\\%|[$})])*(?:\s[^\W\d_]+)?"
_LAST_NUMBER = r"(?<=[\s$])\d[\d.,/]*(?:\s[^\W\d_]+)?\W*\Z"
_TWO = as_pattern(
    rf"[^\d.\n]*{_NUMBER},?\s\(?(?P<where>for|in|with|according\sto|without|if|when|unless|at|"
    rf"under|by|on|assuming|before"
    r"|after)\s[^.\d\n,;]{1,60}(?:[,;]|,?\s(?:and|but|or))\s(?:(?:it|they)\s[a-z]+\s|only\s|then\s){0,2}"
    rf"{_NUMBER}\s\(?(?:(?:(?P=where)|before|after|under|at|on|in)\s[^.\d\n=]{{1,60}}|without|otherwise|else|if\snot)\W*\Z"
    rf"|[^\d.\n]*{_NUMBER}[^.\d\n]{{0,60}}[,;]\s\(?(?:and\s|but\s|or\s)?"
    r"(?:without\s(?!the\b)[a-z]+|otherwise|else|at\sworst|at\sbest"
    r"|(?:in|for|by|with)\s(?:the\s)?others?(?!\s(?:\d|words|terms)))\b[^.\d,;\n]{0,40}"
    rf"{_LAST_NUMBER}|[^\d.\n]*\b(?:one|first|former)\s[^.\d\n]*{_NUMBER}[^.\d\n]{{0,40}}[,;]\s"
    rf"(?:(?:and|but)\s)?the\s(?:second|latter|other)\s(?!\d)[^.\d,;\n]{{0,40}}{_LAST_NUMBER}"
)
"""Two values for two cases, in lower case: `8 for boys, 9 for girls`, `at best 9, at worst 8`."""
_TWO_VALUES = as_pattern(r"\d\D+\d")
_FIRST = as_pattern(rf"(?<![\w.]){_VALUE}", re.I)
_NUMBER_FIRST = as_pattern(r"[$\W]{0,3}(-?\d[\d.,]*(?<![.,]))(?=[\s,;，；、.(–—或-])")
_LEADS_ON = as_pattern(
    r"[=≈→:^*/×÷·+\n]|\s-\s|\b(?:is|are|so|thus|hence|therefore|gives?|makes?|equals?|means?|rather|that|which"
    r"|wait|no|actually|sorry|correction|and)\b|为|(?<!就)是|得|即|等于|(?<!もしく)(?<!また)は"
)
_UNIT = as_pattern(r"[^\s\w]?(?:\s[^\W\d_]+){0,2}")
"""What is counted, which may stand between the two."""
_OPERAND = as_pattern(
    r"\b(?:multiples?|divisors?|factors?|powers?)\sof\s\Z|\bdivisible\sby\s\Z", re.I
)
"""What a number is not offered behind: `the multiples of 5 or 7`."""
_MEASURE = as_pattern(r"\s?([^\W\d_]+)")
_SIZE = as_pattern(r"-?\d[\d.,/]*")
_COUNT = rf"(?:infinity|∞|{alternatives(NUMBER_WORDS)})"
_EITHER = rf"-?\d+(?:,\d{{3}})*(?:\.\d+)?(?:/\d+|:\d\d)?%?(?![\w.,:/]*\d)|{_COUNT}\b"
_BEHIND = r"(?:\s(?!or\b|and\b|that\b|meaning\b|i\.e\.|which\b)[^\W\d_]+){0,5}?"
_BOTH = as_pattern(
    rf"(?<![\w.,:/=^])(?<!\d\s)(?:[$€£]\s?)?({_EITHER})({_BEHIND})"
    r"(?:,?\s(?P<or>or)(?:\s(?:else|maybe|perhaps|possibly|it\sis))?"
    rf"|,?\s(?:and\sat\sthe\ssame\stime|{RESTATING}))"
    r",?\s(?P<placed>(?:(?:at|on|in|by|about|exactly|the|an?)\s)?)"
    rf"(?:[$€£]\s?)?(?P<other>{_EITHER})(?P<behind>{_BEHIND})[.!)]*\s*\Z"
)
_OF_ANOTHER = as_pattern(
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
_MAX_CHARS = 300


def names_another(text: str) -> bool:
    """Return whether behind its first value a text offers a different one for the same.

    >>> names_another("45 (alternatively 46)"), names_another("45, though 46 is possible too")
    (True, True)
    >>> names_another("90 minutes (or 2 hours)")
    True
    >>> names_another("1/2 (or 0.5)"), names_another("45 (40 + 5)")
    (False, False)
    >>> names_another("33 if n is odd, 34 if n is even"), names_another("33 if n is odd")
    (True, False)
    """
    text = text[:_MAX_CHARS]
    if says_two(text):
        return True
    for sign in (_ANOTHER, _IN_OTHER_CASE):
        if sign.may_be_in(text) and _is_beside(sign, text):
            return True
    return False


def says_two(text: str) -> bool:
    """Return whether a text ends with one value for one case and another for another.

    >>> says_two("8 for boys, 9 for girls"), says_two("It is 10 in summer and 12 in winter.")
    (True, True)
    >>> says_two("2 pens for 5 dollars"), says_two("3 left and the other 4 stayed.")
    (False, False)
    """
    return _TWO_VALUES.search(text) is not None and _TWO.match(lowered(text)) is not None


def is_in_reserve(text: str, value: str) -> bool:
    """Return whether a text begins with one number and only goes on to another, its last value.

    In whatever words: what leads on from the first to the other is a sign or a word of arriving.

    >>> is_in_reserve("13, oder aber 12", "12"), is_in_reserve("13; if need be, 12", "12")
    (True, True)
    >>> is_in_reserve("13 - 1 = 12", "12"), is_in_reserve("13 less one, which is 12", "12")
    (False, False)
    """
    first = _NUMBER_FIRST.match(text)
    last = text.rfind(value)
    if first is None or last < first.end() or _plain(first[1]) == _plain(_bare(value)):
        return False
    return _LEADS_ON.search(text, first.end(), last) is None


def offers_another(text: str) -> bool:
    """Return whether a text ends with an answer in case that the one before it is wrong.

    >>> offers_another("It is 5. If that is wrong, it is 6."), offers_another("Backup answer: 18.")
    (True, False)
    >>> offers_another("It is 17. Alternatively, we get 20 - 3 = 17.")
    False
    """
    near = max(0, len(text) - _MAX_CHARS)
    if not (offer := OFFERS.search(text, near)):
        return False
    before = [_plain(value[1]) for value in _FIRST.finditer(text, near, offer.start())]
    return bool(before) and _plain(offer[1]) not in before


def _is_beside(sign: Sought, text: str) -> bool:
    first = _FIRST.search(text)
    unit = _UNIT.match(text, first.end()) if first else None
    if first is None or unit is None or _OPERAND.search(text, 0, first.start()):
        return False
    for at in range(first.end() - 1, unit.end()):  # further behind, it is beside something else
        if other := sign.pattern.match(text, at):
            whole = _UNIT.fullmatch(text, first.end(), max(first.end(), at + 1))
            value = next(filter(None, other.groups()))
            if whole is None or _plain(first[1]) == _plain(value):
                return False
            behind = text[other.end() :] if other[1] else ""
            return not _is_same_measure(first[1], text[first.end() :], value, behind)
    return False


def another(text: str, place: int) -> str | None:
    """Return the value that is offered right behind a place in a text, or None.

    >>> another("It is 45 (alternatively 46).", 8), another("It is 45 (40 + 5).", 8)
    ('46', None)
    """
    behind = f"0{text[place : place + _MAX_CHARS].lstrip('$')}"
    other = _ANOTHER.pattern.match(behind)
    return next(filter(None, other.groups())) if other else None


def _bare(value: str) -> str:
    """Return a number without its unit."""
    number = _SIZE.match(value)
    return number[0].rstrip(".,") if number else value


def _is_same_measure(value: str, behind: str, other: str, behind_other: str) -> bool:
    """Return whether two numbers with their units measure the same: `2 h` and `120 min`."""
    words = _MEASURE.match(behind), _MEASURE.match(behind_other)
    units = [known_unit(word[1]) if word else None for word in words]
    sizes = _plain(value), _plain(other)
    if units[0] is None or units[1] is None or units[0][0] != units[1][0]:
        return False
    if not (isinstance(sizes[0], Fraction) and isinstance(sizes[1], Fraction)):
        return False
    return sizes[0] * units[0][1] == sizes[1] * units[1][1]


def _plain(value: str) -> Fraction | str:
    number = number_of(value)
    return value.lower() if number is None else number


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
    two = _BOTH.search(low)
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
