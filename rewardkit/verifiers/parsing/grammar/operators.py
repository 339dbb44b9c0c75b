"""Operators: how tightly each binds, and what it makes of the operands around it."""

from __future__ import annotations

from functools import reduce

import msgspec

from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.limits import NotAnswer
from rewardkit.verifiers.parsing.grammar.pratt import (
    POSTFIX,
    PRODUCT,
    RATIO,
    RELATION,
    SETS,
    SIGN,
    SUM,
    UNIT,
    Binding,
    OperandReader,
    Parser,
)
from rewardkit.verifiers.parsing.grammar.statements import group
from rewardkit.verifiers.parsing.grammar.unit_words import measured, money
from rewardkit.verifiers.parsing.tokens.lexer import Token
from rewardkit.verifiers.parsing.tokens.numerals import mixed_number
from rewardkit.verifiers.vocabulary.numbers import ORDINALS
from rewardkit.verifiers.vocabulary.phrases import CONNECTIVES
from rewardkit.verifiers.vocabulary.units import CURRENCIES, PERCENT_WORDS

_RELATIONS: dict[str, nodes.RelationSign] = {
    "=": "=", "==": "=", ":=": "=", "<": "<", ">": ">", "<=": "<=", ">=": ">=", "le": "<=",
    "ge": ">=", "ne": "!=", "!=": "!=", "~": "~", "in": "in", "equiv": "equiv", "to": "->",
    "notin": "notin", "subset": "subset", "subseteq": "subseteq", "parallel": "parallel",
    "perp": "perp", "supset": "supset", "supseteq": "supseteq",
}  # fmt: skip
_PLAIN_SETS: dict[str, Node] = {name: nodes.NamedSet(name) for name in "RZNQ"}
"""Sets of numbers whose letters are not doubled: `k \\in Z`."""
_SET_OPERATIONS = {"cup": nodes.Union, "cap": nodes.Intersection, "setminus": nodes.Difference}
_SIGNS = {"-": nodes.Neg, "pm": nodes.PlusMinus, "mp": nodes.MinusPlus}


def _relation(parser: Parser, left: Node) -> Node:
    sides, operators = [left], []
    while parser.follows(RELATION):
        operators.append(_RELATIONS[parser.take().text])
        parser.accept("=")  # `\\approx=` and the like
        side = parser.climb(RATIO)
        if operators[-1] in ("in", "notin") and isinstance(side, nodes.Sym):
            side = _PLAIN_SETS.get(side.name, side)
        sides.append(side)
    if operators[0] == "=" and left in (nodes.Const("e"), nodes.Const("i")):
        sides[0] = nodes.Sym(left.name)  # `e = 1/2` is an eccentricity
    return nodes.Relation(tuple(operators), tuple(sides))


def _ratio(parser: Parser, left: Node) -> Node:
    parts = [left]
    while parser.follows(RATIO):
        if parser.take().kind == "textcmd":
            parser.braced()  # `\\text{ to }`
        parts.append(parser.climb(SETS))
    measured_parts = [isinstance(part, nodes.Quantity) for part in parts]
    if measured_parts[-1] and not any(measured_parts[:-1]):
        raise NotAnswer("a range with its unit")  # `3 to 4 hours`
    return nodes.Ratio(tuple(parts))


def _set_operation(parser: Parser, left: Node) -> Node:
    return _SET_OPERATIONS[parser.take().text](left, parser.climb(SUM))


def _sum(parser: Parser, first: Node) -> Node:
    """Read the other terms, each with its sign; `R - {0}` is a difference of sets."""
    terms = [first]
    while parser.next_is("+", "-", "pm", "mp"):
        parser.accept("+")
        terms.append(parser.climb(SIGN))
    if type(first) in (nodes.NamedSet, nodes.Bracketed):
        removed = [term.value for term in terms[1:] if isinstance(term, nodes.Neg)]
        sets = all(isinstance(value, nodes.SetOf | nodes.NamedSet) for value in removed)
        if sets and len(removed) == len(terms) - 1:
            return reduce(nodes.Difference, removed, first)
    return nodes.Add(tuple(terms))


def _signed(parser: Parser, sign: Token) -> Node:
    """Read what a sign stands before; -30 is a number of degrees, not degrees a negative one."""
    inner = parser.expression(SIGN)
    if sign.text == "+":
        return inner
    if isinstance(inner, nodes.Degree | nodes.Percent | nodes.Quantity):
        return msgspec.structs.replace(inner, value=_SIGNS[sign.text](inner.value))
    return _SIGNS[sign.text](inner)


def _product(parser: Parser, left: Node) -> Node:
    """Read a factor or divisor, which may have a sign of its own: `2*-3`."""
    sign = parser.take().text
    right = _factor(parser)
    if sign == "*":
        return nodes.Mul((left, right))
    return nodes.Div(left, right) if sign == "/" else nodes.Call("mod", (left, right))


def _factor(parser: Parser) -> Node:
    if parser.accept("-"):
        return nodes.Neg(parser.nested(_factor))
    return parser.nested(_factor) if parser.accept("+") else parser.climb(POSTFIX)


def _juxtaposed(parser: Parser, left: Node) -> Node:
    """Read a factor that no sign is before, or the minutes of an angle."""
    if parser.token.kind == "num" and isinstance(left, nodes.Num | nodes.Neg):
        return mixed_number(parser, left)
    right = parser.climb(POSTFIX)
    if type(left) is nodes.Degree and type(right) is nodes.Call and right.name in ("'", "''"):
        minutes = nodes.Div(right.arguments[0], nodes.number(60 if right.name == "'" else 3600))
        return nodes.Degree(nodes.Add((left.value, minutes)))
    return nodes.Mul((left, right))


