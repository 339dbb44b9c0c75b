"""The last quantity that plain text states: the whole expression around its last number.

A number that is an operand, one of a list, bounded, or denied is not what the text states. When
the expression around it is unclear, nothing is taken: a right answer missed costs less than a
wrong one paid for.
"""

from __future__ import annotations

from typing import NamedTuple

from rewardkit.verifiers.extraction.prose.denials import (
    is_negated,
    leads_away,
    numbers_a_place,
    turns_back,
)
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.characters import CJK
from rewardkit.verifiers.vocabulary.commands import INLINE_COMMANDS
from rewardkit.verifiers.vocabulary.names import PLAIN_FUNCTIONS
from rewardkit.verifiers.vocabulary.numbers import MULTIPLES
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.units import (
    LARGER_UNITS,
    PERCENT,
    PLAIN_UNIT_LETTERS,
    SMALLER_UNITS,
    UNITS,
)

_BEFORE, _AFTER = 600, 200
"""How much of a line around its last digit is read; this bounds all work."""
_ANNOTATION = as_pattern(r"<<[^<>\n]{0,200}>>")
"""What GSM8K's solutions calculate: `<<2+3=5>>5`."""
_BULLET = as_pattern(r"\s*(?:[*•>]|(?P<dash>[-–])|#{1,6})\s+")
_DRESS = as_pattern(
    r"(?<![A-Za-z0-9_)])\*\*|\*\*(?![A-Za-z0-9_(])|`|\\[,;!]|(?:\b(?:R|US|CA?|AU?|NZ|HK|S))?\\?\$|[€£₤]|</?(?:b|i|em|strong|p"
    r"|span|code|li|td)>"
)
"""Bold type, code, thin spaces and currencies, which say nothing of the value."""
_DRESSED = as_pattern(r"[*`\\$€£₤<]")
NUMERAL = (
    r"(?:\d{1,3}(?:[. ]\d{3})+,\d{1,2}(?!\d)|\d{1,2}(?:,\d{2})+,\d{3}(?!\d)"
    r"|\d{1,3}(?:(?:\.\d{3}){2,}(?:,\d+)?|(?:['’]\d{3})+|(?:_\d{3}){2,})(?!\d)"
    r"|\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d{1,3}(?: \d{3})+(?!\d)"
    r"|\d+,\d{1,2}(?![\d,])|\d*\.\d+|\d+)(?:[eE][+-]?\d+)?"
)
"""A number in plain text, its thousands apart or its decimals after a comma as may be."""
_TOKEN = as_pattern(
    rf"(?P<num>0x[0-9A-Fa-f]+|\d{{1,2}}\.[0-5]\d\s?[aApP]\.?[mM]\b\.?|{NUMERAL}(?:(?::\d+)+(?:\s?[aApP]\.?[mM]\b\.?)?)?(?:\s*{PERCENT})?)"
    r"|(?P<ident>[A-Za-z]+\d\w*|[A-Za-z]+_\{?\w+\}?)"
    rf"|(?P<letters>[{CJK}]+|[^\W\d_⁰-⁹²³¹{CJK}]+(?:['’][^\W\d_]+)*)"
    rf"|(?P<cmd>\\{alternatives(INLINE_COMMANDS)}(?![A-Za-z]))|(?P<arrow>[-=]+>|→|⇒|\\[a-zA-Z]+)"
    r"|(?P<op><=|>=|(?<!\d)!=|==|\*\*|[-−–+±*/^_=<>≤≥≠≈~×÷·∙⋅√∛])|(?P<mark>[²³⁴⁵⁶⁷⁸⁹¹⁰⁻π°′″∞!|])"
    r"|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<sep>[,;])|(?P<colon>:)|(?P<stop>\S)"
)
_FUNCTIONS = PLAIN_FUNCTIONS | {"pi", "mod"}
_NO_DIGITS = "".join(c for c in map(chr, range(128)) if not c.isdigit())
_UNKNOWNS = frozenset("xyznk")
_UNARY = frozenset("-−–+±√∛<>≤≥≠") | {"<=", ">=", "!="}
_EQUALS = ("=", "≈", "~", "\\approx", "==")
_RELATION = as_pattern(r"[<>≤≥≠]=?|!=|\\(?:[lg](?:e|eq|eqslant|t)|neq?)")
_LARGER = as_pattern(rf"\d\s*{alternatives(LARGER_UNITS)}(?:,|\s+and)?\s*\Z")
_SMALLER = as_pattern(rf"\s*{alternatives(SMALLER_UNITS)}\b")
"""Of `6 feet 7 inches`, 7 is a part."""


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


