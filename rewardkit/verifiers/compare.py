"""Whether two parsed answers mean the same, by what kind of thing each is.

`compare` dispatches: relations first lose the name they give their value (`x = 5`), then sets,
collections, matrices, ratios and measured quantities are compared by their own rules, down to
expressions, which `equality` decides.
"""

from __future__ import annotations

from rewardkit.verifiers.chains import each_named, false_relation, settled
from rewardkit.verifiers.collecting import _Collecting
from rewardkit.verifiers.equality import Answer, rounds_to, same_expression
from rewardkit.verifiers.families import (
    differ_by_periods,
    parameter_renamed,
    unfolded,
    whole_parameter,
    with_parameter_of,
)
from rewardkit.verifiers.findings import Finding, different, equal
from rewardkit.verifiers.forms import (
    EXPRESSIONS,
    continued,
    letters,
    plain_number,
    signs_expanded,
    structure,
    terminates,
    without_degrees,
)
from rewardkit.verifiers.limits import (
    NeedsSympy,
    work,
)
from rewardkit.verifiers.measuring import _Measuring
from rewardkit.verifiers.nodes import Node, contains, factors, symbols
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.relating import _Relating
from rewardkit.verifiers.symbolic import same_by_sympy
from rewardkit.verifiers.wholes import domain_of


def compare(gold: Node, pred: Node, options: MathOptions, *, sympy: bool = False) -> Finding:
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
    return _Comparison(options, sympy).compare(gold, pred)


def _are_capitals(parts: list[Node]) -> bool:
    return all(part.kind == "sym" and part.args[0].isupper() for part in parts)


class _Comparison(_Relating, _Collecting, _Measuring):
    """Compare trees under the given policies."""

    def compare(self, gold: Node, pred: Node) -> Finding:
        """Return whether the answer means the same as the gold.

        Raises:
            TooComplex: deciding would take more than the budget.
        """
        work.charge(20)
        if false_relation(pred) and not false_relation(gold):
            return different("relation", "the answer states an equality that is false")
        if gold == pred:
            return equal("exact", "both are the same expression")
        gold, pred = unfolded(gold), unfolded(pred)
        pred = with_parameter_of(gold, pred)
        if gold.kind in ("list", "seq") or (gold.kind == "rel" and gold.args[1].kind == "seq"):
            pred = each_named(pred)
        domains = domain_of(gold), domain_of(pred)
        if all(domains) and domains[0] != domains[1]:
            return different("set", f"a number of {domains[0]} is not one of {domains[1]}")
        if self.middle_differs(gold, pred):
            return different("relation", "the steps between differ")
        parameter = whole_parameter(gold)
        gold, pred = continued(settled(gold)), continued(settled(pred))
        if gold == pred:
            return equal("exact", "both are the same after reducing")
        if parameter and differ_by_periods(gold, pred, parameter):
            return equal("set", "the same values, counted from another one")
        found = self.by_kind(gold, pred)
        if found.equal or not self.options.missing_unit:
            return found
        if contains(gold, "degree") != contains(pred, "degree"):
            bare = without_degrees(gold), without_degrees(pred)
            if contains(gold, "seq", "add", "rel") and self.by_kind(*bare).equal:
                return equal("units", "equal; the degree signs are left out on one side")
        return found

    def by_kind(self, gold: Node, pred: Node) -> Finding:
        """Compare by the first rule that knows the kinds."""
        if gold.kind == pred.kind == "num":  # no rule below says more of two numbers
            return self.expressions(gold, pred)
        for rule in (
            self.special, self.families, self.congruences, self.relations, self.real_sets,
            self.collections, self.matrices, self.ratios, self.measures,
        ):  # fmt: skip
            found: Finding | None = rule(gold, pred)
            if found is not None:
                return found
        return self.expressions(gold, pred)

    # -- words for numbers, times, bases, letters

    def special(self, gold: Node, pred: Node) -> Finding | None:
        if "time" in (gold.kind, pred.kind):
            return self.times(gold, pred)
        if "based" in (gold.kind, pred.kind):
            return self.based(gold, pred)
        mine, theirs = factors(gold), factors(pred)
        if len(mine) == len(theirs) > 2 and _are_capitals(mine) and _are_capitals(theirs):
            if mine != theirs:
                return different("exact", "the same letters say something else in another order")
            return equal("exact", "the same letters")
        kinds = gold.kind, pred.kind
        if "mul" in kinds and kinds != ("mul", "mul") and (chosen := letters(gold)):
            if chosen == letters(pred):
                return equal("choice", "the same options")
            return None
        if kinds == ("sym", "sym"):
            a, b = gold.args[0], pred.args[0]
            if a.upper() == b.upper() and a in "ABCDEFGHIJ":
                return equal("choice", f"both choose {a}")
            return different("exact", f"{a} is not {b}")
        return None

    # -- several answers in one: plus-minus, solution families, renamed parameters

    def families(self, gold: Node, pred: Node) -> Finding | None:
        if contains(gold, "pm", "mp") or contains(pred, "pm", "mp"):
            a, b = signs_expanded(gold), signs_expanded(pred)
            if contains(a, "pm", "mp") or contains(b, "pm", "mp"):
                return different("set", "signs that cannot be expanded alike")
            return self.compare(a, b)
        renamed = parameter_renamed(gold, pred)
        return self.compare(gold, renamed) if renamed is not None else None

    def expressions(self, gold: Node, pred: Node) -> Finding:
        if gold.kind not in EXPRESSIONS or pred.kind not in EXPRESSIONS:
            return different("kind", f"the gold is a {gold.kind}, the answer is a {pred.kind}")
        found = same_expression(gold, pred)
        method = "numeric" if gold.kind == pred.kind == "num" else "symbolic"
        if found is Answer.EQUAL:
            return equal(method, "both have the same value")
        if self.rounded(gold, pred):
            return equal("rounded", "the decimal is the exact value, rounded")
        if found is Answer.UNKNOWN and structure(gold) == structure(pred):
            return equal("structure", "both are the same expression, written alike")
        if found is Answer.UNKNOWN and (contains(gold, "big") or contains(pred, "big")):
            if not self.sympy:
                raise NeedsSympy
            found, method = same_by_sympy(gold, pred), "sympy"
            if found is Answer.EQUAL:
                return equal(method, "both have the same value")
        reason = (
            "cannot tell whether they are equal" if found is Answer.UNKNOWN else "values differ"
        )
        return Finding(found, method, reason)

    def rounded(self, gold: Node, pred: Node) -> bool:
        if not self.options.decimal_digits or symbols(gold) or symbols(pred):
            return False
        for exact, decimal in ((gold, pred), (pred, gold)):
            written = plain_number(decimal)
            if written is None or "." not in written or plain_number(exact) is not None:
                continue
            if rounds_to(exact, written, self.options.decimal_digits):
                return not terminates(exact)
        return False
