"""Numbers as other languages write them: in words, in Chinese signs, with dots in thousands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from rewardkit.verifiers.extraction.text.scripts import with_chinese_in_digits
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.numbers import MULTIPLES
from rewardkit.verifiers.vocabulary.numbers_elsewhere import (
    ALSO_ENGLISH,
    BEGINNING,
    LANGUAGES,
    Language,
    beginnings,
    folded,
    names,
    part_of_whole,
    whole_number,
)
from rewardkit.verifiers.vocabulary.sought import Words, holds_one

_WORD = as_pattern(r"[^\W\d_]+")
_GAPS = frozenset((" ", "-", "\u2010", "\u2011", "\n"))
_LINKS = frozenset(("et", "y", "e", "und", "en"))
"""What may stand between the words of one number."""
_ONES = frozenset(("eins", "uno", "один", "одна", "одно"))
"""Of the forms of one those that are no article."""
_GLUED_HALVES = ("undeinhalb", "einhalb", "eneenhalf", "enhalf")
_AND_A_HALF = as_pattern(
    r"\b(\d+|une?|una|uma?|eine?|een)(\s[^\W\d_]+)?\s(?:et|y|e|und|en)\s"
    r"(?:demie?|medi[oa]|mezz[oa]|mei[oa]|eine?\shalbe|een\shalve?)\b"
)
_HALVES = ("moitié", "Hälfte", "mitad", "metà", "metade", "helft", "половина")
_HALF = as_pattern(rf"(?:\b(?:la|die|der|a|de)\s)?\b(?:{'|'.join(_HALVES)})(?=\W*\Z)")
HALVES_BEHIND = (" et demi", " y medi", " e mezz", " e mei", " und ein", " en een")
"""What half a unit more begins with."""
_MINUS = as_pattern(r"\b(?:minus|moins|menos|meno|min|минус)\s\Z", re.I)
_PERCENT = as_pattern(
    r"\s(?:[Pp]rozent|pour\s?cent|por\s?ciento|por\s?cento|per\s?cento|procent|процент\w*)\b"
)
_SCALES = {
    name: size for language in LANGUAGES for name, size in language.scales if name not in MULTIPLES
}
_BEHIND_DIGITS = as_pattern(
    rf"(?<=\d)(?:(?P<percent>{_PERCENT.pattern})"
    r"|\s(?=[mbdMBD])(?P<scale>mil\w{0,7}|bil\w{4}|duizend|[tT]ausend|M\w{5,8})(?!\w))"
)
_MAY_BE_BEHIND = as_pattern(r"[0-9]\s(?:[MmBb]il|dui|[Tt]au|[Pp]ro|p[oe][ur]|про)")
"""How each of them begins, which is found in a fraction of the time."""
_COUNT = as_pattern(r"(?<![\d.,])\d+(?:[.,]\d{1,2})?\Z")
_GROUPED = as_pattern(r"(?<![\d.,])\d{1,3}(?:\.\d{3})+(?![.\d]*\d)")
_MAY_BE_GROUPED = as_pattern(r"\.\d{3}")
"""What each of them holds: a dot is found in no time."""
_MONEY_ELSEWHERE = as_pattern(
    r"(?:R\$|₫|Rp)\s?\d{1,3}\.\d{3}(?!\d)|\d\.\d{3}\s?(?:₫|(?:reais|pesos|lire)\b)"
)
"""Amounts of money that only such languages count."""
_MAX_WORDS = 12
"""Of one number."""
_MAX_CHARS = 400
_JOINED = as_pattern(
    "zig|ssig|zehn|hundert|tausend|mil[ial]|halb|tig|tien|honderd|duizend|half|vent|trent|ant|cento"
)
"""What a word holds that joins the names of two numbers, in seven letters or more: `ventuno`."""
_NAMES = frozenset(name for language in LANGUAGES for name in names(language))
_BEGINNINGS = frozenset().union(*map(beginnings, LANGUAGES))
_SMALL_WORDS = frozenset(word for language in LANGUAGES for word in language.speaks.split())
_NEAR = Words(
    beginning[:4]
    for name in _NAMES
    for beginning in (name, *(name + c for c in "cdehmntu" if len(name) == 3))
)
"""How a word begins that may begin a number; a short name goes on so."""
_FOREIGN = _SMALL_WORDS | (_NAMES - ALSO_ENGLISH)
_LABELS = frozenset(language.speaks.split()[0] for language in LANGUAGES)


def as_elsewhere(text: str, around: str) -> str:
    """Return a text with numbers as another language writes them in ours, else the same text.

    A dot before three digits is one between thousands only where the language is seen to be one
    that writes none before decimals.

    >>> as_elsewhere("12.500 €", "Antwort: 12.500 €"), as_elsewhere("12.500 m", "It is 12.500 m")
    ('12500 €', '12.500 m')

    Args:
        text: the answer.
        around: what shows the language that it is in.
    """
    grouped = _MAY_BE_GROUPED.search(text) and _GROUPED.search(text)
    if grouped and (_speaks_otherwise(around) or _MONEY_ELSEWHERE.search(around)):
        text = _GROUPED.sub(lambda number: number[0].replace(".", ""), text)
    return _behind_digits(text) if has_digit(text) else in_digits(text, around)


def in_digits(text: str, around: str = "") -> str:
    """Return a text with its numbers in words of another language in digits, else the same text.

    >>> in_digits("Es sind einundzwanzig Äpfel."), in_digits("quarante-huit œufs")
    ('Es sind 21 Äpfel.', '48 œufs')
    >>> in_digits("zwei Drittel"), in_digits("百分之二十五"), in_digits("only once")
    ('2/3', '25%', 'only once')

    Args:
        text: at most some sentences; a longer one is left.
        around: more of the same writer, to tell its language from English.
    """
    if len(text) > _MAX_CHARS:
        return text
    text = _behind_digits(text)
    if text.rstrip(" .!。*").endswith(_HALVES):
        text = _HALF.sub("1/2", text)
    if not _may_say(text):
        return text
    pieces, last = [], 0
    for start, end, value in _said(text, around):
        if start < last:
            continue  # the hundred of a percent
        before = text[last:start]
        minus = _MINUS.search(before)
        percent = _PERCENT.match(text, end)
        pieces += [f"{before[: minus.start()]}-" if minus else before, _written(value)]
        pieces += ["%"] if percent else []
        last = percent.end() if percent else end
    return _with_halves("".join([*pieces, text[last:]]))


def _behind_digits(text: str) -> str:
    """Return a text with what goes on in words behind a number in digits, and Chinese signs."""
    if len(text) > _MAX_CHARS:
        return text
    if not text.isascii():
        text = with_chinese_in_digits(text)
    if _MAY_BE_BEHIND.search(text):
        text = _in_full(text)
    return _with_halves(text)


def _with_halves(text: str) -> str:
    return _AND_A_HALF.sub(_with_half, text) if holds_one(text, HALVES_BEHIND) else text


def _written(value: Fraction) -> str:
    """Return a number in digits, two and a half as a decimal."""
    return f"{value.numerator // 2}.5" if value.denominator == 2 and value > 1 else str(value)


def _with_half(said: re.Match[str]) -> str:
    return f"{said[1] if said[1].isdecimal() else 1}.5{said[2] or ''}"


def _in_full(text: str) -> str:
    """Return `5 Millionen` and `5 Prozent` in digits."""
    pieces, last = [], 0
    for behind in _BEHIND_DIGITS.finditer(text):
        before = text[last : behind.start()]
        count = _COUNT.search(before)
        size = behind["scale"] and _SCALES.get(folded(behind["scale"]))
        if behind["percent"]:
            pieces.append(f"{before}%")
        elif count and size:
            whole = Fraction(count[0].replace(",", ".")) * size
            pieces.append(f"{before[: count.start()]}{whole}")
        else:
            continue
        last = behind.end()
    return "".join([*pieces, text[last:]])


def _may_say(text: str) -> bool:
    """Return whether any word of a text may be a number, or begin one."""
    if text.isascii() and not _NEAR.may_be_in(text):
        return False
    words = set(_WORD.findall(text.lower()))
    return any(map(_may_begin, map(folded, words)))


def _may_begin(word: str) -> bool:
    """Return whether a folded word is the name of a number, or seems to be put together of some."""
    if word in _NAMES:
        return True
    joined = len(word) > 6 and word[:BEGINNING] in _BEGINNINGS
    return joined and _JOINED.search(word) is not None


def _speaks_otherwise(text: str) -> bool:
    """Return whether a text is seen to be in another language: by its label, or by two words."""
    words = {folded(word) for word in _WORD.findall(text[-_MAX_CHARS:])}
    return not words.isdisjoint(_LABELS) or len(words & _SMALL_WORDS) > 1


def _said(text: str, around: str) -> Iterator[tuple[int, int, Fraction]]:
    """Yield where a text says numbers, and which."""
    words = list(_WORD.finditer(text))
    taken = 0
    for k, word in enumerate(words):
        said = word[0].lower()
        if k < taken:
            continue
        if not said.isascii():
            said = folded(said)
        if not _may_begin(said):
            continue
        if said in ALSO_ENGLISH and not _is_foreign(f"{text} {around[-_MAX_CHARS:]}"):
            continue
        found = _number(text, words[k : k + _MAX_WORDS], said[:BEGINNING])
        if found is None:
            continue
        taken = k + found[0]
        yield word.start(), words[taken - 1].end(), found[1]


@lru_cache(maxsize=512)
def _counting(beginning: str) -> tuple[Language, ...]:
    """Return the languages in which a number may begin so."""
    return tuple(language for language in LANGUAGES if beginning in beginnings(language))


def _number(text: str, words: list[re.Match[str]], beginning: str) -> tuple[int, Fraction] | None:
    """Return of how many words the longest number is that words begin with, and which it is."""
    found = [_number_in(language, text, words) for language in _counting(beginning)]
    return max((one for one in found if one), default=None)


def _number_in(
    language: Language, text: str, words: list[re.Match[str]]
) -> tuple[int, Fraction] | None:
    run: list[str] = []
    for k, word in enumerate(words):
        apart = k and text[words[k - 1].end() : word.start()] not in _GAPS
        said = folded(word[0])
        if apart or (said[:BEGINNING] not in beginnings(language) and said not in _LINKS):
            break
        run.append(said)
    for count in range(len(run), 0, -1):
        value = _value("".join(run[:count]), language)
        if value is None:
            continue
        behind = words[count : count + 1]
        if behind and text[words[count - 1].end() : behind[0].start()] in _GAPS:
            part = part_of_whole(folded(behind[0][0]), language)
            if part is not None and value:
                return count + 1, value * part
        article = value == 1 and count == 1 and run[0] not in _ONES
        return None if article else (count, value)
    return None


def _value(said: str, language: Language) -> Fraction | None:
    if (whole := whole_number(said, language)) is not None:
        return Fraction(whole)
    if said == "anderthalb":
        return Fraction(3, 2)
    for half in _GLUED_HALVES:
        if said.endswith(half) and (whole := whole_number(said.removesuffix(half), language)):
            return whole + Fraction(1, 2)
    return None


def _is_foreign(text: str) -> bool:
    """Return whether a word shows that `six` or `once` in its text may be no English."""
    return any(folded(word) in _FOREIGN for word in _WORD.findall(text))
