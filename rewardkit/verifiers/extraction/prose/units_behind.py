"""The unit that stands behind a number in prose: `25 kg·m/s²`, `45 miles per hour`, `20 N`."""

from __future__ import annotations

import re

from rewardkit.verifiers.expressions.units import known_unit
from rewardkit.verifiers.parsing.spelling.characters import unify
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.units import UNITS

_CHINESE = alternatives(name for name in UNITS if "\u4e00" <= name[0] <= "\u9fff")
"""They stand beside other words without a gap."""
_WORD = rf"({_CHINESE}|[^\W\d_⁰-⁹¹²³]+|‰)(\$?\^\{{?-?[1-4]\}}?\$?|⁻?[¹²³]|\s(?:squared|cubed)\b)?"
_FIRST = as_pattern(
    r"\s*(?:[A-Z][a-z]{2,}(?:n|ese|sh|ss)\s(?=[a-z]+\b))?"
    rf"((?:(?:square|cubic|sq|cu)\b\.?\s)?){_WORD}"
)
_NEXT = as_pattern(rf"(\s?[/·*⋅×-]\s?|\s(?:per(?:\san?)?|an?)\s|\s){_WORD}")
_SCALE = as_pattern(r"\s?(?:degrees?\s|°\s?)(?:(celsius|centigrade|C)|fahrenheit|F)\b", re.I)
"""What degrees are of that measure no angle."""
_NUMBER_LAST = as_pattern(
    r"(?:.*(?:=|\\approx|≈))?[\s$*]*[-−]?(?:[\d.,]+|\\[dt]?frac\{\d+\}\{\d+\})"
    r"(?:\s*(?:\\times|\\cdot|[×·*])\s*10\s*\^\s*(?:\d+|\{[-−]?\d+\}))?\s*",
    re.S,
)
"""A number in digits, or what ends in one behind a sign of equality: `E = 5 \\times 10^6`."""
_UPRIGHT = as_pattern(r"(?:\\[,;: ]|~|\s)*\\(?:text|mathrm)\{([^{}\d]{1,20})\}(?![\^/])")
_FORMULA_ENDS = ("}", "$", " $", "\\)", " \\)", "\\]", "**")
_CLOSED = as_pattern(r"\s?(?:[}$]|\\[)\]]|\*\*)+")
"""What ends a box, a formula or bold type."""
_LETTERS = frozenset("NJWVKFTACHsgmhlLΩ%‰")
"""Letters that measure where they end what is said, `20 N.`"""
_ENDS = as_pattern(
    r"\s*(?:[^\w\s'’-]|\Z)|\s(?:and|or|of|for|at|in|to|is|when|on|by|so|from|with|long|wide|tall"
    r"|high|deep)\b"
)
_RATES = frozenset((
    "s", "sec", "second", "min", "minute", "h", "hr", "hour", "liter", "litre", "L", "m", "mol",
    "mole", "meter", "metre", "kg", "kilogram",
))  # fmt: skip
"""What a unit of physics is counted per; `3 liters per day` are 3 liters."""
_PLAIN = str.maketrans(
    {"·": "*", "⋅": "*", "×": "*", "µ": "u", "μ": "u", "Ω": "ohm", "‰": "permille"}
)
_UNWRAPPED = str.maketrans("", "", "{}$")
_HYPHEN = as_pattern(r"(?<=[a-zA-Z])-")
_PER = as_pattern(r"\s(?:per\s)?an?\s")


def unit_behind(text: str, end: int) -> str:
    """Return the unit of measurement behind a number, as what follows it; else nothing.

    >>> unit_behind("It is 45 miles per hour.", 8), unit_behind("It is 5 apples.", 7)
    ('\\\\text{ miles per hour}', '')
    """
    if scale := _SCALE.match(text, end):
        return f"^\\circ {'C' if scale[1] else 'F'}"
    first = _FIRST.match(text, end)
    if first is None or first[2] in ("a", "in", "In") or not _is_unit(first[2]):
        return ""
    end = first.end()
    while (more := _NEXT.match(text, end)) and _goes_on(first[2], more):
        end = more.end()
    if len(first[2]) == 1 and first[2].isascii() and end == first.end():
        if first[2] not in _LETTERS or not _ENDS.match(text, end):
            return ""
    elif (
        end == first.end()
        and not first[1]
        and not first[3]
        and first[2] in UNITS
        and first[2].isascii()
    ):
        return f" {first[2]}"
    name = unify(text[first.start(1) : end].strip().translate(_PLAIN)).replace("ms^", "m*s^")
    name = _PER.sub(" per ", _HYPHEN.sub("*", name))
    return f"\\text{{ {name.translate(_UNWRAPPED)}}}"


def with_unit_behind(value: str, response: str) -> str:
    """Return a number in a box or formula with the unit of measurement that stands behind it.

    >>> with_unit_behind("3", r"It flies for \\boxed{3} seconds.")
    '3 seconds'
    >>> with_unit_behind("v = 5", "So $v = 5$ km/h.")
    'v = 5\\\\text{ km/h}'
    """
    if not _NUMBER_LAST.fullmatch(value):
        return value
    at = max(response.rfind(f"{value}{end}") for end in _FORMULA_ENDS)
    if at < 1 or response[at - 1] in "0123456789.,":
        return value
    closed = _CLOSED.match(response, at + len(value))
    end = closed.end() if closed else len(response)
    if upright := _UPRIGHT.match(response, end):
        return f"{value}\\text{{ {upright[1]}}}" if _is_unit(upright[1].strip()) else value
    return value + unit_behind(response, end) if response[end : end + 1].isspace() else value


def _goes_on(first: str, more: re.Match[str]) -> bool:
    """Return whether a unit goes on with another word."""
    if not _is_unit(more[2]) or more[2].lower() in ("in", "a"):
        return False
    joint = more[1].strip()
    if joint == "/":
        return not _counts(first)
    if joint.startswith(("per", "a")):
        return more[2] in _RATES and not _counts(first)
    return bool(joint) or len(more[2]) < 3 or _is_derived(first)


def _counts(word: str) -> bool:
    known = known_unit(word)
    return known is None or known[0] in ("money", "time", "years", "euro", "any")


def _is_derived(word: str) -> bool:
    """Return whether a unit may be multiplied by the next word: `newton meters`, `ampere hours`."""
    known = known_unit(word)
    return known is not None and ("*" in known[0] or known[0] == "current")


def _is_unit(word: str) -> bool:
    return known_unit(word.translate(_PLAIN)) is not None
