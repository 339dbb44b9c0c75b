"""Two expressions by their values: exactly, as a rounded decimal, by sympy."""

from __future__ import annotations

from fractions import Fraction

from rewardkit.verifiers.comparison.result import Context, Result, different, equal
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.equality import Answer, rounds_to, same_expression
from rewardkit.verifiers.expressions.evaluate import constant_value, decimal_value
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.sympy_bridge import same_by_sympy
from rewardkit.verifiers.expressions.trees import classes, symbols
from rewardkit.verifiers.limits import NeedsSympy


def values(gold: Node, pred: Node, context: Context) -> Result:
    """Compare what is left when no rule for another kind has spoken.

    Raises:
        NeedsSympy: only sympy can tell, and it may not be asked here.
    """
    if not (isinstance(gold, nodes.Expression) and isinstance(pred, nodes.Expression)):
        kinds = type(gold).__name__, type(pred).__name__
        return different("kind", "the gold is {}, the answer is {}".format(*kinds))
    found = same_expression(gold, pred)
    method = "numeric" if type(gold) is type(pred) is nodes.Num else "symbolic"
    if found is Answer.EQUAL:
        return equal(method, "both have the same value")
    if is_rounded(gold, pred, context.options.decimal_digits):
        return equal("rounded", "the decimal is the exact value, rounded")
    if context.options.decimal_digits and are_floats_alike(gold, pred):
        return equal("rounded", "both are one number to the precision of a float")
    if is_near(gold, pred, context.options.relative_tolerance):
        return equal("tolerance", "within the tolerance")
    if found is Answer.UNKNOWN and nodes.BigOperator in classes(gold, pred):
        if not context.sympy:
            raise NeedsSympy
        found, method = same_by_sympy(gold, pred), "sympy"
        if found is Answer.EQUAL:
            return equal(method, "both have the same value")
    reason = "cannot tell whether they are equal" if found is Answer.UNKNOWN else "values differ"
    return Result(found, method, reason)


def is_rounded(gold: Node, pred: Node, digits: int) -> bool:
    """Return whether one of two constants is the other as a decimal of so many digits; 0: never."""
    written = as_written(gold), as_written(pred)
    if not digits or (written[0] is None) == (written[1] is None):
        return False
    exact, decimal = (gold, written[1]) if written[0] is None else (pred, written[0])
    if decimal is None or "." not in decimal or symbols(exact):
        return False
    return rounds_to(exact, decimal, digits) and not terminates(exact)


_FLOAT_PLACES = 9
"""A decimal with as many places is how a program prints a number that does not end."""


def are_floats_alike(gold: Node, pred: Node) -> bool:
    """Return whether decimals part only where programs cut them: `1.3333333333` and `...335`."""
    one, other = as_written(gold), as_written(pred)
    if one is None or other is None or "e" in one + other:
        return False
    places = min(len(written.partition(".")[2]) for written in (one, other))
    return places >= _FLOAT_PLACES and abs(Fraction(one) - Fraction(other)) < Fraction(
        5, 10**places
    )


def is_near(gold: Node, pred: Node, tolerance: float) -> bool:
    """Return whether a constant is as near to the gold as the tolerance, a part of it, allows."""
    if not tolerance or symbols(gold) or symbols(pred):
        return False
    wanted, given = decimal_value(gold), decimal_value(pred)
    if wanted is None or given is None:
        return False
    return bool(abs(wanted - given) <= abs(wanted) * tolerance)


def as_written(tree: Node) -> str | None:
    """Return a number as it was written, with its sign; None for any other expression."""
    match tree:
        case nodes.Num(_, literal):
            return literal or None
        case nodes.Neg(inner):
            written = as_written(inner)
            return f"-{written}" if written else None
        case nodes.Percent(inner):
            written = as_written(inner)
            return f"{written}e-2" if written and "e" not in written else None
        case nodes.Mul((mantissa, nodes.Pow(nodes.Num(base), exponent))) if base == 10:
            written, power = as_written(mantissa), as_written(exponent)
            if written and power and power.lstrip("-").isdigit() and len(power) < 5:
                return f"{written}e{power}"
    return None


def terminates(tree: Node) -> bool:
    """Return whether the exact value has a short decimal expansion: then nobody need round it."""
    value = constant_value(tree)
    if not isinstance(value, Fraction):
        return False
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return rest == 1 and value.denominator <= 10**6
