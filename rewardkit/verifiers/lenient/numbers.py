"""The number or formula that a sentence states, where it holds several."""

from __future__ import annotations

import re

from rewardkit.verifiers.format.found import Found, trimmed
from rewardkit.verifiers.vocabulary.patterns import words

_NUMERAL = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+,\d\d?(?![\d,])|\d+(?:\.\d+)?|\.\d+"
NUMBER = re.compile(
    r"(?:(?<![\w)}.,/])[-−–])?(?:(?:\\?\$|[€£])\s?-?)?(?<![\w.])"
    rf"(?:\d+\s\d+/\d+|(?:{_NUMERAL})(?:\s?/\s?\d+(?:\.\d+)?)?)"
    r"(?::\d+\b)?(?:\s?(?:x|×|\*|\\times)\s?10\s?\^\s?\{?[-−]?\d+\}?|[eE][-+]?\d+\b|\^\{?\d+\}?)?"
    r"(?:\s?(?:\\?%|percent\b)|\s?[ap]\.?m\b\.?)?",
)
_FORMULA = re.compile(
    r"\$\$(.+?)\$\$|\\\[(.+?)\\\]|\\\((.+?)\\\)|(?<!\\)\$((?:[^$\\\n]|\\.)+?)\$", re.S
)
_BRACKETS = re.compile(r"[(\[{][^()\[\]{}\n]{1,60},[^()\[\]{}\n]{1,60}[)\]}]")
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
    rf"\b(?<!the )(?<!these )(?<!both )(?<!all )"
    rf"(?:(?:one|an?)[\s-](?:{_PARTS}|hundred|thousand|million)|(?:{_COUNTS})"
    rf"(?:[\s-](?:and\s)?(?:{_COUNTS}|one|(?:{_PARTS})s?))*)\b",
    re.I,
)
"""Numbers in words, read where a sentence has no digits."""
_EQUALS = re.compile(r"(?:=|≈|\\approx)\s*")
_BESIDE = words(
    """after before in for of per over during by from with at within when if because since than
    every each on out until through between among as while where using to into under without
    against both"""
)
"""Words that lead to what is said beside a statement: `in 5 weeks`, `after buying 3`."""
_DETERMINERS = words("the a an all only just about around another those these")
_STATES = words("is are was were equals costs cost has have had gives makes needs")
_CLAUSE = re.compile(
    r"\s(?:if|when|because|since|after|before|while|as|given|assuming|considering|than)\s", re.I
)
"""What begins a clause beside the statement, where a number stands before it."""
_WORD = re.compile(r"[^\W\d_]+")
_TOTAL = re.compile(
    r"\b(?:a|the)\s(?:\w+\s)?(?:total|sum|profit|cost|price|average|mean|rate|speed|area|volume"
    r"|distance|maximum|minimum|amount|value|probability|product)\s(?:cost\s|price\s)?of\s?\W*\Z"
    r"|\b(?:equals?|comes?|amounts?|adds? up|sums? up|down|up|leads?|rounds?|simplif\w+) to\W*\Z",
    re.I,
)
_NUMBERS_A_THING = re.compile(
    r"(?:\b(?:step|part|figure|equation|problem|question|exercise|case|option|page|section|not)|#)\s*\Z",
    re.I,
)
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b|-(?:[a-z]{3,}|\d)")
_FACTOR = re.compile(r"[abknpqxyz]\b")
"""What makes a number the factor of an unknown: `2b`."""
_BULLET = re.compile(r"\s*\(?\d{1,2}[.)]\s")
MAX_VALUE = 200
_PROSE = re.compile(r"(?:(?<![\\\w])[^\W\d_]{2,}[,.:;]?\s+){2}[^\W\d_]{2,}")
_SIGN = re.compile(r"[\d$\\]")
_LAST_DIGIT = re.compile(r".*\d", re.S)
_LONG_WORD = re.compile(r"(?<!\\)[^\W\d_]{2,}")
_COMMANDS = re.compile(r"\\text\w*\s*\{|\\[a-zA-Z]+")


def is_value(text: str, *, number: bool) -> bool:
    """Return whether a text may be a value as it stands, and is no sentence around one.

    >>> is_value(r"\\frac{1}{2}\\text{ cm}", number=False), is_value("Tom has 5 left", number=False)
    (True, False)
    """
    if len(text) > MAX_VALUE or "\n\n" in text or text.count("$") > 2:
        return False
    plain = _COMMANDS.sub(" ", text)
    if _PROSE.search(plain):
        return False
    if number and (last := _LAST_DIGIT.match(plain)):
        before, behind = plain[: last.end()], plain[last.end() :]
        return not _LONG_WORD.search(before) and len(_LONG_WORD.findall(behind)) < 3
    first = _SIGN.search(plain)
    return len(_LONG_WORD.findall(plain, 0, first.start()) if first else ()) < 2


