"""Word lists as they are written down, and as pieces of patterns."""

from __future__ import annotations

import re
from collections.abc import Iterable


def words(text: str) -> frozenset[str]:
    """Return the words of a list, which blanks set apart."""
    return frozenset(text.split())


def phrases(text: str) -> tuple[str, ...]:
    """Return the phrases of a list in their order, which commas set apart."""
    return tuple(" ".join(phrase.split()) for phrase in text.split(","))


def same_as(table: str) -> dict[str, str]:
    """Return each word of a table -> what it is said to be the same as.

    >>> same_as("gray: grey; maximum: max greatest")
    {'grey': 'gray', 'max': 'maximum', 'greatest': 'maximum'}
    """
    rows = (row.strip().split(": ") for row in table.split(";"))
    return {word: plain for plain, others in rows for word in others.split()}


def alternatives(words: Iterable[str]) -> str:
    r"""Return the group that matches any of the words, a longer one before its own beginning.

    Blanks in a word match any white space. A word is taken as it is, not as a pattern. Those that
    begin alike share their first letter: where it is not, all of them are passed over at once.

    >>> alternatives(["text", "textbf", "as well"])
    '(?:as\\s+well|t(?:extbf|ext))'
    """
    behind: dict[str, list[str]] = {}
    for word in sorted(words, key=lambda word: (-len(word), word)):
        rest = re.escape(word[1:]).replace(r"\ ", r"\s+")
        behind.setdefault(re.escape(word[0]), []).append(rest)
    groups = (
        first + (rest[0] if len(rest) == 1 else f"(?:{'|'.join(rest)})")
        for first, rest in behind.items()
    )
    return f"(?:{'|'.join(groups)})"
