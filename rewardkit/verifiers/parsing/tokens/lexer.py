"""Answer text -> tokens."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from rewardkit.verifiers.limits import MAX_ANSWER_CHARS, MAX_TOKENS, TooComplex
from rewardkit.verifiers.parsing.spelling.notations import respell
from rewardkit.verifiers.vocabulary import commands, phrases
from rewardkit.verifiers.vocabulary.characters import spells_words
from rewardkit.verifiers.vocabulary.names import FUNCTIONS, GREEK
from rewardkit.verifiers.vocabulary.numbers import ORDINAL_SUFFIXES, ORDINALS
from rewardkit.verifiers.vocabulary.units import PLAIN_UNITS, UNITS


class Token(NamedTuple):
    """A token: `kind` is num, name, word, cmd, op or end; `gap` says white space came before."""

    kind: str
    text: str
    gap: bool = False


_TOKEN = re.compile(
    r"(?P<space>\s+|~|\\[,;:!> \t\n])"
    r"|(?P<num>\d+\.(?=\\(?:overline|bar|dot))|\d+(?:\.\d+)?(?:[eE][+-]?\d+(?![\d.a-zA-Z]))?|\.\d+)"
    r"|(?P<cmd>\\[a-zA-Z]+\*?)"
    r"|(?P<letters>[^\W\d_]+)"
    r"|(?P<op>\\\\|\\.|<=|>=|(?<!\d)!=|==|\*\*|:=|\.\.\.+|''|.)",
    re.S,
)
_COMMANDS = {
    **dict.fromkeys(("", *commands.SPACING_COMMANDS), "space"),
    **dict.fromkeys(commands.STYLE_COMMANDS, "style"),
    **dict.fromkeys(commands.TEXT_COMMANDS, "textcmd"),
    **dict.fromkeys(phrases.CONNECTIVES, "word"),
    **dict.fromkeys((*GREEK, "T", "i", "j"), "name"),
}
"""Kinds of commands; others that have letters are `cmd`, and signs are `op`."""
_LETTERS = {
    **{name: ("cmd", name) for name in (*FUNCTIONS, "pi", "frac", "infty", "binom")},
    **dict.fromkeys(("inf", "infinity", "Infinity", "oo"), ("cmd", "infty")),
    **{name: ("name", name) for name in GREEK if len(name) > 2},
}
"""Plain letters that are read as a command is: `sqrt`, `alpha`."""
_SPACE_LOST = re.compile(
    rf"({'|'.join(sorted((*GREEK, 'pi'), key=len, reverse=True))})([a-zA-Z]{{1,2}})"
)
"""A Greek letter and what stood behind it: some data sets lost their spaces, `\\omegat`."""
_GLUED = frozenset(("sqrt", "sin", "cos", "tan", "ln", "pi"))
"""What is read apart from one letter before or after it: `2pir`, `xsin`."""
_END = Token("end", "")


def tokenize(text: str) -> list[Token]:
    """Return the tokens of an answer, with an `end` token last.

    Raises:
        TooComplex: the answer is longer than any answer is.
    """
    if len(text) > MAX_ANSWER_CHARS:
        raise TooComplex(f"the answer has {len(text)} characters")
    tokens: list[Token] = []
    gap = False
    for match in _TOKEN.finditer(respell(text)):
        kind, lexeme = match.lastgroup or "", match[0]
        if kind == "cmd":
            lexeme = commands.COMMAND_SYNONYMS.get(lexeme[1:], lexeme[1:])
            kind = _COMMANDS.get(lexeme) or ("cmd" if lexeme[0].isalpha() else "op")
            if kind == "style":
                continue
            if kind == "cmd" and (lost := _SPACE_LOST.fullmatch(lexeme)):
                tokens.append(Token(_COMMANDS.get(lost[1], "cmd"), lost[1], gap))
                kind, lexeme, gap = "letters", lost[2], True
        if kind == "space":
            gap = True
        elif kind == "letters":
            tokens += split_letters(lexeme, gap)
            gap = False
        else:
            apart = lexeme == "$"
            tokens.append(Token(kind, lexeme, gap or apart))
            gap = apart
    tokens = _short_words_apart(_units_named(tokens))
    if len(tokens) > MAX_TOKENS:
        raise TooComplex(f"the answer has {len(tokens)} tokens")
    return [*tokens, Token("end", "", gap)]


def is_plain_word(run: str) -> bool:
    """Return whether four letters or more are one word, and none that joins two values."""
    apart = run in _LETTERS or run[1:] in _GLUED or run[:-1] in _GLUED
    return not apart and run.lower() not in phrases.CONNECTIVES


@lru_cache(maxsize=4096)
def split_letters(run: str, gap: bool) -> tuple[Token, ...]:
    """Split a run of plain letters into functions, words and one-letter names."""
    if len(run) == 1:
        return (Token("word" if spells_words(run) else "name", run, gap),)
    if run in _LETTERS:
        return (Token(*_LETTERS[run], gap),)
    if run[:-1] in _GLUED:
        return Token("cmd", run[:-1], gap), Token("name", run[-1])
    if run[1:] in _GLUED and run not in UNITS:
        return Token("name", run[0], gap), Token("cmd", run[1:])
    word = run.lower()
    if not (run.isupper() and len(run) <= 3):
        if word in phrases.CONNECTIVES:
            return (Token("word", word, gap),)
        if len(run) > 3 or word in UNITS or word in phrases.SHORT_WORDS or not run.isascii():
            return (Token("word", run, gap),)
    return _apart(run, gap)


def _apart(run: str, gap: bool) -> tuple[Token, ...]:
    return tuple(Token("name", c, gap and k == 0) for k, c in enumerate(run))


def _units_named(tokens: list[Token]) -> list[Token]:
    """Make words of `min`, `sec` and `deg` where they measure a number: `30 min`, `m/sec`."""
    for k, token in enumerate(tokens):
        if token.kind == "cmd" and token.text in ("min", "sec", "deg"):
            after = tokens[k + 1] if k + 1 < len(tokens) else _END
            numbers = after.kind == "num" and k > 0 and tokens[k - 1].kind == "num"
            ends = after.text in ("}", ",", ")", "/", ".", ";", "$")
            if numbers or ends or after.kind in ("end", "textcmd", "word"):
                tokens[k] = Token("word", token.text, token.gap)
    return tokens


def _short_words_apart(tokens: list[Token]) -> list[Token]:
    """Take words of two or three plain letters as products where mathematics is around them.

    `km` measures the number before it at the end of an answer, and is k times m in `x^2 + 2km`;
    `at` is a word between words, and a times t in `v_0 + at`. In a text command they are words.
    """
    if not any(t.kind == "word" and len(t.text) <= 3 for t in tokens) or any(
        t.kind == "word" and len(t.text) > 3 and t.text.lower() not in UNITS for t in tokens
    ):
        return tokens
    found: list[Token] = []
    depth = 0  # of braces within a text command
    for k, token in enumerate(tokens):
        if depth or (token.text == "{" and k and tokens[k - 1].kind == "textcmd"):
            depth += (token.text == "{") - (token.text == "}")
        if depth or token.kind != "word" or len(token.text) > 3 or _is_word(tokens, k):
            found.append(token)
        else:
            found += _apart(token.text, token.gap)
    return found


def _is_word(tokens: list[Token], k: int) -> bool:
    token, text = tokens[k], tokens[k].text.lower()
    before = tokens[k - 1] if k else _END
    after = tokens[k + 1] if k + 1 < len(tokens) else _END
    if text in phrases.CONNECTIVES or text in phrases.SHORT_NUMBER_WORDS or not text.isascii():
        return True
    if {before.kind, after.kind} & {"word", "textcmd"} or after.text == "'":
        return True
    if before.kind == after.kind == "end":
        return text in phrases.SHORT_ANSWERS
    if text in ("sq", "cu"):
        return before.kind == "num"
    if text in ORDINALS:
        right = "th" if before.text[-2:-1] == "1" else ORDINAL_SUFFIXES.get(before.text[-1:], "th")
        return before.kind == "num" and not token.gap and after.kind == "end" and text == right
    ends = after.kind in ("end", "num") or after.text in (",", ";", "/", ")", "]", "^", "$", ".")
    if not ends or text not in UNITS:
        # Of the small words, those that stand apart on both sides.
        opens = after.text in ("(", "[", "{")
        apart = token.gap and before.kind != "op" and (opens or after.kind not in ("op", "end"))
        apart = apart and (after.gap or opens)
        return text in ("pct", "pm") or (apart and text in phrases.SHORT_WORDS)
    if before.text == "/":
        return k > 1 and tokens[k - 2].kind == "word"
    if before.kind == "num":
        start = max((j for j in range(k) if tokens[j].text in _STARTS), default=-1)
        return not any(t.kind == "name" for t in tokens[start + 1 : k])
    return text in PLAIN_UNITS and (before.text in ("}", ")", "pi") or before.kind == "cmd")


_STARTS = frozenset((",", ";", "=", "~", "<", ">", "le", "ge", "and", "or", "("))
