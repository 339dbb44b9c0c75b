"""Propositions of logic, `\\neg p \\vee q`: equal when their truth tables are."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import product

from rewardkit.verifiers.comparison.result import Result, decided
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.parsing.spelling.surroundings import trim

Truth = Callable[[Mapping[str, bool]], bool]

_TOKEN = re.compile(
    r"\s*(?:(?P<not>¬|\\neg\b|\\lnot\b)|(?P<and>∧|\\wedge\b|\\land\b)|(?P<or>∨|\\vee\b|\\lor\b)"
    r"|(?P<iff>↔|⇔|\\iff\b|\\[lL]eftrightarrow\b)|(?P<implies>→|⇒|\\to\b|\\implies\b|\\[rR]ightarrow\b)"
    r"|(?P<name>[a-zA-Z])|(?P<bracket>[()]))\s*"
)
_STRENGTHS = {"iff": 1, "implies": 2, "or": 3, "and": 4}
_MAX_CHARS, _MAX_NAMES = 200, 8


def compare_texts(gold_text: str, text: str, _: MathOptions) -> Result | None:
    """Compare two propositions, one of which joins others, by their truth tables."""
    mine, theirs = _tokens(gold_text), _tokens(text)
    names = sorted({word for kind, word in (*mine, *theirs) if kind == "name"})
    if len(names) > _MAX_NAMES or max(len(mine), len(theirs)) < 2:
        return None
    try:
        gold, pred = _joined(mine, 1), _joined(theirs, 1)
    except (IndexError, ValueError):
        return None
    if mine or theirs:
        return None
    rows = (dict(zip(names, row, strict=True)) for row in product((False, True), repeat=len(names)))
    same = all(gold(row) == pred(row) for row in rows)
    same_words, other_words = (
        "the propositions are equivalent",
        "the propositions are not equivalent",
    )
    return decided(same, "logic", same_words, other_words)


def _tokens(text: str) -> list[tuple[str, str]]:
    """Return the tokens of a proposition with their kinds, last first; none for anything else."""
    text, found, at = trim(text), [], 0
    while at < len(text) <= _MAX_CHARS:
        token = _TOKEN.match(text, at)
        if token is None or token.lastgroup is None:
            return []
        found.append((token.lastgroup, token[token.lastgroup]))
        at = token.end()
    return found[::-1]


def _joined(tokens: list[tuple[str, str]], strength: int) -> Truth:
    """Take a proposition from the tokens whose connectives bind at least so strongly."""
    left = _single(tokens)
    while tokens and (bound := _STRENGTHS.get(tokens[-1][0], 0)) >= strength:
        kind = tokens.pop()[0]
        left = _join(kind, left, _joined(tokens, bound if kind == "implies" else bound + 1))
    return left


def _single(tokens: list[tuple[str, str]]) -> Truth:
    kind, word = tokens.pop()
    if kind == "not":
        inner = _single(tokens)
        return lambda row: not inner(row)
    if kind == "name":
        return lambda row: row[word]
    if word != "(":
        raise ValueError("a proposition begins with a name, a bracket or a negation")
    inner = _joined(tokens, 1)
    if tokens.pop()[1] != ")":
        raise ValueError("the bracket is not closed")
    return inner


def _join(kind: str, left: Truth, right: Truth) -> Truth:
    match kind:
        case "and":
            return lambda row: left(row) and right(row)
        case "or":
            return lambda row: left(row) or right(row)
        case "implies":
            return lambda row: right(row) or not left(row)
    return lambda row: left(row) == right(row)
