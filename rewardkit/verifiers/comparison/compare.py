"""Whether two parsed answers mean the same, by what kind of thing each is.

What surrounds the values is read first: a chain that contradicts itself, parameters, steps between.
Then the first of `RULES` that knows the kinds decides, asking for the parts in the same way.
"""

from __future__ import annotations

from collections.abc import Callable

from rewardkit.verifiers.comparison.lists.endless import alike_long
from rewardkit.verifiers.comparison.lists.families import (
    differ_by_periods,
    parameters,
    unfolded,
    whole_parameter,
    with_parameter_of,
)
from rewardkit.verifiers.comparison.lists.lists import continued
from rewardkit.verifiers.comparison.lists.remainders import congruences
from rewardkit.verifiers.comparison.lists.sequences import collections
from rewardkit.verifiers.comparison.number_sets.integer_sets import domain_of
from rewardkit.verifiers.comparison.number_sets.sets import sets
from rewardkit.verifiers.comparison.relations.chains import (
    each_named,
    false_relation,
    middle_differs,
    settled,
)
from rewardkit.verifiers.comparison.relations.relations import relations
from rewardkit.verifiers.comparison.result import Context, Result, different, equal
from rewardkit.verifiers.comparison.values.derivatives import derivatives_alike
from rewardkit.verifiers.comparison.values.matrices import matrices
from rewardkit.verifiers.comparison.values.measures import bases, marks, ranges, ratios, times
from rewardkit.verifiers.comparison.values.propositions import propositions
from rewardkit.verifiers.comparison.values.quantities import quantities, scales
from rewardkit.verifiers.comparison.values.signs import signs
from rewardkit.verifiers.comparison.values.values import values
from rewardkit.verifiers.comparison.written.choices import letters
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.trees import contains, map_children
from rewardkit.verifiers.limits import work
from rewardkit.verifiers.options import MathOptions

RULES: tuple[Callable[[Node, Node, Context], Result | None], ...] = (
    times,  # first: beside a time, `3:15` is no ratio, and nothing else is equal to it
    bases,  # digits in a base are no decimal number, and nothing else is equal to them
    letters,  # before what takes `ABC` for a product and `A, C` for a list of unknowns
    propositions,  # before signs and parts: they are calls, and their names no unknowns
    signs,  # before all that sees parts: each sign makes two answers of the whole
    parameters,  # before all that compares symbols: `C` and `c` are one constant
    congruences,  # before relations and units: `n = 2 (mod 9)` is neither to them
    relations,  # before sets: a name is taken off its value, and equations are no sets
    sets,  # before lists and tuples: an interval looks like a pair, conditions like a list
    collections,  # before matrices and units: they are compared within each part
    matrices,  # before units and values: a multiple of a matrix is a product to them
    ranges,  # before ratios, as which `5 to 10` is read
    ratios,  # before values: to those, a ratio of two is a quotient, one of three nothing
    scales,  # before quantities: to those, `250 million` is a product
    quantities,  # before marks: `5% of people` has a unit
    marks,  # percents and degrees, which may be left out
)
"""The first rule that says anything decides; `values` does where none of them knows the kinds."""


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
    if false_relation(pred) and not false_relation(gold):
        return different("relation", "the answer states an equality that is false")
    if gold == pred:
        return equal("exact", "both are the same expression")
    gold, pred = alike_long(*derivatives_alike(unfolded(gold), unfolded(pred)))
    pred = with_parameter_of(gold, pred)
    if _is_several(gold):
        pred = each_named(pred)
    domains = domain_of(gold), domain_of(pred)
    if all(domains) and domains[0] != domains[1]:
        return different("set", f"a number of {domains[0]} is not one of {domains[1]}")
    if middle_differs(gold, pred, context):
        return different("relation", "the steps between differ")
    parameter = whole_parameter(gold)
    gold, pred = continued(settled(gold)), continued(settled(pred))
    if gold == pred:
        return equal("exact", "both are the same after reducing")
    if parameter and differ_by_periods(gold, pred, parameter):
        return equal("set", "the same values, counted from another one")
    found = _by_rules(gold, pred, context)
    if found.equal or not context.options.missing_unit:
        return found
    if (
        contains(gold, nodes.Degree) != contains(pred, nodes.Degree)
        and contains(gold, nodes.Bracketed, nodes.Add, nodes.Relation)
        and _by_rules(_without_degrees(gold), _without_degrees(pred), context).equal
    ):
        return equal("units", "equal; the degree signs are left out on one side")
    return found


def _is_several(tree: Node) -> bool:
    match tree:
        case nodes.ListOf() | nodes.Bracketed() | nodes.Relation(_, (nodes.Bracketed(), *_)):
            return True
    return False


def _by_rules(gold: Node, pred: Node, context: Context) -> Result:
    if type(gold) is type(pred) is nodes.Num:  # no rule says more of two numbers
        return values(gold, pred, context)
    for rule in RULES:
        if (found := rule(gold, pred, context)) is not None:
            return found
    return values(gold, pred, context)


def _without_degrees(tree: Node) -> Node:
    if isinstance(tree, nodes.Degree):
        return _without_degrees(tree.value)
    return map_children(tree, _without_degrees)
