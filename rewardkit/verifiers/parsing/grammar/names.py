"""Names with their subscripts and primes, and functions with their arguments."""

from __future__ import annotations

from itertools import pairwise

from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.limits import NotAnswer
from rewardkit.verifiers.parsing.grammar.pratt import POSTFIX, PRODUCT, Parser
from rewardkit.verifiers.parsing.grammar.statements import group, items_of, statements
from rewardkit.verifiers.parsing.tokens.lexer import Token
from rewardkit.verifiers.vocabulary.names import APPLIED, FUNCTION_SYNONYMS, FUNCTIONS, INDEXES

_OF_A_FUNCTION = frozenset("('^_")
"""What stands behind the name of a function within its own arguments: `f(f(x))`."""
_MINUS_ONE = (nodes.Neg(nodes.number(1, "1")), nodes.Neg(nodes.number(1)))
_FUNCTIONS = FUNCTIONS - {"sqrt"}
_NO_ARGUMENT = _FUNCTIONS | {"*", "(", "["}
"""What ends an argument without a bracket: `\\sin x \\cos x`, `\\sin x (y + 1)`."""


def named(parser: Parser, token: Token) -> Node:
    """Read a name, or a function of its arguments."""
    name = token.text
    if parser.next_is("_"):
        tree = subscripted(parser, name)
    elif name in ("e", "i"):
        return nodes.Const(name)
    else:
        tree = nodes.Sym(name)
    if type(tree) is not nodes.Sym:
        return tree
    if parser.next_is("'", "''") and parser.ahead().text == "(":
        tree = nodes.Sym(tree.name + parser.take().text)
    if parser.next_is("(") and _is_applied(parser, tree.name):
        return nodes.Call(tree.name, _arguments(parser))
    return tree


def subscripted(parser: Parser, name: str) -> Node:
    """Read `x_1` as one name, and `a_n` as what depends on n."""
    parser.take()
    if parser.token.kind == "textcmd":
        parser.take()
        return nodes.Sym(f"{name}_{parser.braced_text()}")
    if parser.next_is("{"):
        start = parser.at
        inner = [token for token in parser.braced() if token.text not in ("{", "}")]
        index = len(inner) == 1 and inner[0].text in INDEXES
        if not index and all(token.kind != "op" or token.text == "," for token in inner):
            return nodes.Sym(f"{name}_" + "".join(t.text for t in inner if t.kind != "textcmd"))
        parser.at = start
        return nodes.Call(f"{name}_", (group(parser),))
    below = group(parser)
    if type(below) is nodes.Num:
        return nodes.Sym(f"{name}_{below.literal}")
    if type(below) is nodes.Sym and below.name not in INDEXES:
        return nodes.Sym(f"{name}_{below.name}")
    return nodes.Call(f"{name}_", (below,))


def _is_applied(parser: Parser, name: str) -> bool:
    """Return whether the bracket after a name holds its arguments rather than a factor."""
    if name[0] in APPLIED or name in APPLIED or name.endswith("'"):
        return not _is_in_brackets(parser, name)
    if parser.ahead(2).text != ")":
        return False
    # `I(0)`, and `a(x) =` where it opens an equation that defines a
    opens = parser.at == 1 or parser.tokens[parser.at - 2].text in (",", ";", "and", "or")
    defines = parser.ahead().kind == "name" and parser.ahead(3).text == "=" and opens
    return parser.ahead().kind == "num" or defines


def _is_in_brackets(parser: Parser, name: str) -> bool:
    """Return whether the brackets behind a name hold it as a factor: `h(3r-h)` is a product."""
    depth = 0
    for token, following in pairwise(parser.tokens[parser.at :]):
        depth += (token.text == "(") - (token.text == ")")
        if depth == 0:
            return False
        if token.text == name and following.text not in _OF_A_FUNCTION:
            return True
    return False


def _arguments(parser: Parser) -> tuple[Node, ...]:
    parser.expect("(")
    inner = statements(parser)
    parser.expect(")")
    return items_of(inner)


def function(parser: Parser, token: Token) -> Node:
    """Read a function's base or exponent, and its argument."""
    name = FUNCTION_SYNONYMS.get(token.text, token.text)
    if name in ("mod", "bmod"):
        raise NotAnswer("a remainder of nothing")
    base: Node | None = None
    exponent: Node | None = None
    while parser.next_is("_", "^"):
        if parser.take().text == "_":
            base = group(parser)
        else:
            exponent = nodes.Neg(parser.primary()) if parser.accept("-") else group(parser)
    argument = _argument(parser)
    if exponent in _MINUS_ONE and name in ("sin", "cos", "tan", "cot"):
        return nodes.Call("arc" + name, (argument,))
    tree = _applied(name, argument, base)
    return tree if exponent is None else nodes.Pow(tree, exponent)


def _applied(name: str, argument: Node, base: Node | None) -> Node:
    if name in ("max", "min", "gcd", "lcm"):
        if isinstance(argument, nodes.Bracketed | nodes.ListOf | nodes.SetOf):
            return nodes.Call(name, argument.items)
    elif name == "log" and base is not None:
        return nodes.Call("log", (argument, base))
    elif name == "exp":
        return nodes.Pow(nodes.Const("e"), argument)
    elif name == "sqrt":
        return nodes.Pow(argument, nodes.Div(nodes.number(1), nodes.number(2)))
    elif name == "abs":
        return nodes.Abs(argument)
    return nodes.Call(name, (argument,))


def _argument(parser: Parser) -> Node:
    """Read a function's argument: a bracketed one, else the factors up to the next sign."""
    if parser.next_is("{"):
        return group(parser)
    if parser.next_is("(", "|", "[", "\\{"):
        return parser.primary()
    if parser.accept("-"):
        return nodes.Neg(parser.nested(_argument))
    left = parser.climb(POSTFIX)
    while parser.follows(PRODUCT) and not _ends(parser, left):
        if parser.accept("/"):
            left = nodes.Div(left, parser.climb(POSTFIX))
        else:
            left = nodes.Mul((left, parser.climb(POSTFIX)))
    return left


def _ends(parser: Parser, left: Node) -> bool:
    """Return whether an argument without a bracket is whole: `\\ln 3 / \\ln 2`, `\\sin x / x`."""
    if parser.token.text != "/":
        return parser.token.text in _NO_ARGUMENT
    divisor = parser.ahead().text
    return divisor in _FUNCTIONS or left == nodes.Sym(divisor)
