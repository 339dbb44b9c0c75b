"""Names, functions and words: what an expression is built from beside numbers and brackets."""

from __future__ import annotations

from rewardkit.verifiers.brackets import LISTS, READERS, _Brackets
from rewardkit.verifiers.lexer import FUNCTIONS, Token
from rewardkit.verifiers.limits import NotAnswer
from rewardkit.verifiers.nodes import Node, node, number
from rewardkit.verifiers.numerals import _Numerals, number_in_words
from rewardkit.verifiers.wording import letters_joined

_INDEXES = frozenset(["i", "j", "k", "m", "n"])
_APPLIED = frozenset(
    ["f", "g", "h", "F", "G", "W", "P", "Q", "E", "u", "v", "phi", "psi", "Gamma", "Phi"]
)
_WORDS_FOR = {
    "infinity": node("const", "inf"),
    "infinite": node("const", "inf"),
    "infinitely many": node("const", "inf"),
    "no solution": node("named", "empty"),
    "no solutions": node("named", "empty"),
    "no real solution": node("named", "empty"),
    "no real solutions": node("named", "empty"),
    "empty set": node("named", "empty"),
    "all real numbers": node("named", "R"),
    "all reals": node("named", "R"),
    "real numbers": node("named", "R"),
    "all integers": node("named", "Z"),
    "integers": node("named", "Z"),
    "negative infinity": node("neg", node("const", "inf")),
    "minus infinity": node("neg", node("const", "inf")),
    "infinitely many solutions": node("const", "inf"),
    "any real number": node("named", "R"),
    "the set of all real numbers": node("named", "R"),
    "positive infinity": node("const", "inf"),
}


_FUNCTION_NAMES = {
    "asin": "arcsin", "acos": "arccos", "atan": "arctan", "lg": "log", "tg": "tan", "ctg": "cot",
    "arctg": "arctan",
}  # fmt: skip


_PROSE = frozenset(("text", "textrm", "textbf", "textit", "mbox"))


