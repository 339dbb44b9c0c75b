"""What LaTeX's commands begin: fractions, roots, named sets, marks over letters, sums."""

from __future__ import annotations

from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.trees import factors, with_symbol
from rewardkit.verifiers.limits import NotAnswer
from rewardkit.verifiers.parsing.grammar.pratt import POSTFIX, PRODUCT, SUM, OperandReader, Parser
from rewardkit.verifiers.parsing.grammar.statements import group, statement
from rewardkit.verifiers.parsing.tokens.lexer import Token

_PARTS = {
    "+": ">0", ">0": ">0", "-": "<0", "<0": "<0", "ge0": ">=0", ">=0": ">=0", "*": "!=0",
}  # fmt: skip
"""How parts of the reals are written, and what holds in them."""
_INFINITY, _ZERO = nodes.Const("inf"), nodes.number(0)
_REAL_PARTS: dict[str, Node] = {
    ">0": nodes.Bracketed("(", ")", (_ZERO, _INFINITY)),
    ">=0": nodes.Bracketed("[", ")", (_ZERO, _INFINITY)),
    "<0": nodes.Bracketed("(", ")", (nodes.Neg(_INFINITY), _ZERO)),
    "!=0": nodes.Difference(nodes.NamedSet("R"), nodes.SetOf((_ZERO,))),
}


def _root(parser: Parser, _: Token) -> Node:
    degree: Node = nodes.number(2)
    if parser.accept("["):
        degree = parser.expression(SUM)
        parser.expect("]")
    inside = group(parser) if parser.next_is("{") else parser.primary()
    return nodes.Pow(inside, nodes.Div(nodes.number(1), degree))


def _named_set(parser: Parser, _: Token) -> Node:
    inner = [token.text for token in parser.braced()]
    if len(inner) != 1 or inner[0] not in ("R", "Z", "N", "Q", "C"):
        raise NotAnswer("an unknown set")
    return _restricted(parser, inner[0]) or nodes.NamedSet(inner[0])


def _plain_set(parser: Parser, token: Token) -> Node:
    return _restricted(parser, token.text) or nodes.NamedSet(token.text)


def _restricted(parser: Parser, name: str) -> Node | None:
    """Read what takes only a part of the reals or integers: `^+`, `_{>0}`, `_{\\ge 0}`."""
    if name not in "RZQ" or not parser.next_is("^", "_"):
        return None
    ahead = parser.texts(6)[1:]
    braced = ahead[:1] == ["{"] and "}" in ahead
    part = ahead[1 : ahead.index("}")] if braced else ahead[:1]
    sign = _PARTS.get("".join(part))
    if sign is None:
        return None
    parser.at += 1 + len(part) + 2 * braced
    return _REAL_PARTS[sign] if name == "R" else nodes.NamedSet(name + sign)


def _mark(parser: Parser, mark: Token) -> Node:
    name = "overline" if mark.text == "bar" else mark.text
    inner = group(parser)
    letters = factors(inner)
    if name != "dot" and _points(letters, 2):
        return inner  # a segment: `\overline{AB}` is AB
    written = [
        letter.name if isinstance(letter, nodes.Sym) else letter.literal
        for letter in letters
        if isinstance(letter, nodes.Sym | nodes.Num)
    ]
    if len(letters) == len(written) > 1:
        return nodes.Sym(" ".join([name, *written]))
    return nodes.Call(name, (inner,))


def _arrow(parser: Parser, _: Token) -> Node:
    inner = group(parser)
    points = _points(factors(inner), 2)
    return nodes.Sym("arrow " + " ".join(points)) if points else inner


def _figure(parser: Parser, token: Token) -> Node:
    inner = parser.climb(POSTFIX)
    while parser.token.kind == "name":
        inner = nodes.Mul((inner, parser.climb(POSTFIX)))
    points = _points(factors(inner), 3)
    if token.text == "angle" and points:
        one, vertex, other = points
        return nodes.Sym(f"angle {min(one, other)} {vertex} {max(one, other)}")
    return nodes.Call(token.text, (inner,))


def _points(letters: list[Node], count: int) -> list[str]:
    """Return the names of so many points; nothing when these are no such letters."""
    names = [letter.name for letter in letters if isinstance(letter, nodes.Sym)]
    points = all(name[0].isupper() for name in names)
    return names if points and len(names) == len(letters) == count else []


def _big(parser: Parser, token: Token) -> Node:
    variable: str | None = None
    low: Node | None = None
    high: Node | None = None
    while parser.next_is("_", "^"):
        if parser.take().text == "^":
            high = group(parser)
            continue
        low = _bound(parser)
        if type(low) is nodes.Relation and isinstance(low.sides[0], nodes.Sym | nodes.Const):
            variable, low = low.sides[0].name, low.sides[-1]
    body = parser.climb(PRODUCT)
    if variable in ("i", "e"):
        body = with_symbol(body, variable)
    return nodes.BigOperator(token.text, variable, low, high, body)


def _bound(parser: Parser) -> Node:
    if not parser.accept("{"):
        return group(parser)
    low = statement(parser)
    parser.expect("}")
    return low


COMMANDS: dict[str, OperandReader] = {
    "frac": lambda parser, _: nodes.Div(group(parser), group(parser)),
    "binom": lambda parser, _: nodes.Call("binom", (group(parser), group(parser))),
    "sqrt": _root, "mathbb": _named_set,
    **dict.fromkeys("RZNQC", _plain_set),
    "pi": lambda _, token: nodes.Const(token.text), "infty": lambda *_: _INFINITY,
    "emptyset": lambda *_: nodes.NamedSet("empty"),
    **dict.fromkeys(("ldots", "..."), lambda *_: nodes.Dots()),
    "overline": _mark, "bar": _mark, "dot": _mark, "ddot": _mark,
    "vec": _arrow, "overrightarrow": _arrow, "angle": _figure, "triangle": _figure,
    "sum": _big, "prod": _big, "int": _big, "lim": _big,
    **dict.fromkeys(("partial", "nabla", "star", "bullet"), lambda _, token: nodes.Sym(token.text)),
}  # fmt: skip
