"""Numbers that a sentence says in a notation of their own: a ratio, a range, digits in a base."""

from __future__ import annotations

import re
from fractions import Fraction

from rewardkit.verifiers.extraction.prose.doubts import is_hedged
from rewardkit.verifiers.extraction.prose.units_behind import unit_behind
from rewardkit.verifiers.parsing.spelling.characters import unify
from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS
from rewardkit.verifiers.vocabulary.patterns import alternatives

_COUNT = rf"(?:\d+(?:,\d{{3}})*|{alternatives(NUMBER_WORDS)})"
_TO = re.compile(
    rf"(?<!from\s)\b{_COUNT}(?:(?:\s(?:to|zu|a|à)\s{_COUNT})+\b(?!\s[a-z])|(?:\s?:\s?{_COUNT})+)",
    re.I,
)
_BETWEEN = re.compile(r"\s(?:to|zu|a|à)\s|\s?:\s?", re.I)
_SIDE = r"[-−$€£]{0,2}\d[\d,]*(?:\.\d+)?(?:\s?(?:%|°C?))?"
_UNIT = r"(?:\s[a-z]+)?"
_RANGE = re.compile(
    rf"(?<![\d.])(?:(?:from\s)?({_SIDE}){_UNIT}(?:\s(?:up\s)?to\s|\s?[-–—]\s?)|between\s({_SIDE}){_UNIT}\sand\s)"
    rf"({_SIDE})"
)
_NOT = re.compile(r"\bnot\b|n't\b|\bnor\b")
_BASED = re.compile(
    r"\(?(?<![\w.])(?:([0-9A-Fa-f]+)\)?_\{?\(?(\d{1,2})\b|0x([0-9A-Fa-f]+)|0o([0-7]+)|0b([01]+))"
)
_HEXADECIMAL = re.compile(
    r"(?i:hex|base[\s-](?:16|sixteen)\b).*\s(?:is|as|to|=)\s([0-9A-Fa-f]+)[.!]?\Z"
)
_PREFIXES = (16, 8, 2)


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
