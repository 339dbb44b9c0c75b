"""Times, bases, ratios, percents, degrees and units: what a number is a number of."""

from __future__ import annotations

from rewardkit.verifiers.equality import Answer, same_expression
from rewardkit.verifiers.findings import Finding, _Rules, different, equal
from rewardkit.verifiers.forms import (
    EXPRESSIONS,
    at_least_one,
    plain_number,
)
from rewardkit.verifiers.nodes import Node, node, number
from rewardkit.verifiers.quantities import measured
from rewardkit.verifiers.units import DIRECTIONS, unit_of


class _Measuring(_Rules):
    """The rules of this module."""

    def times(self, gold: Node, pred: Node) -> Finding:
        if gold.kind == pred.kind == "time":
            half_day = 12 * 3600
            known = gold.args[1] and pred.args[1]
            step = 24 * 3600 if known else half_day
            if (gold.args[0] - pred.args[0]) % step == 0:
                return equal("time", "both are the same time of day")
        if "ratio" in (gold.kind, pred.kind):
            clock, ratio = (gold, pred) if gold.kind == "time" else (pred, gold)
            parts = [p.args[0] for p in ratio.args if p.kind == "num"]
            if len(parts) == len(ratio.args) and len(parts) in (2, 3):
                seconds = sum(p * 60 ** (2 - k) for k, p in enumerate(parts))
                day = clock.args[1] and not 1 <= parts[0] <= 12  # `15:45` can be no a.m.
                if (clock.args[0] - seconds) % (24 * 3600 if day else 12 * 3600) == 0:
                    return equal("time", "both are the same time of day")
        return different("time", "the times differ")

    def based(self, gold: Node, pred: Node) -> Finding:
        if gold.kind == pred.kind == "based":
            same = gold.args == pred.args
            text = "the same digits in the same base" if same else "digits or bases differ"
            return equal("base", text) if same else different("base", text)
        digits, other = (gold.args[0], pred) if gold.kind == "based" else (pred.args[0], gold)
        if other.kind == "num" and str(other.args[0]) == digits and self.options.missing_unit:
            return equal("base", "the same digits, the base is left out on one side")
        return different("base", "only one side is written in a base")

    def ratios(self, gold: Node, pred: Node) -> Finding | None:
        if gold.kind != pred.kind or gold.kind != "ratio":
            return None
        if len(gold.args) != len(pred.args):
            return different("ratio", "ratios of different lengths")
        (a, *mine), (b, *theirs) = gold.args, pred.args
        for x, y in zip(mine, theirs, strict=True):
            if same_expression(node("mul", x, b), node("mul", y, a)) is not Answer.EQUAL:
                return different("ratio", "the ratios differ")
        return equal("ratio", "the ratios are equal")

    def measures(self, gold: Node, pred: Node) -> Finding | None:
        kinds = {gold.kind, pred.kind}
        if "quantity" in kinds:
            return self.quantities(gold, pred)
        for kind in ("percent", "degree"):
            if kind not in kinds:
                continue
            if gold.kind == pred.kind:
                return self.compare(gold.args[0], pred.args[0])
            found = self.expressions(gold, pred)
            marked, bare = (gold, pred) if gold.kind == kind else (pred, gold)
            if found.equal or not self.options.missing_unit or bare.kind not in EXPRESSIONS:
                return found
            inner = marked.args[0]
            if kind == "percent" and (plain_number(bare) is None or not at_least_one(inner)):
                return found
            without = self.expressions(inner, bare)
            if without.equal:
                return equal("units", f"equal; the {kind} sign is left out on one side")
            return different("units", found.reason)
        return None

    def quantities(self, gold: Node, pred: Node) -> Finding:
        (x, unit_x), (y, unit_y) = measured(gold), measured(pred)
        if unit_x is None or unit_y is None:
            if not self.options.missing_unit:
                return different("units", "a unit is missing on one side")
            if (x.kind == "percent") != (y.kind == "percent") and "percent" in (
                gold.kind,
                pred.kind,
            ):
                return different("units", "a percentage against a unit")
            if unit_y in ("cent", "cents") and unit_x is None:
                y = node("div", y, number(100))
            return self.compare(x, y)
        mine, theirs = unit_of(unit_x), unit_of(unit_y)
        ways = mine.nouns & DIRECTIONS, theirs.nouns & DIRECTIONS
        if all(ways) and ways[0] != ways[1]:
            return different("units", f"{unit_x} is not {unit_y}")
        if mine.is_any or theirs.is_any:
            return self.compare(x, y)
        shared = mine.nouns & theirs.nouns
        if mine.dimensions != theirs.dimensions:
            if shared and not (mine.dimensions and theirs.dimensions):
                return self.compare(x, y)
            return different("units", f"{unit_x} is not {unit_y}")
        if mine.nouns and theirs.nouns and not shared:
            return different("units", f"{unit_x} is not {unit_y}")
        if mine.size != theirs.size:
            x = node("mul", x, number(mine.size))
            y = node("mul", y, number(theirs.size))
        return self.compare(x, y)
