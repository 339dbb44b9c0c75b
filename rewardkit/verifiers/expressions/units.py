"""What the name of a unit means: what it measures, and its size in base units."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from rewardkit.verifiers.vocabulary import units as table


class Unit(NamedTuple):
    """What a unit measures, as powers of dimensions; its size; and nouns that are no units."""

    dimensions: frozenset[tuple[str, int]]
    size: Fraction
    nouns: frozenset[str]

    @property
    def is_any(self) -> bool:
        """Whether it is just "units", squared perhaps."""
        return any(dimension == "any" for dimension, _ in self.dimensions)


_WORD = re.compile(r"([^\W\d_]+)(?:\^(-?\d))?")
_PREFIXED = re.compile(rf"({'|'.join(table.PREFIXES)})({'|'.join(table.SYMBOLS)})")
_PREFIXED_WORD = re.compile(rf"({'|'.join(table.PREFIX_WORDS)})([a-z]{{3,}})")


@lru_cache(maxsize=1024)
def known_unit(word: str) -> tuple[str, Fraction] | None:
    """Return what one word measures and its size, with any prefix; None where it is no unit.

    >>> known_unit("mA") == known_unit("MA"), known_unit("kilowatts") == known_unit("kW")
    (False, True)
    """
    found = table.UNPREFIXED_SYMBOLS.get(word) or table.SYMBOLS.get(word) or table.UNITS.get(word)
    if found is not None:
        return found
    if match := _PREFIXED.fullmatch(word):
        dimension, size = table.SYMBOLS[match[2]]
        return dimension, size * Fraction(10) ** table.PREFIXES[match[1]]
    lower = word.lower()
    if (found := table.UNITS.get(lower)) is not None:
        return found
    if (match := _PREFIXED_WORD.fullmatch(lower)) and (found := table.UNITS.get(match[2])):
        return found[0], found[1] * Fraction(10) ** table.PREFIX_WORDS[match[1]]
    return None


def unit_word(text: str) -> str:
    """Return a word of a unit in lower case, unless it says something else in upper case."""
    lower = text.lower()
    if text == lower:
        return text
    base = text.partition("^")[0]
    return lower if known_unit(base) == known_unit(base.lower()) else text


@lru_cache(maxsize=1024)
def unit_of(name: str) -> Unit:
    """Return what a unit's name means: words, their powers as `s^2`, and `per`.

    >>> unit_of("km per h").size == unit_of("kph").size
    True
    >>> unit_of("square cm") == unit_of("cm^2")
    True
    """
    dimensions: dict[str, int] = {}
    nouns: set[str] = set()
    size, sign, power = Fraction(1), 1, 1
    words = name.split()
    for k, word in enumerate(words):
        if word == "per":
            sign = -1
            continue
        if word in table.UNIT_POWERS:
            if not word.endswith("ed"):
                power = table.UNIT_POWERS[word]
            continue
        match = _WORD.fullmatch(word)
        base = match[1] if match else word
        if base == "H" and sign < 0:
            base = "h"  # `KM/H`
        known = known_unit(base) if base != "in" or not nouns else None
        if known is None:
            if base not in table.UNIT_FILLERS:
                nouns.add(base.rstrip("s") or base)
            continue
        if words[k + 1 : k + 2] and words[k + 1] in ("squared", "cubed"):
            power = table.UNIT_POWERS[words[k + 1]]
        times = sign * power * int((match[2] if match else None) or "1")
        power = 1
        size *= known[1] ** times
        for dimension, each in _powers(known[0]):
            dimensions[dimension] = dimensions.get(dimension, 0) + times * each
    if power != 1 and not dimensions:  # `square` alone: square units
        dimensions["any"] = power
    kept = frozenset((d, n) for d, n in dimensions.items() if n)
    return Unit(kept, size, frozenset(nouns))


def _powers(dimension: str) -> list[tuple[str, int]]:
    """Return `mass*length/time^2` as powers of dimensions."""
    found = []
    for sign, part in zip((1, -1), dimension.split("/"), strict=False):
        for factor in part.split("*"):
            base, _, power = factor.partition("^")
            found.append((base, sign * int(power or "1")))
    return found
