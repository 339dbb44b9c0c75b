"""Propositions of logic, `\\neg p \\vee q`, whose connectives elsewhere join answers."""

from __future__ import annotations

import re

from rewardkit.verifiers.expressions.nodes import Call, Node, Sym
from rewardkit.verifiers.limits import MAX_DEPTH
from rewardkit.verifiers.parsing.spelling.characters import unify
from rewardkit.verifiers.vocabulary.patterns import same_as

_SIGNS = same_as("""not: neg lnot sim; and: land wedge; or: lor vee; implies: implies to rightarrow
    Rightarrow; iff: iff leftrightarrow Leftrightarrow""")
_FILTER = re.compile(
    r"[¬∧∨~]|\\(?:neg|lnot|land|lor|wedge|vee|Rightarrow|implies|iff|[lL]eftrightarrow)(?![A-Za-z])"
)
_ARROWS = (
    (re.compile(r"<[-=]+>|[↔⇔⟺]"), r"\\iff "),
    (re.compile(r"[-=]+>|[→⇒⟹]"), r"\\implies "),
)
_TOKEN = re.compile(
    r"\s*(?:\\(?:(?:left|right|quad)(?![a-zA-Z])|[,;: ])\s*)*"
    r"(?:\\([a-zA-Z]+)|(~)|([a-zA-Z])|([()\[\]]))"
)
_BINARY = ("iff", "implies", "or", "and")
"""The loosest first."""


def proposition(text: str) -> Node | None:
    """Return a proposition over letters as calls; None where the text is no such.

    >>> proposition(r"\\neg p \\vee q")
    Call(name='or', arguments=(Call(name='not', arguments=(Sym(name='p'),)), Sym(name='q')))
    """
    if len(text) > 300 or (text.isascii() and "\\" not in text and ">" not in text):
        return None
    for arrow, sign in _ARROWS:
        text = arrow.sub(sign, text)
    if not _FILTER.search(text):
        return None
    text = unify(text)
    tokens: list[str] = []
    at = 0
    while text[at:].strip(" $"):
        match = _TOKEN.match(text, at)
        if match is None or (match[1] and match[1] not in _SIGNS):
            return None
        sign = _SIGNS[match[1]] if match[1] else "not" if match[2] else match[3] or match[4]
        if match[3] and tokens and len(tokens[-1]) == 1 and tokens[-1].isalpha():
            return None  # letters side by side are a product or a word
        tokens.append({"[": "(", "]": ")"}.get(sign, sign))
        at = match.end()
    return _Reader(tokens).whole()


class _Reader:
    """Read tokens by precedence; anything wrong makes the whole None."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = [*tokens, ""]
        self.at = 0
        self.depth = 0

    def whole(self) -> Node | None:
        tree = self.binary(0)
        return tree if not self.tokens[self.at] else None

    def binary(self, level: int) -> Node | None:
        if level == len(_BINARY):
            return self.unary()
        left = self.binary(level + 1)
        while left is not None and self.tokens[self.at] == _BINARY[level]:
            self.at += 1
            # `p -> q -> r` goes to the right
            right = self.binary(level if _BINARY[level] == "implies" else level + 1)
            left = None if right is None else Call(_BINARY[level], (left, right))
        return left

    def unary(self) -> Node | None:
        token = self.tokens[self.at]
        self.at += bool(token)
        self.depth += 1
        found: Node | None = None
        if self.depth < MAX_DEPTH:
            if token == "not":
                inner = self.unary()
                found = None if inner is None else Call(token, (inner,))
            elif token == "(":
                found = self.binary(0)
                if self.tokens[self.at] != ")":
                    return None
                self.at += 1
            elif len(token) == 1 and token.isalpha():
                found = Sym(token)
        self.depth -= 1
        return found