def last_quantity(text: str) -> str | None:
    """Return the expression that holds the last number of the text, or None when it is unclear.

    >>> last_quantity("So x = 10 - 7."), last_quantity("It is 3, 5, 7."), last_quantity("All but 7")
    ('10 - 7', '3, 5, 7', None)
    """
    text = _ANNOTATION.sub("", text) if "<<" in text else text
    end = len(text)
    while (digit := _last_digit(text, end)) >= 0:
        first = text.rfind("\n", 0, digit) + 1
        begin = max(first, digit - _BEFORE)
        stop = text.find("\n", digit, digit + _AFTER)
        stop = min(len(text), digit + _AFTER) if stop < 0 else stop
        line = text[begin:stop]
        if _DRESSED.search(line):
            line = _DRESS.sub(" ", line.replace("\\!", ""))
        tokens = _tokens(line, starts=begin == first)
        at = next((k for k in range(len(tokens) - 1, -1, -1) if tokens[k].kind == "num"), None)
        if at is not None:
            return _around(line, tokens, at, text[stop : stop + _AFTER])
        end = first
    return None


def _last_digit(text: str, end: int) -> int:
    """Return where the last digit before a place is, or -1."""
    found = len(text[:end].rstrip(_NO_DIGITS)) - 1
    if found < 0 or "0" <= text[found] <= "9":
        return found
    return max(text.rfind(d, 0, found) for d in "0123456789")


def _tokens(line: str, *, starts: bool) -> list[_Token]:
    """Return the tokens of a line, with the bullet that it starts with."""
    tokens: list[_Token] = []
    bullet = _BULLET.match(line) if starts else None
    if bullet and bullet["dash"]:  # of `- 7` nobody can say whether it is a list or a minus
        tokens.append(_Token("bullet", "-", 0, bullet.end()))
    for match in _TOKEN.finditer(line, bullet.end() if bullet else 0):
        kind, word, (at, end) = match.lastgroup or "stop", match[0], match.span()
        if kind == "letters":
            kind = _kind_of_letters(word, line[end : end + 1])
        elif kind == "ident":
            kind = "function" if word.startswith("log") else "var"
        tokens.append(_Token(kind, word, at, end))
    return tokens


def _kind_of_letters(word: str, following: str) -> str:
    low = word.lower()
    if low in ("and", "or"):
        return "join"
    if low in _FUNCTIONS or following == "(":
        return "function"
    if low in MULTIPLES and low not in ("dozen", "dozens"):  # who says 5 dozen counts dozens
        return "multiple"
    return "var" if len(word) == 1 and ord(word) < 0x400 else "word"


_MATHY = frozenset(
    ("num", "var", "function", "cmd", "op", "mark", "open", "close", "sep", "join", "multiple")
)


def _belongs(tokens: list[_Token], at: int) -> bool:
    """Return whether a token is mathematics; one letter is only beside an operator or a number."""
    token = tokens[at]
    before = tokens[at - 1] if at else None
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    touches = bool(before and before.end == token.start), bool(after and after.start == token.end)
    if token.kind == "op" and token.text in "-–":  # `7-day`, `7 - as I said`
        return not (after and after.kind == "word" and (touches[1] or not touches[0]))
    if token.kind == "colon":  # `3 : 7`, not `Total: 7`
        between = before and after and before.kind == after.kind == "num"
        return bool(between) and touches[0] == touches[1]
    if token.kind == "mark" and token.text == "!":
        return touches[0]
    if token.kind == "multiple":
        coins = before and token.text == "quarters" and before.text.isdecimal()
        if coins and before and len(before.text) > 1:  # fewer quarters are parts of a whole
            return False
        return bool(before and before.kind in ("num", "multiple"))
    if token.kind == "word":  # of `7th` only 7 counts; `7cm` is one quantity
        return bool(before and before.kind == "num" and touches[0]) and _is_factor(token.text)
    if token.kind != "var":
        return token.kind in _MATHY
    hyphen = after is not None and touches[1] and after.text in "-–"
    if hyphen and tokens[at + 2 : at + 3] and tokens[at + 2].kind == "word":
        return False  # `15 T-shirts`
    if before and before.kind == "num" and token.text in PLAIN_UNIT_LETTERS:
        return False  # `7 m`, `7m²`: as other units, not read
    if before and before.kind == "num" and token.text in _UNKNOWNS:
        return touches[0] or not (after and after.kind == "word")
    if before and (before.kind in ("op", "mark", "open") or (touches[0] and before.kind == "num")):
        return True
    beside = after and (
        after.kind in ("op", "mark") or (touches[1] and after.kind in ("open", "num"))
    )
    return bool(beside)


