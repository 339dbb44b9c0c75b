"""The sentences of a text, from the last to the first, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator

_END = re.compile(
    r"(?<!\bvs)(?<!\b[A-Z])(?<!\b[A-Z][a-z])(?<![ap]\.m)(?<!\be\.g)(?<!\bi\.e)(?<!\d)\.(?=[*_\"')\]]*\s)"
    r"|(?<=\d)\.(?=[*_\"')\]$]*\s+(?![a-z]))|[!?](?=\s)|[。！？](?!\Z)|\n"
)
MAX_SENTENCES = 12
_MAX_LINE = 1200


def last_sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the places of the last sentences, last first; one goes no further than its line.

    >>> text = "He has 3. So 4 are left."
    >>> [text[a:b].strip() for a, b in last_sentences(text, 0, len(text))]
    ['So 4 are left.', 'He has 3.']
    """
    count = 0
    while end > start and count < MAX_SENTENCES:
        end = _without_blanks(text, start, end)
        line = max(start, text.rfind("\n", start, end) + 1, end - _MAX_LINE)
        if text.endswith(("\\]", "$$"), start, end):
            line = _display_start(text, line, end)
        stops = [stop.end() for stop in _END.finditer(text, line, end - 1)] if end > line else []
        begins = [line, *(stop for stop in stops if text[line:stop].count("$") % 2 == 0)]
        if text.startswith(("\\[", "$$"), line):
            begins = [line]
        for begin in reversed(begins):
            if text[begin:end].strip():
                count += 1
                yield begin, end
            end = begin
        end = line - 1 if line > start else start


def _display_start(text: str, line: int, end: int) -> int:
    """Return where the displayed formula begins that a text ends with, else the line's start."""
    opening = "\\[" if text.endswith("\\]", line, end) else "$$"
    at = text.rfind(opening, max(0, end - _MAX_LINE), end - 2)
    return at if at >= 0 else line


def _without_blanks(text: str, start: int, end: int) -> int:
    """Return where a text ends without the white space at its end."""
    near = max(start, end - _MAX_LINE)
    held = len(text[near:end].rstrip())
    return near + held if held or near == start else start + len(text[start:end].rstrip())