def _factorial(parser: Parser, base: Node) -> Node:
    parser.take()
    if parser.next_is("!") and not parser.token.gap:
        parser.take()
        return nodes.Call("double factorial", (base,))
    return nodes.Factorial(base)


def _percent(parser: Parser, base: Node) -> Node:
    parser.take()
    return nodes.Percent(base)


def _primed(parser: Parser, base: Node) -> Node:
    """Read all primes in a row: of a name, of a function, or the minutes of an angle."""
    marks = ""
    while parser.next_is("'", "''", "prime"):
        marks += "''" if parser.take().text == "''" else "'"
    return nodes.Sym(base.name + marks) if type(base) is nodes.Sym else nodes.Call(marks, (base,))


def _degree(parser: Parser, base: Node) -> Node:
    """Return an angle, or a temperature when C or F follows the degree sign."""
    parser.take()
    in_text = parser.token.kind == "textcmd" and parser.texts(4)[1::2] == ["{", "}"]
    letter = parser.ahead(2).text if in_text else parser.token.text
    if letter not in ("C", "F"):
        return nodes.Degree(base)
    parser.at += 4 if in_text else 1
    return nodes.Quantity(base, "celsius" if letter == "C" else "fahrenheit")


def _subscripted(parser: Parser, base: Node) -> Node:
    """Return `f(x)_{\\max}` as a function of its own."""
    if type(base) is not nodes.Call:
        return base
    parser.take()
    below = parser.braced_text()
    return nodes.Call(f"{base.name} {below}", base.arguments)


def _power(parser: Parser, base: Node) -> Node:
    """Read an exponent, or what else is written as one: degrees, primes, `^{th}`, `^T`."""
    sign = parser.take().text
    if sign == "^" and (parser.token.kind == "end" or parser.next_is(")", ",", "}")):
        return nodes.Degree(base)  # what is left of `^\circ` when its escape was eaten
    start = parser.at
    braced = parser.accept("{")
    found = _superscript(parser, base, braced)
    if found is not None:
        if braced:
            parser.expect("}")
        return found
    parser.at = start
    if isinstance(base, nodes.Bracketed | nodes.Matrix):
        if group(parser) in (nodes.Sym("T"), nodes.Sym("t")):
            if isinstance(base, nodes.Bracketed):
                return base  # a vector may be written as a row or a column anyway
            return nodes.Matrix(tuple(zip(*base.rows, strict=True)))
        parser.at = start
    if parser.next_is("{"):
        return nodes.Pow(base, group(parser))
    if parser.accept("-"):
        return nodes.Pow(base, nodes.Neg(parser.primary()))
    return nodes.Pow(base, parser.nested(_exponent))


def _superscript(parser: Parser, base: Node, braced: bool) -> Node | None:
    """Read what is no exponent; None where it is one."""
    if parser.next_is("circ"):
        return _degree(parser, base)
    if parser.next_is("prime", "'") and isinstance(base, nodes.Sym | nodes.Num):
        return _primed(parser, base)
    if braced and parser.next_is("+", "-", "*") and parser.ahead().text == "}":
        return nodes.Call("super" + parser.take().text, (base,))
    if parser.token.kind == "textcmd":
        parser.take()
        if parser.braced_text() in ORDINALS:
            return base
    return None


def _exponent(parser: Parser) -> Node:
    """Read one without braces: `2^3^2` goes to the right, but `2^(3)^2` does not."""
    bracket = parser.next_is("(")
    base = parser.primary()
    return _power(parser, base) if parser.next_is("^") and not bracket else base


JUXTAPOSED = Binding(PRODUCT, _juxtaposed)
"""Two operands side by side, as if an operator stood between them: `2x`, `2(x + 1)`."""
MEASURED = Binding(UNIT, measured, once=True)
TO = Binding(RATIO, _ratio)
_SUM, _PRODUCT, _POWER = Binding(SUM, _sum), Binding(PRODUCT, _product), Binding(POSTFIX, _power)
_DEGREE, _PERCENT = Binding(POSTFIX, _degree), Binding(POSTFIX, _percent)
_PRIMED = Binding(POSTFIX, _primed)
OPERATORS: dict[str, Binding] = {
    **dict.fromkeys(_RELATIONS, Binding(RELATION, _relation)),
    ":": TO,
    **dict.fromkeys(_SET_OPERATIONS, Binding(SETS, _set_operation)),
    "+": _SUM, "-": _SUM, "pm": _SUM, "mp": _SUM,
    **dict.fromkeys(("pmod", *CURRENCIES), MEASURED),
    "*": _PRODUCT, "/": _PRODUCT, "mod": _PRODUCT, "bmod": _PRODUCT,
    "^": _POWER, "**": _POWER, "_": Binding(POSTFIX, _subscripted),
    "!": Binding(POSTFIX, _factorial), "%": _PERCENT, "\\%": _PERCENT, "circ": _DEGREE,
    "'": _PRIMED, "''": _PRIMED, "prime": _PRIMED,
}  # fmt: skip
"""What may follow an operand, beside another one."""
WORD_OPERATORS: dict[str, Binding | None] = {
    **dict.fromkeys(CONNECTIVES),
    **dict.fromkeys(PERCENT_WORDS, _PERCENT),
    "to": TO, "prime": _PRIMED, "circ": _DEGREE,
}  # fmt: skip
"""Words that are operators, or none; any other measures what stands before it."""
PREFIXES: dict[str, OperandReader] = {
    **dict.fromkeys(("+", "-", "pm", "mp"), _signed),
    **dict.fromkeys(CURRENCIES, money),
}
"""What stands before an operand and binds as a sign does: looser than a product."""
