"""Brackets and LaTeX commands: sets, intervals, fractions, roots, sums, matrices."""

from __future__ import annotations

from collections.abc import Callable

from rewardkit.verifiers.lexer import Token
from rewardkit.verifiers.limits import NotAnswer
from rewardkit.verifiers.nodes import Node, factors, node, number, with_symbol
from rewardkit.verifiers.stream import _Grammar

LISTS = ("list", "either")
_FENCES = {"lfloor": "rfloor", "lceil": "rceil", "langle": "rangle"}
_MATRICES = frozenset(
    ["pmatrix", "bmatrix", "matrix", "Bmatrix", "vmatrix", "Vmatrix", "smallmatrix", "array"]
)
_ALIGNED = frozenset(["aligned", "align", "align*", "gathered", "split", "eqnarray"])
_CASES = frozenset(["cases", "dcases", "rcases"])
_ROWS = _ALIGNED | _CASES | {"array*"}
_CONTINUING = frozenset(["=", "~", "<", ">", "le", "ge"])
_PARTS = {
    "+": ">0", ">0": ">0", "-": "<0", "<0": "<0", "ge0": ">=0", ">=0": ">=0", "*": "!=0",
}  # fmt: skip
"""How parts of the reals are written, and what holds in them."""


class _Brackets(_Grammar):
    """Read what a bracket or a command begins."""

    def read_brackets(self, opening: str) -> Node:
        if self.next_is(")", "]"):
            raise NotAnswer("empty brackets")
        bars, self.bars = self.bars, 0
        inner = self.statements((")", "]"))
        self.bars = bars
        closing = self.take().text
        if closing not in (")", "]"):
            raise NotAnswer(f"expected a closing bracket, found {closing!r}")
        if inner.kind in LISTS:
            if opening == "[" and all(
                i.kind == "seq" and i.args[:2] == ("[", "]") for i in inner.args
            ):
                return _matrix([i.args[2:] for i in inner.args])
            return node("seq", opening, closing, *inner.args)
        return inner

    def read_angle(self, _: str) -> Node:
        inner = self.statements(("rangle",))
        self.expect("rangle")
        return node("seq", "(", ")", *(inner.args if inner.kind in LISTS else (inner,)))

    def read_braces(self, _: str) -> Node:
        if self.accept("}"):
            return self.primary()
        inner = self.infix(self.statements(("}",)))
        self.expect("}")
        return inner

    def read_set(self, _: str) -> Node:
        if self.accept("\\}"):
            return node("named", "empty")
        start = self.at
        bars, self.bars = self.bars, 1
        first = self.set_expression()
        domain = self.set_expression() if self.accept("in") else None
        if self.accept("|", ":"):
            self.bars = 0
            condition = self.statements(("\\}",))
            if domain is not None and domain.kind == "named" and domain.args[0] != "R":
                condition = node("list", node("rel", ("in",), first, domain), condition)
            result = node("builder", first, condition)
        else:
            self.at, self.bars = start, 0
            inner = self.statements(("\\}",))
            result = node("set", *(inner.args if inner.kind in LISTS else (inner,)))
        self.bars = bars
        self.expect("\\}")
        return result

    def read_bar(self, _: str) -> Node:
        self.bars += 1
        inner = self.set_expression()  # `|A \cap B|` counts what is in it
        self.bars -= 1
        self.expect("|")
        return node("abs", inner)

    def read_fence(self, opening: str) -> Node:
        inner = self.sum()
        self.expect(_FENCES[opening])
        return node("call", "floor" if opening == "lfloor" else "ceil", inner)

    def read_fraction(self, _: str) -> Node:
        return node("div", self.group(), self.group())

    def read_binomial(self, _: str) -> Node:
        return node("call", "binom", self.group(), self.group())

    def read_root(self, _: str) -> Node:
        degree = number(2)
        if self.accept("["):
            degree = self.sum()
            self.expect("]")
        inside = self.group() if self.next_is("{") else self.primary()
        return node("pow", inside, node("div", number(1), degree))

    def read_constant(self, name: str) -> Node:
        return node("const", "inf" if name == "infty" else name)

    def read_empty(self, _: str) -> Node:
        return node("named", "empty")

    def read_named_set(self, _: str) -> Node:
        inner = [t.text for t in self.raw_group_after()]
        if len(inner) != 1 or inner[0] not in "RZNQC":
            raise NotAnswer("an unknown set")
        return self.restricted(inner[0]) or node("named", inner[0])

    def restricted(self, name: str) -> Node | None:
        """Read what takes only a part of the reals or integers: `^+`, `_{>0}`, `_{\\ge 0}`."""
        if name not in "RZQ" or not self.next_is("^", "_"):
            return None
        ahead = [t.text for t in self.tokens[self.at + 1 : self.at + 6]]
        part = ahead[1 : ahead.index("}")] if ahead[0] == "{" and "}" in ahead else ahead[:1]
        sign = _PARTS.get("".join(part))
        if sign is None:
            return None
        self.at += 1 + len(part) + 2 * (ahead[0] == "{")
        if name != "R":
            return node("named", name + sign)
        inf, zero = node("const", "inf"), number(0)
        if sign == "!=0":
            return node("minus", node("named", "R"), node("set", zero))
        if sign == "<0":
            return node("seq", "(", ")", node("neg", inf), zero)
        return node("seq", "[" if sign == ">=0" else "(", ")", zero, inf)

    def raw_group_after(self) -> list[Token]:
        self.at -= 1
        return self.raw_group()

    def read_dots(self, _: str) -> Node:
        return node("dots")

    def read_mark(self, name: str) -> Node:
        name = "overline" if name == "bar" else name
        inner = self.group()
        letters = factors(inner)
        if name != "dot" and len(letters) == 2 and all(_is_point(p) for p in letters):
            return inner  # a segment: `\\overline{AB}` is AB
        if len(letters) > 1 and all(p.kind in ("sym", "num") for p in letters):
            return node("sym", f"{name} " + " ".join(str(p.args[0]) for p in letters))
        return node("call", name, inner)

    def read_arrow(self, _: str) -> Node:
        inner = self.group()
        letters = factors(inner)
        if len(letters) == 2 and all(_is_point(p) for p in letters):
            return node("sym", f"arrow {letters[0].args[0]} {letters[1].args[0]}")
        return inner

    def read_figure(self, name: str) -> Node:
        inner = self.factor()
        while self.token.kind == "name":
            inner = node("mul", inner, self.factor())
        letters = factors(inner)
        if name == "angle" and len(letters) == 3 and all(_is_point(p) for p in letters):
            one, vertex, other = (p.args[0] for p in letters)
            return node("sym", " ".join(["angle", min(one, other), vertex, max(one, other)]))
        return node("call", name, inner)

    def read_big(self, operator: str) -> Node:
        variable = low = high = None
        while self.next_is("_", "^"):
            if self.take().text == "^":
                high = self.group()
                continue
            below = self.big_subscript()
            if below.kind == "rel" and below.args[1].kind in ("sym", "const"):
                variable, low = node("sym", below.args[1].args[0]), below.args[-1]
            else:
                low = below
        body = self.product()
        if variable is not None and variable.args[0] in ("i", "e"):
            body = with_symbol(body, variable.args[0])
        return node("big", operator, variable, low, high, body)

    def big_subscript(self) -> Node:
        if not self.accept("{"):
            return self.group()
        left = self.statement()
        self.expect("}")
        return left

    def read_environment(self, _: str) -> Node:
        self.expect("{")
        name = self.environment_name()
        if name == "array":
            self.group_skipped()
        if name not in _MATRICES and name not in _ROWS:
            raise NotAnswer(f"the environment {name!r}")
        if name in _ALIGNED:
            self.unaligned()
        rows: list[tuple[Node, ...]] = [()]
        while not self.accept("end"):
            if self.token.kind == "end":
                raise NotAnswer("an environment without its end")
            if self.accept("\\\\"):
                rows.append(())
            elif not self.accept("&"):
                piece = name in _CASES and rows[-1]
                rows[-1] += (self.condition() if piece else self.statement(),)
                if name in _ROWS:
                    self.accept(",", ";")
        self.expect("{")
        self.environment_name()
        rows = [row for row in rows if row]
        if name in _CASES and all(len(row) == 2 for row in rows):
            return node("list", *(node("seq", "(", ")", *row) for row in rows))
        if name in _ROWS:
            return node("list", *(item for row in rows for item in row))
        if name in ("vmatrix", "Vmatrix"):
            return node("call", "det", _matrix(rows))
        return _matrix(rows)

    def condition(self) -> Node:
        """Read when a piece of a function holds: `x > 0`, `if x > 0`, `otherwise`."""
        words = self.words() or []
        if words and words[-1] in ("otherwise", "else", "elsewhere"):
            return node("sym", "label:otherwise")
        if not set(words) <= {"if", "for", "when", "where", "as"}:
            raise NotAnswer("words")
        held = self.statement()
        if held.kind == "quantity":  # `n even` reads as n of a noun
            return node("call", f"is {held.args[1].removeprefix('is ')}", held.args[0])
        said = [word for word in self.words() or [] if word != "is"]
        return node("call", "is " + " ".join(said), held) if said else held

    def unaligned(self) -> None:
        """Drop the signs that only align: `&`, and a line break before a relation."""
        end = next((k for k in range(self.at, len(self.tokens)) if self.tokens[k].text == "end"), 0)
        kept: list[Token] = []
        for token in self.tokens[self.at : end]:
            if token.text == "&":
                continue
            if token.text in _CONTINUING and kept and kept[-1].text == "\\\\":
                kept.pop()
            kept.append(token)
        if end:
            self.tokens[self.at : end] = kept

    def environment_name(self) -> str:
        name = ""
        while not self.accept("}"):
            token = self.take()
            if token.kind == "end":
                raise NotAnswer("an environment without a name")
            name += token.text
        return name

    def group_skipped(self) -> None:
        if self.accept("{"):
            while not self.accept("}"):
                if self.take().kind == "end":
                    raise NotAnswer("unclosed braces")


