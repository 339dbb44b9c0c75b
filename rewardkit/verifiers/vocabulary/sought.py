"""Patterns of phrases that are searched only in a text that holds what each match needs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain, count
from operator import attrgetter, itemgetter

from rewardkit.verifiers.vocabulary.needed import (
    AT_EDGE,
    BEGINNING,
    NO_CHINESE,
    Branch,
    Reader,
    together,
)

_MAX_TEXTS = 64
_LONG = 200
"""What is not in a longer text is seen in a third of the time from its end."""


def lowered(text: str) -> str:
    """Return a text in lower case, as long as it is; those of the last long ones are kept."""
    return text.lower() if len(text) <= _LONG and text.isascii() else _lowered(text)


@lru_cache(maxsize=_MAX_TEXTS)
def _lowered(text: str) -> str:
    return text.replace("İ", "i").lower()  # the one letter that would be two


_WORD = re.compile(r"\w+")
_PARTS_OF_WORDS = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789_")
_APART = bytes(
    c if c > 127 or c in _PARTS_OF_WORDS else ord(" ") for c in bytes(range(256)).lower()
)
"""Of UTF-8: what is ASCII in lower case, and a space where it is no part of a word."""
_AROUND = " \n.!?,:*$"
"""What a text begins and ends with in which no word is: without it, more of them are the same."""
_ASCII = bytes(range(128))
_NO_CHINESE = bytes(range(NO_CHINESE))
_BEGINNING = itemgetter(slice(BEGINNING))


@lru_cache(maxsize=_MAX_TEXTS)
def words_in(text: str) -> frozenset[str]:
    """Return how the words of a text begin, in lower case; those of the last texts are kept.

    Where a text has Chinese, each of its characters is one of them too: it sets no words apart.

    >>> sorted(words_in("I cannot see it: 无解"))
    ['cann', 'i', 'it', 'see', '无', '无解', '解']
    """
    return _words_in(text.strip(_AROUND))


@lru_cache(maxsize=_MAX_TEXTS)
def _words_in(text: str) -> frozenset[str]:
    if text.isascii():
        return frozenset(map(_BEGINNING, text.encode().translate(_APART).decode().split()))
    data = lowered(text).encode(errors="surrogatepass")
    words = set(data.translate(_APART).decode(errors="surrogatepass").split())
    others = [word for word in words if not word.isascii()]
    words.difference_update(others)  # a sign in it may end a word, as in `can’t`
    words.update(_WORD.findall(" ".join(others)))
    if data.translate(None, _NO_CHINESE):
        words.update(data.translate(None, _ASCII).decode(errors="surrogatepass"))
    return frozenset(map(_BEGINNING, words))


def holds_one(text: str, parts: Iterable[str]) -> bool:
    """Return whether a text holds one of some parts.

    >>> holds_one("a small text", ("tall", "mall"))
    True
    """
    if len(text) > _LONG:
        find = text.rfind
        for part in parts:  # `any` takes twice as long
            if find(part) >= 0:
                return True
    else:
        for part in parts:
            if part in text:
                return True
    return False


NEAR = 520
"""Of so much of the end of a text its phrases are asked, so that its words are found once."""
_LOOKS_BACK = 20
"""So far before a match a word of it may be, in what it looks back at."""
_PLACE = attrgetter("place")
_SPELLED = re.compile(r"\\.|\(\?P<\w+>|[^\W\d_]", re.S)
"""What is no letter to be put into lower case, or one that is."""


class _Alternative:
    """One of the alternatives of a phrase."""

    def __init__(self, branch: Branch, place: int = 0) -> None:
        self.source = branch.source
        self.place = place
        self.words, *self.others = branch.words or (frozenset(),)
        """A text that lacks all of the first words is looked at no further."""

    def is_in(self, low: str) -> bool:
        """Return whether it is found in a text in lower case, in a fraction of the time.

        No case is looked at, and a word is looked for only behind a sign that is none.
        """
        is_word, search = self._in_low
        return search(f" {low}" if is_word else low) is not None

    @cached_property
    def _in_low(self) -> tuple[bool, Callable[[str], re.Match[str] | None]]:
        low = _SPELLED.sub(lambda m: m[0].lower() if len(m[0]) == 1 else m[0], self.source)
        is_word = low.startswith("\\b") and "\\A" not in low
        return is_word, re.compile(f"\\W{low[2:]}" if is_word else low).search

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """It itself, whatever the case; compiled for the few that are found."""
        return re.compile(self.source, re.I)


class Parts:
    """What some phrases need: a text that lacks it holds none of them.

    Patterns are read at the first text: a process looks for few of the many there are.
    """

    def __init__(self, *phrases: Parts) -> None:
        self._phrases = phrases

    @cached_property
    def alternatives(self) -> tuple[_Alternative, ...]:
        """Those of all the phrases."""
        return tuple(chain.from_iterable(phrase.alternatives for phrase in self._phrases))

    @cached_property
    def _by_word(self) -> dict[str, list[_Alternative]]:
        by_word: dict[str, list[_Alternative]] = {}
        for one in self.alternatives:
            for word in one.words:
                by_word.setdefault(word, []).append(one)
        return by_word

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(self._by_word)

    @cached_property
    def _known(self) -> frozenset[str]:
        return self._words.union(*(set().union(*one.others) for one in self.alternatives))

    @cached_property
    def _wordless(self) -> tuple[_Alternative, ...]:
        return tuple(one for one in self.alternatives if not one.words)

    def may_be_in(self, text: str) -> bool:
        """Return whether a text holds all that one of them needs."""
        return bool(self.held(text))

    def held(self, text: str) -> Sequence[_Alternative]:
        """Return those of the alternatives for which a text holds all that they need."""
        if not self._words or (words := words_in(text)).isdisjoint(self._words):
            return self._wordless
        found = [*self._wordless]
        words = words & self._known  # few are left to be looked through
        for word in words & self._words:
            for one in self._by_word[word]:
                if one in found:
                    continue
                for needed in one.others:
                    if words.isdisjoint(needed):
                        break
                else:
                    found.append(one)
        return sorted(found, key=_PLACE) if len(found) > 1 else found


class Phrases(Parts):
    """Several phrases, of which a text is asked at once which its end may hold."""

    @cached_property
    def _phrase_of(self) -> dict[_Alternative, Parts]:
        return {one: phrase for phrase in self._phrases for one in phrase.alternatives}

    def near_end(self, text: str) -> frozenset[Parts]:
        """Return those of the phrases that the end of a text may hold."""
        return self._near_end(text[-NEAR:])

    @lru_cache(maxsize=_MAX_TEXTS)  # noqa: B019 phrases live as long as their module
    def _near_end(self, end: str) -> frozenset[Parts]:
        return frozenset(self._phrase_of[one] for one in self.held(end))


class Words(Parts):
    """Words of which a text may hold one, told by how they begin."""

    def __init__(self, beginnings: Iterable[str]) -> None:
        super().__init__()
        self._beginnings = frozenset(beginnings)

    @cached_property
    def alternatives(self) -> tuple[_Alternative, ...]:
        """One, which is nothing but these words."""
        return (_Alternative(Branch("", (self._beginnings,))),)


class _Phrase(Parts):
    """A pattern that ignores case, with what each of its matches needs."""

    _state: frozenset[str] | None = None
    """How a word has begun where a match begins; None where nobody knows."""

    def __init__(self, pattern: str) -> None:
        super().__init__()
        self.source = pattern

    @cached_property
    def alternatives(self) -> tuple[_Alternative, ...]:
        """Those of the pattern, each with what it needs."""
        reader = Reader(self.source)
        branches = reader.branches(self._state)
        if reader.captures:  # its groups are counted through all alternatives
            branches = [together(self.source, branches)]
        return tuple(map(_Alternative, branches, count()))

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """All alternatives in one; most phrases are never searched for so."""
        return re.compile(self.source, re.I)

    def match(self, text: str) -> re.Match[str] | None:
        """Return the match that a text begins with."""
        for one in self.held(text):
            if found := one.pattern.match(text):
                return found
        return None


class Beginning(_Phrase):
    """A phrase that a text begins with.

    >>> opening = Beginning(r"(?:so|now),?\\s(?=we\\b)")
    >>> opening.match("So we add.") is not None, opening.match("So it is.")
    (True, None)
    """

    _state = AT_EDGE


class Sought(_Phrase):
    """A phrase that is sought anywhere in a text.

    Most texts lack what it needs, which takes a tenth of the time of a search to see; of the
    others only those alternatives are searched for that have all that they need.

    >>> phrase = Sought(r"\\b(?:perhaps|may be)\\b")
    >>> phrase.search("It MAY be 7.") is not None, phrase.search("It is 7.")
    (True, None)
    """

    def search(self, text: str, *span: int) -> re.Match[str] | None:
        """Return the first match between two places."""
        near = end = text
        if span:
            near = end = text[max(0, span[0] - _LOOKS_BACK) : span[1] if span[1:] else None]
            if _LONG < len(near) < NEAR and not span[1:]:
                end = text[-NEAR:]
        first: re.Match[str] | None = None
        for one in self.held(end):
            found = one.pattern.search(text, *span) if one.is_in(lowered(near)) else None
            if found is not None and (first is None or found.start() < first.start()):
                first = found
        return first

    def finditer(self, text: str, *span: int) -> Iterator[re.Match[str]]:
        """Return all matches between two places."""
        pattern = self._met(text)
        return pattern.finditer(text, *span) if pattern else iter(())

    def sub(self, plain: str | Callable[[re.Match[str]], str], text: str) -> str:
        """Return the text with another in place of each match."""
        pattern = self._met(text)
        return pattern.sub(plain, text) if pattern else text

    def _met(self, text: str) -> re.Pattern[str] | None:
        """Return those of the alternatives in one of which a text holds a match."""
        found = [one for one in self.held(text) if one.is_in(lowered(text))]
        if len(found) > 1:
            return _in_one(*found)
        return found[0].pattern if found else None


@lru_cache(maxsize=_MAX_TEXTS)
def _in_one(*alternatives: _Alternative) -> re.Pattern[str]:
    return re.compile("|".join(one.source for one in alternatives), re.I)