def stated(
    text: str, start: int, end: int, *, formulas: bool, in_words: bool = False
) -> Found | None:
    """Return the number that a sentence states, or its formula; None where it holds neither.

    It is what its last calculation comes to, else the last number that no preposition leads to.

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
    if (found := _of_formula(text, start, end, formulas=formulas)) is not None:
        return found
    numbers = [n for n in NUMBER.finditer(text, start, end) if not _names_no_value(text, start, n)]
    if formulas and (found := _plain_formula(text, start, end, bool(numbers))) is not None:
        return found
    if not numbers:
        spoken = list(_SPOKEN.finditer(text, start, end)) if in_words else []
        return trimmed(text, *spoken[-1].span(), "sentence") if spoken else None
    chosen = _result(text, numbers) or _main(text, start, numbers)
    return trimmed(text, chosen.start(), chosen.end(), "sentence")


def _of_formula(text: str, start: int, end: int, *, formulas: bool) -> Found | None:
    """Return the last formula of a sentence, or what it comes to, where no number stands behind."""
    if text.find("$", start, end) < 0 and text.find("\\", start, end) < 0:
        return None
    if not (found := list(_FORMULA.finditer(text, start, end))):
        return None
    last = found[-1]
    if _number_behind(text, last.end(), end):
        return None
    a, b = last.span(next(group for group in range(1, 5) if last[group] is not None))
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
    sides = list(_EQUALS.finditer(text, start, end))
    if sides:
        a = sides[-1].end()
        stop = _STOP.search(text, a, end)
        b = stop.start() if stop else end
        if a < b and is_value(text[a:b].strip(), number=True):
            return trimmed(text, a, b, "formula", ".")
    said = None if numbers else _SAID.search(text, start, end)
    return trimmed(text, *said.span(), "sentence") if said else None


def listed(text: str, start: int, end: int) -> Found | None:
    """Return the list in a sentence's last formula or brackets, or all its numbers together."""
    formulas = [one for one in _FORMULA.finditer(text, start, end) if "," in one[0]]
    if formulas:
        inside = next(group for group in range(1, 5) if formulas[-1][group] is not None)
        return trimmed(text, *formulas[-1].span(inside), "formula")
    if brackets := list(_BRACKETS.finditer(text, start, end)):
        return trimmed(text, *brackets[-1].span(), "formula")
    numbers = list(dict.fromkeys(n[0].strip() for n in NUMBER.finditer(text, start, end)))
    return Found(", ".join(numbers), start, end, "sentence") if len(numbers) > 1 else None


def _number_behind(text: str, at: int, end: int) -> bool:
    return any(not _names_no_value(text, at, n) for n in NUMBER.finditer(text, at, end))


def _names_no_value(text: str, start: int, number: re.Match[str]) -> bool:
    """Return whether a number numbers something: `Step 2`, `the 4th`, `a 5-day week`."""
    before = text[max(start, number.start() - 12) : number.start()]
    if _FACTOR.match(text, number.end()):
        return True
    return bool(_ORDINAL.match(text, number.end()) or _NUMBERS_A_THING.search(before))


def _result(text: str, numbers: list[re.Match[str]]) -> re.Match[str] | None:
    """Return the number that the last calculation of a sentence comes to."""
    for number in reversed(numbers):
        before = text[max(0, number.start() - 12) : number.start()].rstrip("$ \\{(*")
        if before.endswith(("=", "≈", "\\approx")):
            behind = text[number.end() : number.end() + 3].lstrip()
            return None if behind[:1] in ("+", "*", "×", "/") else number
    return None


def _main(text: str, start: int, numbers: list[re.Match[str]]) -> re.Match[str]:
    """Return the last number that is said in the main clause, else the last of all."""
    clause = _CLAUSE.search(text, numbers[0].end(), numbers[-1].end())
    main, at = [], start
    for number in numbers:
        if clause and number.start() > clause.start():
            break
        before = text[at : number.start()]
        near = [word for word in _WORD.findall(before.lower()) if word not in _DETERMINERS]
        if _in_brackets(text, start, number.start()):
            continue
        says = _TOTAL.search(before) or (near and near[-1] in _STATES)
        if says or _BESIDE.isdisjoint(near[-1 if at == start else -4 :]):
            main.append(number)
        at = number.end()
    return main[-1] if main else numbers[0] if clause else numbers[-1]


def _in_brackets(text: str, start: int, at: int) -> bool:
    """Return whether brackets are open at a place, those of formulas aside: `(5 of them`."""
    opened = text.count("(", start, at) - text.count("\\(", start, at)
    return opened > text.count(")", start, at) - text.count("\\)", start, at)
