"""A calculator: exact arithmetic on one expression, bounded.

Source: written here. Licence: Apache-2.0. Version: 1.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from rewardkit.environments import Tool

LONGEST = 200
"""Characters of an expression."""
LARGEST = 4000
"""Bits of a number."""
OPERATIONS: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: lambda a, b: Fraction(a // b),
    ast.Mod: operator.mod,
    ast.Pow: lambda a, b: _power(a, b),
}


def compute(expression: str) -> str:
    """Work out an arithmetic expression with + - * / // % ** and brackets.

    Raises:
        ValueError: it is none, is too long, or has no value.

    >>> compute("47 × (3 + 5)"), compute("1 / 8"), compute("2^10")
    ('376', '0.125', '1024')
    """
    expression = str(expression)  # a model may send a number
    if len(expression) > LONGEST:
        raise ValueError(f"an expression has at most {LONGEST} characters")
    plain = expression.replace("×", "*").replace("÷", "/").replace("^", "**").replace("−", "-")
    try:
        value = _value(ast.parse(plain.strip().replace(",", ""), mode="eval").body)
    except ZeroDivisionError:
        raise ValueError("division by zero") from None
    except (SyntaxError, RecursionError, MemoryError):
        raise ValueError(f"{expression.strip()[:60]!r} is no arithmetic expression") from None
    return str(value.numerator) if value.denominator == 1 else repr(float(value))


def _value(node: ast.expr) -> Fraction:
    match node:
        case ast.Constant(int() | float() as number) if not isinstance(number, bool):
            found = Fraction(str(number))
        case ast.UnaryOp(ast.USub(), operand):
            found = -_value(operand)
        case ast.UnaryOp(ast.UAdd(), operand):
            found = _value(operand)
        case ast.BinOp(left, operation, right) if type(operation) in OPERATIONS:
            found = OPERATIONS[type(operation)](_value(left), _value(right))
        case _:
            raise ValueError("only numbers, + - * / // % ** and brackets are known")
    if max(found.numerator.bit_length(), found.denominator.bit_length()) > LARGEST:
        raise ValueError("the result is too large")
    return found


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1:
        raise ValueError("an exponent is a whole number")
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if bits * abs(exponent.numerator) > LARGEST:
        raise ValueError("the result is too large")
    return Fraction(base**exponent.numerator)


def calculator() -> Tool:
    """Return the tool, whose one argument is `expression`.

    >>> calculator().call({"expression": "128 * 4"}, [])
    '512'
    """
    example = ("What is 128 * 4?", {"expression": "128 * 4"}, "512", "The answer is \\boxed{512}.")
    return replace(Tool.of(compute, example), name="calculator")