class _Primaries(_Numerals, _Brackets):
    """Read one primary; `parser` adds what stands between them."""

    def primary(self) -> Node:
        return self.nested(self.one_primary)

    def one_primary(self) -> Node:
        token = self.take()
        if token.kind == "num":
            return self.numeral(token)
        if token.kind == "name":
            return self.symbol(token.text)
        if token.kind == "textcmd":
            self.at -= 1
            return self.text_primary()
        if token.kind == "word":
            return self.word_primary(token)
        reader = READERS.get(token.text)
        if reader is not None and token.kind in ("op", "esc", "cmd"):
            return reader(self, token.text)
        if token.kind == "cmd" and token.text in FUNCTIONS:
            return self.function(token.text)
        if token.kind == "cmd" and token.text in ("partial", "nabla", "star", "bullet"):
            return node("sym", token.text)
        raise NotAnswer(f"cannot read {token.text!r}")

    def symbol(self, name: str) -> Node:
        base = node("sym", name)
        if name == "e" or name == "i":
            base = node("const", name)
        if self.next_is("_"):
            base = self.subscript(name)
        elif name in _APPLIED and self.next_is("^") and self.inverse_follows():
            return node("call", name + "^-1", *self.arguments())
        if base.kind == "sym" and self.next_is("'", "''") and self.ahead().text == "(":
            base = node("sym", base.args[0] + self.take().text)
        plain = base.args[0] if base.kind == "sym" else ""
        if (
            self.next_is("(")
            and plain
            and (
                plain[0] in _APPLIED
                or plain in _APPLIED
                or plain.endswith("'")
                or (self.ahead().kind == "num" and self.ahead(2).text == ")")  # `I(0)`
                or self.defines()
            )
        ):
            arguments = self.arguments()
            return node("call", plain, *arguments)
        return base

    def inverse_follows(self) -> bool:
        """Go past `^{-1}` before the bracket of `f^{-1}(x)`."""
        texts = [t.text for t in self.tokens[self.at : self.at + 6]]
        for written in (["^", "{", "-", "1", "}", "("], ["^", "-", "1", "("]):
            if texts[: len(written)] == written:
                self.at += len(written) - 1
                return True
        return False

    def defines(self) -> bool:
        """Return whether `name(` opens the left side of an equation that defines `name(x)`."""
        inner = self.ahead(1)
        return (
            inner.kind == "name"
            and self.ahead(2).text == ")"
            and self.ahead(3).text == "="
            and (self.at == 1 or self.tokens[self.at - 2].text in (",", ";", "and", "or"))
        )

    def arguments(self) -> list[Node]:
        self.expect("(")
        inner = self.statements((")",))
        self.expect(")")
        return list(inner.args) if inner.kind in LISTS else [inner]

    def subscript(self, name: str) -> Node:
        self.take()
        start = self.at
        if self.token.kind == "textcmd":
            return node("sym", name + "_" + "".join(t.text for t in self.raw_group()))
        if self.accept("{"):
            texts, depth = [], 1
            while depth:
                token = self.take()
                if token.kind == "end":
                    raise NotAnswer("unclosed braces")
                depth += (token.text == "{") - (token.text == "}")
                texts.append(token)
            simple = [t for t in texts[:-1] if t.text not in "{}"]
            if all(
                t.kind in ("num", "name", "word", "cmd", "textcmd") or t.text == "," for t in simple
            ) and not (len(simple) == 1 and simple[0].text in _INDEXES):
                return node(
                    "sym", name + "_" + "".join(t.text for t in simple if t.kind != "textcmd")
                )
            self.at = start
            return node("call", name + "_", self.group())
        below = self.group()
        if below.kind == "num":
            return node("sym", f"{name}_{below.args[1]}")
        if below.kind == "sym" and below.args[0] not in _INDEXES:
            return node("sym", f"{name}_{below.args[0]}")
        return node("call", name + "_", below)

    def subscript_text(self) -> str:
        """Read `_{\\max}` or `_2` after its sign, as it is written."""
        if not self.accept("{"):
            return self.take().text
        texts = []
        while not self.accept("}"):
            if self.token.kind == "end":
                raise NotAnswer("unclosed braces")
            texts.append(self.take().text)
        return "".join(texts)

    def text_primary(self) -> Node:
        prose = self.token.text in _PROSE
        inner = self.raw_group()
        if prose and len(inner) > 1 and all(t.kind == "name" and len(t.text) == 1 for t in inner):
            raise NotAnswer("a word")  # `\\text{HHT}` is no product
        if len(inner) > 1:
            said = [Token("word", "infinity", t.gap) if t.text == "infty" else t for t in inner]
            if all(t.kind in ("word", "name") for t in said):
                words = letters_joined(said)
                if (found := _WORDS_FOR.get(" ".join(words))) is not None:
                    return found
            if all(t.kind == "word" or t.text == "-" for t in inner):
                words = [t.text.lower() for t in inner if t.text != "-"]
                if (value := number_in_words(words)) is not None:
                    return number(value)
        if len(inner) == 1 and inner[0].kind == "word":
            return self.word_primary(inner[0])
        if len(inner) == 1 and inner[0].kind == "cmd" and inner[0].text in FUNCTIONS:
            return self.function(inner[0].text)
        if not inner or (inner[0].kind != "num" and any(t.kind == "word" for t in inner)):
            raise NotAnswer("words")
        inside = type(self)([*inner, Token("end", "")])
        inside.depth = self.depth + 1
        tree = inside.answer()
        if tree.kind == "sym" and self.next_is("_"):
            return self.subscript(tree.args[0])
        return tree

    def word_primary(self, token: Token) -> Node:
        words = [token.text.lower()]
        while self.token.kind == "word":
            words.append(self.take().text.lower())
        found = _WORDS_FOR.get(" ".join(words))
        if found is None and (value := number_in_words(words)) is not None:
            found = number(value)
        if found is None:
            raise NotAnswer(f"the word {token.text!r}")
        return found

    def function(self, name: str) -> Node:
        name = _FUNCTION_NAMES.get(name, name)
        if name in ("mod", "bmod"):
            raise NotAnswer("a remainder of nothing")
        base = None
        exponent: Node | None = None
        while self.next_is("_", "^"):
            if self.take().text == "_":
                base = self.group()
            else:
                exponent = node("neg", self.primary()) if self.accept("-") else self.group()
        argument = self.argument()
        if name in ("max", "min", "gcd", "lcm"):
            items = argument.args[2:] if argument.kind == "seq" else argument.args
            argument_items = items if argument.kind in ("seq", "list", "set") else (argument,)
            result = node("call", name, *argument_items)
        elif name == "log":
            result = node("call", "log", argument, *([base] if base else []))
        elif name == "exp":
            result = node("pow", node("const", "e"), argument)
        elif name == "sqrt":
            result = node("pow", argument, node("div", number(1), number(2)))
        else:
            result = node("abs", argument) if name == "abs" else node("call", name, argument)
        if exponent is None:
            return result
        inverse = exponent in (node("neg", number(1, "1")), node("neg", number(1)))
        if inverse and name in ("sin", "cos", "tan", "cot"):
            return node("call", "arc" + name, argument)
        return node("pow", result, exponent)

    def argument(self) -> Node:
        """Read a function's argument: a bracketed one, else the factors up to the next sign."""
        if self.next_is("(", "{", "|", "[", "\\{"):
            return self.primary() if not self.next_is("{") else self.group()
        if self.accept("-"):
            return node("neg", self.nested(self.argument))
        left = self.factor()
        while True:
            function_next = self.token.kind == "cmd" and self.token.text in FUNCTIONS - {"sqrt"}
            if self.accept("/"):
                left = node("div", left, self.factor())
            elif self.starts_factor() and not function_next and not self.next_is("(", "["):
                left = node("mul", left, self.factor())
            else:
                return left
