"""Reads a pattern for the words that each of its matches holds.

Whoever lists them by hand forgets one with the next phrase. What cannot be told is left out, so
that nothing is named that a match may lack.
"""

from __future__ import annotations

import re
from functools import reduce
from itertools import chain
from typing import NamedTuple

BEGINNING = 4
"""So many letters of a word are looked at."""
_MOST_CHARACTERS = 4
"""Of a set in brackets that is taken apart."""
_MOST_ROUNDS = 4
_MOST_NEEDED = 3
"""Sets of words, of one branch."""
_SHARES = {
    word: share
    for share, words in {
        30: "the of is to",
        15: "we and by in numb find ther out answ a fina thus solu tota",
        5: "how for that need from are prob s has will many x on can step time each so add have",
        3: "left cost be this it he afte with than sinc per more day at two i as not all t one",
    }.items()
    for word in words.split()
}
"""Of a hundred sentences of answers, how many hold a word that begins so; of others, about one in
three hundred does."""
_RARE = 0.3
NO_CHINESE = 0xE3
"""In UTF-8 no Chinese, Japanese or Korean character begins with less, and nearly all others do."""

_Words = frozenset[str]
_State = _Words | None
"""How the word may have begun that a place is in, or what it was with a space where it has ended;
None where nobody knows."""
AT_EDGE: _Words = frozenset([" "])


class Branch(NamedTuple):
    """One of the alternatives of a pattern."""

    source: str
    words: tuple[_Words, ...]
    """Of each set, a match holds a word that begins so; the one that tells most comes first."""


class _Read(NamedTuple):
    """What was read of a pattern: sets of words of which each match holds one each."""

    told: frozenset[_Words]
    state: _State
    """How a word has begun behind it."""


_REPEAT = re.compile(r"(?:([?*])|(\+)|\{(\d*)(,?\d*)\})[?+]?")
_OPENING = re.compile(r"\((?:\?(?:P<\w+>|[a-z-]*:|<?[=!]|>))?")
_SET = re.compile(r"\[(\^?)(\]?(?:\\.|[^\]\\])*)\]", re.S)
_NOTHING: frozenset[_Words] = frozenset()


class Reader:
    """Goes through a pattern once; a piece that repeats is read until it says nothing new."""

    def __init__(self, pattern: str) -> None:
        self.pattern, self.at = pattern, 0
        self.captures = False

    def branches(self, state: _State = None) -> list[Branch]:
        """Return the alternatives of the pattern, each with what it needs."""
        return [
            Branch(source, tuple(sorted(read.told, key=_in_order)[:_MOST_NEEDED]))
            for source, read in self._alternatives(state)
        ]

    def _alternatives(self, state: _State) -> list[tuple[str, _Read]]:
        """Read alternatives up to the end of their group: each with its text."""
        found: list[tuple[str, _Read]] = []
        while not found or self.pattern[self.at : self.at + 1] == "|":
            start = self.at = self.at + bool(found)
            read = self._sequence(state)
            found.append((self.pattern[start : self.at], read))
        return found

    def _sequence(self, state: _State) -> _Read:
        told = _NOTHING
        while self.at < len(self.pattern) and self.pattern[self.at] not in "|)":
            start, before = self.at, state
            read = self._piece(before)
            optional, repeats = self._repeat()
            state = self._again(start, read.state) if repeats else read.state
            if optional:
                state = _either(before, state)
            else:
                told |= read.told
        return _Read(told, state)

    def _again(self, start: int, state: _State) -> _State:
        """Return how a word has begun behind a piece that may be there more than once."""
        end = self.at
        for _ in range(_MOST_ROUNDS):
            self.at, before = start, state
            state = _either(before, self._piece(before).state)
            if state == before:
                break
        else:
            state = None
        self.at = end
        return state

    def _repeat(self) -> tuple[bool, bool]:
        """Return whether the piece before may be missing, and whether it may be there twice."""
        repeat = _REPEAT.match(self.pattern, self.at)
        if repeat is None:
            return False, False
        self.at = repeat.end()
        optional = not repeat[2] and not int(repeat[3] or 0)
        once = repeat[1] == "?" or (repeat[3], repeat[4]) == ("1", "") or repeat[4] == ",1"
        return optional, not once

    def _piece(self, state: _State) -> _Read:
        if opening := _OPENING.match(self.pattern, self.at):
            self.at = opening.end()
            return self._group(opening[0], state)
        if characters := _SET.match(self.pattern, self.at):
            self.at = characters.end()
            return _one_of(_in_set(characters[1], characters[2]), state)
        letter = self.pattern[self.at]
        escaped = letter == "\\"
        self.at += 1 + escaped
        if not escaped:
            edge, unknown = letter in "^$", letter == "."
        else:
            letter = self.pattern[self.at - 1]
            edge, unknown = letter in "bAZsWnrt", letter.isalnum()
        return _one_of(" " if edge else "" if unknown else letter, state)

    def _group(self, opening: str, state: _State) -> _Read:
        self.captures = self.captures or opening == "(" or "P<" in opening
        looks_back = opening == "(?<="
        inside = [read for _, read in self._alternatives(None if looks_back else state)]
        self.at += 1
        if opening.endswith("!"):
            return _Read(_NOTHING, state)
        words = _any_of([min(read.told, key=_rank, default=frozenset()) for read in inside])
        told = frozenset([words]) if words else _NOTHING
        behind = reduce(_either, map(_behind, inside))
        if opening == "(?=" or (looks_back and behind is None):
            return _Read(told, state)
        return _Read(told, behind)


