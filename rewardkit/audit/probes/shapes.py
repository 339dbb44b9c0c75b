r"""What kind of answer a gold is, told by its spelling alone.

Nothing here asks a verifier or its parser: what is right about a probe must not follow from what
is being audited.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


class Shape(StrEnum):
    """Kinds of golds, by which writings and mutations are made."""

    INTEGER = "integer"
    DECIMAL = "decimal"
    FRACTION = "fraction"
    QUANTITY = "quantity"
    PAIR = "interval or tuple"
    SET = "set"
    LIST = "list"
    OPTION = "option"
    YES_NO = "yes or no"
    EXPRESSION = "expression"
    WORDS = "words"
    WORD_LIST = "list of words"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Reading:
    """A gold, its shape, and the parts that writings and mutations are made of.

    `value` is a number's value; `items` are what stands between the brackets `left` and `right`;
    `unit` is a quantity's, whose number is `items[0]`; `stranger` is a word that is no item
    of a list of words.
    """

    gold: str
    shape: Shape
    value: Fraction | None = None
    items: tuple[str, ...] = ()
    left: str = ""
    right: str = ""
    unit: str = ""
    stranger: str = "umbrella"


_INTEGER = re.compile(r"-?\d{1,30}|-?[1-9]\d{0,2}(?:,\d{3}){1,9}")
_DECIMAL = re.compile(r"-?\d{0,30}\.\d{1,30}")
_FRACTION = re.compile(
    r"(-?)(?:\\[dt]?frac\s*\{(-?\d{1,30})\}\s*\{(\d{1,30})\}|(\d{1,30})\s*/\s*(\d{1,30}))"
)
_UNIT = re.compile(
    r"(-?\d+(?:\.\d+)?)\s*(?:\\[,; ])?\s*"
    r"(?:\\(?:text|mathrm|textrm)\{\s*([A-Za-z]+)\s*\}|([A-Za-z]{2,}))"
)
_BRACKETED = re.compile(r"(?:\\left)?\s*([(\[])(.+?)(?:\\right)?\s*([)\]])")
_SET = re.compile(r"(?:\\left)?\s*\\\{(.+?)(?:\\right)?\s*\\\}")
_ITEM = re.compile(r"[+-]?(?:\d+(?:\.\d+)?|\d+/\d+|\\frac\{\d+\}\{\d+\}|\\infty|∞)")
_OPTION = re.compile(r"\(?([A-J])\)?|\\(?:text|textbf|mathrm)\{\s*\(?([A-J])\)?\s*\}")
_WORDS = re.compile(r"[A-Za-z][A-Za-z' -]*")
_PLAIN_TOKENS = re.compile(
    r"(?:\\(?:[dt]?frac|sqrt|pi|cdot|times|left|right)(?![a-zA-Z])|[a-zA-Z](?![a-zA-Z])|\d+"
    r"|[-+*/^{}()\s])+"
)
_YES_NO = ("yes", "no", "true", "false")


def read(gold: str) -> Reading:
    r"""Return a gold's shape and parts.

    >>> read(r"\frac{1}{2}").value, read("[0, 1)").items, read(r"5\text{ cm}").unit
    (Fraction(1, 2), ('0', '1'), 'cm')
    """
    text = gold.strip()
    if text.startswith("$") and text.endswith("$") and len(text) > 2:
        text = text.strip("$").strip()
    value = number(text)
    if value is not None:
        whole = _INTEGER.fullmatch(text) is not None
        decimal = _DECIMAL.fullmatch(text) is not None
        shape = Shape.INTEGER if whole else Shape.DECIMAL if decimal else Shape.FRACTION
        return Reading(text, shape, value)
    if found := _OPTION.fullmatch(text):
        return Reading(text, Shape.OPTION, items=(found[1] or found[2],))
    if text.casefold() in _YES_NO:
        return Reading(text, Shape.YES_NO)
    if found := _UNIT.fullmatch(text):
        unit = found[2] or found[3]
        return Reading(text, Shape.QUANTITY, number(found[1]), (found[1],), unit=unit)
    if found := _SET.fullmatch(text):
        return _collection(text, Shape.SET, found[1], "\\{", "\\}")
    if found := _BRACKETED.fullmatch(text):
        return _collection(text, Shape.PAIR, found[2], found[1], found[3])
    if "," in text:
        return _collection(text, Shape.LIST, text, "", "")
    if len(text) > 1 and _WORDS.fullmatch(text):
        return Reading(text, Shape.WORDS)
    if _PLAIN_TOKENS.fullmatch(text):
        return Reading(text, Shape.EXPRESSION)
    return Reading(text, Shape.OTHER)


def number(text: str) -> Fraction | None:
    r"""Return the value of a plain number, None for what is none.

    >>> number("1,234"), number("-.5"), number(r"-\frac{3}{4}"), number("1/0"), number("x")
    (Fraction(1234, 1), Fraction(-1, 2), Fraction(-3, 4), None, None)
    """
    text = text.strip()
    if _INTEGER.fullmatch(text):
        return Fraction(text.replace(",", ""))
    if _DECIMAL.fullmatch(text):
        return Fraction(text)
    if found := _FRACTION.fullmatch(text):
        top, bottom = int(found[2] or found[4]), int(found[3] or found[5])
        return Fraction(-top if found[1] else top, bottom) if bottom else None
    return None


def _collection(gold: str, shape: Shape, inside: str, left: str, right: str) -> Reading:
    """Return a collection of two or more plain different items; any other is not taken apart."""
    items = tuple(item.strip() for item in inside.split(","))
    if len(items) > 1 and len({item.casefold() for item in items}) == len(items):
        if all(map(_ITEM.fullmatch, items)):
            return Reading(gold, shape, None, items, left, right)
        if shape is Shape.LIST and all(map(_WORDS.fullmatch, items)):
            return Reading(gold, Shape.WORD_LIST, None, items)
    return Reading(gold, Shape.OTHER)
