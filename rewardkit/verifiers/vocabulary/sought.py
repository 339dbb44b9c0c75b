"""Patterns of phrases that are searched only in a text that holds what each match needs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import cached_property, lru_cache
from itertools import chain
from operator import itemgetter

from rewardkit.verifiers.vocabulary.needed import BEGINNING, Branch, Reader, together

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


_WORD = re.compile(r"\w+")
_APART = bytes(c if chr(c).isalnum() or c == ord("_") else ord(" ") for c in range(128)).ljust(256)
_BEGINNING = itemgetter(slice(BEGINNING))
_MAX_TEXTS = 64


@lru_cache(maxsize=_MAX_TEXTS)
def words_in(text: str) -> Set[str]:
    """Return how the words of a text begin, in lower case; of the last texts, they are kept.

    >>> sorted(words_in("I cannot see it."))
    ['cann', 'i', 'it', 'see']
    """
    low = lowered(text)
    words = low.encode().translate(_APART).decode().split() if low.isascii() else _WORD.findall(low)
    return set(map(_BEGINNING, words))  # shared, and so never changed


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
"""So far before a match a word of it may be, in what it looks back at."""
_FEW = 9
"""So many parts are found faster in a long text than all its words."""
_SPELLED = re.compile(r"\\.|\(\?P<\w+>|[^\W\d_]", re.S)
"""What is no letter to be put into lower case, or one that is."""


class _Alternative:
    """One of the alternatives of a phrase."""

    def __init__(self, branch: Branch) -> None:
        self._source = branch.source
        self.words = branch.words
        self.parts = tuple(branch.parts)

    def may_be_in(self, words: Set[str], low: str) -> bool:
        """Return whether a text has the words that it needs; its parts, where no word is known."""
        for needed in self.words:
            if needed.isdisjoint(words):
                return False
        return bool(self.words) or not self.parts or holds_one(low, self.parts)

    def is_in(self, low: str) -> bool:
        """Return whether it is found in a text in lower case, in a fraction of the time.

        No case is looked at, and a word is looked for only behind a sign that is none.
        """
        is_word, search = self._in_low
        return search(f" {low}" if is_word else low) is not None

    @cached_property
    def _in_low(self) -> tuple[bool, Callable[[str], re.Match[str] | None]]:
        low = _SPELLED.sub(lambda m: m[0].lower() if len(m[0]) == 1 else m[0], self._source)
        is_word = low.startswith("\\b") and "\\A" not in low
        return is_word, re.compile(f"\\W{low[2:]}" if is_word else low).search

    @cached_property
    def search(self) -> Callable[..., re.Match[str] | None]:
        """Search for it, whatever the case; compiled for the few that are found."""
        return re.compile(self._source, re.I).search


class Parts:
    """What some phrases need: a text that lacks it holds none of them."""

    def __init__(self, *alternatives: _Alternative) -> None:
        self._all = alternatives
        self.parts = _shortest(alternatives) if all(one.parts for one in alternatives) else ()
        self._few = self.parts if len(self.parts) <= _FEW else ()
        self._wordless = [k for k, one in enumerate(alternatives) if not one.words]
        apart = [alternatives[k] for k in self._wordless]
        self._always = not all(one.parts for one in apart)
        self._parts = _shortest(apart)
        self._ascii = tuple(filter(str.isascii, self._parts))
        self._by_word: dict[str, list[int]] = {}
        for k, one in enumerate(alternatives):
            for word in one.words[0] if one.words else ():
                self._by_word.setdefault(word, []).append(k)
        self._words = frozenset(self._by_word)

    @classmethod
    def of(cls, *phrases: Parts) -> Parts:
        """Return what several phrases need."""
        return Parts(*chain.from_iterable(phrase._all for phrase in phrases))

    def may_be_in(self, text: str) -> bool:
        """Return whether a text holds all that one of them needs."""
        return bool(self.held(text))

    def held(self, text: str) -> Sequence[_Alternative]:
        """Return those of the alternatives for which a text holds all that they need."""
        if self._few and len(text) > _LONG and not holds_one(lowered(text), self._few):
            return ()
        words = words_in(text)
        parts = self._ascii if text.isascii() else self._parts
        apart = self._always or (parts and holds_one(lowered(text), parts))
        if not apart and self._words.isdisjoint(words):
            return ()
        places = {k for word in self._words & words for k in self._by_word[word]}
        if apart:
            places.update(self._wordless)
        low = lowered(text) if apart else ""
        return [one for k in sorted(places) if (one := self._all[k]).may_be_in(words, low)]


class _Phrase(Parts):
    """A pattern that ignores case, with what each of its matches needs."""

    def __init__(self, pattern: str, branches: list[Branch]) -> None:
        self.source = pattern
        super().__init__(*map(_Alternative, branches))

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """All alternatives in one; most phrases are never searched for so."""
        return re.compile(self.source, re.I)

    def match(self, text: str) -> re.Match[str] | None:
        """Return the match that a text begins with."""
        return self.pattern.match(text) if self.held(text) else None


class Beginning(_Phrase):
    """A phrase that a text begins with.

    >>> opening = Beginning(r"(?:so|now),?\\s(?=we\\b)")
    >>> opening.match("So we add.") is not None, opening.match("So it is.")
    (True, None)
    """

    def __init__(self, pattern: str) -> None:
        super().__init__(pattern, Reader(pattern).branches(begun={""}))


class Sought(_Phrase):
    """A phrase that is sought anywhere in a text.

    Most texts lack what it needs, which takes a tenth of the time of a search to see; of the
    others only those alternatives are searched for that have all that they need.

    >>> phrase = Sought(r"\\b(?:perhaps|may be)\\b")
    >>> phrase.parts, phrase.search("It MAY be 7.") is not None, phrase.search("It is 7.")
    (('may be', 'perhaps'), True, None)
    """

    def __init__(self, pattern: str) -> None:
        reader = Reader(pattern)
        branches = reader.branches()
        if reader.captures:  # its groups are counted through all alternatives
            branches = [together(pattern, branches)]
        super().__init__(pattern, branches)

    def search(self, text: str, *span: int) -> re.Match[str] | None:
        """Return the first match between two places."""
        near = text
        if span:
            near = text[max(0, span[0] - _LOOKS_BACK) : span[1] if span[1:] else None]
        first: re.Match[str] | None = None
        for one in self.held(near):
            if span or one.is_in(lowered(near)):
                found = one.search(text, *span)
                if found is not None and (first is None or found.start() < first.start()):
                    first = found
        return first

    def finditer(self, text: str, *span: int) -> Iterator[re.Match[str]]:
        """Return all matches between two places."""
        return self.pattern.finditer(text, *span) if self._is_in(text) else iter(())

    def sub(self, plain: str | Callable[[re.Match[str]], str], text: str) -> str:
        """Return the text with another in place of each match."""
        return self.pattern.sub(plain, text) if self._is_in(text) else text

    def _is_in(self, text: str) -> bool:
        """Return whether a text holds a match."""
        return any(one.is_in(lowered(text)) for one in self.held(text))


def _shortest(alternatives: Iterable[_Alternative]) -> tuple[str, ...]:
    """Return parts of all, without those that another is a part of."""
    every = set(chain.from_iterable(one.parts for one in alternatives))
    return tuple(sorted(a for a in every if not any(b in a for b in every if b != a)))