def _behind(read: _Read) -> _State:
    """Return how a word has begun behind an alternative; where nobody knows, a word within it.

    No letter behind it changes a word that is as long as any is looked at.
    """
    if read.state is not None:
        return read.state
    long = (words for words in read.told if all(len(word) == BEGINNING for word in words))
    return min(long, key=_rank, default=None)


def together(pattern: str, branches: list[Branch]) -> Branch:
    """Return all alternatives of a pattern as one, with what any of them needs."""
    if len(branches) == 1:
        return branches[0]
    words = _any_of([branch.words[0] if branch.words else frozenset() for branch in branches])
    return Branch(pattern, (words,) if words else ())


def _in_set(negated: str, characters: str) -> str:
    """Return the characters of a set, a space for signs that end a word, or nothing known."""
    if negated:
        return " " if "\\w" in characters else ""
    plain = "\\" not in characters and "-" not in characters
    if plain and len(characters) <= _MOST_CHARACTERS:
        return characters
    bare = re.sub(r"\\(?:[sWnrt]|\W)", "", characters).strip("-")
    letters = "\\" in bare or "-" in bare or any(map(_is_letter, bare))
    return "" if letters else " "


def _one_of(characters: str, state: _State) -> _Read:
    """Return what one of some characters tells behind what was read; of none, nothing is known."""
    letters = [_is_letter(c) for c in characters]
    if letters and not any(letters):
        ended = frozenset(word.rstrip() for word in state or [""])
        told = frozenset([ended]) if all(ended) else _NOTHING
        return _Read(told, frozenset(f"{word} " for word in ended))
    if letters and all(c.encode()[0] >= NO_CHINESE for c in characters):
        return _Read(frozenset([frozenset(characters)]), None)
    if state is None or not letters or not all(letters):
        return _Read(_NOTHING, None)
    longer = frozenset(_longer(word, c) for word in state for c in characters.lower())
    whole = all(len(word) == BEGINNING for word in longer) and longer != state
    return _Read(frozenset([longer]) if whole else _NOTHING, longer)


def _longer(word: str, letter: str) -> str:
    """Return a word with one more letter, or the next one; no more letters are looked at."""
    return letter if word.endswith(" ") else (word + letter)[:BEGINNING]


def _is_letter(character: str) -> bool:
    return character.isalnum() or character == "_"


def _either(one: _State, other: _State) -> _State:
    return None if one is None or other is None else one | other


def _any_of(choices: list[_Words]) -> _Words:
    """Return the words of several alternatives; none, where one of them has none."""
    return frozenset(chain(*choices)) if all(choices) else frozenset()


def _rank(words: _Words) -> float:
    """Return in how many of a hundred sentences one of the words is, by and large."""
    return sum(_SHARES.get(word, _RARE) for word in words)


def _in_order(words: _Words) -> tuple[float, list[str]]:
    return _rank(words), sorted(words)
