"""Whether two parsed answers mean the same, by what kind of thing each is.

What surrounds the values is read first: a chain that contradicts itself, parameters, steps between.
Then the first of `RULES` that knows the kinds decides, asking for the parts in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from rewardkit.verifiers.comparison.extra import extra_rules
from rewardkit.verifiers.comparison.lists.sequences import collections
from rewardkit.verifiers.comparison.names import domain_of
from rewardkit.verifiers.comparison.number_sets.sets import sets
from rewardkit.verifiers.comparison.relations.chains import false_relation, middle_differs, settled
from rewardkit.verifiers.comparison.relations.relations import relations
from rewardkit.verifiers.comparison.result import Context, Result, different, equal
from rewardkit.verifiers.comparison.values.constants import antiderivatives, free_constants
from rewardkit.verifiers.comparison.values.derivatives import derivatives_alike
from rewardkit.verifiers.comparison.values.matrices import matrices
from rewardkit.verifiers.comparison.values.measures import bases, marks, ratios, times
from rewardkit.verifiers.comparison.values.quantities import quantities, scales
from rewardkit.verifiers.comparison.values.signs import signs
from rewardkit.verifiers.comparison.values.values import values
from rewardkit.verifiers.comparison.written.choices import letters
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.trees import classes
from rewardkit.verifiers.limits import work
from rewardkit.verifiers.options import MathOptions

_Rule = Callable[[Node, Node, Context], Result | None]
_BRACKETS = (nodes.Bracketed, nodes.SetOf, nodes.ListOf, nodes.Either)
_SETS = (nodes.Union, nodes.Intersection, nodes.Difference, nodes.NamedSet, nodes.SetBuilder)

RULES: tuple[tuple[_Rule, tuple[type[Node], ...]], ...] = (
    # first: beside a time, `3:15` is no ratio, and nothing else is equal to it
    (times, (nodes.ClockTime,)),
    # digits in a base are no decimal number, and nothing else is equal to them
    (bases, (nodes.Based,)),
    # before what takes `ABC` for a product and `A, C` for a list of unknowns
    (letters, (nodes.Sym,)),
    # before all that sees parts: each sign makes two answers of the whole
    (signs, (nodes.PlusMinus, nodes.MinusPlus)),
    # before all that compares symbols: `C` and `c` are one constant
    (free_constants, (nodes.Sym,)),
    # behind the constants' names
    (antiderivatives, (nodes.Add,)),
    # before sets: a name is taken off its value, and equations are no sets
    (relations, (nodes.Relation, nodes.Call, nodes.Bracketed)),
    # before lists and tuples: an interval looks like a pair, conditions like a list
    (sets, (nodes.Relation, *_BRACKETS, *_SETS)),
    # before matrices and units: they are compared within each part
    (collections, (*_BRACKETS,)),
    # before units and values: a multiple of a matrix is a product to them
    (matrices, (nodes.Matrix,)),
    # before values: to those, a ratio of two is a quotient, one of three nothing
    (ratios, (nodes.Ratio,)),
    # before quantities: to those, `250 million` is a product
    (scales, (nodes.Mul,)),
    # before marks: `5% of people` has a unit
    (quantities, (nodes.Quantity,)),
    # percents and degrees, which may be left out
    (marks, (nodes.Percent, nodes.Degree)),
)
"""The rules, and the classes of nodes that each speaks of: where neither tree holds one, it is not
asked. The first that says anything decides; `values` does where none of them knows the kinds."""
_AROUND = frozenset((nodes.Relation, nodes.SetBuilder, nodes.Dots))
"""What may say something around the values, which is read before the rules."""


@lru_cache(maxsize=1024)
def _rules_for(held: frozenset[type[Node]]) -> tuple[_Rule, ...]:
    return tuple(rule for rule, known in RULES if not held.isdisjoint(known))


def compare(gold: Node, pred: Node, options: MathOptions, *, sympy: bool = False) -> Result:
    """Return whether an answer means the same as the gold, under the given policies.

    Args:
        gold: the tree of the gold answer.
        pred: the tree of the answer.
        options: the policies.
        sympy: whether sympy may be asked, whose work has no bound.

    Raises:
        TooComplex: deciding would take more than the budget.
        NeedsSympy: only sympy can tell, and it may not be asked here.
    """
    return _whole(gold, pred, Context(options, sympy, _whole))


def _whole(gold: Node, pred: Node, context: Context) -> Result:
    work.charge(20)
    held = classes(gold, pred)
    around = not held.isdisjoint(_AROUND)
    if around and false_relation(pred) and not false_relation(gold):
        return different("relation", "the answer states an equality that is false")
    if gold == pred:
        return equal("exact", "both are the same expression")
    if context.options.extra:
        for rule in extra_rules(context.options.extra, "compare_trees"):
            if (decision := rule(gold, pred, context)) is not None:
                return decision
    if nodes.Sym in held:
        gold, pred = derivatives_alike(gold, pred)
    if around:
        found = _read_around(gold, pred, context)
        if isinstance(found, Result):
            return found
        gold, pred = found
        held = classes(gold, pred)
    for rule in _rules_for(held):
        if (decision := rule(gold, pred, context)) is not None:
            return decision
    return values(gold, pred, context)


def _read_around(gold: Node, pred: Node, context: Context) -> Result | tuple[Node, Node]:
    """Read what surrounds the values; return what is left to compare, or what decides already."""
    domains = domain_of(gold), domain_of(pred)
    if all(domains) and domains[0] != domains[1]:
        return different("set", f"a number of {domains[0]} is not one of {domains[1]}")
    if middle_differs(gold, pred, context):
        return different("relation", "the steps between differ")
    return settled(gold), settled(pred)
