"""LaTeX's environments: matrices, systems of equations, functions in pieces."""

from __future__ import annotations

from rewardkit.verifiers.expressions.nodes import Bracketed, Call, ListOf, Node, Quantity, Sym
from rewardkit.verifiers.limits import NotAnswer
from rewardkit.verifiers.parsing.grammar.brackets import matrix
from rewardkit.verifiers.parsing.grammar.pratt import Parser
from rewardkit.verifiers.parsing.grammar.statements import statement
from rewardkit.verifiers.parsing.tokens.lexer import Token
from rewardkit.verifiers.parsing.tokens.words import words
from rewardkit.verifiers.vocabulary.commands import ALIGNED, CASES, MATRICES

_ROWS = ALIGNED | CASES | {"array*"}
"""Environments of which each row says something by itself."""
_CONTINUING = frozenset(["=", "~", "<", ">", "le", "ge"])


def environment(parser: Parser, _: Token) -> Node:
    """Read an environment up to its end."""
    name = parser.braced_text()
    if name not in MATRICES and name not in _ROWS:
        raise NotAnswer(f"the environment {name!r}")
    if name == "array" and parser.next_is("{"):
        parser.braced()  # `{c|c}`
    if name in ALIGNED:
        _unalign(parser)
    rows = [row for row in _rows(parser, name) if row]
    parser.braced()
    if name in CASES and all(len(row) == 2 for row in rows):
        return ListOf(tuple(Bracketed("(", ")", row) for row in rows))
    if name in _ROWS:
        return ListOf(tuple(item for row in rows for item in row))
    return Call("det", (matrix(rows),)) if name in ("vmatrix", "Vmatrix") else matrix(rows)


def _rows(parser: Parser, name: str) -> list[tuple[Node, ...]]:
    rows: list[tuple[Node, ...]] = [()]
    while not parser.accept("end"):
        if parser.token.kind == "end":
            raise NotAnswer("an environment without its end")
        if parser.accept("\\\\"):
            rows.append(())
        elif not parser.accept("&"):
            piece = name in CASES and rows[-1]
            rows[-1] += (_condition(parser) if piece else statement(parser),)
            if name in _ROWS:
                parser.accept(",", ";")
    return rows


def _condition(parser: Parser) -> Node:
    """Read when a piece of a function holds: `x > 0`, `if x > 0`, `otherwise`."""
    said = words(parser)
    if said and said[-1] in ("otherwise", "else", "elsewhere"):
        return Sym("label:otherwise")
    if not set(said) <= {"if", "for", "when", "where", "as"}:
        raise NotAnswer("words")
    held = statement(parser)
    if type(held) is Quantity:  # `n even` reads as n of a noun
        return Call(f"is {held.unit.removeprefix('is ')}", (held.value,))
    said = [word for word in words(parser) if word != "is"]
    return Call("is " + " ".join(said), (held,)) if said else held


def _unalign(parser: Parser) -> None:
    """Drop the signs that only align: `&`, and a line break before a relation."""
    tokens, start = parser.tokens, parser.at
    end = next((k for k in range(start, len(tokens)) if tokens[k].text == "end"), start)
    kept: list[Token] = []
    for token in tokens[start:end]:
        if token.text == "&":
            continue
        if token.text in _CONTINUING and kept and kept[-1].text == "\\\\":
            kept.pop()
        kept.append(token)
    tokens[start:end] = kept
