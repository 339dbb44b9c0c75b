"""Formulas of chemistry as plain text writes them: `H2SO4`, `SO42-`."""

from __future__ import annotations

import re
from functools import lru_cache

from rewardkit.verifiers.parsing.spelling.characters import unify
from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.commands import SPACE, TEXT_COMMAND
from rewardkit.verifiers.vocabulary.names import ELEMENTS

_MARKUP = re.compile(rf"\\ce(?![a-zA-Z])|{TEXT_COMMAND}(?![a-zA-Z])|\\rm\b|{SPACE}|[\s{{}}_^$]")
POWER = re.compile(r"\^\s*\{?\d+(?![\d+-])")
"""`R^2` is none of `R₂`, but the charge of an ion is raised as well."""
_ION = re.compile(r"(?:[A-Z][a-z]?\d*|\(\w+\)\d*)+\d*[+-]")
_ARROW = re.compile(r"\\(?:long)?rightarrow|\\to(?![a-z])|→|⟶|\\xrightarrow")
_SIGN_FIRST = re.compile(r"\^\{?([+-])(\d)\}?")
"""Of a charge: `Fe^{+3}`."""
_WATER = re.compile(r"\\cdot(?![a-z])|[*.•⋅](?=\s?\d*\s?\\?[a-z{]*H)")
_STATE = re.compile(r"(?:(?<=[A-Z\d)\]}+₀-₉⁺⁻-])|(?<=[A-Z][a-z]))\s?_?\{?\((?:aq|[gls])\)\}?")
"""Solid, liquid, gas or dissolved: `NaCl(aq)`."""
_NEXT_SUBSTANCE = re.compile(r"\+(?=[A-Z(\[\d])")
_NAMES = re.compile(r"[A-Z][a-z]?")
_ELEMENTS = re.compile(r"(?:[A-Z][a-z]?){2,}")
_BEGINS = re.compile(r"[A-Z\[(]|\\(?:ce|mathrm|text)\{\(?[A-Z]")
_FORMULA = re.compile(r"(?:[A-Z][a-z]?\d*|[()\[\]]\d*|\d+|[+=·-]|->)+")
_IN_STATE = re.compile(
    r"(?P<formula>\b(?:\d*(?:[A-Z][a-z]?|\([A-Z]\w*\))[\d₀-₉_{}]*(?:\^?\{?\d?[+-]\}?)?)+)\s?[_$]{0,2}\{?"
    r"\((?:aq|s|l|g)\)\}?"
)
"""A formula with what it is solved in, or whether it is solid: `NaCl(aq)`, `CO_2(g)`."""
_SYMBOL = r"[A-Z][a-z]?"
_SYMBOLS = re.compile(rf"(?:{_SYMBOL})+")


def without_unasked_states(gold: str, text: str) -> str:
    """Return a text without the states of its formulas where a gold formula says none.

    >>> without_unasked_states("NaCl", "NaCl(aq)."), without_unasked_states("CO2(g)", "CO2(g).")
    ('NaCl.', 'CO2(g).')
    """
    if ")" not in text or not _is_stateless(gold):
        return text
    return _IN_STATE.sub(_formula_alone, text)


def _formula_alone(found: re.Match[str]) -> str:
    formula = found["formula"]
    return formula if ELEMENTS.issuperset(_NAMES.findall(formula)) else found[0]


@lru_cache(maxsize=4096)
def _is_stateless(gold: str) -> bool:
    plain = plain_formula(gold)
    names = _NAMES.findall(plain)
    chemical = _SYMBOLS.fullmatch(plain) or is_compound(gold) or is_reaction(gold)
    return bool(chemical and names) and ELEMENTS.issuperset(names) and not _IN_STATE.search(plain)


def plain_formula(text: str) -> str:
    """Return a formula as plain text writes it: `SO42-`."""
    text = _SIGN_FIRST.sub(r"^{\2\1}", _ARROW.sub("->", unify(text)))
    return _MARKUP.sub("", _WATER.sub("·", text))


def without_states(text: str) -> str:
    """Return a text without the states of the substances that it names.

    >>> without_states("NaCl(aq) + f(s)")
    'NaCl + f(s)'
    """
    return _STATE.sub("", text) if "(" in text else text


def sides_of_reaction(text: str) -> list[list[str]] | None:
    """Return what reacts and what becomes of it, each in order; None where a text is no reaction.

    >>> sides_of_reaction("2H_2 + O_2 -> 2H_2O")
    [['2H2', 'O2'], ['2H2O']]
    """
    text = without_states(text)
    if not is_reaction(text):
        return None
    return [sorted(_NEXT_SUBSTANCE.split(side)) for side in plain_formula(text).split("->")]


def is_formula(text: str) -> bool:
    """Return whether a text is a formula with counts or a charge, or the equation of a reaction."""
    has_sign = has_digit(text) or _ION.fullmatch(text)
    return bool(has_sign) and _FORMULA.fullmatch(text) is not None


@lru_cache(maxsize=4096)
def is_compound(text: str) -> bool:
    """Return whether a text is the formula of a compound or ion, with its counts as may be.

    >>> is_compound("H_2SO_4"), is_compound("SO_4^{2-}"), is_compound("A_1"), is_compound("C = 5")
    (True, True, False, False)
    """
    if not _BEGINS.match(text) or POWER.search(text):
        return False
    plain = plain_formula(text)
    elements = _NAMES.findall(plain)
    named = "=" not in plain and is_formula(plain) and bool(elements)
    return named and ELEMENTS.issuperset(elements)


def is_substance(text: str) -> bool:
    """Return whether a text is a formula of two elements or more, with its counts or without.

    >>> is_substance("NaOH"), is_substance("Fe_2O_3"), is_substance("No")
    (True, True, False)
    """
    plain = plain_formula(text)
    bare = _ELEMENTS.fullmatch(plain) is not None and ELEMENTS.issuperset(_NAMES.findall(plain))
    return bare or is_compound(text)


def is_reaction(text: str) -> bool:
    """Return whether a text is the equation of a reaction, `2H2 + O2 -> 2H2O`."""
    spelled = unify(text)
    if ">" not in spelled and not _ARROW.search(spelled):
        return False
    plain = plain_formula(text)
    if plain.count("->") != 1 or not _FORMULA.fullmatch(plain):
        return False
    return is_formula(plain) or ("+" in plain and ELEMENTS.issuperset(_NAMES.findall(plain)))
