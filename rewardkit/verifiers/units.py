"""Units of measurement: what a unit's name measures, and its size in base units."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

_TABLE: dict[str, list[tuple[str, str]]] = {
    "length": [
        ("1", "m meter meters metre metres"),
        ("1000", "km kilometer kilometers kilometre kilometres"),
        ("0.01", "cm centimeter centimeters centimetre centimetres"),
        ("0.001", "mm millimeter millimeters millimetre millimetres"),
        ("0.1", "dm decimeter decimeters"),
        ("1609.344", "mile miles mi"),
        ("0.3048", "ft foot feet"),
        ("0.0254", "inch inches in"),
        ("0.9144", "yd yard yards"),
        ("1e-6", "microm micrometer micrometers micron microns um"),
        ("1e-9", "nm nanometer nanometers"),
        ("9460730472580800", "ly lightyear lightyears"),
    ],
    "length^2": [("10000", "hectare hectares ha"), ("4046.8564224", "acre acres")],
    "length^3": [
        ("0.001", "l liter liters litre litres"),
        ("0.000001", "ml milliliter milliliters millilitre millilitres cc"),
        ("0.003785411784", "gallon gallons"),
    ],
    "length/time": [("1609.344/3600", "mph"), ("1000/3600", "kph kmh kmph")],
    "mass": [
        ("1000", "kg kilogram kilograms"),
        ("1", "g gram grams"),
        ("0.001", "mg milligram milligrams"),
        ("1e-6", "microg microgram micrograms"),
        ("1000000", "tonne tonnes"),
        ("453.59237", "lb lbs pound pounds"),
        ("28.349523125", "oz ounce ounces"),
    ],
    "time": [
        ("1", "s sec secs second seconds"),
        ("60", "min mins minute minutes"),
        ("3600", "h hr hrs hour hours"),
        ("86400", "day days"),
        ("604800", "week weeks"),
        ("0.001", "ms millisecond milliseconds"),
        ("1e-6", "micros microsecond microseconds"),
    ],
    "years": [("1", "year years yr yrs"), ("1/12", "month months")],
    "money": [("1", "dollar dollars usd bucks"), ("0.01", "cent cents")],
    "euro": [("1", "euro euros eur")],
    "yuan": [("1", "yuan rmb")],
    "yen": [("1", "yen")],
    "rupee": [("1", "rupee rupees rs")],
    "angle": [("1", "degree degrees deg")],
    "radian": [("1", "rad radian radians")],
    "amount": [("1", "mol mole moles"), ("0.001", "mmol"), ("1000", "kmol")],
    "pressure": [
        ("1", "pa pascal pascals"),
        ("1000", "kpa kilopascal kilopascals"),
        ("1000000", "mpa megapascal megapascals"),
        ("101325", "atm atmosphere atmospheres"),
    ],
    "resistance": [("1", "ohm ohms"), ("1000", "kohm kohms kiloohm kiloohms")],
    "magnetism": [("1", "t tesla teslas")],
    "current": [("1", "a amp amps ampere amperes"), ("1e-6", "microa")],
    "charge": [("1", "c coulomb coulombs"), ("1e-6", "microc")],
    "force": [("1", "newton newtons n")],
    "energy": [("1", "joule joules j"), ("1000", "kj kilojoule kilojoules")],
    "power": [("1", "watt watts w"), ("1000", "kw kilowatt kilowatts")],
    "voltage": [("1", "volt volts v")],
    "time^-1": [("1", "hz hertz"), ("1000", "khz"), ("1000000", "mhz")],
    "kelvin": [("1", "k kelvin")],
    "any": [("1", "unit units")],
}


class Unit(NamedTuple):
    """What a unit measures, as powers of dimensions; its size; and nouns that are no units."""

    dimensions: frozenset[tuple[str, int]]
    size: Fraction
    nouns: frozenset[str]

    @property
    def is_any(self) -> bool:
        """Whether it is just "units", squared perhaps."""
        return any(dimension == "any" for dimension, _ in self.dimensions)


def _size(text: str) -> Fraction:
    top, _, bottom = text.partition("/")
    return Fraction(top) / Fraction(bottom or "1")


UNITS: dict[str, tuple[str, Fraction]] = {
    name: (dimension, _size(size))
    for dimension, rows in _TABLE.items()
    for size, names in rows
    for name in names.split()
}
"""Name -> (what it measures, its size in that dimension's base unit)."""

LETTER_UNITS = frozenset(name for name in UNITS if len(name) == 1)
"""One-letter units count as units only in `\\text{m}`, never as a bare letter."""
MULTIPLES: dict[str, int | Fraction] = {
    "dozen": 12, "hundred": 10**2, "thousand": 10**3, "million": 10**6, "billion": 10**9,
    "trillion": 10**12, "lakh": 10**5, "crore": 10**7, "dozens": 12, "hundreds": 10**2,
    "thousands": 10**3, "millions": 10**6, "billions": 10**9, "trillions": 10**12,
    "halves": Fraction(1, 2), "thirds": Fraction(1, 3), "quarters": Fraction(1, 4),
    "fourths": Fraction(1, 4), "fifths": Fraction(1, 5), "sixths": Fraction(1, 6),
    "eighths": Fraction(1, 8), "tenths": Fraction(1, 10), "hundredths": Fraction(1, 100),
    "thousandths": Fraction(1, 1000), "bn": 10**9, "double": 2, "triple": 3,
}  # fmt: skip
"""Words that multiply the number before them."""
OPERATIONS = frozenset((
    "squared", "cubed", "factorial", "doubled", "tripled", "halved", "reciprocal", "minus", "plus",
    "imaginary", "invalid", "impossible", "infinite", "false", "undefined", "half", "third",
    "inverse", "negative", "inverted", "negated",
))  # fmt: skip
"""Words after a number that make another one of it, and so are no units."""
DIRECTIONS = frozenset(word.rstrip("s") for word in (
    "left", "right", "up", "down", "higher", "lower", "above", "below", "north", "south", "east",
    "west", "northeast", "northwest", "southeast", "southwest", "fewer", "increase", "decrease",
    "gain", "loss", "profit", "clockwise", "counterclockwise", "anticlockwise", "before", "after",
    "older", "younger", "taller", "shorter", "longer", "faster", "slower", "ahead", "behind",
))  # fmt: skip
"""Words that say which way: an answer with another one is another answer."""
_PLAIN = frozenset((
    "of", "the", "a", "an", "each", "total", "in", "altogether", "all", "to", "from", "by", "at",
))  # fmt: skip
_WORD = re.compile(r"([^\W\d_]+)(?:\^(-?\d))?")
_POWERS = {"square": 2, "sq": 2, "cubic": 3, "cu": 3, "squared": 2, "cubed": 3}


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
        if word in _POWERS:
            if not word.endswith("ed"):
                power = _POWERS[word]
            continue
        match = _WORD.fullmatch(word)
        base = match[1] if match else word
        known = UNITS.get(base) if base != "in" or not nouns else None
        if known is None:
            if base not in _PLAIN:
                nouns.add(base.rstrip("s") or base)
            continue
        if words[k + 1 : k + 2] and words[k + 1] in ("squared", "cubed"):
            power = _POWERS[words[k + 1]]
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
    """Return `length^3` and `length/time` as powers of dimensions."""
    top, _, bottom = dimension.partition("/")
    base, _, power = top.partition("^")
    return [(base, int(power or "1")), *([(bottom, -1)] if bottom else [])]


def sizes_like(unit: Unit) -> list[Fraction]:
    """Return the sizes of all units that measure what a plain unit does."""
    return [
        size
        for dimension, size in UNITS.values()
        if frozenset(_powers(dimension)) == unit.dimensions
    ]
