"""Tokens -> tree: a recursive-descent parser for the answers people and models write.

From loosest to tightest: a list of statements (`,` `;` and, or), relations, ratios, set operators,
sums, products (with juxtaposition), signs, powers and postfixes, primaries. Whatever does not
parse raises `NotAnswer`; the caller then compares it as text.
"""

from __future__ import annotations

import re
from fractions import Fraction

from rewardkit.verifiers.lexer import CONNECTIVES, FUNCTIONS, tokenize
from rewardkit.verifiers.limits import MAX_ITEMS, MAX_LEVELS, NotAnswer, TooComplex
from rewardkit.verifiers.nodes import Node, levels, node, number
from rewardkit.verifiers.primaries import _Primaries
from rewardkit.verifiers.surface import french_intervals, parts_in_order, special_form, trim
from rewardkit.verifiers.units import LETTER_UNITS
from rewardkit.verifiers.wording import CURRENCIES, _Wording, compound, letters_joined

RELATIONS = {
    "=": "=", "==": "=", ":=": "=", "<": "<", ">": ">", "<=": "<=", ">=": ">=", "le": "<=",
    "ge": ">=", "ne": "!=", "!=": "!=", "~": "~", "in": "in", "equiv": "equiv", "to": "->",
    "notin": "notin",
}  # fmt: skip
_SET_OPERATORS = {"cup": "union", "cap": "inter", "setminus": "minus"}
_LETTERS = (node("const", "e"), node("const", "i"))
_NUMERAL = re.compile(r"(?:0|[1-9][0-9]{0,30}+)(?:\.[0-9]{1,30}+)?+")
"""The most frequent answer, read without tokens in a tenth of the time."""


def parse(text: str, *, thousands: bool = True) -> Node:
    """Return the tree of an answer.

    >>> parse(r"\\frac12").kind
    'div'

    Raises:
        NotAnswer: the text is not mathematics that this parser knows.
        TooComplex: it is beyond the static limits.
    """
    if _NUMERAL.fullmatch(text):
        return number(Fraction(text), text)
    text = parts_in_order(french_intervals(trim(text)))
    found = special_form(text)
    if found is not None:
        return found
    try:
        tree = _Parser(tokenize(text, thousands=thousands)).answer()
    except NotAnswer:
        if "\\$" not in text:
            raise
        # A dollar sign where no amount can be: it was meant as a delimiter.
        tree = _Parser(tokenize(text.replace("\\$", " "), thousands=thousands)).answer()
    if levels(tree) > MAX_LEVELS:
        raise TooComplex(f"a tree of more than {MAX_LEVELS} levels")
    return tree


