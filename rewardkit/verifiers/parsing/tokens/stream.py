"""The tokens of an answer as its parser goes over them."""

from __future__ import annotations

from rewardkit.verifiers.limits import MAX_DIGITS, NotAnswer, TooComplex
from rewardkit.verifiers.parsing.tokens.lexer import Token


class TokenStream:
    """One pass over the tokens of one answer."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = [token for token in tokens if token.text not in ("$", ".")]
        self.at = 0
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

    def texts(self, count: int) -> list[str]:
        """Return the texts of the next tokens, fewer at the end."""
        return [token.text for token in self.tokens[self.at : self.at + count]]

    def take(self) -> Token:
        """Return the next token and go past it."""
        token = self.tokens[self.at]
        if token.kind != "end":
            self.at += 1
        return token

    def next_is(self, *texts: str) -> bool:
        """Return whether the next token is one of these."""
        return self.tokens[self.at].text in texts

    def accept(self, *texts: str) -> bool:
        """Go past the next token if it is one of these."""
        if self.tokens[self.at].text in texts:
            self.at += 1
            return True
        return False

    def expect(self, text: str) -> None:
        """Go past the next token, which must be this."""
        if not self.accept(text):
            raise NotAnswer(f"expected {text!r}, found {self.token.text!r}")

    def braced(self) -> list[Token]:
        """Read `{...}` and return the tokens inside, or the one token that stands for it."""
        inner: list[Token] = []
        depth = int(self.accept("{"))
        while True:
            token = self.take()
            if token.kind == "end":
                raise NotAnswer("nothing in braces, or no end of them")
            if not depth:
                return [token]
            depth += (token.text == "{") - (token.text == "}")
            if not depth:
                return inner
            inner.append(token)

    def braced_text(self) -> str:
        """Read `{\\max}` or the one token that stands for it, as it is written."""
        return "".join(token.text for token in self.braced())

    def cut_number(self) -> None:
        """Cut `12` after its first digit, which is all that TeX takes of it as an argument."""
        token = self.tokens[self.at]
        if token.kind == "num" and len(token.text) > 1 and token.text.isdigit():
            self.tokens[self.at : self.at + 1] = [
                Token("num", token.text[0], token.gap), Token("num", token.text[1:])
            ]  # fmt: skip

    def digits(self) -> str:
        """Read digits in braces, or one digit; when there is anything else, nothing."""
        if not self.next_is("{"):
            self.cut_number()
            return self.take().text if self.tokens[self.at].text.isdecimal() else ""
        inner = self.ahead().text
        if not inner.isdecimal() or self.ahead(2).text != "}":
            return ""
        if len(inner) > MAX_DIGITS:
            raise TooComplex(f"a number of {len(inner)} digits")
        self.at += 3
        return inner
