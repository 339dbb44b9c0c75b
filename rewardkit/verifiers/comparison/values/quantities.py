"""Measured values: units converted or left out, temperatures, money in cents and in millions."""

from __future__ import annotations

from fractions import Fraction

from rewardkit.verifiers.comparison.result import Context, Result, different, equal
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.nodes import Node, number
from rewardkit.verifiers.expressions.quantities import measured
from rewardkit.verifiers.expressions.trees import multiple
from rewardkit.verifiers.expressions.units import Unit, unit_of
from rewardkit.verifiers.vocabulary.numbers import MULTIPLES
from rewardkit.verifiers.vocabulary.units import CENTS, CURRENCIES, DIRECTIONS, TEMPERATURES, TONS

_SCALES = frozenset(size for size in MULTIPLES.values() if size > 3)


def scales(gold: Node, pred: Node, context: Context) -> Result | None:
    """Compare `\\$250 million` with 250 as far as the policy lets words miss."""
    for scaled, bare, is_gold in ((gold, pred, True), (pred, gold, False)):
        value, unit = measured(scaled)
        match value:
            case nodes.Mul((counted, nodes.Num(size, ""))) if size in _SCALES:
                pass
            case _:
                continue
        money = unit is not None and {*unit.split()} & {*CURRENCIES.values()}
        policy = context.options.missing_scale
        if policy == "never" or (policy == "money" and not money) or type(bare) is not nodes.Num:
            return None
        if (context.compare(counted, bare) if is_gold else context.compare(bare, counted)).equal:
            return equal("units", "equal; the word that multiplies is left out on one side")
    return None


def quantities(gold: Node, pred: Node, context: Context) -> Result | None:
    """Compare measured values: units of one kind are converted, one may be left out."""
    if not isinstance(gold, nodes.Quantity) and not isinstance(pred, nodes.Quantity):
        return None
    (x, unit_x), (y, unit_y) = measured(gold), measured(pred)
    if unit_x is None or unit_y is None:
        return _one_unit(x, y, (unit_x, unit_y), context)
    degrees = _temperature(unit_x), _temperature(unit_y)
    if degrees[0] and degrees[1]:
        return context.compare(_kelvins(x, degrees[0]), _kelvins(y, degrees[1]))
    if any(degrees) and {unit_x, unit_y} & _DEGREES:
        return _one_unit(x, y, (None, None), context)  # of which scale is left out
    if {unit_x, unit_y} <= TONS:
        return context.compare(x, y)
    mine, theirs = unit_of(unit_x), unit_of(unit_y)
    if (clash := _clash(mine, theirs, f"{unit_x} is not {unit_y}")) is not None:
        return clash
    if mine.dimensions == theirs.dimensions and mine.size != theirs.size:
        x, y = multiple(x, mine.size), multiple(y, theirs.size)
    return context.compare(x, y)


def _one_unit(x: Node, y: Node, units: tuple[str | None, str | None], context: Context) -> Result:
    """Compare values of which one has no unit; beside cents it may be of dollars as well."""
    if not context.options.missing_unit:
        return different("units", "a unit is missing on one side")
    if isinstance(x, nodes.Percent) != isinstance(y, nodes.Percent):
        return different("units", "a percentage against a unit")
    found = context.compare(x, y)
    if found.equal:
        return found
    if units[0] in CENTS:
        return context.compare(x, multiple(y, 100))
    if units[1] in CENTS:
        return context.compare(multiple(x, 100), y)
    return found


_DEGREES = frozenset(("degree", "degrees"))


def _clash(mine: Unit, theirs: Unit, reason: str) -> Result | None:
    """Return that two units measure or count different things, where they do."""
    ways = mine.nouns & DIRECTIONS, theirs.nouns & DIRECTIONS
    if all(ways) and ways[0] != ways[1]:
        return different("units", reason)
    if mine.is_any or theirs.is_any:
        return None
    shared = mine.nouns & theirs.nouns
    if mine.dimensions != theirs.dimensions:
        alike = shared and not (mine.dimensions and theirs.dimensions)
        return None if alike else different("units", reason)
    if mine.nouns and theirs.nouns and not shared:
        return different("units", reason)
    return None


def _temperature(unit: str) -> tuple[Fraction, Fraction] | None:
    """Return the scale of temperature that a unit's name means, or None."""
    words = unit.lower().removeprefix("degrees ").removeprefix("degree ")
    return TEMPERATURES.get(words)


def _kelvins(value: Node, scale: tuple[Fraction, Fraction]) -> Node:
    size, zero = scale
    return multiple(nodes.Add((value, number(zero))), size) if zero else value
