"""What stands in brackets, braces and bars: values, intervals, sets, absolute values."""

from __future__ import annotations

from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.limits import NotAnswer
from rewardkit.verifiers.parsing.grammar.pratt import SETS, SUM, OperandReader, Parser
from rewardkit.verifiers.parsing.grammar.statements import items_of, stacked, statements
from rewardkit.verifiers.parsing.tokens.lexer import Token

_FENCES = {"lfloor": ("rfloor", "floor"), "lceil": ("rceil", "ceil")}


def matrix(rows: list[tuple[Node, ...]]) -> nodes.Matrix:
    """Return a matrix of these rows.

    Raises:
        NotAnswer: they have different lengths.
    """
    if not rows or len({len(row) for row in rows}) != 1:
        raise NotAnswer("rows of different lengths")
    return nodes.Matrix(tuple(rows))


def _bracket(parser: Parser, opening: Token) -> Node:
    if parser.next_is(")", "]"):
        raise NotAnswer("empty brackets")
    bars, parser.bars = parser.bars, 0
    inner = statements(parser)
    parser.bars = bars
    closing = parser.take().text
    if closing not in (")", "]"):
        raise NotAnswer(f"expected a closing bracket, found {closing!r}")
    items = items_of(inner)
    if items == (inner,):
        return inner
    if opening.text == "[":
        rows = [
            i.items for i in items if type(i) is nodes.Bracketed and i.opening + i.closing == "[]"
        ]
        if len(rows) == len(items):
            return matrix(rows)
    return nodes.Bracketed(opening.text, closing, items)


def _angle(parser: Parser, _: Token) -> Node:
    inner = statements(parser)
    parser.expect("rangle")
    return nodes.Bracketed("(", ")", items_of(inner))


def _braces(parser: Parser, _: Token) -> Node:
    if parser.accept("}"):
        return parser.primary()
    inner = stacked(parser, statements(parser))
    parser.expect("}")
    return inner


def _set(parser: Parser, _: Token) -> Node:
    """Read a listed set, or one that is built: in the latter a bar or colon follows an element."""
    if parser.accept("\\}"):
        return nodes.NamedSet("empty")
    start = parser.at
    bars, parser.bars = parser.bars, 1
    element = parser.expression(SETS)
    domain = parser.expression(SETS) if parser.accept("in") else None
    tree: Node
    if parser.accept("|", ":"):
        parser.bars = 0
        condition = statements(parser)
        if type(domain) is nodes.NamedSet and domain.name != "R":
            condition = nodes.ListOf((nodes.Relation(("in",), (element, domain)), condition))
        tree = nodes.SetBuilder(element, condition)
    else:
        parser.at, parser.bars = start, 0
        tree = nodes.SetOf(items_of(statements(parser)))
    parser.bars = bars
    parser.expect("\\}")
    return tree


def _bar(parser: Parser, opening: Token) -> Node:
    parser.bars += 1
    inner = parser.expression(SETS)  # `|A \cap B|` counts what is in it
    parser.bars -= 1
    parser.expect(opening.text)
    return nodes.Abs(inner)


def _fence(parser: Parser, opening: Token) -> Node:
    closing, name = _FENCES[opening.text]
    inner = parser.expression(SUM)
    parser.expect(closing)
    return nodes.Call(name, (inner,))


BRACKETS: dict[str, OperandReader] = {
    "(": _bracket, "[": _bracket, "{": _braces, "\\{": _set, "|": _bar, "\\|": _bar,
    "langle": _angle, "lfloor": _fence, "lceil": _fence,
}  # fmt: skip
