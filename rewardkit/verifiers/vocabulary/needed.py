"""Reads a pattern for what each of its matches holds: words, or pieces of text.

Whoever lists them by hand forgets one with the next phrase. What cannot be told is left out, so
that nothing is named that a match may lack.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache, reduce
from itertools import chain, pairwise
from typing import NamedTuple

BEGINNING = 4
"""So many letters of a word are looked at."""
_MOST_CHARACTERS = 4
"""Of a set in brackets that is taken apart."""
_MOST_ROUNDS = 4
_MOST_KEPT = 2000
MOST_NEEDED = 3
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


class Piece(NamedTuple):
    """A part of a pattern, with how often it is there."""

    kind: str
    """characters, group, ahead, edge (no letter is beside it), unknown or nothing."""
    text: str = ""
    """The characters of which it is one."""
    alternatives: tuple[tuple[Piece, ...], ...] = ()
    optional: bool = False
    repeats: bool = False


_NOTHING = Piece("nothing")


class Branch(NamedTuple):
    """One of the alternatives of a pattern."""

    source: str
    words: tuple[frozenset[str], ...]
    """Of each set, a match holds a word that begins so; the one that tells most comes first."""
    parts: frozenset[str]
    """A match holds one of these pieces of text, in lower case; none where nothing is known."""


_PLAIN = re.compile(r"[^|()\[\\^$.?*+{]+(?![?*+{])")
"""Letters that stand for themselves, once each; most of a phrase is."""
_REPEAT = re.compile(r"(?:([?*])|(\+)|\{(\d*)(,?\d*)\})[?+]?")
_OPENING = re.compile(r"\((?:\?(?:P<\w+>|[a-z-]*:|<?[=!]|>))?")
_SET = re.compile(r"\[(\^?)(\]?(?:\\.|[^\]\\])*)\]", re.S)


class Reader:
    """Takes a pattern apart."""

    def __init__(self, pattern: str) -> None:
        self.pattern, self.at = pattern, 0
        self.captures = False

    def branches(self, begun: _Open = None) -> list[Branch]:
        """Return the alternatives of the pattern, each with what it needs."""
        found = []
        for source, pieces in self._alternatives():
            needed = set(map(frozenset, _words_of(pieces, begun)[0]))
            words = sorted(needed, key=_in_order)[:MOST_NEEDED]
            found.append(Branch(source, tuple(words), _parts_of(pieces)))
        return found

    def _alternatives(self) -> list[tuple[str, tuple[Piece, ...]]]:
        """Read alternatives up to the end of their group: each with its text."""
        found: list[tuple[str, tuple[Piece, ...]]] = []
        while not found or self.pattern[self.at : self.at + 1] == "|":
            start = self.at = self.at + bool(found)
            pieces: list[Piece] = []
            while self.at < len(self.pattern) and self.pattern[self.at] not in "|)":
                if plain := _PLAIN.match(self.pattern, self.at):
                    self.at = plain.end()
                    pieces += map(_letter, plain[0])
                else:
                    pieces.append(self._repeated(self._piece()))
            found.append((self.pattern[start : self.at], tuple(pieces)))
        return found

    def _repeated(self, piece: Piece) -> Piece:
        repeat = _REPEAT.match(self.pattern, self.at)
        if repeat is None:
            return piece
        self.at = repeat.end()
        optional = not repeat[2] and not int(repeat[3] or 0)
        once = repeat[1] == "?" or (repeat[3], repeat[4]) == ("1", "") or repeat[4] == ",1"
        return piece._replace(optional=optional, repeats=not once)

    def _piece(self) -> Piece:
        if opening := _OPENING.match(self.pattern, self.at):
            self.at = opening.end()
            self.captures = self.captures or opening[0] == "(" or "P<" in opening[0]
            inside = tuple(pieces for _, pieces in self._alternatives())
            self.at += 1
            if opening[0].endswith("!"):
                return Piece("nothing")
            looks = {"(?=": "ahead", "(?<=": "behind"}.get(opening[0], "group")
            return Piece(looks, alternatives=inside)
        if characters := _SET.match(self.pattern, self.at):
            self.at = characters.end()
            return _set(characters[1], characters[2])
        letter = self.pattern[self.at]
        self.at += 1
        if letter != "\\":
            if letter in "^$":
                return Piece("edge")
            return Piece("unknown") if letter == "." else _letter(letter)
        letter = self.pattern[self.at]
        self.at += 1
        if letter in "bAZ":
            return Piece("edge")
        if letter in "sWnrt":
            return Piece("edge", " ")
        return Piece("unknown") if letter.isalnum() else Piece("characters", letter)


def together(pattern: str, branches: list[Branch]) -> Branch:
    """Return all alternatives of a pattern as one, with what any of them needs."""
    if len(branches) == 1:
        return branches[0]
    words = _any_of([set(branch.words[0]) if branch.words else set() for branch in branches])
    parts = _any_of([set(branch.parts) for branch in branches])
    return Branch(pattern, (frozenset(words),) if words else (), frozenset(parts))


@cache
def _letter(letter: str) -> Piece:
    return Piece("characters", letter.lower())


@cache
def _set(negated: str, characters: str) -> Piece:
    if negated:
        return Piece("edge", " ") if "\\w" in characters else Piece("unknown")
    plain = "\\" not in characters and "-" not in characters
    if plain and len(characters) <= _MOST_CHARACTERS:
        return Piece("characters", characters.lower())
    # of a longer one, at most whether it has letters
    bare = re.sub(r"\\(?:[sWnrt]|\W)", "", characters).strip("-")
    letters = "\\" in bare or any(c.isalnum() or c == "_" for c in bare)
    return Piece("unknown") if letters or "-" in bare else Piece("edge", " ")


@lru_cache(maxsize=_MOST_KEPT)
def _parts_of(pieces: tuple[Piece, ...]) -> frozenset[str]:
    """Return pieces of text of which each match of a sequence holds one; the longest known."""
    choices: list[set[str]] = []
    run = ""
    for piece in pieces:
        if piece.kind == "nothing" or (piece.kind == "edge" and not piece.text):
            continue
        if len(piece.text) == 1 and piece.kind == "characters":
            if not (piece.optional or piece.repeats):
                run += piece.text
                continue
            held = {piece.text}
        elif piece.kind == "characters":
            held = set(piece.text)
        else:
            held = _any_of([set(_parts_of(inside)) for inside in piece.alternatives])
        choices += [{run}, set() if piece.optional else held]
        run = ""
    best: set[str] = max([*choices, {run}], key=_least)
    return frozenset(best)


def _least(parts: set[str]) -> tuple[int, bool, int]:
    """Return how long all parts are at least; a text of ASCII has none that is not."""
    return min(map(len, parts), default=0), not any(map(str.isascii, parts)), -len(parts)


_Open = set[str] | None
"""How the word has begun that a place is in: nothing yet at its edge; None where nobody knows."""
_Needed = tuple[list[set[str]], _Open]


def _words_of(pieces: tuple[Piece, ...], begun: _Open) -> _Needed:
    """Return sets of words of which each match holds one each, and how a word has begun behind."""
    found: list[set[str]] = []
    for piece, following in pairwise((*pieces, _NOTHING)):
        if piece.optional and _is_edge(piece) and _is_edge(following) and not following.optional:
            continue  # of `,?\s`, the second ends a word anyhow
        if begun is None and piece.kind == "characters" and not _is_edge(piece):
            continue  # the word that nobody knows goes on
        before = begun
        words, begun = _step(piece, before)
        if piece.optional:
            begun = _either(before, begun)
        else:
            found += words
        for _ in range(_MOST_ROUNDS if piece.repeats else 0):
            again = _either(begun, _step(piece, begun)[1])
            if again == begun:
                break
            begun = again
        else:
            begun = None if piece.repeats else begun
    return found, begun


@lru_cache(maxsize=_MOST_KEPT)
def _words_within(pieces: tuple[Piece, ...], begun: frozenset[str] | None) -> _Needed:
    """Return the same of an alternative within; many patterns hold the same list of words."""
    return _words_of(pieces, None if begun is None else set(begun))


def _step(piece: Piece, begun: _Open) -> _Needed:
    if piece.kind == "characters" and not _is_edge(piece):
        if begun is None or not all(map(_is_letter, piece.text)):
            return [], None
        longer = {word if _is_full(word) else word + c for word in begun for c in piece.text}
        return [longer] if longer != begun and all(map(_is_full, longer)) else [], longer
    if piece.kind == "nothing" or piece.kind == "behind":
        return [], begun
    if piece.kind in ("group", "ahead"):
        opened = None if begun is None else frozenset(begun)
        read = [_words_within(inside, opened) for inside in piece.alternatives]
        least = [min(words, key=_rank, default=set()) for words, _ in read]
        words = [_any_of(least)] if all(least) else []
        if piece.kind == "ahead":
            return words, begun
        ends = [after for _, after in read]
        if not words:
            ends = list(map(_rarer, ends, least))
        return words, reduce(_either, ends)
    if piece.kind == "unknown":
        return [], None
    return [begun] if begun and "" not in begun else [], {""}


def _rarer(begun: _Open, told: set[str]) -> _Open:
    """Return how a word has begun behind an alternative, or a word in it that tells more.

    No letter behind it changes a word that is as long as any is looked at.
    """
    if not told or not all(map(_is_full, told)):
        return begun
    return told if begun is None or "" in begun or _rank(told) < _rank(begun) else begun


def _is_full(word: str) -> bool:
    return len(word) == BEGINNING


def _is_edge(piece: Piece) -> bool:
    return piece.kind in ("edge", "characters") and not any(map(_is_letter, piece.text))


def _is_letter(character: str) -> bool:
    return character.isalnum() or character == "_"


def _either(one: _Open, other: _Open) -> _Open:
    return None if one is None or other is None else one | other


def _any_of(choices: list[set[str]]) -> set[str]:
    """Return the parts of several alternatives; none, where one of them has none."""
    return set(chain(*choices)) if all(map(any, choices)) else set()


def _rank(words: set[str] | frozenset[str]) -> float:
    """Return in how many of a hundred sentences one of the words is, by and large."""
    return sum(_SHARES.get(word, _RARE) for word in words)


def _in_order(words: frozenset[str]) -> tuple[float, list[str]]:
    return _rank(words), sorted(words)