class _Parser(_Primaries, _Wording):
    """The grammar from lists down to factors."""

    # -- lists and relations

    def answer(self) -> Node:
        tree = self.infix(self.statements(("",)))
        if self.token.kind != "end":
            raise NotAnswer(f"cannot read {self.token.text!r}")
        return tree

    def statements(self, closers: tuple[str, ...]) -> Node:
        items = [self.statement()]
        kind = "list"
        while self.separator() or self.declaration_follows():
            while self.separator():
                kind = "either" if self.token.text in _OR else kind
                self.take()
            self.qualifier()
            if self.token.kind == "end" or self.token.text in closers:
                break
            if len(items) >= MAX_ITEMS:
                raise TooComplex(f"more than {MAX_ITEMS} items")
            items.append(self.statement())
        if len(items) == 1:
            return items[0]
        first = items[0]
        if first.kind == "rel" and first.args[0] == ("!=",) and all(map(is_plain, items[1:])):
            # `x \\ne 0, 1` excludes both
            return node("list", first, *(node("rel", ("!=",), first.args[1], i) for i in items[1:]))
        whole = compound(items) if kind == "list" and items[0].kind == "quantity" else None
        return whole or node(kind, *items)

    def separator(self) -> bool:
        """Return whether a separator of items is next."""
        return self.next_is(",", ";", "&", "\\\\", *CONNECTIVES)

    def statement(self) -> Node:
        self.accept("~")  # `approximately 3`
        label = self.label()
        sides, operators = [label] if label else [self.ratio()], ["="] if label else []
        if label:
            sides.append(self.ratio())
        while self.token.text in RELATIONS and self.token.kind in ("op", "cmd"):
            operators.append(RELATIONS[self.take().text])
            if self.next_is("="):  # `\approx=` and the like
                self.take()
            sides.append(self.ratio())
        self.qualifier()
        if operators[:1] == ["="] and sides[0] in _LETTERS:
            sides[0] = node("sym", sides[0].args[0])  # `e = 1/2` is an eccentricity
        return node("rel", tuple(operators), *sides) if operators else sides[0]

    def ratio(self) -> Node:
        parts = [self.set_expression()]
        while self.accept(":") or self.said("to"):
            parts.append(self.set_expression())
        return parts[0] if len(parts) == 1 else node("ratio", *parts)

    def said(self, word: str) -> bool:
        """Go past one word, plain or in a text command, if it is next."""
        if self.token.kind == "word" and self.token.text == word:
            self.take()
            return True
        if self.token.kind != "textcmd":
            return False
        start = self.at
        if letters_joined(self.raw_group()) == [word]:
            return True
        self.at = start
        return False

    def set_expression(self) -> Node:
        left = _sets_subtracted(self.sum())
        while self.token.kind == "cmd" and self.token.text in _SET_OPERATORS:
            kind = _SET_OPERATORS[self.take().text]
            left = node(kind, left, self.sum())
        return left

    # -- arithmetic

    def sum(self) -> Node:
        terms = [self.nested(self.signed)]
        while True:
            if self.accept("+") or self.next_is("-") or self.next_is("pm", "mp"):
                terms.append(self.nested(self.signed))
            else:
                break
        return terms[0] if len(terms) == 1 else node("add", *terms)

    def signed(self) -> Node:
        for sign, kind in (("-", "neg"), ("pm", "pm"), ("mp", "mp")):
            if self.accept(sign):
                inner = self.nested(self.signed)
                if inner.kind in ("degree", "percent", "quantity"):  # -30 is a number of degrees
                    return node(inner.kind, node(kind, inner.args[0]), *inner.args[1:])
                return node(kind, inner)
        if self.accept("+"):
            return self.nested(self.signed)
        if self.next_is(*CURRENCIES):
            name = CURRENCIES[self.take().text]
            return self.quantity(self.nested(self.signed), name)
        value = self.units(self.product())
        if value.kind == "quantity" and self.token.kind == "num":
            parts = [value]
            while self.token.kind == "num":
                parts.append(self.units(self.product()))
            return compound(parts) or self.fail("two quantities side by side")
        return value

    def fail(self, reason: str) -> Node:
        raise NotAnswer(reason)

    def product(self) -> Node:
        left = self.factor()
        while True:
            if self.accept("*"):
                left = node("mul", left, self.signed_factor())
            elif self.accept("/"):
                left = node("div", left, self.signed_factor())
            elif self.accept("bmod", "mod"):
                left = node("call", "mod", left, self.signed_factor())
            elif self.starts_factor():
                if self.token.kind == "num" and left.kind in ("num", "neg"):
                    left = self.mixed(left)
                else:
                    left = _applied(left, self.factor())
            else:
                return left

    def signed_factor(self) -> Node:
        if self.accept("-"):
            return node("neg", self.nested(self.signed_factor))
        if self.accept("+"):
            return self.nested(self.signed_factor)
        return self.factor()

    def starts_factor(self) -> bool:
        token = self.token
        if token.kind in ("num", "name"):
            return True
        if token.kind == "cmd":
            return (
                token.text not in RELATIONS
                and token.text not in _SET_OPERATORS
                and (
                    token.text in FUNCTIONS
                    or token.text
                    in [
                        "frac",
                        "sqrt",
                        "binom",
                        "pi",
                        "infty",
                        "lfloor",
                        "lceil",
                        "begin",
                        "sum",
                        "prod",
                        "int",
                        "lim",
                        "langle",
                        "mathbb",
                        "overline",
                        "overrightarrow",
                        "vec",
                        "bar",
                        "angle",
                        "triangle",
                        "partial",
                        "nabla",
                    ]
                )
            )
        if token.kind == "textcmd":
            inner = self.tokens[self.at + 1 : self.at + 4]
            if inner[1:2] and inner[1].kind == "cmd" and inner[1].text in FUNCTIONS:
                return True
            return [t.kind for t in inner[:3]] == ["op", "name", "op"] and (
                inner[1].text.lower() not in LETTER_UNITS
                or token.text in ("mathbf", "operatorname")
                or inner[1].text in "e"
            )
        return token.text in ("(", "{", "[") or (token.text == "|" and not self.bars)

    def factor(self) -> Node:
        base = self.primary()
        base = self.mixed_fraction(base) or base
        while True:
            if self.next_is("^", "**"):
                base = self.power(base)
            elif self.accept("!"):
                twice = self.next_is("!") and not self.token.gap and self.accept("!")
                base = node("call", "double factorial", base) if twice else node("fact", base)
            elif self.accept("\\%", "%"):
                base = node("percent", base)
            elif self.next_is("'", "''") or (self.token.text == "prime"):
                mark = "'" if self.take().text != "''" else "''"
                base = (
                    node("sym", base.args[0] + mark)
                    if base.kind == "sym"
                    else node("call", mark, base)
                )
            elif self.accept("circ"):
                base = self.degree(base)
            elif base.kind == "call" and self.next_is("_"):  # `f(x)_{\max}`
                self.take()
                below = self.subscript_text()
                if base.args[0] in ("dot", "ddot", "overline") and base.args[1].kind == "sym":
                    base = node(
                        "call", base.args[0], node("sym", f"{base.args[1].args[0]}_{below}")
                    )
                else:
                    base = node("call", f"{base.args[0]} {below}", *base.args[1:])
            elif self.token.kind == "word" and self.token.text.lower() in (
                "percent", "pct", "percentage", "percents"
            ):  # fmt: skip
                self.take()
                base = node("percent", base)
            else:
                return base

    def degree(self, base: Node) -> Node:
        """Return an angle, or a temperature when C or F follows the degree sign."""
        inner = self.tokens[self.at : self.at + 4] if self.token.kind == "textcmd" else []
        letter = inner[2].text if [t.text for t in inner[1::2]] == ["{", "}"] else self.token.text
        if letter not in ("C", "F"):
            return node("degree", base)
        self.at += 4 if inner else 1
        return node("quantity", base, "celsius" if letter == "C" else "fahrenheit")

    def power(self, base: Node) -> Node:
        sign = self.take().text
        if sign == "^" and (self.token.kind == "end" or self.next_is(")", ",", "}")):
            return node("degree", base)  # what is left of `^\circ` when its escape was eaten
        start = self.at
        braced = self.accept("{")
        if self.accept("circ"):
            if braced:
                self.expect("}")
            return self.degree(base)
        if self.token.text in ("prime", "'") and base.kind in ("sym", "num"):
            marks = 0
            while self.token.text in ("prime", "'", "''"):
                marks += 2 if self.take().text == "''" else 1
            if braced:
                self.expect("}")
            if base.kind == "sym":
                return node("sym", base.args[0] + "'" * marks)
            return node("call", "'" * marks, base)
        if braced and self.next_is("+", "-", "*") and self.ahead().text == "}":
            mark = self.take().text
            self.take()
            return node("call", "super" + mark, base)
        if self.token.kind == "textcmd":
            inner = "".join(t.text for t in self.raw_group())
            if inner in ("th", "st", "nd", "rd"):
                return base
            self.at = start
        self.at = start
        if base.kind in ("seq", "matrix"):
            start = self.at
            if self.group() in (node("sym", "T"), node("sym", "t")):
                return _transposed(base)
            self.at = start
        if self.next_is("{"):
            return node("pow", base, self.group())
        if self.accept("-"):
            return node("pow", base, node("neg", self.primary()))
        return node("pow", base, self.nested(self.exponent))

    def exponent(self) -> Node:
        return self.factor_without_postfix() if not self.next_is("(") else self.primary()

    def factor_without_postfix(self) -> Node:
        base = self.primary()
        return self.power(base) if self.next_is("^") else base


def _applied(left: Node, right: Node) -> Node:
    """Return a product, or the angle that `37^\\circ 30'` is."""
    if left.kind == "degree" and right.kind == "call" and right.args[0] in ("'", "''"):
        parts = node("div", right.args[1], number(60 if right.args[0] == "'" else 3600))
        return node("degree", node("add", left.args[0], parts))
    return node("mul", left, right)


def is_plain(tree: Node) -> bool:
    """Return whether a tree is a number with or without a sign."""
    return tree.kind == "num" or (tree.kind in ("neg", "pm") and is_plain(tree.args[0]))


def _sets_subtracted(tree: Node) -> Node:
    """Return `R - {0}` as a difference of sets."""
    if tree.kind != "add" or tree.args[0].kind not in ("named", "seq"):
        return tree
    left: Node = tree.args[0]
    for term in tree.args[1:]:
        if term.kind != "neg" or term.args[0].kind not in ("set", "named"):
            return tree
        left = node("minus", left, term.args[0])
    return left


def _transposed(tree: Node) -> Node:
    """Return a matrix transposed; a vector may be written as a row or a column anyway."""
    return tree if tree.kind == "seq" else node("matrix", *zip(*tree.args, strict=True))


_OR = frozenset({"or", "oder", "ou"})
