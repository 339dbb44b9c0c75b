"""Formulas of chemistry, `\\ce{CO2}`, which are compared letter by letter."""

from __future__ import annotations

import re
from rewardkit.verifiers.comparison.result import Result, different, equal
from rewardkit.verifiers.parsing.forms.compounds import (
    POWER,
    is_formula,
    is_substance,
    plain_formula,
    sides_of_reaction,
)
from rewardkit.verifiers.parsing.spelling.characters import unify

_UPRIGHT = re.compile(r"\\(?:ce|mathrm|text|mathbf|textrm|rm)(?![a-zA-Z])")
_SUBSCRIPT = re.compile("[₀-₉⁺⁻→⟶]")
_ARROW = re.compile(r"[>→⟶]|arrow|\\to\b")
_ELEMENT = re.compile(r"[A-Z]")
_BESIDE = re.compile(
    r"([^(),]+(?:\([^(),]+\)\d*[^(),]*)*?)(?:\s\(([^,]+)\)|,\s(?:or\s|i\.e\.,?\s)?([^,]+))"
)
_NAME = re.compile(
    r"[A-Za-z]?[a-z]{2,}(?:\((?:I{1,3}|IV|V|VI{0,2})\))?(?:\s(?!and\b|or\b|not\b|but\b)[a-z]{2,}(?:\((?:I{1,3}|IV|V|VI{0,2})\))?){0,2}"
)
"""A substance in words: `iron(III) oxide`."""
_TEXT = re.compile(r"\\(?:text|mathrm|textrm|rm)\s*\{([^{}]*)\}")
_MAX_NAMED = 80
_MAX_CHARS = 300
"""What is longer is a sentence."""


def formulas(gold: str, text: str) -> Result | None:
    """Compare formulas of which one is set upright or lowers its counts; None for anything else."""
    if len(text) > _MAX_CHARS:
        return None
    reacts = sides_of_reaction(gold) if _ARROW.search(gold) else None
    if reacts and reacts == sides_of_reaction(text):
        return equal("formula", "the same reaction")
    if not _UPRIGHT.search(f"{gold} {text}"):
        if not (_ELEMENT.search(gold) and _ELEMENT.search(text)):
            return None
        lowered = _SUBSCRIPT.search(gold + text) or ("_" in gold) != ("_" in text)
        if not lowered or POWER.search(unify(f"{gold} {text}")):
            return None
    sides = [plain_formula(side) for side in (gold, text)]
    chemical = "\\ce" in gold or "\\ce" in text
    if sides[0] == sides[1] and (chemical or all(map(is_formula, sides))):
        return equal("formula", "the same formula")
    if "\\ce" in gold and "\\ce" in text:
        return different("formula", "the formulas differ")
    return None


def formula_and_name(text: str) -> tuple[str, str] | None:
    """Return the formula of a substance and its name where an answer says both, else None.

    >>> formula_and_name("sodium hydroxide, NaOH"), formula_and_name("Na (a metal), K")
    (('NaOH', 'sodium hydroxide'), None)
    """
    both = (
        _BESIDE.fullmatch(_TEXT.sub(r"\1", text).strip(" .")) if len(text) <= _MAX_NAMED else None
    )
    if both is None:
        return None
    first, second = both[1].strip(), (both[2] or both[3]).strip()
    if _NAME.fullmatch(first):
        first, second = second, first
    return (first, second) if _NAME.fullmatch(second) and is_substance(first) else None
