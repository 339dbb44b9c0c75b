"""Formulas of chemistry, `\\ce{CO2}`, which are compared letter by letter."""

from __future__ import annotations

import re

from rewardkit.verifiers.comparison.result import Result, different, equal
from rewardkit.verifiers.parsing.spelling import unify
from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.commands import SPACE, TEXT_COMMAND

_UPRIGHT = re.compile(r"\\(?:ce|mathrm|text|mathbf|textrm|rm)(?![a-zA-Z])")
_MARKUP = re.compile(rf"\\ce(?![a-zA-Z])|{TEXT_COMMAND}(?![a-zA-Z])|\\rm\b|{SPACE}|[\s{{}}_^$]")
_SUBSCRIPT = re.compile("[₀-₉⁺⁻→⟶]")
_POWER = re.compile(r"\^\s*\{?\d+(?![\d+-])")
"""`R^2` is none of `R₂`, but the charge of an ion is raised as well."""
_ELEMENT = re.compile(r"[A-Z]")
_ION = re.compile(r"(?:[A-Z][a-z]?\d*|\(\w+\)\d*)+\d*[+-]")
_ARROW = re.compile(r"\\(?:long)?rightarrow|\\to(?![a-z])|→|⟶|\\xrightarrow")
_FORMULA = re.compile(r"(?:[A-Z][a-z]?\d*|[()\[\]]\d*|\d+|[+=-]|->)+")


def formulas(gold: str, text: str) -> Result | None:
    """Compare two formulas of which one is set upright; None where either side is no formula."""
    if not _UPRIGHT.search(f"{gold} {text}"):
        if not _SUBSCRIPT.search(gold + text) or _POWER.search(unify(f"{gold} {text}")):
            return None
        if not (_ELEMENT.search(gold) and _ELEMENT.search(text)):
            return None
    sides = [_plain(side) for side in (gold, text)]
    chemical = "\\ce" in gold or "\\ce" in text
    if sides[0] == sides[1] and (chemical or all(map(_is_formula, sides))):
        return equal("formula", "the same formula")
    if "\\ce" in gold and "\\ce" in text:
        return different("formula", "the formulas differ")
    return None


def _plain(text: str) -> str:
    """Return a formula as plain text writes it: `SO42-`."""
    return _MARKUP.sub("", _ARROW.sub("->", unify(text)))


def _is_formula(text: str) -> bool:
    has_sign = has_digit(text) or _ION.fullmatch(text)
    return bool(has_sign) and _FORMULA.fullmatch(text) is not None


def is_reaction(text: str) -> bool:
    """Return whether a text is the equation of a reaction, `2H2 + O2 -> 2H2O`."""
    plain = _plain(text)
    return plain.count("->") == 1 and _is_formula(plain)
