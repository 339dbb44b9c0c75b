"""One quantity said in two writings: `98.6 °F, which is 37 °C`, `two fifths, or 40%, of them`.

Only where the second is worth as much as the first is it the same said again: then either of them
answers. `He sold 5 kg, which is 10 euros` says two things.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from rewardkit.verifiers.comparison.texts import compare_texts
from rewardkit.verifiers.expressions.nodes import Div, Num, Percent, Quantity
from rewardkit.verifiers.expressions.units import unit_of
from rewardkit.verifiers.extraction.prose.doubts import is_hedged
from rewardkit.verifiers.extraction.text.cuts import last_start
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
    r"|\s?(?!or\b|so\b|soit\b|also\b)[a-zA-Zµ]+(?:\^?[²³23])?(?:(?:/|\sper\s)[a-z]+)?)"
)
_SIZE = rf"(?:\\?[$€£]\s?)?[-−]?(?<![\w.,/])\d[\d.,/]*(?<=\d){_UNIT}?|(?i:{_IN_WORDS})\b"
_SAME = (
    r"(?:or(?:,?\sequivalently,?)?|equivalently|i\.\s?e\.|that\sis(?:\sto\ssay)?|that['’]s|namely"
    r"|in\sother\swords|which\s(?:is|equals|means|makes|corresponds\sto|amounts\sto|comes\sto)"
    r"(?:\s(?:the\ssame\sas|equivalent\sto|equal\sto))?|the\ssame\sas|equal\sto|soit|c['’]est-à-dire"
    r"|das\s(?:sind|ist|heißt)|d\.\s?h\.|also|es\sdecir|o\ssea|cioè|ossia|vale\sa\sdire|ou\sseja)"
)
_TWO = as_pattern(
    rf"(?P<first>{_SIZE})(?:\s(?:lang|long|wide|high|tall|deep|in\s(?:all|total)|altogether))?"
    rf"(?:,?\s\(?(?:and\s|so\s)?{_SAME},?\s|\s\((?:=\s?)?|\s?=\s?)"
    rf"(?P<about>(?:about|approximately|approx\.|roughly|around|≈|~)\s?)?(?P<second>{_SIZE})"
    r"\)?(?:\s\((?:or\s)?\d[\d.]*\s?\\?%\))?(?:[,.]?\s(?!than\b|more\b|less\b|each\b|per\b|times\b)[^\d=?]*|[^\w=?]*)\Z"
)
_SIGNS = (
    "or ", "equ", "that ", "that'", "that’", "namely", "in other", "which ", "same as", "soit",
    "dire", "das ", "also", "es decir", "o sea", "cioè", "ossia", "ou seja", " (", "=",
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
_LETTERS = as_pattern(r"(\d)\s?([a-zA-Zµ]{1,3}(?:\^?[²³23])?)\Z")
"""A unit of a few letters, which would be a product of unknowns."""
_ENDS = as_pattern(r"\)?,?(?:\sof\s[^\d,]*)?[^\w]*\Z")
_UNSURE = left_open_by("no|if|unless|maybe|perhaps")
_MAX_CHARS = 300
_NEARLY = 0.05


class _Two(NamedTuple):
    """Two sizes; whether the second is the first said again and nothing else is, or nearly it."""

    first: str
    second: str
    again: bool
    nearly: bool

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
    return (two.first, two.second) if two and _are_one(two, options) else None


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
    last = text[last_start(text) :].strip()
    last = last.replace("**", "")
    last = " ".join(STYLED_TEXT.sub(r" \1 ", last).split()) if "\\" in last else last
    if not holds_one(last, _SIGNS):
        return None
    two = _TWO.search(last)
    if two is None or _OPERATES.search(last, 0, two.start()) or _UNSURE.search(last):
        return None
    if is_hedged(last[: two.start("second")].replace(" or ", " ")):
        return None
    first, second = (_LETTERS.sub(r"\1\\text{ \2}", size) for size in (two["first"], two["second"]))
    again = _AGAIN.search(last, two.end("first"), two.start("second"))
    alone = not has_digit(last[: two.start()]) and _ENDS.match(last, two.end("second"))
    return _Two(first, second, bool(again and alone), bool(two["about"]))


def _are_one(two: _Two, options: MathOptions) -> bool:
    """Return whether two sizes differ in how they are written and are worth the same."""
    try:
        sides = two.trees()
        if not _are_of_a_kind(*sides) or sides[0] == sides[1]:
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
