"""A gold in other writings that mean the same: (what is special, text, whether that is certain)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import TypeAlias

from rewardkit.audit.probes.shapes import Reading, Shape

Writing: TypeAlias = tuple[str, str, bool]


def writings(reading: Reading) -> Iterator[Writing]:
    r"""Yield equivalent writings of a gold.

    >>> from rewardkit.audit.probes.shapes import read
    >>> [text for _, text, certain in writings(read("0.5")) if certain]
    [' 0.5 ', '$0.5$', '0.50', '.5', '1/2', '\\frac{1}{2}']
    """
    gold = reading.gold
    yield "spaces", f" {gold} ", True
    if reading.shape not in (Shape.WORDS, Shape.WORD_LIST, Shape.OPTION, Shape.YES_NO):
        yield "dollars", f"${gold}$", True
    own = _BY_SHAPE.get(reading.shape)
    seen = {gold}
    for name, text, certain in own(reading) if own else ():
        if text not in seen:
            seen.add(text)
            yield name, text, certain
    if "\\frac" in gold:
        yield "dfrac", gold.replace("\\frac", "\\dfrac"), True
    if reading.shape is not Shape.OTHER and "\\left" not in gold and re.search(r"[(\[]", gold):
        sized = re.sub(r"([(\[])", r"\\left\1", re.sub(r"([)\]])", r"\\right\1", gold))
        yield "left and right", sized, True


def _integer(reading: Reading) -> Iterator[Writing]:
    assert reading.value is not None
    whole = int(reading.value)
    yield "decimal zeros", f"{whole}.0", True
    yield "without commas", str(whole), True
    if abs(whole) >= 1000:
        yield "thousands", f"{whole:,}", True
        yield "latex thousands", f"{whole:,}".replace(",", "{,}"), True
    yield "text command", f"\\text{{{whole}}}", False
    yield "equation", f"x = {whole}", False
    yield "unreduced fraction", f"\\frac{{{2 * whole}}}{{2}}", False


def _decimal(reading: Reading) -> Iterator[Writing]:
    assert reading.value is not None
    yield "one zero more", f"{reading.gold}0", True
    if re.match(r"-?0\.", reading.gold):
        yield "no leading zero", reading.gold.replace("0.", ".", 1), True
    if re.match(r"-?\.", reading.gold):
        yield "leading zero", reading.gold.replace(".", "0.", 1), True
    if reading.value.denominator > 1:
        yield from _fractions(reading.value)


def _fraction(reading: Reading) -> Iterator[Writing]:
    value = reading.value
    assert value is not None
    yield from _fractions(value)
    top, bottom = value.numerator, value.denominator
    yield "unreduced fraction", f"\\frac{{{2 * top}}}{{{2 * bottom}}}", False
    if top < 0:
        yield "minus above", f"\\frac{{{top}}}{{{bottom}}}", True
        yield "minus before", f"-\\frac{{{-top}}}{{{bottom}}}", True
    if (decimal := _short_decimal(value)) is not None:
        yield "decimal", decimal, True


def _fractions(value: Fraction) -> Iterator[Writing]:
    top, bottom = value.numerator, value.denominator
    yield "slash", f"{top}/{bottom}", True
    sign, top = ("-" if top < 0 else ""), abs(top)
    yield "frac", f"{sign}\\frac{{{top}}}{{{bottom}}}", True


def _short_decimal(value: Fraction) -> str | None:
    """Return a fraction as a decimal of at most four places, None where it is not one."""
    scaled = value * 10_000
    if scaled.denominator != 1:
        return None
    return f"{float(value):.4f}".rstrip("0").rstrip(".")


def _quantity(reading: Reading) -> Iterator[Writing]:
    amount, unit = reading.items[0], reading.unit
    yield "unit in text", f"{amount}\\text{{ {unit}}}", True
    yield "unit in roman", f"{amount}\\,\\mathrm{{{unit}}}", True
    yield "unit as written", f"{amount} {unit}", True
    yield "no unit", amount, False


def _pair(reading: Reading) -> Iterator[Writing]:
    yield "close together", f"{reading.left}{','.join(reading.items)}{reading.right}", True
    yield "spaced", f"{reading.left} {' , '.join(reading.items)} {reading.right}", True


def _set(reading: Reading) -> Iterator[Writing]:
    yield "other order", f"\\{{{', '.join(reversed(reading.items))}\\}}", True
    yield "left and right", f"\\left\\{{{', '.join(reading.items)}\\right\\}}", True


def _list(reading: Reading) -> Iterator[Writing]:
    yield "close together", ",".join(reading.items), True
    yield "other order", ", ".join(reversed(reading.items)), False
    yield "and", f"{', '.join(reading.items[:-1])} and {reading.items[-1]}", False


def _option(reading: Reading) -> Iterator[Writing]:
    letter = reading.items[0]
    yield "letter", letter, True
    yield "parentheses", f"({letter})", True
    yield "text command", f"\\text{{{letter}}}", True
    yield "full stop", f"{letter}.", False


def _words(reading: Reading) -> Iterator[Writing]:
    yield "text command", f"\\text{{{reading.gold}}}", True
    yield "capitals", reading.gold.upper(), False


def _expression(reading: Reading) -> Iterator[Writing]:
    yield "spaces at signs", re.sub(r"\s*([+-])\s*", r" \1 ", reading.gold).strip(), True


_BY_SHAPE = {
    Shape.INTEGER: _integer,
    Shape.DECIMAL: _decimal,
    Shape.FRACTION: _fraction,
    Shape.QUANTITY: _quantity,
    Shape.PAIR: _pair,
    Shape.SET: _set,
    Shape.LIST: _list,
    Shape.WORD_LIST: _list,
    Shape.OPTION: _option,
    Shape.YES_NO: _words,
    Shape.WORDS: _words,
    Shape.EXPRESSION: _expression,
}