READERS: dict[str, Callable[[_Brackets, str], Node]] = {
    "(": _Brackets.read_brackets, "[": _Brackets.read_brackets, "{": _Brackets.read_braces,
    "\\{": _Brackets.read_set, "|": _Brackets.read_bar, "\\|": _Brackets.read_bar,
    "langle": _Brackets.read_angle, "lfloor": _Brackets.read_fence,
    "lceil": _Brackets.read_fence, "frac": _Brackets.read_fraction,
    "binom": _Brackets.read_binomial, "sqrt": _Brackets.read_root,
    "pi": _Brackets.read_constant, "infty": _Brackets.read_constant,
    "emptyset": _Brackets.read_empty, "mathbb": _Brackets.read_named_set,
    "ldots": _Brackets.read_dots, "...": _Brackets.read_dots, "overline": _Brackets.read_mark,
    "overrightarrow": _Brackets.read_arrow, "vec": _Brackets.read_arrow,
    "bar": _Brackets.read_mark, "dot": _Brackets.read_mark, "ddot": _Brackets.read_mark,
    "angle": _Brackets.read_figure, "triangle": _Brackets.read_figure,
    "sum": _Brackets.read_big, "prod": _Brackets.read_big, "int": _Brackets.read_big,
    "lim": _Brackets.read_big, "begin": _Brackets.read_environment,
}  # fmt: skip


def _is_point(tree: Node) -> bool:
    return tree.kind == "sym" and bool(tree.args[0][0].isupper())


def _matrix(rows: list[tuple[Node, ...]]) -> Node:
    if not rows or len({len(row) for row in rows}) != 1:
        raise NotAnswer("rows of different lengths")
    return node("matrix", *rows)
