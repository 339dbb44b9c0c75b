"""The number or formula that a sentence states, where it holds several.

In order: the result of its calculation; the number that a calculation before it came to, which it
restates; the last number of its main clause.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.format.found import DRESS, Found, trimmed
from rewardkit.verifiers.vocabulary.patterns import words

_NUMERAL = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+,\d\d?(?![\d,])|\d+(?:\.\d+)?|\.\d+"
NUMBER = re.compile(
    r"(?:(?<![\w)}.,/])[-−–])?(?:(?:\\?\$|[€£])\s?-?)?(?<![\w.])"
    rf"(?:\d+\s\d+/\d+|(?:{_NUMERAL})(?:\s?/\s?\d+(?:\.\d+)?)?)"
    r"(?::\d+\b)?(?:\s?(?:x|×|\*|\\times)\s?10\s?\^\s?\{?[-−]?\d+\}?|[eE][-+]?\d+\b|\^\{?\d+\}?)?"
    r"(?:\s?(?:π|√\d+))?(?:\s?(?:\\?%|percent\b)|\s?[ap]\.?m\b\.?)?"
)
"""A number in plain text, with its sign, fraction, power of ten, percent sign or hour of day."""
FORMULA = re.compile(
    r"\$\$(.+?)\$\$|\\\[(.+?)\\\]|\\\((.+?)\\\)|(?<!\\)\$((?:[^$\\\n]|\\.)+?)\$", re.S
)
_BRACKETS = re.compile(r"[(\[{][^()\[\]{}\n]{1,60},[^()\[\]{}\n]{1,60}[)\]}]")
"""A point, interval or set in plain text."""
_STOP = re.compile(r"[,;](?=\s)|\s(?:for|where|when|if|with|and|or|which|as)\s|\.(?=\s|\Z)")
_SAID = re.compile(
    r"\b(?:no (?:real |integer |such )*(?:solutions?|roots?|values?)|infinitely many(?: solutions)?"
    r"|all real numbers|empty set|undefined|does not exist)\b",
    re.I,
)
"""Answers in words that stand for a value."""
_COUNTS = (
    "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    "|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred"
    "|thousand|million"
)
_PARTS = "half|third|quarter|fourth|fifth|sixth|eighth|tenth"
_SPOKEN = re.compile(
    r"\b(?<!the )(?<!these )(?<!both )(?<!all )"
    rf"(?:(?:one|an?)[\s-](?:{_PARTS}|hundred|thousand|million)|(?:{_COUNTS})"
    rf"(?:[\s-](?:and\s)?(?:{_COUNTS}|one|(?:{_PARTS})s?))*)\b",
    re.I,
)
"""Numbers in words, read where a sentence has no digits."""
_BOLD = re.compile(r"(?<!\*)\*\*([^*\n]{1,60})\*\*(?!\*)")
_EQUALS = re.compile(r"(?:=|≈|\\approx)\s*")
_BESIDE = words(
    """after before in for of per over during by from with at within when if because since than
    every each on out until through between among as while where using to into under without
    against both"""
)
"""Words that lead to what is said beside a statement: `in 5 weeks`, `after buying 3`."""
_DETERMINERS = words("the a an all only just about around another those these")
_STATES = words("is are was were equals costs cost has have had gives makes needs")
"""Verbs behind which the number stands that a sentence is about."""
_TOTAL = re.compile(
    r"\b(?:a|the)\s(?:\w+\s)?(?:total|sum|score|cost|price|average|mean|rate|speed|area|distance"
    r"|maximum|minimum|amount|value|probability)\s(?:cost\s|price\s)?of\s?\W*\Z"
    r"|\b(?:equals?|comes?|amounts?|adds? up|sums? up|down|up|leads?|rounds?|simplif\w+|equivalent)"
    r" to\W*\Z",
    re.I,
)
"""Where a preposition leads to the statement itself: `a total of 5`, `comes to 5`."""
_CLAUSE = re.compile(
    r"\s(?:if|when|because|since|after|before|while|as|given|assuming|considering|than|that|who"
    r"|in order|to (?!the\b|a\b)[a-z]{2,})\s",
    re.I,
)
"""What begins a clause beside the statement, where a number stands before it."""
_WORD = re.compile(r"[^\W\d_]+")
_NUMBERS_A_THING = re.compile(
    r"(?:\b(?:step|part|figure|equation|problem|question|exercise|case|option|page|section|not)"
    r"|#)\s*\Z",
    re.I,
)
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b|-(?:[a-z]{3,}|\d)")
_FACTOR = re.compile(r"[abknpqxyz]\b")
"""What makes a number the factor of an unknown: `2b`."""
_BULLET = re.compile(r"\s*\(?\d{1,2}[.)]\s")
_OPERATORS = ("+", "-", "*", "×", "÷", "/", "−")
_GIVEN = re.compile(
    r"\b(?:when|if|where|for|at|with|since|given|let)\s+[a-zA-Z]\w{0,2}\s*=[\s$\\({*]*\Z", re.I
)
"""What makes an equation a condition: `when x = 3`."""
_GOES_ON = re.compile(r"\s?(?:(?!\*\*)[+*×/])")
_IS = re.compile(r"\b(?:is|are|equals|gives|becomes)(?:\s(?:equal to|about|only|just))?\W*\Z", re.I)
_CALCULATIONS, _FAR = 4, 2000
"""How many results before a sentence it may restate, and how far before it they stand."""
_BEFORE_RESULT = re.compile(r"[\s$\\({*]*")
_BEHIND_RESULT = re.compile(
    r"\s[^\W\d_]{2}|(?!\s?(?:(?!\*\*)[-+*/×÷^=\w(]|\\(?:times|cdot|div|frac)))"
)
"""What follows a result; an operator would make it an operand."""
_CONCLUDES = re.compile(r"\s*(?:so|thus|hence|therefore|then|finally),?\s", re.I)
_MAX_VALUE = 200
_PROSE = re.compile(r"(?:(?<![\\\w])[^\W\d_]{2,}[,.:;]?\s+){2}[^\W\d_]{2,}")
_SIGN = re.compile(r"[\d$\\]")
_LAST_DIGIT = re.compile(r".*\d", re.S)
_UNITS = re.compile(r"[^\w-]*(?:(?<!-)[^\W\d_]+[^\w-]*){0,2}")
"""What may stand behind the last digit of a value: two words at most."""
_LONG_WORD = re.compile(r"(?<!\\)[^\W\d_]{2,}")
_COMMANDS = re.compile(
    r"\\(?:text|mathrm|mbox)\w*\s*\{[^{}]*\}(?:\^\{?\d\}?)?|\\[a-zA-Z]+|(?<=[a-zA-Z])\^\{?[23]\}?"
)
"""What says nothing of whether a text is a sentence: units set upright, commands, powers."""


def is_value(text: str, *, number: bool) -> bool:
    """Return whether a text may be a value as it stands, and is no sentence around one.

    >>> is_value(r"\\frac{1}{2}\\text{ cm}", number=False), is_value("Tom has 5 left", number=False)
    (True, False)
    """
    if _CONCLUDES.match(text) or len(text) > _MAX_VALUE or "\n\n" in text or text.count("$") > 2:
        return False
    plain = _COMMANDS.sub(" ", text)
    if _PROSE.search(plain):
        return False
    if number and (last := _LAST_DIGIT.match(plain)):
        before, behind = plain[: last.end()], plain[last.end() :]
        return not _LONG_WORD.search(before) and _UNITS.fullmatch(behind) is not None
    first = _SIGN.search(plain)
    return len(_LONG_WORD.findall(plain, 0, first.start()) if first else ()) < 2


def stated(
    text: str, start: int, end: int, *, formulas: bool, in_words: bool = False
) -> Found | None:
    """Return the number that a sentence states, or its formula; None where it holds neither.

    Args:
        text: the response.
        start: where the sentence begins.
        end: where it ends.
        formulas: whether a formula may be the answer as it stands, and not just its last number.
        in_words: whether a number may be said in words, where the sentence has no digits.

    >>> text = "So 3 * 5 = 15 eggs in 2 weeks."
    >>> stated(text, 0, len(text), formulas=False).text
    '15'
    """
    bullet = _BULLET.match(text, start, end)
    start = bullet.end() if bullet and bullet.end() < end else start
    if (bold := _bold(text, start, end)) is not None:
        return bold
    if (found := _last_formula(text, start, end, formulas=formulas)) is not None:
        return found
    numbers = _numbers(text, start, end)
    if formulas and (found := _plain_formula(text, start, end, any(numbers))) is not None:
        return found
    if not numbers:
        spoken = list(_SPOKEN.finditer(text, start, end)) if in_words else []
        return trimmed(text, *spoken[-1].span(), "sentence") if spoken else None
    chosen = _result(text, numbers) or _said_last(text, end, numbers[-1])
    chosen = chosen or _restated(text, start, numbers)
    chosen = chosen or (_main(text, start, numbers) or numbers)[-1]
    return trimmed(text, *chosen.span(), "sentence")


def _bold(text: str, start: int, end: int) -> Found | None:
    """Return the last value that stands in bold type in a sentence that does not."""
    for bold in reversed(list(_BOLD.finditer(text, start, end))):
        if any(c.isdigit() for c in bold[1]) and is_value(bold[1], number=True):
            return trimmed(text, *bold.span(1), "bold")
    return None


def listed(text: str, start: int, end: int) -> Found | None:
    """Return the list in a sentence's last formula or brackets, or the numbers that it states.

    >>> text = "So the two numbers are 8 and 32."
    >>> listed(text, 0, len(text)).text
    '8, 32'
    """
    formulas = [one for one in FORMULA.finditer(text, start, end) if "," in one[0]]
    if formulas:
        return trimmed(text, *_inside(formulas[-1]), "formula")
    if brackets := list(_BRACKETS.finditer(text, start, end)):
        return trimmed(text, *brackets[-1].span(), "formula")
    numbers = _numbers(text, start, end)
    main = _main(text, start, numbers) if numbers else []
    said = dict.fromkeys(n[0].strip() for n in main if not _is_operand(text, n))
    return Found(", ".join(said), start, end, "sentence") if len(said) > 1 else None


def leading_formula(text: str, start: int, end: int) -> Found | None:
    """Return the formula that a mark's words begin with, where they hold no other value.

    >>> text = r"\\(\\frac{2}{7}\\) of a pie"
    >>> leading_formula(text, 0, len(text)).text
    '\\\\(\\\\frac{2}{7}\\\\)'
    """
    first = FORMULA.match(text, start, end)
    if first is None or not _LONG_WORD.search(text, first.end(), end):
        return None
    if FORMULA.search(text, first.end(), end) or _number_behind(text, first.end(), end):
        return None
    return trimmed(text, *first.span(), "formula")


def _inside(formula: re.Match[str]) -> tuple[int, int]:
    return formula.span(next(group for group in range(1, 5) if formula[group] is not None))


def _numbers(text: str, start: int, end: int) -> list[re.Match[str]]:
    return [n for n in NUMBER.finditer(text, start, end) if not _names_no_value(text, start, n)]


def _last_formula(text: str, start: int, end: int, *, formulas: bool) -> Found | None:
    """Return the last formula of a sentence, or what it comes to, where no number stands behind."""
    if text.find("$", start, end) < 0 and text.find("\\", start, end) < 0:
        return None
    found = list(FORMULA.finditer(text, start, end))
    if not found or _number_behind(text, found[-1].end(), end):
        return None
    a, b = _inside(found[-1])
    if not formulas:
        sides = list(_EQUALS.finditer(text, a, b))
        a = sides[-1].end() if sides and sides[-1].end() < b else a
        if not any(c.isdigit() for c in text[a:b]):
            return None
    return trimmed(text, a, b, "formula")


def _plain_formula(text: str, start: int, end: int, numbers: bool) -> Found | None:
    """Return what plain text writes in brackets with a comma, behind its last `=`, or in words."""
    if brackets := list(_BRACKETS.finditer(text, start, end)):
        return trimmed(text, *brackets[-1].span(), "formula")
    if sides := list(_EQUALS.finditer(text, start, end)):
        begin = sides[-1].end()
        stop = _STOP.search(text, begin, end)
        until = stop.start() if stop else end
        if begin < until and is_value(text[begin:until].strip(), number=False):
            return trimmed(text, begin, until, "formula", f".{DRESS}")
    said = None if numbers else _SAID.search(text, start, end)
    return trimmed(text, *said.span(), "sentence") if said else None


def _number_behind(text: str, at: int, end: int) -> bool:
    """Return whether a number stands behind a formula that no preposition leads to."""
    numbers = _numbers(text, at, end)
    return bool(numbers) and bool(_main(text, at, numbers, begins=False))


def _names_no_value(text: str, start: int, number: re.Match[str]) -> bool:
    """Return whether a number numbers something: `Step 2`, `the 4th`, `a 5-day week`."""
    behind = number.end()
    if _FACTOR.match(text, behind) or _ORDINAL.match(text, behind):
        return True
    return bool(_NUMBERS_A_THING.search(text[max(start, number.start() - 12) : number.start()]))


def _result(text: str, numbers: list[re.Match[str]]) -> re.Match[str] | None:
    """Return the number that the last calculation of a sentence comes to."""
    for number in reversed(numbers):
        before = text[max(0, number.start() - 12) : number.start()].rstrip("$ \\{(*")
        if before.endswith(("=", "≈", "\\approx")):
            if _GIVEN.search(text, max(0, number.start() - 40), number.start()):
                continue
            return None if _GOES_ON.match(text, number.end()) else number
    return None


def _said_last(text: str, end: int, number: re.Match[str]) -> re.Match[str] | None:
    """Return the last number of a sentence that ends in `is 16 pounds`."""
    before = text[max(0, number.start() - 20) : number.start()]
    return number if _IS.search(before) and _UNITS.fullmatch(text, number.end(), end) else None


def _restated(text: str, start: int, numbers: list[re.Match[str]]) -> re.Match[str] | None:
    """Return the number of a sentence that one of the last calculations before it came to."""
    if len(numbers) < 2:
        return None
    values = [_digits(number[0]) for number in numbers]
    place = start
    for _ in range(_CALCULATIONS):
        place = text.rfind("=", max(0, start - _FAR), place)
        if place < 0:
            break
        gap = _BEFORE_RESULT.match(text, place + 1, start)
        result = NUMBER.match(text, gap.end(), start) if gap else None
        if result and _digits(result[0]) in values and _BEHIND_RESULT.match(text, result.end()):
            return numbers[values.index(_digits(result[0]))]
    return None


def _digits(number: str) -> str:
    return number.strip(" $€£\\%").replace(",", "")


def _main(
    text: str, start: int, numbers: list[re.Match[str]], *, begins: bool = True
) -> list[re.Match[str]]:
    """Return the numbers that are said in the main clause of a sentence.

    Args:
        text: the response.
        start: where the sentence begins, or the part of it that is read.
        numbers: its numbers.
        begins: whether the sentence begins there, so that a word before its first number leads to
            that only from right before it.
    """
    clause = _CLAUSE.search(text, numbers[0].end(), numbers[-1].end())
    main, at = [], start
    for k, number in enumerate(numbers):
        if clause and number.start() > clause.start():
            break
        before = text[at : number.start()]
        near = [word for word in _WORD.findall(before.lower()) if word not in _DETERMINERS]
        says = _TOTAL.search(before) or (near and near[-1] in _STATES)
        beside = not says and not _BESIDE.isdisjoint(near[-1 if begins and not k else -4 :])
        if not beside and not _in_brackets(text, start, number.start()):
            main.append(number)
        at = number.end()
    return main or (numbers[:1] if clause and begins else [])


def _is_operand(text: str, number: re.Match[str]) -> bool:
    """Return whether a number is a part of a calculation, and not what it comes to."""
    before, behind = (
        text[max(0, number.start() - 3) : number.start()].rstrip(" $"),
        text[number.end() : number.end() + 3].lstrip(),
    )
    return before.endswith(_OPERATORS) or behind.startswith((*_OPERATORS, "=", "(", "^"))


def _in_brackets(text: str, start: int, at: int) -> bool:
    """Return whether brackets are open at a place, those of formulas aside: `(5 of them`."""
    opened = text.count("(", start, at) - text.count("\\(", start, at)
    return opened > text.count(")", start, at) - text.count("\\)", start, at)
