"""Formulas of chemistry, `\\ce{H2SO4}` and H₂SO₄: letter by letter, in one spelling."""

from __future__ import annotations

import re

from rewardkit.verifiers.comparison.result import Result, different, equal
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.parsing.spelling.characters import unify
from rewardkit.verifiers.vocabulary.commands import SPACE, TEXT_COMMAND
from rewardkit.verifiers.vocabulary.names import ELEMENTS

_MARKUP = re.compile(rf"\\ce(?![a-zA-Z])|{TEXT_COMMAND}(?![a-zA-Z])|\\rm\b|{SPACE}|[\s{{}}_^$]")
_POWER = re.compile(r"\^\s*\{?\d+(?![\d+-])")
"""`R^2` is none of `R₂`, but the charge of an ion is raised as well."""
_ARROW = re.compile(r"\\(?:long|x)?rightarrow|\\to(?![a-z])|→|⟶")
_SIGN_FIRST = re.compile(r"\^\{?([+-])(\d)\}?")
"""Of a charge: `Fe^{+3}`."""
_WATER = re.compile(r"\\cdot(?![a-z])|[*.•⋅](?=\s?\d*\s?\\?[a-z{]*H)")
_STATE = re.compile(r"(?<=[\w)\]}+-])_?\{?\((?:aq|[gls])\)\}?")
"""Solid, liquid, gas or dissolved: `NaCl(aq)`."""
_NAMES = re.compile(r"[A-Z][a-z]?")
_FORMULA = re.compile(r"(?:[A-Z][a-z]?\d*|[()\[\]]\d*|\d+|[+=·-]|->)+")
_MAX_CHARS = 300
"""What is longer is a sentence."""


def compare_texts(gold_text: str, text: str, _: MathOptions) -> Result | None:
    """Compare formulas and reactions; None where the gold is neither."""
    if len(gold_text) > _MAX_CHARS or len(text) > _MAX_CHARS or not is_formula(gold_text):
        return None
    mine, theirs = plain_formula(gold_text), plain_formula(text)
    if not _STATE.search(mine):
        theirs = _STATE.sub("", theirs)
    if mine == theirs or ("->" in mine and _substances(mine) == _substances(theirs)):
        return equal("formula", "the same formula")
    both = "\\ce" in gold_text and is_formula(text)
    return different("formula", "the formulas differ") if both else None


def plain_formula(text: str) -> str:
    """Return a formula as plain text writes it.

    >>> plain_formula(r"\\mathrm{SO_4^{2-}}"), plain_formula(r"2H_2 + O_2 \\to 2H_2O")
    ('SO42-', '2H2+O2->2H2O')
    """
    text = _SIGN_FIRST.sub(r"^{\2\1}", _ARROW.sub("->", unify(_ARROW.sub("->", text))))
    return _MARKUP.sub("", _WATER.sub("·", text))


def is_formula(text: str) -> bool:
    """Return whether a text is a formula of elements, with counts, a charge, or an arrow.

    >>> is_formula("H_2SO_4"), is_formula(r"\\ce{NaOH}"), is_formula("A_1"), is_formula("C^2")
    (True, True, False, False)
    """
    plain = _STATE.sub("", plain_formula(text))
    names = _NAMES.findall(plain)
    if not names or not ELEMENTS.issuperset(names) or not _FORMULA.fullmatch(plain):
        return False
    upright = "\\ce" in text or "\\mathrm" in text or "->" in plain
    said = upright or len(names) > 1 or plain[-1] in "+-" or "_" in text
    return said and not _POWER.search(unify(text)) and "=" not in plain


def _substances(plain: str) -> list[list[str]]:
    """Return what reacts and what becomes of it, each in order."""
    sides = plain.split("->")
    return [sorted(re.split(r"\+(?=[A-Z(\[\d])", _STATE.sub("", side))) for side in sides]
