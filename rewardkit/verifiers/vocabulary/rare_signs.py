"""Whether a long text holds a few characters, told by the rarest of them.

One character is found a hundred times sooner than several, which takes a third of a millisecond in
400 kB of reasoning: what is asked of all of it is asked so.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

_LONG = 50_000
_MAX_SIGNS = 200
"""So many places of the rarest are looked at; where it is no rare one, all are looked for."""
_RARE = "\t\r~#|@&<>[]_^%;`{}!?/:\\"
"""What is rare in reasoning, the rarest first; then come capital letters."""


def holds(text: str, part: str, start: int = 0) -> bool:
    """Return whether a text holds a part from a place on.

    >>> holds("Step 1: see [this](there)", "]("), holds("Step 1: see this", "](")
    (True, False)
    """
    if len(text) - start < _LONG:
        return text.find(part, start) >= 0
    sign, before = _rarest(part)
    find, at = text.find, start + before - 1
    for _ in range(_MAX_SIGNS):
        at = find(sign, at + 1)
        if at < 0:
            return False
        if text.startswith(part, at - before):
            return True
    return text.find(part, at - before) >= 0


def holds_any(text: str, parts: Iterable[str]) -> bool:
    """Return whether a text holds one of some parts."""
    return any(holds(text, part) for part in parts)


@lru_cache
def _rarest(part: str) -> tuple[str, int]:
    """Return the rarest character of a part, and how far from its beginning it is."""
    sign = min(part, key=lambda c: _RARE.index(c) if c in _RARE else len(_RARE) + (not c.isupper()))
    return sign, part.index(sign)
