"""Patterns that are compiled at their first use: a process uses few of the many there are."""

from __future__ import annotations

import re
from typing import Any, cast

_PUBLIC = frozenset(name for name in dir(re.Pattern) if not name.startswith("_"))


class _AtFirstUse:
    """What stands for a pattern until it is asked something, and then answers as that pattern."""

    __slots__ = ("_written", *_PUBLIC)

    def __init__(self, source: str, flags: int | re.RegexFlag) -> None:
        self._written = source, flags

    def __getattr__(self, name: str) -> Any:
        if name not in _PUBLIC:
            raise AttributeError(name)
        compiled = re.compile(*self._written)
        # Its methods are found here from now on, so that a call takes as long as one of its own.
        for public in _PUBLIC:
            setattr(self, public, getattr(compiled, public))
        return getattr(compiled, name)


def as_pattern(source: str, flags: int | re.RegexFlag = 0) -> re.Pattern[str]:
    r"""Return a pattern that is compiled when it is first used, where `re.compile` does so at once.

    >>> digits = as_pattern(r"\d+")
    >>> digits.findall("7 of 12"), digits.pattern
    (['7', '12'], '\\d+')
    """
    return cast("re.Pattern[str]", _AtFirstUse(source, flags))
