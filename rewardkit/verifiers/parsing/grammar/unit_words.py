"""Words that measure the value before them: units, money, counted nouns."""

from __future__ import annotations

import re
from itertools import pairwise

from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.units import unit_of, unit_word
from rewardkit.verifiers.limits import NotAnswer
from rewardkit.verifiers.parsing.grammar.pratt import PRODUCT, SIGN, Parser
from rewardkit.verifiers.parsing.tokens.lexer import Token
from rewardkit.verifiers.parsing.tokens.stream import TokenStream
from rewardkit.verifiers.vocabulary.characters import spells_words
from rewardkit.verifiers.vocabulary.numbers import MULTIPLES, OPERATIONS, ORDINALS
from rewardkit.verifiers.vocabulary.patterns import same_as
from rewardkit.verifiers.vocabulary.phrases import COMPARATIVES, CONNECTIVES, HEDGES
from rewardkit.verifiers.vocabulary.units import (
    CURRENCIES,
    LETTER_UNITS,
    PERCENT_WORDS,
    UNIT_POWERS,
)

_NO_UNITS = HEDGES | {"for", "where", "when", "with", "is", "to"}
"""Words that say of a value what no unit does."""
COUNTS_NOTHING = _NO_UNITS.union(
    COMPARATIVES, OPERATIONS, MULTIPLES, PERCENT_WORDS, ORDINALS, UNIT_POWERS, CURRENCIES
)
"""Words that do something else to the number before them than to count it."""
_DEGREES = frozenset(("degree", "degrees", "deg"))
_SCALES = same_as("celsius: celsius c centigrade; fahrenheit: fahrenheit f")
"""What `degrees` are of, where they measure no angle."""


def measured(parser: Parser, value: Node) -> Node:
    """Read a unit after a value, and the smaller ones of `2 hours 30 minutes`."""
    whole = _with_unit(parser, value)
    if type(whole) is not nodes.Quantity or parser.token.kind != "num":
        return whole
    parts: list[Node] = [whole]
    while parser.token.kind == "num":
        parts.append(_with_unit(parser, parser.climb(PRODUCT)))
    found = compound(parts)
    if found is None:
        raise NotAnswer("two quantities side by side")
    return found


def money(parser: Parser, currency: Token) -> Node:
    """Read what a sign of money stands before."""
    return _quantity(parser.expression(SIGN), CURRENCIES[currency.text])


def compound(parts: list[Node]) -> nodes.Quantity | None:
    """Return `2 hours 30 minutes` as one quantity; None when the parts are no such thing.

    They must measure the same, each in a smaller unit than the one before.
    """
    quantities = [part for part in parts if type(part) is nodes.Quantity]
    if len(quantities) < len(parts):
        return None
    units = [unit_of(part.unit) for part in quantities]
    if any(a.dimensions != b.dimensions or a.size <= b.size for a, b in pairwise(units)):
        return None
    if not units[0].dimensions:
        return None
    terms = [
        nodes.Mul((part.value, nodes.number(unit.size / units[0].size)))
        for part, unit in zip(quantities, units, strict=True)
    ]
    return nodes.Quantity(nodes.Add(tuple(terms)), quantities[0].unit)


def _with_unit(stream: TokenStream, value: Node) -> Node:
    """Read a unit or a counted noun after a value."""
    start = stream.at
    if stream.accept("pmod"):
        modulus = stream.braced_text()
        if not modulus:
            raise NotAnswer("no modulus")
        return _quantity(value, f"mod{modulus}")
    if stream.token.text in CURRENCIES:
        return _quantity(value, CURRENCIES[stream.take().text])
    said = _unit_name(stream).split()
    if said and said[0] in COMPARATIVES:
        said = said[1:]
        if not said:  # `24 more`
            return value
    if not said or said[0] in _NO_UNITS or not HEDGES.isdisjoint(said):
        stream.at = start
        return value
    if said[0] in _DEGREES and said[1:] and (scale := _SCALES.get(said[1])):
        said = [scale, *said[2:]]
    if said[0] in OPERATIONS:
        raise NotAnswer(f"{said[0]} after a number")
    if said[0] in MULTIPLES and _measurable(value):
        value, said = nodes.Mul((value, nodes.number(MULTIPLES[said[0]]))), said[1:]
    return _quantity(value, " ".join(said)) if said else value


def _measurable(value: Node) -> bool:
    kinds = (nodes.Expression, nodes.PlusMinus, nodes.ListOf)
    return isinstance(value, kinds) and type(value) is not nodes.Quantity


def _quantity(value: Node, name: str) -> Node:
    """Return a value with its unit; money may be per something: `\\$5 per hour`."""
    if name.removesuffix(" points") in PERCENT_WORDS:
        return nodes.Percent(value)
    if type(value) is nodes.Quantity:
        if value.unit.split()[0] == "per":
            return nodes.Quantity(value.value, f"{name} {value.unit}")
        if unit_of(value.unit).dimensions == unit_of(name).dimensions:
            return value  # `\\$5 dollars`
    if not _measurable(value):
        raise NotAnswer("words after something that is no value")
    return value if type(value) is nodes.Num and name in ORDINALS else nodes.Quantity(value, name)


def _unit_name(stream: TokenStream) -> str:
    """Read words, plain or in text commands, with their powers, `per` for a slash."""
    parts: list[str] = []
    while True:
        token = stream.token
        if token.kind == "word" and token.text not in CONNECTIVES:
            parts.append(unit_word(stream.take().text))
        elif token.kind == "textcmd":
            start = stream.at
            stream.take()
            name = _unit_in_text(stream.braced())
            if not name:
                stream.at = start
                break
            parts.append(name)
        elif not parts:
            break
        elif token.text == "^" and (power := _unit_power(stream)):
            parts[-1] += f"^{power}"
        elif token.text in ("/", "*") and stream.ahead().kind in ("word", "textcmd", "name"):
            parts += ["per"] if stream.take().text == "/" else []
            if stream.token.kind == "name":
                parts.append(unit_word(stream.take().text))
        else:
            break
    return " ".join(parts)


def _unit_power(stream: TokenStream) -> int | None:
    """Read `^2` or `^{-1}` after a unit, or nothing when it is no such power."""
    texts = [stream.ahead(k).text for k in range(1, 5)]
    braced = texts[0] == "{"
    digits = "".join(texts[1:3] if texts[1] == "-" else texts[1:2]) if braced else texts[0]
    match = re.fullmatch(r"-?[1-4]", digits)
    if match is None or (braced and texts[len(digits) + 1] != "}"):
        return None
    stream.at += 1 + len(digits) + 2 * braced
    return int(digits)


def _unit_in_text(inner: list[Token]) -> str:
    """Return the unit in a text command's braces, or nothing when it holds anything else."""
    text = ""
    for k, token in enumerate(inner):
        if token.kind in ("word", "name"):
            if token.text in CONNECTIVES:
                return ""
            joined = k and inner[k - 1].kind in ("word", "name") and not token.gap
            text += token.text if joined or not text else f" {token.text}"
        elif token.text == "/":
            text += " per"
        elif token.text == "^":
            text += "^"
        elif token.text == "-" and text.endswith("^"):
            text += "-"
        elif token.kind == "num" and text.endswith(("^", "^-")):
            text += token.text
        elif token.text not in ("{", "}", ".", "'", "*", "-"):
            return ""
    letter = len(text) == 1 and text not in LETTER_UNITS and not spells_words(text)
    if letter or text.endswith(("^", "-")):
        return ""
    return " ".join(map(unit_word, text.split()))
