"""Text without what says nothing of a value: stray tags, invented dialogue, the signs of money."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.commands import TEXT_COMMAND
from rewardkit.verifiers.vocabulary.sought import holds_one
from rewardkit.verifiers.vocabulary.units import SHORT_AMOUNT, in_full

_TURN = as_pattern(r"\n\s*+(?=[UuHhQqPp])(?:User|Human|Question|Problem)\s*:", re.I)
_TAG = as_pattern(
    r"<(?:\$?/?\s*[a-zA-Z][\w-]*(?:[\s/|=][^<>\n]{0,80})?>"
    r"|/(?:\s*[a-zA-Z]*\s*\Z|[^\W\d_][\w-]{2,}>))"
)
_TAG_END = as_pattern(
    r"(?<![\w/])(?:answer|think)>|^[^\W\d_]{2,12}>(?=\s)|^[^\x00-\x7f]{1,4}>", re.I | re.M
)
"""What is left of a tag that lost its beginning."""
_MAY_END_TAG = as_pattern(r">(?<=[^\W\d_]>|[^\x00-\x7f]>)")
_BRACKETED = as_pattern(r"<\s*(-?\d[\d.,]*)\s*>")
_VECTOR = as_pattern(r"<\s*(-?[\d./]+(?:\s*,\s*-?[\d./]+)+)\s*>")
_STEP = as_pattern(r"[^.?!]{0,200}\d[\d.)\s]{0,20}[-+*/^×·÷][\s(]{0,9}[\d.a-z(][^?!]{0,200}")
_RESULT_LINE = as_pattern(r"=?\s?-?\d[\d.,/]*(?:\s[a-zA-Z°%²³]{1,12}(?:\s[a-z]{2,12})?)?")
_COUNTED = as_pattern(
    r"\W*?(-?\d[\d.,]*)(?:\s+(?:[a-zA-Z]*[A-Z]{2,}[a-z]{0,2}|[a-zA-Z]+[&'’][\w&'’]+|[mglsh]"
    r"|[a-zA-Z]-[a-z]{3,})|(?<=\d)(?:(?:st|nd|rd|th)\s(?!roots?\b|powers?\b)[a-z]{3,}|MPH|KPH|KMH|KM|CM|MM|KG|LBS?|FT|HRS?|MINS?|SEC|ML|USD))\W*"
)
_COINS = as_pattern(r"\W*?(\d\d+|[4-9])\s+quarters\W*")
"""So many quarters are counted: fewer may be parts of a whole."""
_GLUED = as_pattern(
    r"(?:[^\W\d_]\s?=\s?)?(-?\d[\d.,]*(?:\s?(?:×|\\times)\s?10(?:\^\{?-?\d+\}?|[⁻⁰¹²³⁴-⁹]+))?)"
    r"(?:[mglsh]|\s[mgshLNJWVAKCFT])\.?"
)
_HOPE = as_pattern(r"I hope (?:it|this) is correct\.?\s*+\Z")
_FAR = 60
"""So far from the end it begins at most."""
_STRUCK = as_pattern(r"(?<!~)~~(?=[^\s~])[^~\n]{1,200}(?<!\s)~~(?!~)")
_STRUCK_TAG = as_pattern(
    r"<(?P<tag>del|strike)>[^<>\n]{1,200}</(?P=tag)>|<s>[^<>\n]{1,60}</s>(?=[^\n<]*\w)"
    r"|(?<=\w\s)<s>[^<>\n]{1,60}</s>(?=\s*[^\s<])",
    re.I,
)
"""Behind `</s>` alone there is more: a token that ends a turn is written so too."""
_CANCELLED = as_pattern(
    r"\\sout\s?\{[^{}\n]{1,100}\}|(?<![{\d*·/])\\cancel\{-?\d[\d.,]*\}(?!\s?[{}/\\(]|\d)"
)
_STRIKING = ("</s>", "</del>", "</strike>", "</S>", "</DEL>")
_MAY_BE_POWER = as_pattern(r"\*\*(?<=[\w)]\*\*)(?=[\w(-])")
_GLUED_MONEY = as_pattern(r"\$(?<=[a-z]{3}\$)(?=\d[\d.,]*(?:[\s.!?]|\Z))")
"""It begins with the sign itself, or every word would be tried."""
_WORD_BEFORE = as_pattern(r"(?<![\\\w])[a-z]{3,15}\Z")
_LONGEST_WORD = 17
_POWER_OR_BOLD = as_pattern(
    r"\*\*(?:(?<![\w)]\*\*)[^\s*](?:[^*\n]|\*(?!\*))*\*\*|(?<![^\W\d_][^\W\d_]\*\*)(?<=[\w)]\*\*)()(?=[\w(-]))"
)
"""What opens bold type stands behind no letter; a power stands behind one letter alone."""
_MONEY = as_pattern(r"\$\s?(?=\d)")
_ESCAPED = as_pattern(r"(?<!\\)\\\$\s?(?=\d)")
_COUNTRY = as_pattern(r"\b(?:R|US|CA?|AU?|NZ|HK|S)\Z")
"""What says right before a dollar sign whose dollars they are: `US$`."""
_MAY_BE_SHORT = as_pattern(r"\$\d[\d,.]*\s?[kKMbB]")
"""What every short amount begins with: a sign at its beginning is found in no time."""
_SHORT_SCALE = as_pattern(rf"(?<=\$){SHORT_AMOUNT}(?=[\s.,;!?)]|\Z)")
_DIGIT_BEFORE, _LETTER_BEFORE = as_pattern(r"(?<=\d)|(?<=\d\.)"), as_pattern(r"(?<=[^\W\d_])")
_DIGIT_BEHIND, _LETTER_BEHIND = as_pattern(r"[.,]?\d"), as_pattern(r"[^\W\d_]")
"""What makes a value a part of a longer number or word."""
_IN_TEXT = as_pattern(TEXT_COMMAND + r"\s*\{(?:[^{}]|\{[^{}]*\})*\}")
_WORD = as_pattern(r"(?<![\\\w])(?<!\\begin\{)(?<!\\end\{)(?![A-Z]{2,4}\b)[^\W\d_]{2,}")
"""One that is no command and names no environment, `\\begin{pmatrix}`."""


def without_turns(text: str) -> str:
    """Return a text up to the next turn of a dialogue that it invents."""
    turn = _TURN.search(text)
    return text[: turn.start()] if turn and text[: turn.start()].strip() else text


def without_struck(text: str) -> str:
    """Return a text without what it strikes through.

    >>> without_struck("It is ~~77~~ 78.")
    'It is  78.'
    >>> without_struck("So <del>A</del> B.")
    'So  B.'
    """
    # One character is found many times sooner than two, in a text of 400 kB.
    text = _STRUCK.sub("", text) if "~" in text else text
    if "</" in text and holds_one(text, _STRIKING):
        text = _STRUCK_TAG.sub("", text)
    return _CANCELLED.sub("", text) if "\\cancel{" in text or "\\sout{" in text else text


def with_money_apart(text: str) -> str:
    """Return a text with a space before an amount that is written onto a word.

    >>> with_money_apart("He pays$20 for 5 nights."), with_money_apart(r"$\\sin$5")
    ('He pays $20 for 5 nights.', '$\\\\sin$5')
    """
    return _GLUED_MONEY.sub(_money_apart, text) if "$" in text else text


def _money_apart(sign: re.Match[str]) -> str:
    word = _WORD_BEFORE.search(sign.string, max(0, sign.start() - _LONGEST_WORD), sign.start())
    return " $" if word else "$"


def with_carets(text: str) -> str:
    """Return a text with the powers of code, `x**2`, as those of formulas; bold type stays.

    >>> with_carets("So **x** is x**3 - 2*x**2.")
    'So **x** is x^3 - 2*x^2.'
    """
    # One character is found many times sooner than two, in a text of 400 kB.
    if "*" not in text or "**" not in text or not _MAY_BE_POWER.search(text):
        return text
    return _POWER_OR_BOLD.sub(lambda found: found[0] if found[1] is None else "^", text)


def without_hope(text: str) -> str:
    """Return a text without a last sentence that hopes for its answer."""
    hope = _HOPE.search(text, len(text) - _FAR) if "I hope" in text[-_FAR:] else None
    return text[: hope.start()].rstrip() if hope else text


def without_tags(text: str) -> str:
    """Return a text without tags, whole or cut off; what is between them stays.

    >>> without_tags("</label> 43 </ answer>").strip()
    '43'
    """
    if "<" not in text and ">" not in text:
        return text
    if "<" in text:
        text = _VECTOR.sub(r"(\1)", text) if _VECTOR.search(text) else text
        text = _TAG.sub(" ", text)
        text = _BRACKETED.sub(lambda value: f" {value[1]} ", text) if "<" in text else text
    if not _MAY_END_TAG.search(text):
        return text
    start, end = text.rfind("\n", 0, text.find(">")) + 1, text.rfind(">") + 2
    return f"{text[:start]}{_TAG_END.sub(' ', text[start:end])}{text[end:]}"


def last_step(text: str) -> str | None:
    """Return the number on the last line of a calculation written line under line, or None.

    >>> last_step("f(2) = 5*2^2 - 2\\n= 20 - 2\\n18"), last_step("12\\n13")
    ('18', None)
    """
    *steps, last = [line.strip() for line in text.strip().split("\n") if line.strip()] or [""]
    whole = steps and _RESULT_LINE.fullmatch(last) and all(map(_STEP.fullmatch, steps))
    return last.lstrip("= ") if whole else None


def counted(text: str) -> str | None:
    """Return the number of things whose name reads like a product: `22 CDs`, `6 m`.

    >>> counted("22 CDs"), counted("13 m&m's"), counted("7th floor"), counted("6 x")
    ('22', '13', '7', None)
    """
    found = _COUNTED.fullmatch(text) or _COINS.fullmatch(text)
    return found[1] if found else None


def measured_by_letter(text: str) -> str | None:
    """Return the number that one letter measures behind it: `220m`, `U = 220 V`.

    >>> measured_by_letter("220m"), measured_by_letter("220x"), measured_by_letter("U = 220 V")
    ('220', None, '220')
    """
    found = _GLUED.fullmatch(text.strip())
    return found[1] if found else None


def before_calculation(text: str, calculation: str) -> str | None:
    """Return what a calculation explains that stands behind it: `Together 163 eggs: 61 + 102`.

    >>> before_calculation("So\\nthe number is 42: 6 * 7.", "6 * 7")
    'the number is 42'
    """
    before = text[: max(0, text.rfind(calculation))].rstrip()
    return before[:-1].rsplit("\n", 1)[-1] if before.endswith((":", "=", "(", ",")) else None


def without_money(text: str) -> str:
    """Return a text without the dollar signs of money, those that open no formula.

    >>> without_money("He pays $13 and $11, so $x$ is $24.")
    'He pays 13 and 11, so $x$ is 24.'
    """
    if "$" not in text:
        return text
    if _MAY_BE_SHORT.search(text):
        text = _SHORT_SCALE.sub(in_full, text)
    text = _ESCAPED.sub("", text) if "\\$" in text else text
    kept, last = [], 0
    for match in _MONEY.finditer(text):
        start = match.start()
        if start < last:
            continue
        if _is_money(text, match.end()):
            country = _COUNTRY.search(text, max(last, start - 2), start)
            bare = text[last : country.start() if country else start]
            kept.append(bare[: max(len(bare.rstrip("\\")), len(bare) - 3)])
            last = match.end()
        elif (end := text.find("$", match.end())) >= 0:
            kept.append(text[last : end + 1])
            last = end + 1
    return "".join([*kept, text[last:]])


def _is_money(text: str, start: int) -> bool:
    """Return whether a dollar sign before a digit opens no formula: none is closed behind it."""
    end = text.find("$", start)
    if end < 0 or text[end + 1 : end + 2].isdigit() or "\n" in text[start:end]:
        return True
    between = text[start:end]
    if "{" in between:
        between = _IN_TEXT.sub("", between)  # the unit of a formula: `$250\\text{ cm}$`
    return _WORD.search(between) is not None


def places_of(value: str, text: str, start: int = 0) -> Iterator[int]:
    """Yield where a value stands in a text behind a place, not within a longer word or number.

    No pattern is made of it: that takes longer than all else that is asked of its places.

    >>> list(places_of("17", "Of 2017, 17 is left, and 17.5 before."))
    [9]
    """
    while value and (at := text.find(value, start)) >= 0:
        end = at + len(value)
        before = _DIGIT_BEFORE if value[0].isdigit() else _LETTER_BEFORE
        behind = _DIGIT_BEHIND if value[-1].isdigit() else _LETTER_BEHIND
        opens = value[0].isalnum() and before.match(text, at)
        if not (opens or (value[-1].isalnum() and behind.match(text, end))):
            yield at
        start = at + 1


def stands_in(value: str, text: str) -> bool:
    """Return whether a text holds a value, not within a longer word or number."""
    return next(places_of(value, text), None) is not None
