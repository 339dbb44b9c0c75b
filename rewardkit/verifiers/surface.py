"""What surrounds an answer, and the few forms that are read before any token: clocks, bases."""

from __future__ import annotations

import re

from rewardkit.verifiers.limits import MAX_ANSWER_CHARS
from rewardkit.verifiers.nodes import Node, node
from rewardkit.verifiers.numerals import based_number

_BASED = re.compile(r"\(?([0-9A-Fa-f]+)\)?_\{?(\d{1,2})\}?")
_CLOCK = re.compile(
    r"(\d{1,2})\s*:\s*([0-5]\d)(?:\s*:\s*([0-5]\d))?\s*([ap])?\s*\.?\s*(?:m\b)?\.?", re.I
)
_BASE_WORD = re.compile(r"(?:_\{?|\()?\s*base\s*(\d{1,2})\s*[)}]?", re.I)
_NAMED_HOUR = re.compile(r"(?:12(?::00)?\s*)?(noon|midnight)", re.I)
_HOUR = re.compile(r"(1[0-2]|[1-9])\s*([ap])\s*\.?\s*m\b\.?", re.I)


def trim(text: str) -> str:
    """Return the text without what surrounds an answer but is no part of it."""
    text = text.strip()
    if text.isalnum() or len(text) > 2 * MAX_ANSWER_CHARS:
        return text  # one so long is refused anyway
    while True:
        before = text
        text = text.strip().rstrip("\\").strip().removeprefix("=")
        if len(text) > 1 and text[-1] in ".,;:!。" and not text.endswith(_KEPT):
            text = text[:-1] if text[-1] != "!" else text
        for opening, closing in (
            ("$$", "$$"),
            ("$", "$"),
            ("\\(", "\\)"),
            ("\\[", "\\]"),
            ("**",) * 2,
            ('"',) * 2,
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
        if text.startswith("{") and text.endswith("}") and _is_one_group(text):
            text = text[1:-1]
        if text == before:
            return text


def _is_one_group(text: str) -> bool:
    """Return whether the first brace closes at the last."""
    depth = 0
    for k, c in enumerate(text):
        depth += (c == "{") - (c == "}")
        if not depth:
            return k == len(text) - 1
    return False


def _date(text: str) -> Node | None:
    """Return `March 5`, `5 March 2020` or `5th of March, 2020` as a date."""
    match = _DATE.fullmatch(text)
    if match is None:
        return None
    name = (match[1] or match[4]).lower()
    month = next((k for k, m in enumerate(_MONTHS, 1) if m.startswith(name)), 0)
    day, year = int(match[2] or match[3]), int(match[5] or 0)
    return node("date", month, day, year) if month and 1 <= day <= 31 else None


_KEPT = ("..", "\\!", "\\,", "!!", "\\right.")
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
_DATE = re.compile(
    r"(?:([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?"
    r"|(\d{1,2})(?:st|nd|rd|th)?(?:\s+of)?\s+([a-z]{3,9})\.?)(?:,?\s+(\d{4}))?",
    re.I,
)


def parts_in_order(text: str) -> str:
    """Return `(1) 2; (2) 3`, an answer in numbered parts, as the tuple `(2; 3)`."""
    if not text.startswith("(1)") or "(2)" not in text:
        return text
    parts = _PART.split(text)
    numbers, values = parts[1::2], [part.strip(" ;,.$\n") for part in parts[2::2]]
    in_order = len(numbers) > 1 and numbers == [str(k) for k in range(1, len(numbers) + 1)]
    return f"({'; '.join(values)})" if in_order and all(values) else text


_PART = re.compile(r"(?:^|[;,.\s$])\s*\((\d)\)")


def french_intervals(text: str) -> str:
    """Return `]0,1[` as `(0,1)`, in a text whose brackets do not pair otherwise."""
    if not text.startswith("]") and not text.endswith("["):
        return text
    return _FRENCH.sub(
        lambda m: f"{'[' if m[1] == '[' else '('}{m[2]}{']' if m[3] == ']' else ')'}", text
    )


_FRENCH = re.compile(r"([\[\]])([^\[\]]*[,;][^\[\]]*)([\[\]])")


def special_form(text: str) -> Node | None:
    """Return a clock time or a number in another base, or None when the text is neither."""
    bare = re.sub(r"\\(?:text|mathrm|mbox)\s*\{([^{}]*)\}", r" \1 ", text)
    bare = re.sub(r"\\[,;:! ]|\\q?quad\b|~|\s+", " ", bare).strip()
    match = _BASED.fullmatch(_BASE_WORD.sub(r"_\1", bare).replace(" ", ""))
    if match and 2 <= int(match[2]) <= 36:
        return based_number(match[1], int(match[2]))
    match = _CLOCK.fullmatch(bare.replace("{:}", ":").replace("\\", "").strip())
    if match and (match[4] or match[3] or match[2][0] == "0" or match[1][0] == "0"):
        hours, half = int(match[1]), (match[4] or "").lower()
        if half and 1 <= hours <= 12:
            hours = hours % 12 + (12 if half == "p" else 0)
        seconds = hours * 3600 + int(match[2]) * 60 + int(match[3] or 0)
        return node("time", seconds, bool(half) or hours > 12 or hours == 0)
    if said := _NAMED_HOUR.fullmatch(bare):
        return node("time", 12 * 3600 if said[1].lower() == "noon" else 0, True)
    if len(bare) < 30 and (date := _date(bare)):
        return date
    if match := _HOUR.fullmatch(bare):
        return node("time", (int(match[1]) % 12 + 12 * (match[2] in "pP")) * 3600, True)
    return None
