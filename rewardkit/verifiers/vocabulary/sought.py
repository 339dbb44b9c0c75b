"""Patterns of phrases that are searched only in a text that holds a part of one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import chain

_last = ("", "", True)


def lowered(text: str) -> str:
    """Return a text in lower case; the last one is kept, since many phrases are sought in it."""
    last = _last  # another thread may change it
    return last[1] if last[0] is text else _known(text)[1]


def _known(text: str) -> tuple[str, str, bool]:
    """Return the last text, in lower case as well, and whether it is ASCII."""
    global _last
    low = text.lower()
    is_ascii = low.isascii()
    if not is_ascii and "İ" in text:  # the one letter that would be two
        low = text.replace("İ", "i").lower()
    _last = found = (text, low, is_ascii)
    return found


_LONG = 200
"""What is not in a longer text is seen in a third of the time from its end."""


def holds_one(text: str, parts: tuple[str, ...]) -> bool:
    """Return whether a text holds one of some parts.

    >>> holds_one("a small text", ("tall", "mall"))
    True
    """
    find = text.rfind if len(text) > _LONG else text.find
    for part in parts:  # `any` takes twice as long
        if find(part) >= 0:
            break
    else:
        return False
    return True


_LOOKS_BACK = 20
"""So far before a match a part of it may be, in what it looks back at."""


_SPELLED = re.compile(r"\\.|\(\?P<\w+>|[^\W\d_]", re.S)
"""What is no letter to be put into lower case, or one that is."""


class _Branch:
    """One of the alternatives of a phrase."""

    def __init__(self, source: str, parts: set[str]) -> None:
        self._source = source
        low = _SPELLED.sub(lambda m: m[0].lower() if len(m[0]) == 1 else m[0], source)
        self._word = low.startswith("\\b") and "\\A" not in low
        self._in_low = re.compile(f"\\W{low[2:]}" if self._word else low).search
        self.parts: tuple[str, ...] = tuple(
            sorted(a for a in parts if not any(b in a for b in parts if b != a))
        )
        self.ascii = tuple(filter(str.isascii, self.parts))

    @cached_property
    def search(self) -> Callable[..., re.Match[str] | None]:
        """Search for it, whatever the case; compiled for the few that are found."""
        return re.compile(self._source, re.I).search

    def is_in(self, low: str) -> bool:
        """Return whether it is found in a text in lower case, in a fraction of the time.

        No case is looked at, and a word is looked for only behind a sign that is none.
        """
        return self._in_low(f" {low}" if self._word else low) is not None


class Parts:
    """Parts of some phrases: a text that holds none of them holds none of the phrases."""

    parts: tuple[str, ...]

    def __init__(self, *phrases: _Branch | Sought) -> None:
        every = _any_of([set(phrase.parts) for phrase in phrases])
        self.parts = tuple(sorted(a for a in every if not any(b in a for b in every if b != a)))
        self._ascii = tuple(filter(str.isascii, self.parts))

    def may_be_in(self, text: str) -> bool:
        """Return whether a text holds one of them."""
        last = _last  # another thread may change it
        _, low, is_ascii = last if last[0] is text else _known(text)
        if len(low) > _LONG:
            return holds_one(low, self._ascii if is_ascii else self.parts) or not self.parts
        for part in self._ascii if is_ascii else self.parts:
            if part in low:  # a call would take half as long again, `any` twice as long
                return True
        return not self.parts


class Sought(Parts):
    """A pattern that ignores case, and the parts of which each of its matches holds one.

    Most texts hold none, which takes a tenth of the time of a search to see; where one is held,
    only the alternatives that it is a part of are searched for.

    >>> phrase = Sought(r"\\b(?:perhaps|may be)\\b")
    >>> phrase.parts, phrase.search("It MAY be 7.") is not None, phrase.search("It is 7.")
    (('may be', 'perhaps'), True, None)
    """

    def __init__(self, pattern: str) -> None:
        self.source = pattern
        reader = _Reader(pattern)
        branches = reader.alternatives()
        if reader.captures:  # its groups are counted through all alternatives
            branches = [(pattern, _any_of([parts for _, parts in branches]))]
        self._branches = tuple(_Branch(*branch) for branch in branches)
        super().__init__(*self._branches)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """All alternatives in one; most phrases are never searched for so."""
        return re.compile(self.source, re.I)

    def search(self, text: str, *span: int) -> re.Match[str] | None:
        """Return the first match between two places."""
        if span:
            low = text[max(0, span[0] - _LOOKS_BACK) : span[1] if span[1:] else None].lower()
            is_ascii = low.isascii()
        else:
            last = _last
            _, low, is_ascii = last if last[0] is text else _known(text)
        if len(low) > _LONG:
            if self.parts and not holds_one(low, self._ascii if is_ascii else self.parts):
                return None
        else:
            for part in self._ascii if is_ascii else self.parts:
                if part in low:
                    break
            else:
                if self.parts:
                    return None
        first: re.Match[str] | None = None
        for branch in self._branches:
            for part in branch.ascii if is_ascii else branch.parts:
                if part in low:
                    break
            else:
                if branch.parts:
                    continue
            if not span and not branch.is_in(low):
                continue
            found = branch.search(text, *span)
            if found is not None and (first is None or found.start() < first.start()):
                first = found
        return first

    def match(self, text: str, *span: int) -> re.Match[str] | None:
        """Return the match that begins at a place."""
        return self.pattern.match(text, *span) if self.may_be_in(text) else None

    def finditer(self, text: str, *span: int) -> Iterator[re.Match[str]]:
        """Return all matches between two places."""
        return self.pattern.finditer(text, *span) if self._is_in(text) else iter(())

    def sub(self, plain: str | Callable[[re.Match[str]], str], text: str) -> str:
        """Return the text with another in place of each match."""
        return self.pattern.sub(plain, text) if self._is_in(text) else text

    def _is_in(self, text: str) -> bool:
        """Return whether a text holds a match."""
        if not self.may_be_in(text):
            return False
        last = _last
        _, low, is_ascii = last if last[0] is text else _known(text)
        find = low.rfind if len(low) > _LONG else low.find
        for branch in self._branches:
            for part in branch.ascii if is_ascii else branch.parts:
                if find(part) >= 0:
                    break
            else:
                if branch.parts:
                    continue
            if branch.is_in(low):
                return True
        return False


def _any_of(choices: list[set[str]]) -> set[str]:
    """Return the parts of several alternatives; none, where one of them has none."""
    return set(chain(*choices)) if all(map(any, choices)) else set()


_REPEAT = re.compile(r"(?:([?*])|(\+)|\{(\d*)(?:,\d*)?\})[?+]?")
_OPENING = re.compile(r"\((?:\?(?:P<\w+>|[a-z-]*:|<?[=!]|>))?")
_SET = re.compile(r"\[(\^?)(\]?(?:\\.|[^\]\\])*)\]", re.S)
_MOST_CHARACTERS = 4
"""Of a set in brackets that is taken apart."""


class _Reader:
    """Reads a pattern for texts of which each of its matches holds one; an empty set: none known.

    Whoever lists them by hand forgets one with the next phrase.
    """

    def __init__(self, pattern: str) -> None:
        self.pattern, self.at = pattern, 0
        self.captures = False

    def alternatives(self) -> list[tuple[str, set[str]]]:
        """Read alternatives up to the end of their group: each with its parts."""
        found: list[tuple[str, set[str]]] = []
        while not found or self.pattern[self.at : self.at + 1] == "|":
            start = self.at = self.at + bool(found)
            parts = self._sequence()
            found.append((self.pattern[start : self.at], parts))
        return found

    def _sequence(self) -> set[str]:
        choices: list[set[str]] = []
        run = ""
        while self.at < len(self.pattern) and self.pattern[self.at] not in "|)":
            piece = self._piece()
            repeat = _REPEAT.match(self.pattern, self.at)
            self.at = repeat.end() if repeat else self.at
            if piece is None:
                continue
            if isinstance(piece, str) and repeat is None:
                run += piece.lower()
                continue
            parts = {piece.lower()} if isinstance(piece, str) else piece
            optional = repeat and not repeat[2] and not int(repeat[3] or 0)
            choices += [{run}, set() if optional else parts]
            run = ""
        return max(
            [*choices, {run}], key=lambda parts: (min(map(len, parts), default=0), -len(parts))
        )

    def _piece(self) -> str | set[str] | None:
        """Read a letter, what matches one of several texts, or what has no width (None)."""
        if opening := _OPENING.match(self.pattern, self.at):
            self.at = opening.end()
            self.captures = self.captures or opening[0] == "(" or "P<" in opening[0]
            parts = _any_of([parts for _, parts in self.alternatives()])
            self.at += 1
            return None if opening[0].endswith("!") else parts
        if characters := _SET.match(self.pattern, self.at):
            self.at = characters.end()
            plain = not characters[1] and "\\" not in characters[2] and "-" not in characters[2]
            few = plain and len(characters[2]) <= _MOST_CHARACTERS
            return set(characters[2].lower()) if few else set()
        letter = self.pattern[self.at]
        self.at += 1
        if letter != "\\":
            return None if letter in "^$" else set() if letter == "." else letter
        letter = self.pattern[self.at]
        self.at += 1
        if letter in "bBAZ":
            return None
        return set() if letter.isalnum() else letter
