"""Lists of numbers that have commas before their decimals: `2,5; 3,5`, `1,5 und 2,25`."""

from __future__ import annotations

import re

from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import JOINING_ELSEWHERE

_JOINED = re.compile(
    rf"\d(?:[\s$]|\\text\{{)*(?:;|(?<!\d){alternatives(JOINING_ELSEWHERE)}(?:\s|\}}))"
)
_POINTS = re.compile(r"[(\[][^()\[\];]*,[^()\[\];]*[)\]]")
_BESIDE_DECIMALS = re.compile(
    r"(?<=\d)(?:,|\{,\})(?!\d{3}(?!\d))(?=\d+(?![\d,]))(?<!\d[,.]\d,)(?<!\d[,.]\d\d,)"
)
"""A comma before decimals: no other is beside it, and they are no thousands."""


def with_points(text: str) -> str:
    """Return `1,5; 2,5` or `1,5 und 2,5`, which no comma sets apart, with points before decimals.

    >>> with_points("1,5; 2,5"), with_points("(1,5); (2,5)"), with_points("1, 5; 2, 5")
    ('1.5; 2.5', '(1,5); (2,5)', '1, 5; 2, 5')
    >>> with_points("x = 1,5 und y = 2,5"), with_points("1,5")
    ('x = 1.5 und y = 2.5', '1,5')
    """
    if "," not in text or not _JOINED.search(text) or _POINTS.search(text):
        return text
    return text if _BESIDE_DECIMALS.sub("", text).count(",") else _BESIDE_DECIMALS.sub(".", text)
