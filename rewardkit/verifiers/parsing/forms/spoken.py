"""Numbers in words as English says them: `a hundred and twenty`, `one point five`."""

from __future__ import annotations

from fractions import Fraction

from rewardkit.verifiers.parsing.tokens.numerals import number_in_words
from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS, PARTS, SCALES

_ARTICLES = frozenset(("a", "an"))
_NEGATIVE = frozenset(("minus", "negative"))
_OPENS = frozenset((*NUMBER_WORDS, *_ARTICLES, *_NEGATIVE, "point"))
_MULTIPLIED = frozenset((*SCALES, "hundred"))
_TENS = frozenset(word for word, value in NUMBER_WORDS.items() if value >= 20)
_MAX_CHARS = 120


def spoken_value(text: str) -> Fraction | None:
    """Return the number that a text is in words, or None where it is anything else.

    >>> spoken_value("a hundred and twenty"), spoken_value("one point five"), spoken_value("a dog")
    (Fraction(120, 1), Fraction(3, 2), None)
    >>> spoken_value("two and three quarters"), spoken_value("one thirty-sixth")
    (Fraction(11, 4), Fraction(1, 36))
    """
    if len(text) > _MAX_CHARS or not text[:1].isalpha():
        return None
    words = text.lower().replace("-", " ").split()
    if not words or words[0] not in _OPENS:
        return None
    if words[0] in _NEGATIVE:
        value = _value(words[1:])
        return None if value is None else -value
    return _value(words)


def _value(words: list[str]) -> Fraction | None:
    if "point" in words:
        at = words.index("point")
        return _decimal(words[:at], words[at + 1 :])
    if words and words[-1] in PARTS:
        return _with_part(words)
    whole = _whole(words)
    return None if whole is None else Fraction(whole)


def _whole(words: list[str]) -> int | None:
    if words[:1] and words[0] in _ARTICLES and words[1:2] and words[1] in _MULTIPLIED:
        words = ["one", *words[1:]]
    return number_in_words(words)


def _decimal(before: list[str], places: list[str]) -> Fraction | None:
    whole = _whole(before) if before else 0
    digits = [NUMBER_WORDS.get(word, 10) for word in places]
    if whole is None or not digits or max(digits) > 9:
        return None
    return Fraction(f"{whole}.{''.join(map(str, digits))}")


def _with_part(words: list[str]) -> Fraction | None:
    """Return `three quarters`, `two and a half` or `one thirty sixth`."""
    *count, name = words
    size = PARTS[name]
    if "and" in count:
        at = len(count) - 1 - count[::-1].index("and")
        whole, part = _whole(count[:at]), _with_part([*count[at + 1 :], name])
        if whole is not None and part is not None and part < 1:
            return whole + part
    if len(count) > 1 and count[-1] in _TENS and size > Fraction(1, 10):
        size = 1 / (NUMBER_WORDS[count.pop()] + 1 / size)
    if not count:
        return None
    times = 1 if len(count) == 1 and count[0] in _ARTICLES else _whole(count)
    return None if times is None else times * size
