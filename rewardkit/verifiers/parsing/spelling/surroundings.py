"""What surrounds an answer and is no part of it; brackets that France and plain text write."""

from __future__ import annotations

import re
from itertools import accumulate

from rewardkit.verifiers.limits import MAX_ANSWER_CHARS, MAX_DEPTH
from rewardkit.verifiers.vocabulary.commands import SPACE, STYLED_TEXT

_PAIRS = (("<", ">"), ("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]"), ("**", "**"),
          ("*", "*"), ("__", "__"))  # fmt: skip
_QUOTES = (("``", "''"), ('"', '"'), ("'", "'"), ("`", "'"), ("`", "`"), ("“", "”"), ("„", "“"),
           ("„", "”"), ("‘", "’"), ("‚", "‘"), ("«", "»"), ("»", "«"), ("’", "’"))  # fmt: skip
"""Quotation marks in pairs; an apostrophe at one end alone is a prime."""
_STOPS = (".", ",", ";", ":", "。")
_KEPT = ("..", "\\,", "\\right.")
"""Ends that look like a stop and are none."""


def trim(text: str) -> str:
    """Return the text without what surrounds an answer but is no part of it."""
    text = text.strip()
    if (text[:1].isalnum() and text[-1:].isalnum()) or len(text) > 2 * MAX_ANSWER_CHARS:
        return text  # one so long is refused anyway
    before, groups = "", 0
    while text != before and groups < MAX_DEPTH:  # each group is as much work as the text is long
        before = text
        text = text.strip().rstrip("\\").strip()
        text = text.removeprefix("=") or text  # `=` alone is a sign that was asked for
        if text.endswith(_STOPS) and not text.endswith(_KEPT) and len(text) > 1:
            text = text[:-1]
        text = text if text[:1].isalnum() else _within(without_quotes(text), _PAIRS)
        if text.startswith("{") and text.endswith("}") and _is_one_group(text):
            if _BUILT.fullmatch(text):
                break
            text, groups = text[1:-1], groups + 1
    return text


def without_quotes(text: str) -> str:
    """Return a text without the quotation marks around it, of any shape.

    >>> without_quotes("``42''"), without_quotes("«x»"), without_quotes("f'(x) = g'")
    ('42', 'x', "f'(x) = g'")
    """
    if text[:1].isalnum():
        return text
    whole = text.strip().removesuffix(".")
    styled = STYLED_TEXT.fullmatch(whole)
    whole = styled[1] if styled else whole
    inner = _within(whole, _QUOTES)
    return text if inner == whole else inner


def _within(text: str, pairs: tuple[tuple[str, str], ...]) -> str:
    """Return what each pair of signs holds where it stands around a text."""
    for opening, closing in pairs:
        if text.startswith(opening) and text.endswith(closing):
            inner = text[len(opening) : len(text) - len(closing)]
            whole = opening not in inner and closing not in inner
            if whole and len(text) >= len(opening) + len(closing):
                text = inner
    return text


def _is_one_group(text: str) -> bool:
    """Return whether the first brace closes at the last."""
    depths = accumulate((c == "{") - (c == "}") for c in text)
    return next((k for k, depth in enumerate(depths) if not depth), -1) == len(text) - 1


_BUILT = re.compile(
    r"(?<![\\\w}_^])\{\s*"
    r"([A-Za-z](?:\s*(?:\\in\b|∈)[^|{}]{1,20}(?:\{[RZNQC]\})?)?\s*(?:\||\\mid\b|∣)[^{}]+)\}"
)
_SPACE = re.compile(SPACE)
_FRENCH = re.compile(r"([\[\]])([^\[\]]*[,;][^\[\]]*)([\[\]])")


def unmarked(text: str) -> str:
    """Return a text without text commands, its spaces of any kind as one."""
    if "\\" in text or "~" in text:
        text = _SPACE.sub(" ", STYLED_TEXT.sub(r" \1 ", text))
    return " ".join(text.split())


def with_escaped_sets(text: str) -> str:
    """Return `{x | x > 1}`, whose braces LaTeX would not show, as `\\{x | x > 1\\}`."""
    if "{" not in text or ("|" not in text and "mid" not in text and "∣" not in text):
        return text
    return _BUILT.sub(lambda m: f"\\{{{m[1]}\\}}", text)


def french_intervals(text: str) -> str:
    """Return `]0,1[` as `(0,1)`, in a text whose brackets do not pair otherwise."""
    if not text.startswith("]") and not text.endswith("["):
        return text
    return _FRENCH.sub(
        lambda m: f"{'[' if m[1] == '[' else '('}{m[2]}{']' if m[3] == ']' else ')'}", text
    )
