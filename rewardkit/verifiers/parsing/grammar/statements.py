"""Statements and what holds several of them: lists, alternatives, braces."""

from __future__ import annotations

from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.limits import MAX_ITEMS, NotAnswer, TooComplex
from rewardkit.verifiers.parsing.grammar.pratt import RELATION, Parser
from rewardkit.verifiers.parsing.grammar.unit_words import compound
from rewardkit.verifiers.parsing.tokens.words import declaration_follows, label, skip_qualifier
from rewardkit.verifiers.vocabulary.phrases import CONNECTIVES, OR

_SEPARATORS = frozenset((",", ";", "&", "\\&", "\\\\", *CONNECTIVES))
_CLOSERS = frozenset(("", "}", ")", "]", "\\}", "rangle"))
"""What no statement begins with: after a separator one of them ends the list."""


def answer(parser: Parser) -> Node:
    """Read all tokens."""
    tree = stacked(parser, statements(parser))
    if parser.token.kind != "end":
        raise NotAnswer(f"cannot read {parser.token.text!r}")
    return tree


def statements(parser: Parser) -> Node:
    """Read one statement, or a list of them up to what closes it."""
    items = [statement(parser)]
    collection: type[nodes.ListOf | nodes.Either] = nodes.ListOf
    while parser.token.text in _SEPARATORS or declaration_follows(parser):
        while parser.token.text in _SEPARATORS:
            if parser.take().text in OR:
                collection = nodes.Either
        skip_qualifier(parser)
        if parser.token.text in _CLOSERS:
            break
        if len(items) >= MAX_ITEMS:
            raise TooComplex(f"more than {MAX_ITEMS} items")
        items.append(statement(parser))
    first = items[0]
    if len(items) == 1:
        return first
    match items:
        case [nodes.Relation(("!=",), (name, _)), *others] if all(map(is_plain, others)):
            # `x \\ne 0, 1` excludes both
            return nodes.ListOf((first, *(nodes.Relation(("!=",), (name, no)) for no in others)))
    if collection is nodes.ListOf and type(first) is nodes.Quantity and (whole := compound(items)):
        return whole
    return collection(tuple(items))


def statement(parser: Parser) -> Node:
    """Read a value or a relation with the words around it."""
    parser.accept("~")  # `approximately 3`
    tree = parser.expression(RELATION, label(parser))
    skip_qualifier(parser)
    return tree


def group(parser: Parser) -> Node:
    """Read a braced group, or one digit, letter or command, as TeX reads an argument."""
    if parser.accept("{"):
        if parser.next_is("}"):
            raise NotAnswer("empty braces")
        inner = stacked(parser, parser.nested(statements))
        parser.expect("}")
        return inner
    parser.cut_number()
    return parser.primary()


def stacked(parser: Parser, top: Node) -> Node:
    """Read the rest of a group whose operator stands inside it: `{1 \\over 2}`."""
    if parser.accept("over"):
        return nodes.Div(top, statements(parser))
    if parser.accept("choose"):
        return nodes.Call("binom", (top, statements(parser)))
    return top


def items_of(tree: Node) -> tuple[Node, ...]:
    """Return what is listed, or the one value where nothing is."""
    return tree.items if isinstance(tree, nodes.ListOf | nodes.Either) else (tree,)


def is_plain(tree: Node) -> bool:
    """Return whether a tree is a number with or without a sign."""
    while isinstance(tree, nodes.Neg | nodes.PlusMinus):
        tree = tree.value
    return type(tree) is nodes.Num
