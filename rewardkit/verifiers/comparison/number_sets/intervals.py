"""Sets of real numbers as intervals: what they have in common, join to, and leave out.

Each end of an interval is a cut just before or just after a number, and all cuts have an order, so
that nothing here asks whether an end is open or closed.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cmp_to_key
from math import inf
from typing import Any, NamedTuple

from rewardkit.verifiers.expressions.arithmetic import Arithmetic
from rewardkit.verifiers.limits import MAX_ITEMS, TooComplex

DIGITS = 60
Bound = Any
"""A Fraction, an mpmath number, or an infinite float."""


class Cut(NamedTuple):
    """Where the real line is cut: at a number, before or after it."""

    at: Bound
    after: bool


class Interval(NamedTuple):
    """A piece of the real line, from one cut to a later one."""

    start: Cut
    end: Cut


RealSet = list[Interval]
LINE: RealSet = [Interval(Cut(-inf, True), Cut(inf, False))]


def order(a: Cut, b: Cut) -> int:
    """Return a number below, at or above 0 as `a` is before, equal to, or after `b`."""
    return order_of_bounds(a.at, b.at) or a.after - b.after


def order_of_bounds(a: Bound, b: Bound) -> int:
    """Return -1, 0 or 1 as `a` is below, equal to, or above `b`, to 40 digits."""
    if isinstance(a, (Fraction, float)) and isinstance(b, (Fraction, float)):
        return (a > b) - (a < b)
    if isinstance(a, float) or isinstance(b, float):
        return 1 if a == inf or b == -inf else -1
    at = Arithmetic(DIGITS)
    gap = at.inexact(a) - at.inexact(b)
    if abs(gap) <= abs(at.inexact(b)) * at.mp.mpf(10) ** (20 - DIGITS):
        return 0
    return 1 if gap > 0 else -1


_key = cmp_to_key(order)


def point(value: Bound) -> Interval:
    """Return the interval that is one number."""
    return Interval(Cut(value, False), Cut(value, True))


def between(start: Cut, end: Cut) -> RealSet:
    """Return what is between two cuts: nothing, where the second is no later."""
    return [Interval(start, end)] if order(start, end) < 0 else []


def joined(parts: RealSet) -> RealSet:
    """Return intervals in order, with those that touch made one.

    Raises:
        TooComplex: they are too many.
    """
    if len(parts) > MAX_ITEMS:
        raise TooComplex(f"a union of {len(parts)} intervals")
    found: RealSet = []
    for part in sorted(parts, key=lambda part: _key(part.start)):
        if found and order(part.start, found[-1].end) <= 0:
            found[-1] = Interval(found[-1].start, max(found[-1].end, part.end, key=_key))
        else:
            found.append(part)
    return found


def intersection(a: RealSet, b: RealSet) -> RealSet:
    """Return what is in both of two sets."""
    return [
        piece
        for x in joined(a)
        for y in joined(b)
        for piece in between(max(x.start, y.start, key=_key), min(x.end, y.end, key=_key))
    ]


def complement(parts: RealSet) -> RealSet:
    """Return what is in no interval of a set."""
    [(first, last)], ordered = LINE, joined(parts)
    starts, ends = [first, *(p.end for p in ordered)], [*(p.start for p in ordered), last]
    return [piece for ends in zip(starts, ends, strict=True) for piece in between(*ends)]


def same_sets(a: RealSet, b: RealSet) -> bool:
    """Return whether two joined sets are equal."""
    if len(a) != len(b):
        return False
    pairs = zip(a, b, strict=True)
    return all(not order(x.start, y.start) and not order(x.end, y.end) for x, y in pairs)
