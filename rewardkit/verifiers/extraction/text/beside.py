"""What stands beside an answer in its response and says of what it is, or says it again."""

from __future__ import annotations

import re
from functools import lru_cache

from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.commands import STYLED_TEXT, TEXT_COMMAND
from rewardkit.verifiers.vocabulary.numbers import MULTIPLES, NUMBER_WORDS
from rewardkit.verifiers.vocabulary.patterns import alternatives, left_open_by
from rewardkit.verifiers.vocabulary.phrases import (
    CONCLUSIONS,
    CONTRASTS,
    FAULTS,
    HEDGES,
    POSSIBILITIES,
)
from rewardkit.verifiers.vocabulary.units import DIRECTIONS, OTHER_KINDS, RIVALS

_NAME = r"p(?:H|OH|K[abw]?)(?![A-Za-z])"
"""A name of two letters or more, which chemistry gives."""
_NAMED = as_pattern(rf"\s*\$?\s*(?:\\(?:text|mathrm)\{{)?({_NAME}|[a-zA-Z])\}}?\s*=")
_NAMES = as_pattern(
    rf"(?<![A-Za-z\\_])(?:([a-zA-Z])\s?=|({_NAME})\}}?\$?\s?(?:=|is|of))\s?[\\$({{]*\Z"
)
_BASE = as_pattern(
    r"\}?(?:\$|\\\)|\*\*|\.)*\s\(?(?:in\s|to\s)?(?:the\s)?base[\s-]([a-z]{2,8}|\d{1,2})\b", re.I
)
_DIGITS = as_pattern(r"[0-9A-Za-z]+")
_AGAIN = as_pattern(
    r"(?<!\s)\s*+[,(]?\s*+(?<![^\W\d_])(?:i\.\s?e\.|that\sis(?=,)|that['’]s(?=\s)|or(?=\s)(?:\sequivalently)?|equivalently|in\sother\swords"
    r"|soit|c['’]est-à-dire|das\sheißt|d\.\s?h\.|cioè|ossia|es\sdecir|o\ssea|ou\sseja|即|也就是)(?![^\W\d_]),?\s*"
)
_TIMES = as_pattern(r"\W*?(?:times\b|-?fold\b|[×x]\s(?:as|larger|more)\b)")
_IN_BRACKETS = as_pattern(
    r"(-?[\d.,/]*\d(?:\s?%)?|\\[dt]?frac\{\d+\}\{\d+\})\s?\((?:or\s|=\s?|i\.e\.,?\s)?"
    r"(?P<about>(?:about|approximately|roughly|≈|~)\s?)?(?P<value>-?\d[\d.,/]*\s?(?:\\?%|percent)?)\)"
)
"""A value beside itself in another writing: `1/4 (25%)`."""
_DECIMAL_COMMA = as_pattern(r"(?<=\b0),(?=\d+\Z)|(?<=\b\d),(?=\d{1,2}\Z)")
_WORKED_OUT = as_pattern(
    r"\$?(-?\d[\d.,]*)(?:\s[a-z]+){0,2}\s\([^()=]*\d[^()=]*=\s?\$?(-?\d[\d.,]*)(?:\s[a-z]+){0,2}\)[.\s]*"
)
"""A value with its calculation in brackets: `12 (3 × 4 = 12)`."""
_DECLARED = as_pattern(
    r"(?:\$|\\\)|\\\]|\*\*)*,?\s(?:for|with|where)\s(?:(?:some|any|all|every|each|an)\s)?integers?\s\$?([a-z])\$?(?![\w^])"
    r"|(?:\$|\\\)|\\\]|\*\*)*,?\s(?:for|with|where)\s\$?([a-z])\$?\s(?:is\s)?(?:an|any)\sinteger\b"
)
_OTHER_MONEY = as_pattern(
    r"[€£¥₹¢]|\b(?:cents?|euros?|pounds?|yen|rupees?)\b|\$.*\b(?:thousand|million|billion|trillion)\b"
)
"""Of a gold answer, money other than plain dollars: `3 euros`, `$3 million`."""
_WORD = as_pattern("[a-z]+")
_OTHER_WAYS = RIVALS | OTHER_KINDS
_WAYS = DIRECTIONS.union(OTHER_KINDS)
_FUNCTION = as_pattern(r"\\m(?:ax|in)(?![a-z])")
_WARDS = as_pattern("(?:wards?|s|(?<=e)d)\\Z")
_NOTE = as_pattern(
    r"(?<=[\w%$])\s*\s\((?=[^()]*[a-zA-Z×*+/])(?!\s*(?:mod|base|or|if|not)\b)[^()=]*\)[.\s]*\Z"
)
"""What is said in brackets of a value: `150 eggs (25 × 6)`."""
_TAKES_AWAY = HEDGES | FAULTS | POSSIBILITIES | CONTRASTS | frozenset(MULTIPLES) | frozenset((
    "too", "approximately", "approx", "roughly", "rejected", "discarded", "when", "excluded",
    "just", "random", "randomly", "placeholder", "unverified", "depends", "depending", "question",
    "guessed", "dummy", "fake", "hope", "i", "my", "me", "you", "your", "kidding", "joke", "hint",
    "given", "estimate", "estimated", "first", "initial", "previous", "intermediate", "lucky",
    "assuming", "assumed", "copied", "grader", "reward", "example", "unsure", "tentative",
))  # fmt: skip
"""What a note says that makes less of its value, or another one."""
_IMPLIES = as_pattern(
    r"\\implies(?![a-z])|\\(?:Long)?[rR]ightarrow(?![a-z])|\\therefore(?![a-z])|[⇒∴]|=>"
    rf"|,?\s*{TEXT_COMMAND}\s*\{{\s*,?\s*{alternatives(CONCLUSIONS)}\b(?:\s(?:the|it|we)\b[^{{}}]*)?\s*\}}"
)
_PLAIN_NUMBER = as_pattern(r"\d+(?:\.\d+)?")
_OPERATOR = as_pattern(r"\d\s?(?:[-+*/×÷·]|\\[a-z]+)\s?\d")
_WAY_IN_TWO = as_pattern(r"(?<=north|south)-(?=east|west)|(?<=counter)-(?=c)|(?<=anti)-(?=c)")
_CONVENTION = as_pattern(
    r"\b[a-z]+\s(?:as|(?:is|be|being|to\sbe)(?:\staken\s(?:as|to\sbe))?)\s(?:the\s)?positive\b"
    r"|\bpositive\s(?:direction\s)?(?:is|as|be|being|means)\s(?:to(?:wards?)?\s(?:the\s)?|the\s)?[a-z]+\b",
    re.I,
)
"""Which way counts as positive: `taking east as positive`."""
_STOP = as_pattern(r"[.!?]\s|\n")
_MAX_SENTENCE = 200
_LOOKS_BACK = 12
_LEADS_IN_BOX = as_pattern(
    TEXT_COMMAND
    + r"\s*\{([^{}=<>]{3,120}\b(?:is|are|equals?|measures|at|becomes|length|area|volume|value"
    r"|radius|perimeter|height|width|distance|probability|slope|sum|product|coordinates|equation)\s*[:,]?\s*)\}"
)
"""Words in a box that lead to its value: `\\text{The side has length } \\sqrt{3}`."""
_UNSURE_IN_BOX = left_open_by(
    r"no|or|if|maybe|perhaps|may|than|twice|half|times|minus|plus|about|least|most|assum\w+|whether"
    r"|unless|without|wrong|square\sof|other"
)


