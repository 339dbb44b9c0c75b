"""One quantity said in two writings: `98.6 °F, which is 37 °C`, `two fifths, or 40%, of them`.

Only where the second is worth as much as the first is it the same said again: then either of them
answers. `He sold 5 kg, which is 10 euros` says two things.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from rewardkit.verifiers.comparison.texts import compare_texts
from rewardkit.verifiers.expressions.nodes import Div, Node, Num, Percent, Quantity
from rewardkit.verifiers.expressions.units import unit_of
from rewardkit.verifiers.extraction.extract import extract
from rewardkit.verifiers.extraction.prose.doubts import is_hedged
from rewardkit.verifiers.extraction.text.cuts import last_start
from rewardkit.verifiers.extraction.text.number_words import with_parts
from rewardkit.verifiers.limits import TooComplex
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.parsing.parser import Reading, reading
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.commands import STYLED_TEXT
from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS, PARTS
from rewardkit.verifiers.vocabulary.patterns import alternatives, left_open_by
from rewardkit.verifiers.vocabulary.sought import holds_one

_IN_WORDS = rf"(?:an?|{alternatives(NUMBER_WORDS)})[\s-]{alternatives(PARTS)}"
_UNIT = (
    r"(?:\s?(?:\\?%|°\s?[CF]?)"
    r"|\s?(?!(?:or|so|soit|also|in\s[a-z]+)\b)[a-zA-Zµ]+(?:\^?[²³23])?(?:(?:/|\sper\s)[a-z]+)?)"
)
_SIZE = (
    rf"\$(?![\s$])[^$\n]{{1,80}}(?<![\s(])\$(?!\d){_UNIT}?"
    rf"|(?:\\?[$€£]\s?)?[-−]?(?<![\w.,/])\d[\d.,/]*(?<=\d){_UNIT}?|(?i:{_IN_WORDS})\b"
)
_SAME = (
    r"(?:or(?:,?\sequivalently,?)?|equivalently|i\.\s?e\.|that\sis(?:\sto\ssay)?|that['’]s|namely"
    r"|in\sother\swords|which\s(?:is|equals|means|makes|corresponds\sto|amounts\sto|comes\sto)"
    r"(?:\s(?:the\ssame\sas|equivalent\sto|equal\sto))?|the\ssame\sas|equal\sto|soit|c['’]est-à-dire"
    r"|das\s(?:sind|ist|heißt)|d\.\s?h\.|also|es\sdecir|o\ssea|cioè|ossia|vale\sa\sdire|ou\sseja|oder|ou|o|или"
    r")(?:,?\s(?:as|in)\s(?:an?\s)?[a-z]+)?"
)
_TWO = as_pattern(
    rf"(?P<first>{_SIZE})(?:\s(?:lang|long|wide|high|tall|deep|in\s(?:all|total)|altogether))?"
    rf"(?:,?\s\(?(?:and\s|so\s)?{_SAME},?\s|\s\((?:=\s?)?|\s?=\s?)"
    rf"(?P<about>(?:about|approximately|approx\.|roughly|around|≈|~)\s?)?(?P<second>{_SIZE})"
    r"(?P<thrice>\)?(?:\s\((?:or\s)?\d[\d.]*\s?\\?%\))?)(?:[,.]?\s(?!(?:[a-z]+er\s)?than\b|more\b|less\b|each\b|per\b|times\b)[^\d=?]*|[^\w=?]*)\Z"
)
_SIGNS = (
    "or ", "oder ", "ou ", " o ", "или", "equ", "that ", "that'", "that’", "namely", "in other",
    "which ", "same as", "soit", "dire", "das ", "also", "es decir", "cioè", "ossia", " (", "=",
)  # fmt: skip
_AGAIN = as_pattern(
    r"\b(?:i\.e\.|d\.h\.|(?:equivalently|that\sis|namely|in\sother\swords|soit|c['’]est-à-dire"
    r"|das\sheißt|es\sdecir|o\ssea|cioè|ossia|ou\sseja)\b)"
)
"""What can lead to nothing but the same said again."""
_OPERATES = as_pattern(
    r"(?:[-+*/×·÷^=(]|\b(?:of|by|from|than|plus|minus|times|half|twice|each|every))\s*\Z"
)
"""Before the first one, what makes it an operand or the given: `half of 3 hours, which is`."""
_OR = as_pattern(r"\b(?:or|oder|ou|o|или)\s(?:[a-z]+\s)?\Z")
_LETTERS = as_pattern(r"(\d)\s?([a-zA-Zµ]{1,3}(?:\^?[²³23])?)\Z")
"""A unit of a few letters, which would be a product of unknowns."""
_ENDS = as_pattern(r"\)?,?(?:\sof\s[^\d,]*)?[^\w]*\Z")
_UNSURE = left_open_by("no|if|unless|maybe|perhaps")
_COUNTED = as_pattern(
    rf"(?<!the\s)(?<!these\s)(?<!those\s)(?<![.,-])\b(?P<count>\d{{1,2}}|{alternatives(NUMBER_WORDS)})\s(?:[a-z]+\s){{0,4}}?[a-z]+(?<!steps)(?<!cases)(?::|,?\snamely:?)\s(?P<listed>[^:?]*\d[^:?]*)\Z",
    re.I,
)
_BETWEEN = as_pattern(r"(?:,\s(?:and\s)?|;\s|\sand\s)(?![^()]*\))")
_MAX_CHARS = 300
_NEARLY = 0.05


class _Two(NamedTuple):
    """Two sizes; whether the second is the first said again and nothing else is, or nearly it."""

    first: str
    second: str
    again: bool
    nearly: bool
    others: str
    """The text up to the first, where that is an alternative to what is before it."""
    once: str
    """The text without the second."""

    def trees(self) -> tuple[Reading, Reading]:
        """Return what both are parsed to."""
        return reading(self.first.replace("−", "-")), reading(self.second.replace("−", "-"))


def two_writings(text: str, options: MathOptions) -> tuple[str, str] | None:
    """Return both writings of the quantity that a text ends with, where they are worth the same.

    >>> two_writings("The film lasts 180 minutes, in other words 3 hours.", MathOptions())
    ('180 minutes', '3 hours')
    >>> two_writings("It lasts 120 minutes, in other words 3 hours.", MathOptions())
    """
    two = _last_two(text)
    if two is None or not _are_one(two, options):
        return None
    return (two.first, two.second) if not two.others or two_writings(two.others, options) else None


def states_twice(text: str, options: MathOptions) -> tuple[str, str] | None:
    """Return both writings where the text states the first one when the second is left out.

    >>> states_twice("The film lasts 180 minutes, or 3 hours.", MathOptions())
    ('180 minutes', '3 hours')
    >>> states_twice("Since it lasts 180 minutes, or 3 hours, we know the end.", MathOptions())
    """
    both = two_writings(text, options)
    two = _last_two(text) if both else None
    if both is None or two is None:
        return None
    once = text[:-_MAX_CHARS] + two.once
    if two.others:
        return both if states_twice(once, options) else None
    found = extract(once, options)
    return both if found and compare_texts(both[0], found.text, options).equal else None


def counts_listed(text: str) -> str | None:
    """Return the count that a last sentence gives of as many values as it lists, else None.

    >>> counts_listed("There are two roots: 3 and 5."), counts_listed("There are two roots: 3.")
    ('2', None)
    """
    text = text[-_MAX_CHARS:]
    last = text[last_start(text) :].strip(" .!*\n").replace("$", "")
    found = _COUNTED.search(last) if holds_one(last, (":", " namely")) else None
    if found is None or _UNSURE.search(last):
        return None
    count = NUMBER_WORDS.get(found["count"].lower(), found["count"])
    listed = _BETWEEN.split(found["listed"])
    as_many = len(listed) > 1 and str(len(listed)) == str(count) and all(map(has_digit, listed))
    return str(count) if as_many else None


def says_two_sizes(text: str, options: MathOptions) -> bool:
    """Return whether a text says a quantity again and says another one.

    >>> says_two_sizes("It lasts 120 minutes, in other words 3 hours.", MathOptions())
    True
    """
    two = _last_two(text) if _AGAIN.search(text, max(0, len(text) - _MAX_CHARS)) else None
    return two is not None and two.again and _differ(two, options)


def _last_two(text: str) -> _Two | None:
    """Return the two sizes that the last sentence of a text ends with, as it says one again."""
    text = text[-_MAX_CHARS:].replace("i.e.", "that is").replace("d.h.", "das heißt")
    start = last_start(text)
    last = with_parts(text[start:].strip())
    last = last.replace("**", "")
    if "\\" in last:
        last = " ".join(STYLED_TEXT.sub(r" \1 ", last).split())
        last = last.replace("\\(", "$").replace("\\)", "$")
    if not holds_one(last, _SIGNS):
        return None
    two = _TWO.search(last)
    if two is None or _OPERATES.search(last, 0, two.start()) or _UNSURE.search(last):
        return None
    if is_hedged(last[: two.start("second")].replace(" or ", " ")):
        return None
    first, second = (_LETTERS.sub(r"\1\\text{ \2}", _bare(two[k])) for k in ("first", "second"))
    again = _AGAIN.search(last, two.end("first"), two.start("second"))
    alone = not has_digit(last[: two.start()]) and _ENDS.match(last, two.end("second"))
    others = last[: two.end("first")] if _OR.search(last, 0, two.start()) else ""
    once = f"{text[:start]}{last[: two.end('first')]}{last[two.end('thrice') :]}"
    return _Two(first, second, bool(again and alone), bool(two["about"]), others, once)


def _bare(size: str) -> str:
    """Return a size without the signs of its formula, which no amount has two of: `$3$ cm`."""
    return size.replace("$", "") if size.count("$") == 2 else size


def _are_one(two: _Two, options: MathOptions) -> bool:
    """Return whether two sizes differ in how they are written and are worth the same."""
    try:
        sides = two.trees()
        if not all(isinstance(side, Node) for side in sides) or sides[0] == sides[1]:
            return False
        strict = replace(options, missing_unit=False, missing_percent=False)
        strict = replace(strict, relative_tolerance=_NEARLY) if two.nearly else strict
        return compare_texts(two.first, two.second, strict).equal
    except TooComplex:
        return False


def _differ(two: _Two, options: MathOptions) -> bool:
    """Return whether two sizes measure the same, and one is not the other rounded."""
    try:
        sides = two.trees()
        if not _are_of_a_kind(*sides) or all(isinstance(side, Num) for side in sides):
            return False
        kinds = [
            unit_of(side.unit).dimensions if isinstance(side, Quantity) else None for side in sides
        ]
        near = replace(
            options, missing_unit=False, missing_percent=False, relative_tolerance=_NEARLY
        )
        return kinds[0] == kinds[1] and not compare_texts(two.first, two.second, near).equal
    except TooComplex:
        return False


def _are_of_a_kind(one: Reading, other: Reading) -> bool:
    sizes = all(isinstance(side, Num | Div | Percent | Quantity) for side in (one, other))
    return sizes and isinstance(one, Quantity) == isinstance(other, Quantity)