def _is_factor(word: str) -> bool:
    """Return whether letters right after a number belong to it: `7xy`, `7pm`; not `7th`, `7kgs`."""
    if word in ("am", "pm"):
        return True
    return len(word) < 4 and set(word) <= set("abcknpqrtuvwxyzπ") and word not in UNITS


def _around(line: str, tokens: list[_Token], at: int, rest: str) -> str | None:
    """Return the expression around the number at a place, or None when it is unclear or denied."""
    first = last = at  # grow over what is mathematics
    while first > 0 and _belongs(tokens, first - 1):
        first -= 1
    while last + 1 < len(tokens) and _belongs(tokens, last + 1):
        last += 1
    if first and tokens[first - 1].kind == "bullet" and first == at:
        return None
    first, last = _balanced(tokens, first, at, last)
    # take off what only joins it to the words around
    while first < at and (tokens[first].kind == "sep" or tokens[first].text in _EQUALS):
        first += 1
    if first < at and tokens[first].text.lower() == "and":
        first += 1
    other = tokens[first].kind == "join"
    while last > at and (tokens[last].kind in ("sep", "op", "join", "open")):
        if tokens[last].text not in (*",;=/≈~-−–", "and", "or", "("):
            return None
        last -= 1
    after = line[tokens[last].end :] + rest
    if turns_back(after):
        return None
    first, last = _unwrapped(tokens, first + other, last)
    stated = _stated(tokens, first, last)
    # An operator or an "or" whose other side is words: the number is a part of what is unclear,
    # unless it is what a calculation comes to, `3 boxes * 4 = 12`.
    cut_off = tokens[first].kind == "op" and tokens[first].text not in _UNARY
    before = line[max(0, tokens[first].start - 60) : tokens[first].start]
    if is_negated(before):
        return None
    part = _SMALLER.match(after) and _LARGER.search(before)
    if stated == first and (other or cut_off or part or leads_away(before)):
        return None
    if tokens[first].kind in ("num", "open") and numbers_a_place(before):
        return None
    return line[tokens[stated].start : tokens[last].end].strip()


def _balanced(tokens: list[_Token], first: int, at: int, last: int) -> tuple[int, int]:
    """Return the largest part around a place whose brackets pair."""
    opened: list[int] = []
    for k in range(first, last + 1):
        if tokens[k].kind == "open":
            opened.append(k)
        elif tokens[k].kind == "close" and opened:
            opened.pop()
        elif tokens[k].kind == "close" and k < at:
            first = k + 1
        elif tokens[k].kind == "close":
            last = k - 1
            break
    first = max([first, *(k + 1 for k in opened if k < at)])
    return first, min([last, *(k - 1 for k in opened if k > at)])


def _unwrapped(tokens: list[_Token], first: int, last: int) -> tuple[int, int]:
    """Return the inside of brackets that hold all of an expression and no list: `[5]`."""
    while last - first >= 2 and tokens[first].kind == "open" and tokens[last].kind == "close":
        inside = tokens[first + 1 : last]
        scaled = first and tokens[first - 1].text.lower() in MULTIPLES  # one million (1,000,000)
        parts = "|" if scaled else ",|"
        if any(t.kind in ("open", "close", "sep", "join") or {*parts} & {*t.text} for t in inside):
            break
        first, last = first + 1, last - 1
    return first, last


def _stated(tokens: list[_Token], first: int, last: int) -> int:
    """Return where what is stated begins: after the last `=` of one item, which relates nothing.

    Of calculations in a row, `3+4 = 7, 7*2 = 14`, only the last is a statement.
    """
    depth = 0
    equals: int | None = None
    divides: list[int] = []
    for k in range(first, last + 1):
        kind = tokens[k].kind
        depth += (kind == "open") - (kind == "close")
        if not depth and kind in ("sep", "join"):
            divides.append(k)
        elif not depth and tokens[k].text in _EQUALS:
            equals = k
    if divides and (
        equals is None
        or equals < divides[-1]
        or any(tokens[k].text.lower() == "or" for k in divides)
        or any(t.kind in ("var", "function") for t in tokens[divides[-1] + 1 : equals])
    ):
        return first
    begin = divides[-1] + 1 if divides else first
    if any(_RELATION.fullmatch(t.text) for t in tokens[begin : last + 1]):
        return first
    if equals is None or not any(t.kind == "num" for t in tokens[equals + 1 : last + 1]):
        return begin
    return equals + 1
