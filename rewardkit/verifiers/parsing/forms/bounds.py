"""A number that an answer says to be the least or the most: `at least 8`, `8 or more`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from rewardkit.verifiers.vocabulary.commands import STYLED_TEXT
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.wordings import BOUNDS, BOUNDS_BEHIND

_SIGNS = (("\\geq", "≥"), ("\\ge", "≥"), ("\\leq", "≤"), ("\\le", "≤"), (">=", "≥"), ("<=", "≤"))
_STYLE = re.compile(STYLED_TEXT.pattern + r"|[{}$~*]|\\[ ,;]")
VALUE = r"(\d[\d.,/]*(?<=\d))"
_FORMS = (BOUNDS, rf"(?:[a-z]\s?)?%s\s?{VALUE}(.*)"), (BOUNDS_BEHIND, rf"{VALUE}(.*?)\s%s")
_WHOLE = [
    (sign, re.compile(form % alternatives(said)))
    for bounds, form in _FORMS
    for sign, said in bounds.items()
]


class Bound(NamedTuple):
    """A bound: its sign, its number and what that counts or measures."""

    sign: str
    value: str
    unit: str


def plain(text: str) -> str:
    """Return a text in lower case, in one spelling of its signs, without style."""
    for command, sign in _SIGNS:
        text = text.replace(command, sign)
    return " ".join(_STYLE.sub(lambda style: style[1] or " ", text).lower().split())


@lru_cache(maxsize=4096)
def bound(text: str) -> Bound | None:
    r"""Return the bound that an answer is, or None.

    >>> bound("at least 8 socks"), bound(r"\le 12"), bound("8 socks")
    (Bound(sign='>=', value='8', unit='socks'), Bound(sign='<=', value='12', unit=''), None)
    """
    said = plain(text).rstrip(".")
    for sign, pattern in _WHOLE:
        if found := pattern.fullmatch(said):
            return Bound(sign, found[1].replace(",", ""), found[2].strip())
    return None
