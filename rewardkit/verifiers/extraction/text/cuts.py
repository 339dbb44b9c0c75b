"""Where the sentences of a text begin and end."""

from __future__ import annotations

from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.patterns import last_of

_STOP = as_pattern(r"[.!?…✓✔\n](?:(?<=\n)\s*|(?<!\.\.\.)(?<!\b[apPS]\.)(?<!\bvs\.)[)\]}$*\"']*\s+)")
"""It begins with the sign itself, or every place would be tried."""
_AROUND = " .!?。\n)*_✓✔"
_USUAL, _MAX_CHARS = 100, 400
"""Most sentences are shorter than the first; of a longer one than the last, its end is read."""


def last_start(text: str) -> int:
    """Return where the last sentence of a text begins, of which signs alone are none.

    >>> last_start("It is 5. So 6 fails."), last_start("It is 5.")
    (9, 0)
    """
    return start_of(text, len(text.rstrip(_AROUND)))


def start_of(text: str, place: int) -> int:
    """Return where the sentence of a place begins.

    >>> start_of("It is A vs. B. So 6 fails.", 13), start_of("It is A vs. B. So 6 fails.", 16)
    (0, 15)
    """
    for size in (_USUAL, _MAX_CHARS):
        near = max(0, place - size)
        if last := last_of(_STOP.finditer(text, near, place)):
            return last.end()
        if not near:
            break
    return near


def end_of(text: str, place: int) -> int:
    """Return where the sentence of a place ends, without its sign."""
    stop = _STOP.search(text, place)
    return stop.start() if stop else len(text)
