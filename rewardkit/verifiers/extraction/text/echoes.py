"""Lines of a response that repeat the problem, and where on such a line an answer begins."""

from __future__ import annotations

import re

from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import CONCLUSIONS

_ECHO = re.compile(r"\s*(?:\*\*)?(?:problem|question|prompt|task)\b(?:\*\*)?\s*:", re.I)
_BEGINS = frozenset("*pPqQtT")
_ANSWERED = re.compile(
    rf"(?:\*\*)?(?:(?:final\s+)?(?:answer|solution)\s*(?:\*\*)?\s*:|{alternatives(CONCLUSIONS)}\b"
    r"|(?:the|my|our)\s+(?:\w+\s+)?answer\b|answer\b|\$*\\boxed)",
    re.I,
)
_LABELLED = re.compile(r"[.!?]\s{1,9}(?=(?:\*\*)?(?:final\s)?answer(?:\*\*)?:)", re.I)


def is_echoed(text: str, position: int) -> bool:
    """Return whether a place is in a line that repeats the problem, before any answer to it."""
    start = text.rfind("\n", 0, position) + 1
    if not _echoes(text, start):
        return False
    end = text.find("\n", position)
    return position - start < _echo_end(text[start : end if end >= 0 else len(text)])


def without_echo(text: str) -> str:
    """Return the text without a first line that repeats the problem, up to any answer on it."""
    if not _echoes(text, 0):
        return text
    line, _, rest = text.partition("\n")
    return f"{line[_echo_end(line) :]}\n{rest}"


def _echoes(text: str, start: int) -> bool:
    first = text[start : start + 1]
    return (first in _BEGINS or first.isspace()) and _ECHO.match(text, start) is not None


def _echo_end(line: str) -> int:
    """Return where the answer begins in a line that repeats the problem first; else its end.

    Only a question that is over can be answered: no other question may follow on the line.
    """
    asked = line.rfind("?") + 1
    while asked and line[asked : asked + 1] in tuple(" \t*\"')$"):
        asked += 1
    if asked and _ANSWERED.match(line, asked):
        return asked
    label = _LABELLED.search(line, max(0, asked - 2))
    return label.end() if label else len(line)
