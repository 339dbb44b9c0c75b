"""NumericVerifier: numbers within a tolerance, with or without units."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from rewardkit.types import Gold, Verdict
from rewardkit.verifiers.base import judged
from rewardkit.verifiers.expressions.arithmetic import Undefined, Unsupported
from rewardkit.verifiers.expressions.equality import LOW_DIGITS
from rewardkit.verifiers.expressions.evaluate import Evaluator
from rewardkit.verifiers.expressions.nodes import Node, Relation
from rewardkit.verifiers.expressions.quantities import measured
from rewardkit.verifiers.expressions.units import Unit, unit_of
from rewardkit.verifiers.limits import NotAnswer, TooComplex
from rewardkit.verifiers.options import checked
from rewardkit.verifiers.parsing.parser import parse

ROUNDED = 0.1
"""Nobody rounds by more: `3 = 0.5` states no number, `9/4 = 2.3` does."""


class Measure(NamedTuple):
    """A number, what its unit measures (None without a unit), and the unit's size."""

    value: float
    kind: Unit | None
    size: float


@dataclass(frozen=True, slots=True)
class NumericVerifier:
    r"""Grade a number: right when |answer - gold| <= max(absolute, relative * |gold|).

    Units are converted (`1 m` is `100 cm`); a unit may be missing unless `unit_required`.

    >>> NumericVerifier(relative=0.01)(r"\boxed{9.79\text{ m}}", "9.8 m").correct
    True
    """

    relative: float = 1e-6
    """Tolerance as a share of the gold."""
    absolute: float = 0.0
    """Tolerance in the gold's unit."""
    unit_required: bool = False
    answer_in: str | tuple[str, ...] = ()
    """Where the answer is declared to stand, as in `MathVerifier`; anywhere without it."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "answer_in", checked(self.answer_in))

    def __call__(self, response: str, answer: Gold) -> Verdict:
        """Return the verdict on one response."""
        return judged(
            response, answer, "tolerance", self._decide, answer_in=self.answer_in, kind="number"
        )

    quick = __call__

    def _decide(self, text: str, gold: str) -> tuple[bool, str] | None:
        wanted = _measure(gold)
        if wanted is None:
            return None
        given = _measure(text)
        if given is None:
            return False, "the answer is no number"
        if given.kind != wanted.kind and (self.unit_required or (given.kind and wanted.kind)):
            return False, "the units differ"
        a, b = given.value, wanted.value
        if given.kind == wanted.kind:
            a, b = a * given.size, b * wanted.size
        gap, allowed = abs(a - b), max(self.absolute, self.relative * abs(b))
        return gap <= allowed, f"off by {gap:.3g}, allowed {allowed:.3g}"


def _value(tree: Node) -> float:
    return float(Evaluator({}, LOW_DIGITS).decimal(tree))


def _is_another(side: Node, value: float) -> bool:
    """Whether a side of an equation is a number that no rounding makes the other one."""
    try:
        found = _value(side)
    except (NotAnswer, TooComplex, Undefined, Unsupported, OverflowError):
        return False  # a name, or what is worked out otherwise
    return abs(found - value) > ROUNDED * max(abs(found), abs(value))


def _measure(text: str) -> Measure | None:
    """Return a number, what its unit measures and how large; None when it is no finite number."""
    try:
        tree = parse(text)
        before: list[Node] = []
        while isinstance(tree, Relation) and set(tree.operators) <= {"=", "~"}:
            before += tree.sides[:-1]
            tree = tree.sides[-1]
        inner, name = measured(tree)
        value = _value(inner)
        if any(_is_another(side, value) for side in before if name is None):
            return None
    except (NotAnswer, TooComplex, Undefined, Unsupported, OverflowError):
        return None
    if not math.isfinite(value):
        return None
    if name is None:
        return Measure(value, None, 1.0)
    unit = unit_of(name)
    return Measure(value, unit._replace(size=Fraction(1)), float(unit.size))
