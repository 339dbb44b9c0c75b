"""Times, bases, ratios, percents and degrees: what a number is a number of."""

from __future__ import annotations

from fractions import Fraction

from rewardkit.verifiers.comparison.result import Context, Result, decided, different, equal
from rewardkit.verifiers.comparison.values.values import as_written, values
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.equality import is_same
from rewardkit.verifiers.expressions.evaluate import constant_value
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.trees import children
from rewardkit.verifiers.parsing.tokens.numerals import based_number
from rewardkit.verifiers.vocabulary.characters import has_digit

_HALF_DAY = 12 * 3600


def times(gold: Node, pred: Node, _: Context) -> Result | None:
    """Compare times of day, one perhaps as `3:15`, which may be before noon or after."""
    clock, other = (gold, pred) if isinstance(gold, nodes.ClockTime) else (pred, gold)
    if not isinstance(clock, nodes.ClockTime):
        return None
    shown = [part.value for part in children(other) if isinstance(part, nodes.Num)]
    if isinstance(other, nodes.ClockTime):
        gap, day = Fraction(clock.seconds - other.seconds), clock.half_known and other.half_known
    elif isinstance(other, nodes.Ratio) and len(other.parts) == len(shown) in (2, 3):
        if shown[0] > 24 or max(shown[1:]) >= 60:
            return different("time", "the other is no time of day")
        gap = clock.seconds - sum(part * 60 ** (2 - k) for k, part in enumerate(shown))
        day = clock.half_known and not 1 <= shown[0] <= 12  # `15:45` can be no a.m.
    else:
        return different("time", "the times differ")
    same = gap % (2 * _HALF_DAY if day else _HALF_DAY) == 0
    return decided(same, "time", "both are the same time of day", "the times differ")


def bases(gold: Node, pred: Node, context: Context) -> Result | None:
    """Compare numbers written in a base by their digits, with or without the base."""
    match (gold, pred):
        case nodes.Neg(mine), nodes.Neg(theirs):
            return bases(mine, theirs, context)
        case nodes.Based(), nodes.Based():
            same = "the same digits in the same base"
            return decided(gold == pred, "base", same, "digits or bases differ")
        case (nodes.Based(_, base) as based, bare) | (bare, nodes.Based(_, base) as based):
            digits = _digits(bare)
            alike = (has_digit(digits) or len(digits) > 1) and based_number(digits, base) == based
            if alike and context.options.missing_unit:
                return equal("base", "the same digits, the base is left out on one side")
        case _:
            return None
    return different("base", "only one side is written in a base")


def _digits(tree: Node) -> str:
    """Return the digits that a tree was written with, of which letters were taken for factors."""
    match tree:
        case nodes.Num(value, literal):
            return literal or str(value)
        case nodes.Sym(name):
            return name
        case nodes.Mul(factors):
            return "".join(map(_digits, factors))
    return "-"


def ratios(gold: Node, pred: Node, _: Context) -> Result | None:
    """Compare `1 : 2 : 3` and `2 : 4 : 6`."""
    if not (isinstance(gold, nodes.Ratio) and isinstance(pred, nodes.Ratio)):
        return None
    if len(gold.parts) != len(pred.parts):
        return different("ratio", "ratios of different lengths")
    (a, *mine), (b, *theirs) = gold.parts, pred.parts
    pairs = zip(mine, theirs, strict=True)
    same = all(is_same(nodes.Mul((x, b)), nodes.Mul((y, a))) for x, y in pairs)
    return decided(same, "ratio", "the ratios are equal", "the ratios differ")


def marks(gold: Node, pred: Node, context: Context) -> Result | None:
    """Compare percentages and angles; `50%` may be 0.5 as well as 50 with its sign left out."""
    match (gold, pred):
        case (nodes.Percent(mine), nodes.Percent(theirs)) | (
            nodes.Degree(mine),
            nodes.Degree(theirs),
        ):
            return context.compare(mine, theirs)
        case (nodes.Percent(inner), bare) | (bare, nodes.Percent(inner)):
            allowed = context.options.missing_percent and as_written(bare) is not None
            name, may_miss = "percent", allowed and _at_least_one(inner)
        case (nodes.Degree(inner), bare) | (bare, nodes.Degree(inner)):
            name, may_miss = "degree", isinstance(bare, nodes.Expression)
        case _:
            return None
    found = values(gold, pred, context)
    if found.equal or not context.options.missing_unit or not may_miss:
        return found
    if values(inner, bare, context).equal:
        return equal("units", f"equal; the {name} sign is left out on one side")
    return different("units", found.reason)


def _at_least_one(tree: Node) -> bool:
    value = constant_value(tree)
    return value is not None and bool(abs(value) >= 1)