def is_of_another(gold: str, text: str, response: str) -> bool:
    """Return whether a value is said to be of an unknown that the gold does not name.

    A response that speaks of the gold's unknown as well may have called it so itself.

    >>> is_of_another("x = 2", "2", "So y = 2."), is_of_another("x = 2", "2", "x = 2 if y = 2")
    (True, False)
    >>> is_of_another("pH = 3", "3", "The pOH is 3."), is_of_another("pH = 3", "3", "The pH is 3.")
    (True, False)
    """
    named = _NAMED.match(gold)
    at = response.rfind(text) if named and "=" not in text else -1
    if named is None or at < 0:
        return False
    other = _NAMES.search(response, max(0, at - _LOOKS_BACK), at)
    if other is None or (other[1] or other[2]).lower() == named[1].lower():
        return False
    return re.search(rf"(?<![A-Za-z\\]){named[1]}(?![A-Za-z])", response) is None


def with_dollar_sign(gold: str, text: str, response: str) -> str:
    r"""Return a number with the dollar sign before it, where the gold is money of another kind.

    Without its sign, it would be so many of the gold's.

    >>> with_dollar_sign("3 euros", "3", "It costs $3.")
    '\\$3'
    """
    if "$" not in response or not _OTHER_MONEY.search(gold):
        return text
    bare = text.lstrip("$")
    opens_no_formula = f"${bare}" in response and f"${bare}$" not in response
    return f"\\${bare}" if opens_no_formula else text


@lru_cache(maxsize=4096)
def ways_of(text: str) -> frozenset[str]:
    """Return the words of a text that say which way, or which of two things its value is.

    >>> ways_of("5 m/s due northwards")
    frozenset({'north'})
    >>> ways_of(r"minimum at \\min(a, b)")
    frozenset({'minimum'})
    """
    low = _FUNCTION.sub("", text).lower() if "\\m" in text else text.lower()
    if "-" in low or "anti" in low:
        low = _WAY_IN_TWO.sub("", low).replace("anticlockwise", "counterclockwise")
    words = (_WARDS.sub("", word) for word in _WORD.findall(low))
    return _WAYS.intersection(words)


def goes_another_way(asked: frozenset[str], response: str) -> bool:
    """Return whether the last sentence of a response says another way than one asked for.

    >>> goes_another_way(ways_of("5 N left"), "It is 5 N, to the right.")
    True
    """
    last = _STOP.split(response[-_MAX_SENTENCE:].rstrip(" .!\n"))[-1]
    said = ways_of(_CONVENTION.sub(" ", last) if "itive" in last else last)
    others = frozenset().union(*(_OTHER_WAYS[way] for way in asked))
    return asked.isdisjoint(said) and not others.isdisjoint(said)


