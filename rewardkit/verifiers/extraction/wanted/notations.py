"""Numbers that a sentence says in a notation of their own: a bound, a ratio, a range, remainders.

`At least 8 are needed`, `3 to 5`, `from 5 to 10`, `2F in base 16`, `n ≡ 1 or n ≡ 5 (mod 6)`.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise

from rewardkit.verifiers.extraction.prose.doubts import is_hedged
from rewardkit.verifiers.extraction.prose.units_behind import unit_behind
from rewardkit.verifiers.parsing.forms.bounds import VALUE, bound, plain
from rewardkit.verifiers.parsing.spelling.characters import unify
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS
from rewardkit.verifiers.vocabulary.patterns import LEFT_OPEN, alternatives, left_open_by
from rewardkit.verifiers.vocabulary.wordings import BOUNDS, BOUNDS_BEHIND

_COUNT = rf"(?:\d+(?:,\d{{3}})*|{alternatives(NUMBER_WORDS)})"
_TO = as_pattern(
    rf"(?<!from\s)\b{_COUNT}(?:(?:\s(?:to|zu|a|à)\s{_COUNT})+\b(?!\s[a-z])|(?:\s?:\s?{_COUNT})+)",
    re.I,
)
_BETWEEN = as_pattern(r"\s(?:to|zu|a|à)\s|\s?:\s?", re.I)
_SIDE = r"[-−$€£]{0,2}\d[\d,]*(?:\.\d+)?(?:\s?(?:%|°C?))?"
_UNIT = r"(?:\s[a-z]+)?"
_RANGE = as_pattern(
    rf"(?<![\d.])(?:(?:from\s)?({_SIDE}){_UNIT}(?:\s(?:up\s)?to\s|\s?[-–—]\s?)|between\s({_SIDE}){_UNIT}\sand\s)"
    rf"({_SIDE})"
)
_NOT = as_pattern(r"\bnot\b|n't\b|\bnor\b")
_BASED = as_pattern(
    r"\(?(?<![\w.])(?:([0-9A-Fa-f]+)\)?_\{?\(?(\d{1,2})\b|0x([0-9A-Fa-f]+)|0o([0-7]+)|0b([01]+))"
)
_HEXADECIMAL = as_pattern(
    r"(?i:hex|base[\s-](?:16|sixteen)\b).*\s(?:is|as|to|=)\s([0-9A-Fa-f]+)[.!]?\Z"
)
_PREFIXES = (16, 8, 2)
_BEFORE = alternatives(phrase for said in BOUNDS.values() for phrase in said)
_BEHIND = alternatives(phrase for said in BOUNDS_BEHIND.values() for phrase in said)
_BOUNDED = as_pattern(
    rf"(?:(?<=\s)|\A){_BEFORE}\s?{VALUE}(?:\s(?P<unit>[a-z]+))?"
    rf"|(?<![\d.]){VALUE}(?:\s(?P<of>[a-z]+))?\s{_BEHIND}"
)
_NUMBER = as_pattern(r"\d+")
_REMAINDER = as_pattern(
    r"(?:(?<![a-zA-Z])([a-zA-Z])\$?(?:\s?(?:≡|\\equiv)\s?|\s(?:is|are|must\sbe|be)\scongruent\sto\s)|\bcongruent\sto\s)\$?"
    r"(-?\d+(?:\s?(?:≡|\\equiv)\s?-?\d+)*(?:(?:,\s?|,?\s(?:or|and)\s)-?\d+)*)\$?\s?,?\s?"
    r"(?:\(mod\s(\d+)\)|mod(?:ulo)?\s\$?(\d+)|\\pmod\s?\{?(\d+)\}?)"
)
_LEAVES = as_pattern(
    r"\bremainders?\s(?:of\s|is\s)?\$?(\d+(?:\$?(?:,\s|,?\s(?:or|and)\s)(?:an?\s)?(?:remainder\s)?(?:of\s)?\$?\d+)*)\$?\s"
    r"(?:when|on|upon|after|if)\s(?:[a-z]+\s){0,3}(?:divided|division)\sby\s\$?(\d+)\$?"
)
_IS = as_pattern(
    r"(?<![a-zA-Z])([a-zA-Z])\smod\s(\d+)\s(?:=|is|equals|must\sbe)\s(\d+)(?!\S*\d|\s[-+*/=]|,?\s(?:or|and)\b)"
)
"""`n mod 7 = 3`."""
_DIVIDED = as_pattern(
    r"\b(?:dividing\s\S{1,12}|divided)\sby\s\$?(\d+)\$?,?\s(?:(?:it|\$?[a-z]\$?)\s)?(?:leaves|gives|has|yields)\s"
    r"(?:an?\s|the\s)?remainders?\s(?:of\s|is\s)?\$?(\d+(?:\$?(?:,\s|,?\s(?:or|and)\s)\$?\d+)*)(?![\d.]*\d)"
)
_SAME_NAME = as_pattern(
    r"((?:≡|\\equiv)\s?-?\d+\$?(?:,|\s(?:or|and))\s\$?)[a-zA-Z]\s?(?:≡|\\equiv)\s?"
)
"""`n ≡ 1 or n ≡ 5 (mod 6)`: the second name, where one modulus stands behind both."""
_PLUS_MINUS = as_pattern(r"(?:±|\\pm)\s?(\d+)(?=\$?\s?,?\s?(?:\(mod|mod|\\pmod))")
_NEXT_REMAINDER = as_pattern(r"[\s$),\\]*(?:or|and|,)[\s$(\\]*")
_CONGRUENT = as_pattern(r"\s?(?:≡|\\equiv)\s?")
_DENIED = left_open_by("no|cannot|unless")
_EACH = as_pattern(r"-?\d+")


def ratio_in(sentence: str) -> str | None:
    """Return the ratio that a sentence says in words, of equal ones the last; else None.

    >>> ratio_in("It is 12 to 20, which simplifies to 3 to 5."), ratio_in("From 2 to 5.")
    ('3:5', None)
    """
    ratios = [list(map(_number, _BETWEEN.split(said[0]))) for said in _TO.finditer(sentence)]
    if not ratios or not all(one[0] for one in ratios) or _NOT.search(sentence):
        return None
    if len({tuple(Fraction(part, one[0]) for part in one) for one in ratios}) > 1:
        return None
    return ":".join(map(str, ratios[-1]))


def _number(said: str) -> int:
    low = said.lower()
    return NUMBER_WORDS[low] if low in NUMBER_WORDS else int(low.replace(",", ""))


def range_in(sentence: str) -> str | None:
    """Return the one range that a sentence says, `from 5 to 10`; else None.

    >>> range_in("The ages range from 5 to 10."), range_in("It is between 5 and 10 years.")
    ('from 5 to 10', 'from 5 to 10 years')
    """
    found = list(_RANGE.finditer(sentence))
    if len(found) != 1 or is_hedged(sentence) or _NOT.search(sentence):
        return None
    first, second, last = found[0].groups()
    unit = unit_behind(sentence, found[0].end())
    return f"from {first or second} to {last}{unit}"


def based_in(sentence: str, base: int) -> str | None:
    """Return the one number that a sentence writes in a base; else None.

    >>> based_in("So 47 is 2F₁₆.", 16), based_in("Hence $511_{10} = 777_8$.", 8)
    ('2F_{16}', '777_{8}')
    """
    if is_hedged(sentence) or _NOT.search(sentence):
        return None
    said = set()
    for digits, named, *prefixed in _BASED.findall(unify(sentence)):
        if int(named or 0) == base:
            said.add(digits)
        said.update(
            one for size, one in zip(_PREFIXES, prefixed, strict=True) if one and size == base
        )
    if base == 16 and not said and (last := _HEXADECIMAL.search(sentence)):
        said.add(last[1])
    return f"{said.pop()}_{{{base}}}" if len(said) == 1 else None


def bound_in(gold: str, sentence: str) -> str | None:
    """Return the one bound that a sentence states and names no other number with, else None.

    >>> bound_in("at least 8", "At least 8 are needed."), bound_in("at least 8", "She has 8.")
    ('at least 8', None)
    """
    wanted, said = bound(gold), plain(sentence)
    found = list(_BOUNDED.finditer(said))
    if wanted is None or len(found) != 1:
        return None
    rest = said[: found[0].start()] + said[found[0].end() :]
    if _NUMBER.search(rest) or LEFT_OPEN.search(rest):
        return None
    text, unit = found[0][0], found[0]["unit"]
    if unit and unit not in wanted.unit.split():
        text = text[: -len(unit) - 1]
    return text


def remainders(sentence: str) -> str | None:
    """Return the remainders that a sentence names in one breath; None where it names none.

    >>> remainders("So n ≡ 1 or n ≡ 5 (mod 6)."), remainders("remainder 3 when divided by 7")
    ('n \\\\equiv 1 \\\\pmod{6}, n \\\\equiv 5 \\\\pmod{6}', '3 \\\\pmod{7}')
    """
    if _DENIED.search(sentence):
        return None
    turned = [(said, modulus) for modulus, said in _DIVIDED.findall(sentence)]
    if leaves := _LEAVES.findall(sentence) or turned:
        [(said, modulus), *others] = leaves
        each = [f"{value} \\pmod{{{modulus}}}" for value in _EACH.findall(said)]
        return None if others else ", ".join(each)
    if " mod " in sentence and len(said := _IS.findall(sentence)) == 1:
        name, modulus, remainder = said[0]
        return f"{name} \\equiv {remainder} \\pmod{{{modulus}}}"
    sentence = _SAME_NAME.sub(r"\1", _PLUS_MINUS.sub(r"\1, -\1", sentence))
    found = list(_REMAINDER.finditer(sentence))
    if not all(_NEXT_REMAINDER.fullmatch(sentence, a.end(), b.start()) for a, b in pairwise(found)):
        return None
    written = [_remainder(one) for one in found]
    return ", ".join(filter(None, written)) if written and all(written) else None


def _remainder(found: re.Match[str]) -> str | None:
    """Return a remainder as it is written, of `x ≡ 17 ≡ 5` the last; None where they differ."""
    name = f"{found[1]} \\equiv " if found[1] else ""
    said, modulus = found[2], int(found[3] or found[4] or found[5])
    *steps, last = _CONGRUENT.split(said)
    if steps and not (modulus and last.lstrip("-").isdecimal()):
        return None
    if any((int(step) - int(last)) % modulus for step in steps):
        return None
    values = _EACH.findall(last)
    return ", ".join(f"{name}{value} \\pmod{{{modulus}}}" for value in values)
