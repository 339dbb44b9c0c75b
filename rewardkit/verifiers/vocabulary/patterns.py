"""Word lists as they are written down, as pieces of patterns, and what several patterns share."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rewardkit.verifiers.vocabulary.alternatives import DENIED_OR_DOUBTED
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern


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


def left_open_by(words: str, signs: str = "?") -> re.Pattern[str]:
    """Return the pattern of a denial, a doubt, a question or one of some words: none is a claim.

    >>> unsure = left_open_by("maybe")
    >>> unsure.search("It isn't 5.") is not None, unsure.search("It is 5.")
    (True, None)
    """
    return as_pattern(rf"\b(?:{DENIED_OR_DOUBTED}|{words})\b|n['’]t\b|[{signs}]", re.I)


LEFT_OPEN = left_open_by(
    r"or|if|unless|whether|maybe|perhaps|may|would|assum\w+|guess\w*|try|let|given|wrong|false"
    r"|incorrect|fail\w*|reject\w*|discard\w*|extraneous|except|instead|but"
)
"""What most sentences hold that state nothing for certain."""


def last_of(matches: Iterable[re.Match[str]]) -> re.Match[str] | None:
    """Return the last of some matches, or None where there is none."""
    last = None
    for match in matches:  # there are few: a deque takes longer
        last = match
    return last


def phrase_table(table: str, **parts: str) -> str:
    r"""Return the pattern that matches any phrase of a table, which has one a line.

    A blank is any one white space, ' is either apostrophe, {NAME} one of the parts, and the rest
    is a pattern as it stands. A line that begins deeper goes on with the one before; one that
    begins with # is a remark.

    >>> print(phrase_table('''
    ...     # of ability
    ...     I can't {SOLVE}\\b
    ...     no
    ...         idea
    ... ''', SOLVE="(?:solve|do)"))
    I\scan['’]t\s(?:solve|do)\b|noidea
    """
    lines = [line for line in table.splitlines() if line.strip() and line.lstrip()[0] != "#"]
    margin = len(lines[0]) - len(lines[0].lstrip())
    joined = "".join(
        line.strip() if line[margin] == " " else f"\n{line.strip()}" for line in lines
    ).strip("\n")

    def piece(found: re.Match[str]) -> str:
        name = found["name"]
        return parts[name] if name else _WRITTEN.get(found[0], found[0])

    return re.sub(r"\\.|\{(?P<name>[A-Z_]+)\}|[ '\n]", piece, joined)


_WRITTEN = {" ": r"\s", "'": "['’]", r"\'": "'", "\n": "|"}
"""A sign of such a table -> what it stands for in the pattern."""
