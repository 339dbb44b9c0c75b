"""Whether what refuses or doubts goes on to a conclusion: `..., but the formula gives x = 24`."""

from __future__ import annotations

import re

from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.refusals import CONCLUDES

_CONCLUDES = as_pattern(CONCLUDES, re.I)
_VALUE = as_pattern(r"[\d$\\]|\b[A-J]\b|\b(?:[Yy]es|[Nn]o|[Tt]rue|[Ff]alse)\b")
_CLAUSE = as_pattern(
    r"[.,;:!?\n。，；：—–]|\s-\s|\b(?:so|but|thus|hence|therefore|and|which|to)\b", re.I
)


def concludes(text: str, start: int) -> bool:
    """Return whether a text goes on to a conclusion that names a value."""
    clause = _CLAUSE.search(text, start)
    found = _CONCLUDES.search(text, clause.start()) if clause else None
    return found is not None and _VALUE.search(text, found.end() - 1) is not None
