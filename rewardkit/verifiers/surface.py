"""What surrounds an answer, and the few forms that are read before any token: clocks, bases."""

from __future__ import annotations

import re

from rewardkit.verifiers.nodes import Node, node
from rewardkit.verifiers.numerals import based_number

_BASED = re.compile(r"\(?([0-9A-Fa-f]+)\)?_\{?(\d{1,2})\}?")
_CLOCK = re.compile(
    r"(\d{1,2})\s*:\s*([0-5]\d)(?:\s*:\s*([0-5]\d))?\s*([ap])?\s*\.?\s*(?:m\b)?\.?", re.I
)


def trim(text: str) -> str:
    """Return the text without what surrounds an answer but is no part of it."""
    text = text.strip()
    if text.isalnum():
        return text
    while True:
        before = text
        text = text.strip().rstrip("\\").strip()
        if len(text) > 1 and text[-1] in ".,;:!" and not text.endswith(("..", "\\!", "\\,", "!!")):
            text = text[:-1] if text[-1] != "!" else text
        for opening, closing in (
            ("$$", "$$"),
            ("$", "$"),
            ("\\(", "\\)"),
            ("\\[", "\\]"),
            ("**",) * 2,
        ):
            inner = text[len(opening) : len(text) - len(closing)]
            whole = len(text) > len(opening) + len(closing) - 1
            if (
                whole
                and text.startswith(opening)
                and text.endswith(closing)
                and opening not in inner
            ):
                text = inner
        if text == before:
            return text


def special_form(text: str) -> Node | None:
    """Return a clock time or a number in another base, or None when the text is neither."""
    bare = re.sub(r"\\(?:text|mathrm|mbox)\s*\{([^{}]*)\}", r" \1 ", text).strip()
    match = _BASED.fullmatch(bare.replace(" ", ""))
    if match and 2 <= int(match[2]) <= 36:
        return based_number(match[1], int(match[2]))
    match = _CLOCK.fullmatch(bare.replace("{:}", ":").replace("\\", "").strip())
    if match and (match[4] or match[3] or match[2][0] == "0" or match[1][0] == "0"):
        hours, half = int(match[1]), (match[4] or "").lower()
        if half and 1 <= hours <= 12:
            hours = hours % 12 + (12 if half == "p" else 0)
        seconds = hours * 3600 + int(match[2]) * 60 + int(match[3] or 0)
        return node("time", seconds, bool(half) or hours > 12 or hours == 0)
    return None
