"""Pratt's way to parse: an operand, then all operators after it that bind tightly enough.

What the operands and operators are is a `Grammar`, tables that `grammar` puts together from its
parts. A reader of an operand gets the token that begins it, which is behind the parser; a reader
of an operator gets what stands before it, and finds its sign still ahead. Whatever does not parse
raises `NotAnswer`; the caller then compares it as text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rewardkit.verifiers.expressions.nodes import Node, Num
from rewardkit.verifiers.limits import MAX_DEPTH, NotAnswer, TooComplex
from rewardkit.verifiers.parsing.tokens.lexer import Token
from rewardkit.verifiers.parsing.tokens.numerals import mixed_fraction
from rewardkit.verifiers.parsing.tokens.stream import TokenStream

RELATION, RATIO, SETS, SUM, SIGN, UNIT, PRODUCT, POSTFIX = range(1, 9)
"""How tightly operators bind, the loosest first."""


class Parser(TokenStream):
    """The tokens of one answer, read by the tables of a grammar."""

    def __init__(self, tokens: list[Token], grammar: Grammar, depth: int = 0) -> None:
        super().__init__(tokens)
        self.grammar = grammar
        self.depth = depth
        self.bars = 0  # open absolute values, in which a bar closes rather than opens

    def climb(self, floor: int, left: Node | None = None) -> Node:
        """Read an operand, unless it is given, and what binds to it at least as `floor` does."""
        ceiling = POSTFIX
        if left is None:
            prefix = self.grammar.prefixes.get(self.token.text) if floor <= SIGN else None
            if prefix is not None:
                left, ceiling = prefix(self, self.take()), SIGN
            else:
                left = self.primary()
                if type(left) is Num and self.next_is("frac"):
                    left = mixed_fraction(self, left) or left
        while (binding := self.binding()) is not None:
            # After `5 cm` no product can follow, though it would bind more tightly.
            if not floor <= binding.power <= ceiling:
                break
            start = self.at
            left = binding.read(self, left)
            if self.at == start:  # it was no such operator after all
                break
            ceiling = binding.power - binding.once
        return left

    def expression(self, floor: int = RELATION, left: Node | None = None) -> Node:
        """Read what stands one level deeper than what is being read.

        Raises:
            TooComplex: that is too deep; Python's own limit would be met next.
        """
        self._descend()
        tree = self.climb(floor, left)
        self.depth -= 1
        return tree

    def primary(self) -> Node:
        """Read one operand without any operator."""
        self._descend()
        token = self.take()
        grammar = self.grammar
        reader = grammar.operands_by_kind.get(token.kind) or grammar.operands.get(token.text)
        if reader is None:
            raise NotAnswer(f"cannot read {token.text!r}")
        tree = reader(self, token)
        self.depth -= 1
        return tree

    def nested(self, read: Callable[[Parser], Node]) -> Node:
        """Read anything else one level deeper."""
        self._descend()
        tree = read(self)
        self.depth -= 1
        return tree

    def binding(self) -> Binding | None:
        """Return how the next token binds to an operand before it, when it may follow one."""
        token = self.token
        find = self.grammar.operators_by_kind.get(token.kind)
        if find is not None:
            return find(self)
        if self.bars and token.text == "|":
            return None
        return self.grammar.operators.get(token.text)

    def follows(self, power: int) -> bool:
        """Return whether an operator of this power is next."""
        binding = self.binding()
        return binding is not None and binding.power == power

    def _descend(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise TooComplex(f"nested deeper than {MAX_DEPTH}")


OperandReader = Callable[[Parser, Token], Node]


class Binding(NamedTuple):
    """What may follow an operand; `once` if nothing that binds alike may come after it."""

    power: int
    read: Callable[[Parser, Node], Node]
    once: bool = False


class Grammar(NamedTuple):
    """What begins an operand and what follows one, by the text of a token or by its kind."""

    prefixes: dict[str, OperandReader]
    operands: dict[str, OperandReader]
    operands_by_kind: dict[str, OperandReader]
    operators: dict[str, Binding]
    operators_by_kind: dict[str, Callable[[Parser], Binding | None]]
