"""Units in plain letters at the end of an answer, told from products: `25 kg*m/s^2`, `7.2 MJ`."""

from __future__ import annotations

import re

from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.units import PREFIXES, SYMBOLS

_SYMBOL = rf"(?:{alternatives(PREFIXES)}?{alternatives(SYMBOLS)}|min|h)"
_POWER = r"(?:\^(?:\{-?[1-4]\}|[1-4]))?"
_JOINED = r"(?:\s*[*/]\s*|\s+)"
_EXPRESSION = re.compile(
    rf"[\d}})](?P<gap>[\s~]|\\[ ,;:])*"
    rf"(?P<unit>{_SYMBOL}{_POWER}(?:{_JOINED}{_SYMBOL}{_POWER})*)\Z"
)
_ENDS = re.compile(r"(?:[A-Za-z]|\^[1-4]|\^\{-?[1-4]\})\Z")
_LETTERS = re.compile(r"[A-Za-z]+")
_JOINT = frozenset(("N*m", "N*s", "J*s", "A*h", "W*h", "V*s", "A*s", "W*s"))
"""What nobody multiplies behind a number and a gap but units."""
_PRODUCTS = frozenset(("kT", "pV", "mT", "hV", "hC"))
"""What physics multiplies, and nobody measures in without an upright letter."""


def with_units_upright(text: str) -> str:
    r"""Return an answer with the unit expression that it ends with in a text command.

    Letters that could as well be variables are left: `5 m`, `10 N m`, `3kT`.

    >>> with_units_upright("25 kg*m/s^2"), with_units_upright("7.2 MJ"), with_units_upright("5 m")
    ('25\\text{ kg*m/s^2}', '7.2\\text{ MJ}', '5 m')
    """
    if not _ENDS.search(text, max(0, len(text) - 6)) or not has_digit(text):
        return text
    match = _EXPRESSION.search(text)
    if match is None:
        return text
    symbols = _LETTERS.findall(match["unit"])
    long = [symbol for symbol in symbols if len(symbol) > 1]
    if len(symbols) == 1:
        [symbol] = symbols
        apart = match["gap"] is not None or len(symbol) > 2
        if symbol in _PRODUCTS or not long or symbol.islower() or not apart:
            return text
    elif match["gap"] is None or not (long or match["unit"].replace(" ", "") in _JOINT):
        return text
    unit = match["unit"].replace("{", "").replace("}", "")
    return f"{text[: match.start() + 1]}\\text{{ {unit}}}"
