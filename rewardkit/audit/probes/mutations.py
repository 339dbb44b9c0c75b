"""A gold changed so that it is wrong: (what was changed, text). Different by construction."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import TypeAlias

from rewardkit.audit.probes.shapes import Reading, Shape, number

Mutation: TypeAlias = tuple[str, str]

OTHER_UNITS = {
    "cm": "m", "m": "km", "km": "m", "mm": "cm", "kg": "g", "g": "kg", "mg": "g", "lbs": "kg",
    "hours": "minutes", "hour": "minutes", "minutes": "hours", "seconds": "minutes",
    "days": "weeks", "weeks": "days", "years": "months", "inches": "feet", "feet": "inches",
    "meters": "kilometers", "miles": "feet", "dollars": "cents", "cents": "dollars",
}  # fmt: skip
"""A unit -> one in which the same number is another quantity."""
OPPOSITES = {"yes": "No", "no": "Yes", "true": "False", "false": "True"}
OPTIONS = "ABCDEFGHIJ"
OTHER_WORDS = "tartan umbrella"
DENIES = re.compile(r"\b(?:no|not|cannot|never|none|nothing|neither|nobody|dne)\b", re.IGNORECASE)
"""As in "cannot be determined": with one "not" more it says either, or nothing."""
_NAME = re.compile(r"[A-Z][a-z' -]{2,}")
"""As of a place: "Paris, France" may be said without its country, "Na, Cl" is two things."""
_NO_FORMULA = re.compile(r"(?!.*\b[a-z]\d)[\w\s.,;:'’-]+")


def mutations(reading: Reading) -> Iterator[Mutation]:
    """Yield wrong answers near a gold, each with the name of what was changed.

    >>> from rewardkit.audit.probes.shapes import read
    >>> [text for _, text in mutations(read("[0, 1)"))]
    ['(0, 1)', '[0, 1]', '[-1, 1)', '[0, 2)']
    """
    if not reading.gold:
        return
    made = _BY_SHAPE.get(reading.shape, _other)
    yield from dict.fromkeys(made(reading)) or dict.fromkeys(_of_no_kind(reading))


def neighbour(reading: Reading) -> str | None:
    """Return one wrong answer of the same kind as the gold, None where none is known."""
    found = dict(mutations(reading))
    for name in ("neighbour", "option", "opposite", "element", "endpoint", "number", "digit"):
        if name in found:
            return found[name]
    return next(iter(found.values()), None)


def _integer(reading: Reading) -> Iterator[Mutation]:
    assert reading.value is not None
    whole = int(reading.value)
    yield "neighbour", str(whole + 1)
    yield "neighbour", str(whole - 1)
    if whole:
        yield "sign", str(-whole)
        yield "digit more", f"{whole}0"
        yield "one more place", f"{whole}.5"
    digits = str(abs(whole))
    sign = "-" if whole < 0 else ""
    yield "digit", f"{sign}{digits[:-1]}{(int(digits[-1]) + 5) % 10}"
    yield "digit before", f"{sign}1{digits}"
    if len(digits) > 1:
        yield "digit less", f"{sign}{digits[:-1]}"
        if digits[0] != digits[1]:
            yield "digits swapped", f"{sign}{int(digits[1] + digits[0] + digits[2:])}"
    if abs(whole) > 1:
        yield "inverse", f"\\frac{{1}}{{{whole}}}"
        yield "exponent", f"({whole})^2" if whole < 0 else f"{whole}^2"
    yield "one element more", f"{whole}, {whole + 1}"


def _number(reading: Reading) -> Iterator[Mutation]:
    value = reading.value
    assert value is not None
    yield "neighbour", _as_decimal_or_fraction(value + 1, reading)
    if value:
        yield "sign", _as_decimal_or_fraction(-value, reading)
        yield "point moved", _as_decimal_or_fraction(value * 10, reading)
        yield "digit", _as_decimal_or_fraction(_first_digit_changed(value), reading)
    if reading.shape is Shape.FRACTION and value:
        top, bottom = value.numerator, value.denominator
        yield "numerator", f"\\frac{{{top + 2 * bottom}}}{{{bottom}}}"
        yield "denominator", f"\\frac{{{top}}}{{{bottom + 1}}}"
        if abs(top) != bottom and abs(top) != 1:
            yield "inverse", f"\\frac{{{bottom}}}{{{top}}}"


def _quantity(reading: Reading) -> Iterator[Mutation]:
    amount = number(reading.items[0])
    assert amount is not None
    yield "number", f"{_decimal(amount + 1)}\\text{{ {reading.unit}}}"
    if amount:
        yield "sign", f"{_decimal(-amount)}\\text{{ {reading.unit}}}"
        if reading.unit in OTHER_UNITS:
            yield "unit", f"{reading.items[0]}\\text{{ {OTHER_UNITS[reading.unit]}}}"


def _pair(reading: Reading) -> Iterator[Mutation]:
    items, left, right = reading.items, reading.left, reading.right
    if len(items) == 2:
        if "infty" not in items[0] and "∞" not in items[0]:
            yield "bracket", f"{'[' if left == '(' else '('}{', '.join(items)}{right}"
        if "infty" not in items[1] and "∞" not in items[1]:
            yield "bracket", f"{left}{', '.join(items)}{']' if right == ')' else ')'}"
    # Made wider, an interval is another one beside the gold, too: (2, 9) or (3, 9) is (2, 9).
    for changed in _one_changed(items, first=-1):
        yield "endpoint", f"{left}{', '.join(changed)}{right}"
    if left == "(" and right == ")":
        yield "other order", f"({', '.join(reversed(items))})"
        yield "one element more", f"({', '.join((*items, '7919'))})"
        if len(items) > 2:
            yield "one element less", f"({', '.join(items[:-1])})"


def _collected(reading: Reading) -> Iterator[Mutation]:
    items, left, right = reading.items, reading.left, reading.right
    yield "one element more", f"{left}{', '.join((*items, '7919'))}{right}"
    yield "one element less", f"{left}{', '.join(items[:-1])}{right}"
    for changed in _one_changed(items):
        if len(set(changed)) == len(changed):
            yield "element", f"{left}{', '.join(changed)}{right}"


def _one_changed(items: tuple[str, ...], first: int = 1) -> Iterator[list[str]]:
    """Yield the items with one of the first three changed by 1, the first by `first`."""
    for place, item in enumerate(items[:3]):
        value = number(item)
        if value is not None:
            changed = _exact(value + (1 if place else first))
            yield [*items[:place], changed, *items[place + 1 :]]


def _option(reading: Reading) -> Iterator[Mutation]:
    place = OPTIONS.index(reading.items[0])
    yield "option", OPTIONS[(place + 1) % 4 if place < 4 else place - 1]
    yield "option", OPTIONS[(place + 2) % 4 if place < 4 else place - 2]


def _yes_no(reading: Reading) -> Iterator[Mutation]:
    yield "opposite", OPPOSITES[reading.gold.casefold()]


def _words(reading: Reading) -> Iterator[Mutation]:
    if not DENIES.search(reading.gold):
        yield "denied", f"not {reading.gold}"
    yield "other words", OTHER_WORDS


def _word_list(reading: Reading) -> Iterator[Mutation]:
    """Yield lists of other words; what may be a place in its country may do without the latter."""
    items, stranger = reading.items, reading.stranger
    for place in range(min(len(items), 3)):
        changed = ", ".join((*items[:place], stranger, *items[place + 1 :]))
        yield "element", changed
    yield "one element more", ", ".join((*items, stranger))
    yield "one element more", ", ".join((stranger, *items))
    if len(items) > 2 or not all(map(_NAME.match, items)):
        yield "one element less", ", ".join(items[:-1])
        yield "one element less", ", ".join(items[1:])
    yield "other words", OTHER_WORDS


def _other(reading: Reading) -> Iterator[Mutation]:
    """Yield what is wrong of any gold; in a text that is no formula, another last number too."""
    gold = reading.gold
    if _NO_FORMULA.fullmatch(gold):
        *_, last = [None, *re.finditer(r"\d{1,30}", gold)]
        if last is not None:
            yield "digit", f"{gold[: last.start()]}{int(last[0]) + 1}{gold[last.end() :]}"
        yield "denied", f"not {gold}"
    yield from _of_no_kind(reading)


def _of_no_kind(reading: Reading) -> Iterator[Mutation]:
    yield "other words", OTHER_WORDS
    if "7919" not in reading.gold:
        yield "other number", "7919"


def _expression(reading: Reading) -> Iterator[Mutation]:
    """Yield mutations of formulas in which a changed number cannot cancel out."""
    gold = reading.gold
    if re.search(r"(?<!\d)0(?!\d)|(?<!\d)1\s*\^|/|\bi\b", gold.replace("\\frac", "")):
        return
    yield "neighbour", f"{gold} + 1"
    yield "sign", f"-({gold})"
    if found := re.search(r"([a-zA-Z])\^\{?(\d+)\}?(?!\d)", gold):
        raised = f"{found[1]}^{{{int(found[2]) + 1}}}"
        yield "exponent", gold[: found.start()] + raised + gold[found.end() :]
    if found := re.search(r"(?<![\d^_{])\d+(?![\d^])", gold):
        yield "digit", gold[: found.start()] + str(int(found[0]) + 1) + gold[found.end() :]


def _first_digit_changed(value: Fraction) -> Fraction:
    """Return a number whose first digit is another: no rounding makes it the same."""
    size = abs(value)
    unit = Fraction(1)
    while unit * 10 <= size:
        unit *= 10
    while unit > size:
        unit /= 10
    step = unit if size < 9 * unit else -unit
    return value + (step if value > 0 else -step)


def _as_decimal_or_fraction(value: Fraction, like: Reading) -> str:
    return _decimal(value) if like.shape is Shape.DECIMAL else _exact(value)


def _exact(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator)
    sign = "-" if value < 0 else ""
    return f"{sign}\\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"


def _decimal(value: Fraction) -> str:
    """Return a decimal fraction digit by digit."""
    places = 0
    while (value * 10**places).denominator != 1 and places < 40:
        places += 1
    digits = str(abs(int(value * 10**places))).rjust(places + 1, "0")
    point = f".{digits[-places:]}" if places else ""
    return f"{'-' if value < 0 else ''}{digits[: len(digits) - places]}{point}"


_BY_SHAPE = {
    Shape.INTEGER: _integer,
    Shape.DECIMAL: _number,
    Shape.FRACTION: _number,
    Shape.QUANTITY: _quantity,
    Shape.PAIR: _pair,
    Shape.SET: _collected,
    Shape.LIST: _collected,
    Shape.OPTION: _option,
    Shape.YES_NO: _yes_no,
    Shape.WORDS: _words,
    Shape.WORD_LIST: _word_list,
    Shape.EXPRESSION: _expression,
}
