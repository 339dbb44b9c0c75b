"""What a reader returns: one value and where it stands, or why there is none."""

from __future__ import annotations

from string import whitespace
from typing import NamedTuple


class Found(NamedTuple):
    """The one value that a response gives as its answer."""

    text: str
    start: int
    """Where it begins in the response as written."""
    end: int
    by: str
    """What names it: box, tag, marker, last_line, or how the lenient reading came by it."""


class Missing(NamedTuple):
    """Why a response has no answer."""

    method: str
    """`not declared` or `not a value`."""
    reason: str
    """One line for a person."""


DRESS = "*_`"
"""Signs of bold type and code that stand around a value in plain text."""
NOT_DECLARED, NOT_A_VALUE = "not declared", "not a value"


def trimmed(text: str, start: int, end: int, by: str, dress: str = "") -> Found:
    """Return the value between two places without white space, and what dresses it, around it."""
    held = text[start:end]
    around = whitespace + dress
    start += len(held) - len(held.lstrip(around))
    held = held.strip(around)
    return Found(held, start, start + len(held), by)