def multiplies(value: str, response: str) -> bool:
    """Return whether a value says how many times as large something is.

    >>> multiplies("50", "It is 50 times as large."), multiplies("50", "It is 50 percent.")
    (True, False)
    """
    at = response.rfind(value)
    return at >= 0 and _TIMES.match(response, at + len(value)) is not None


def without_note(text: str, *, boxed: bool = False) -> str | None:
    """Return a value without what is said of it in brackets behind it, or None.

    >>> without_note("150 eggs (25 × 6)"), without_note(r"17\\text{ (a prime)}")
    ('150 eggs', '17')
    >>> without_note(r"17\\text{ (rejected)}"), without_note("f (x)")
    (None, None)
    """
    styled = "\\text" in text
    plain = STYLED_TEXT.sub(r" \1", text) if styled else text
    note = _NOTE.search(plain) if plain.rstrip(" .").endswith(")") else None
    value = plain[: note.start()].rstrip() if note else ""
    if note is None or not (has_digit(value) or value.startswith("$")):
        return None
    if not (styled or boxed):
        return value
    numbers = set(_PLAIN_NUMBER.findall(note[0]))
    other = numbers - set(_PLAIN_NUMBER.findall(value)) and not _OPERATOR.search(note[0])
    return None if other or not _TAKES_AWAY.isdisjoint(_WORD.findall(note[0].lower())) else value


def behind_words(text: str) -> str | None:
    """Return the value behind the words that lead to it in a box, or None.

    >>> behind_words(r"\\text{The side has length } \\sqrt{3}")
    '\\\\sqrt{3}'
    >>> behind_words(r"\\text{The side is longer than } \\sqrt{3}")
    """
    if not text.startswith("\\text"):
        return None
    words = _LEADS_IN_BOX.match(text)
    if words is None or _UNSURE_IN_BOX.search(words[1]):
        return None
    value = text[words.end() :].strip(" .")
    return None if _UNSURE_IN_BOX.search(value) else value or None


def implied(text: str) -> str | None:
    """Return what an answer comes to that goes on from an equation, or None.

    >>> implied(r"3x + 1 = 22 \\implies x = 7"), implied(r"p \\implies q")
    ('x = 7', None)
    """
    steps = _IMPLIES.split(text) if _IMPLIES.search(text) else []
    return steps[-1].strip() if steps and all("=" in step for step in steps[:-1]) else None


def with_base_behind(text: str, response: str) -> str:
    """Return digits with the base that is named behind them.

    >>> with_base_behind("143", "It is 143 in base 6."), with_base_behind("143", "It is 143.")
    ('143_{6}', '143')
    """
    at = response.rfind(text) if _DIGITS.fullmatch(text) else -1
    base = _BASE.match(response, at + len(text)) if at >= 0 else None
    if base is None:
        return text
    name = base[1].lower()
    number = NUMBER_WORDS.get(name, 0) if name.isalpha() else int(name)
    return f"{text}_{{{number}}}" if 2 <= number <= 36 else text


def with_declaration(text: str, response: str) -> str:
    r"""Return a formula in a box with the whole number that is declared behind the box.

    >>> with_declaration("6m + 1", r"So \boxed{6m + 1} for some integer $m$.")
    '6m + 1, m \\in \\mathbb{Z}'
    """
    at = response.rfind(f"{{{text}}}") if "integer" in response else -1
    said = _DECLARED.match(response, at + len(text) + 2) if at >= 0 else None
    return f"{text}, {said[1] or said[2]} \\in \\mathbb{{Z}}" if said else text


def restated(text: str) -> list[str]:
    """Return both writings of an answer that says itself again, else nothing.

    >>> restated("x < 2, soit ]-5; 2["), restated("x < 2")
    (['x < 2', ']-5; 2['], [])
    """
    if "\\(" in text:
        text = text.replace("\\(", " ").replace("\\)", " ").strip()
    if len(text) <= _MAX_SENTENCE and (worked := _WORKED_OUT.fullmatch(text)):
        return [worked[1], worked[2]]
    if beside := _IN_BRACKETS.fullmatch(text):
        again = _DECIMAL_COMMA.sub(".", beside["value"])
        return [beside[1]] if beside["about"] else [beside[1], again]
    pieces = [
        piece.strip(" ,()") if k == 0 else _closed(piece)
        for k, piece in enumerate(_AGAIN.split(text))
    ]
    return pieces if len(pieces) == 2 and all(pieces) else []


def _closed(piece: str) -> str:
    """Return the second of two writings without the bracket that opened before it."""
    piece = piece.strip()
    opened = piece.endswith(")") and piece.count(")") > piece.count("(") and "[" not in piece
    return piece[:-1].strip() if opened and "]" not in piece else piece
