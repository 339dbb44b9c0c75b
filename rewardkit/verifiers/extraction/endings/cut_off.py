"""A response that stops in the middle of a sentence: `We have 24 apples and then we`."""

from __future__ import annotations

import re

_MIDDLE = re.compile(
    r"(?:\b(?:and|or|of|by|the|an|to|with|into|we|is|are|that|which|because|since|if|plus|minus"
    r"|than|our|its|their|and\snow|where|when|we\sneed|will|can|but)|,\s(?:then|so)"
    r"|\s[-+×÷=])\Z"
)
_SENTENCE = re.compile(r"(?:[.!?]\s|\n)")
_MAX_CHARS = 300


def unfinished(text: str) -> str | None:
    """Return the words after the last whole sentence of a text that stops in the middle of one.

    >>> unfinished("So there are 12 boxes. Each holds 24 apples and then we")
    'Each holds 24 apples and then we'
    >>> unfinished("So there are 24 apples") is None
    True
    """
    end = text[-_MAX_CHARS:].rstrip()
    if not end or end[-1] in ".!?$}*)" or end[-1].isdigit() or not _MIDDLE.search(end):
        return None
    return _SENTENCE.split(end)[-1]
