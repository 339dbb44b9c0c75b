"""The tokens of an answer as its parser goes over them."""

from __future__ import annotations

from collections.abc import Callable

from rewardkit.verifiers.lexer import Token
from rewardkit.verifiers.limits import MAX_DEPTH, NotAnswer, TooComplex
from rewardkit.verifiers.nodes import Node, node, number


class TokenStream:
    """One pass over the tokens of one answer."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = [token for token in tokens if token.text not in ("$", ".")]
        self.at = 0
        self.depth = 0
        self.bars = 0  # open absolute values, in which a bar closes rather than opens
        self.looks = 2_000 + 200 * len(tokens)  # bounds what re-reading after a wrong guess costs

    @property
    def token(self) -> Token:
        """The next token."""
        self.looks -= 1
        if self.looks < 0:
            raise TooComplex("the answer takes too many steps to parse")
        return self.tokens[self.at]

    def ahead(self, n: int = 1) -> Token:
        """Return a later token."""
        return self.tokens[min(self.at + n, len(self.tokens) - 1)]

    def take(self) -> Token:
        """Return the next token and go past it."""
        token = self.tokens[self.at]
        if token.kind != "end":
            self.at += 1
        return token

    def next_is(self, *texts: str) -> bool:
        """Return whether the next token is one of these."""
        token = self.tokens[self.at]
        return token.text in texts and token.kind in ("op", "esc", "cmd", "word")

    def accept(self, *texts: str) -> bool:
        """Go past the next token if it is one of these."""
        if self.next_is(*texts):
            self.at += 1
            return True
        return False

    def expect(self, text: str) -> None:
        """Go past the next token, which must be this."""
        if not self.accept(text):
            raise NotAnswer(f"expected {text!r}, found {self.token.text!r}")

    def raw_group(self) -> list[Token]:
        """Read `\\text{...}` and return the tokens inside its braces."""
        self.take()
        if not self.accept("{"):
            return [self.take()]
        inner: list[Token] = []
        depth = 1
        while True:
            token = self.take()
            if token.kind == "end":
                raise NotAnswer("unclosed braces")
            depth += (token.text == "{") - (token.text == "}")
            if not depth:
                return inner
            inner.append(token)


class _Grammar(TokenStream):
    """What the parts of the grammar, one a module, need of each other."""

    def nested(self, read: Callable[[], Node]) -> Node:
        """Read what stands one level deeper.

        Raises:
            TooComplex: that is too deep; Python's own limit would be met next.
        """
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise TooComplex(f"nested deeper than {MAX_DEPTH}")
        inner = read()
        self.depth -= 1
        return inner

    def group(self) -> Node:
        """Read a braced group, or one digit, letter or command, as TeX reads an argument."""
        if self.accept("{"):
            if self.accept("}"):
                raise NotAnswer("empty braces")
            inner = self.infix(self.nested(lambda: self.statements(("}",))))
            self.expect("}")
            return inner
        token = self.token
        if token.kind == "num" and len(token.text) > 1 and token.text.isdigit():
            self.tokens[self.at] = Token("num", token.text[1:])
            return number(int(token.text[0]), token.text[0])
        return self.primary()

    def infix(self, top: Node) -> Node:
        """Read the rest of a group whose operator stands inside it: `{1 \\over 2}`."""
        if self.accept("over"):
            return node("div", top, self.statements(("}",)))
        if self.accept("choose"):
            return node("call", "binom", top, self.statements(("}",)))
        return top

    def answer(self) -> Node:
        raise NotImplementedError

    def statements(self, closers: tuple[str, ...]) -> Node:
        raise NotImplementedError

    def statement(self) -> Node:
        raise NotImplementedError

    def set_expression(self) -> Node:
        raise NotImplementedError

    def sum(self) -> Node:
        raise NotImplementedError

    def product(self) -> Node:
        raise NotImplementedError

    def factor(self) -> Node:
        raise NotImplementedError

    def power(self, base: Node) -> Node:
        raise NotImplementedError

    def starts_factor(self) -> bool:
        raise NotImplementedError

    def primary(self) -> Node:
        raise NotImplementedError

    def subscript(self, name: str) -> Node:
        raise NotImplementedError

    def subscript_text(self) -> str:
        raise NotImplementedError

    def declaration_follows(self) -> bool:
        raise NotImplementedError

    def function(self, name: str) -> Node:
        raise NotImplementedError

    def words(self) -> list[str] | None:
        raise NotImplementedError
