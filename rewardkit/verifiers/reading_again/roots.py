"""A gold answer such as `[2, 5]`, where a response says that roots are 2 and 5: both are lists."""

from __future__ import annotations

import re

from rewardkit.verifiers.reading_again.case import Case, Reading
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern

_TWO_IN_BRACKETS = as_pattern(
    r"(?:\\left)?\[\s*([^\[\](),;]{1,30}\s*,\s*[^\[\](),;]{1,30}?)\s*(?:\\right)?\]"
)
_ROOTS = as_pattern(
    r"\b(?:roots|zeros|zeroes|solutions|eigenvalues|x-intercepts)\s(?:of\s[^.!?\n]{1,60}\s)?are\s(?=[^.!?\n]{0,9}\d)"
)
_OF_AN_INTERVAL = as_pattern(
    r"[<>≤≥∈∪]|\\(?:[lg](?:eq?|t)|in|cup)\b|\b(?:inequalit\w+|intervals?|between|domain|range|from|endpoints?"
    r"|parabola|opens|signs?|negative|positive|increas\w+|decreas\w+|at\s(?:least|most)|maxim\w+|minim\w+)\b",
    re.I,
)
"""What a response speaks of whose answer may be an interval."""


def as_roots(case: Case, text: str) -> Reading | None:
    """Return roots that a response says, compared with a gold list in square brackets, or None."""
    listed = _TWO_IN_BRACKETS.fullmatch(case.gold) if case.gold[:1] in ("[", "\\") else None
    if listed is None or not _ROOTS.search(case.response) or _OF_AN_INTERVAL.search(case.response):
        return None
    return text, case._replace(gold=listed[1]).compare(text)
