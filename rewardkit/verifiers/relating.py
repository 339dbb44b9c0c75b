"""Relations: equations, inequalities, and the name a relation gives its value."""

from __future__ import annotations

from fractions import Fraction

from rewardkit.verifiers.chains import zipped
from rewardkit.verifiers.equality import Answer, same_expression
from rewardkit.verifiers.findings import Finding, _Rules, different, equal
from rewardkit.verifiers.forms import (
    EXPRESSIONS,
    INEQUALITIES,
    LISTS,
    at_point,
    is_arithmetic,
    is_combination,
    is_constant,
    is_name,
    is_positive,
    mirrored,
    unlike_names,
)
from rewardkit.verifiers.nodes import Node, contains, node, number, substitute, symbols
from rewardkit.verifiers.realsets import variable_of
from rewardkit.verifiers.wholes import congruence


def point_named(tree: Node) -> Node:
    """Return the point `P(2, 5)` as `P = (2, 5)`."""
    match tree.kind, tree.args:
        case "call", (str(name), _, _, *_) if len(name) == 1 and name.isupper():
            return node("rel", ("=",), node("sym", name), node("seq", "(", ")", *tree.args[1:]))
        case "mul", (Node("sym", (str(name),)), Node("seq", ("(", ")", *_))) if (
            len(name) == 1 and name.isupper()
        ):
            return node("rel", ("=",), *tree.args)
    return tree


def excess(relation: Node) -> Node:
    """Return the left side less the right one."""
    return node("add", relation.args[1], node("neg", relation.args[2]))


def ratio_at_a_point(f: Node, g: Node) -> Node:
    """Return f / g at one point: their ratio everywhere, if one is a multiple of the other."""
    here = {name: Fraction(3 + 7 * k, 5) for k, name in enumerate(sorted(symbols(f)))}
    return node("div", at_point(f, here), at_point(g, here))


def in_usual_order(names: Node, values: Node) -> Node:
    """Return `(y, x) = (2, 4)` as the point (4, 2) that it is."""
    given = [n.args[0] for n in names.args[2:] if n.kind == "sym"]
    if len(given) != len(values.args) - 2 or not {*given} <= {"x", "y", "z"}:
        return values
    ordered = sorted(zip(given, values.args[2:], strict=True), key=lambda pair: pair[0])
    return node("seq", *values.args[:2], *(value for _, value in ordered))


class _Relating(_Rules):
    """The rules of this module."""

    def middle_differs(self, gold: Node, pred: Node) -> bool:
        """Return whether two chains `a = b = c` differ in a step that is more than arithmetic."""
        if gold.kind != "rel" or pred.kind != "rel" or len(gold.args) != len(pred.args):
            return False
        if not set(gold.args[0]) | set(pred.args[0]) <= {"=", "~"}:
            return False  # chains of inequalities are sets
        steps = zip(gold.args[2:-1], pred.args[2:-1], strict=True)
        # A slip in whole numbers on the way to what was said is not held against an answer.
        return any(
            not (is_arithmetic(a) and is_arithmetic(b)) and not self.compare(a, b).equal
            for a, b in steps
        )

    def congruences(self, gold: Node, pred: Node) -> Finding | None:
        mine, theirs = congruence(gold), congruence(pred)
        if mine is None or theirs is None:
            return None
        if mine.name and theirs.name and mine.name != theirs.name:
            return different("remainder", "other names")
        if mine.modulus != theirs.modulus or mine.residues != theirs.residues:
            return different("remainder", "the remainders differ")
        return equal("remainder", "the same remainders")

    def relations(self, gold: Node, pred: Node) -> Finding | None:
        gold, pred = point_named(gold), point_named(pred)
        if gold.kind != "rel" and pred.kind != "rel":
            return None
        if gold.kind == pred.kind:
            return self.two_relations(gold, pred)
        relation, other = (gold, pred) if gold.kind == "rel" else (pred, gold)
        if relation.args[0] != ("=",) and not (
            relation.args[0] == ("~",) and relation.args[1].kind == "sym"
        ):
            if relation.args[0] == ("in",) and relation.args[2].kind in ("set", "named"):
                members = relation.args[2]
                return self.compare(*((members, pred) if gold is relation else (gold, members)))
            return None  # an inequality against an interval: `real_sets` compares them
        name, value = relation.args[1:]
        stands_for = is_name(name) or (
            relation is pred and is_combination(name) and is_constant(value)
        )
        if relation is pred and value.kind == other.kind and value.kind in ("matrix", "seq"):
            stands_for |= not contains(name, "matrix", "seq")  # `A^2 =` before a matrix
        if not stands_for:
            return different("relation", "one side is an equation, the other is a value")
        if relation is pred and name.kind == other.kind == value.kind == "seq":
            value = in_usual_order(name, value)
        if other.kind in LISTS and name.kind == "seq" and value.kind == "seq":
            listed = zipped(name, value)
            return self.compare(listed, pred) if gold is relation else self.compare(gold, listed)
        return self.compare(value, pred) if gold is relation else self.compare(gold, value)

    def two_relations(self, gold: Node, pred: Node) -> Finding | None:
        operators = gold.args[0], pred.args[0]
        if operators != (("=",), ("=",)):
            if set(operators[0]) & INEQUALITIES and set(operators[1]) & INEQUALITIES:
                return self.two_inequalities(gold, pred)
            if operators[0] == operators[1] and set(operators[0]) <= {"->", "equiv"}:
                sides = zip(gold.args[1:], pred.args[1:], strict=True)
                if all(self.compare(a, b).equal for a, b in sides):
                    return equal("relation", "both sides of the relations agree")
            return different("relation", "relations of different kinds")
        (a, x), (b, y) = gold.args[1:], pred.args[1:]
        if (
            a.kind == b.kind == "call"
            and a.args[0] == b.args[0]
            and len(a.args) == len(b.args) == 2
        ) and a.args[1].kind == b.args[1].kind == "sym":
            y = substitute(y, {b.args[1].args[0]: a.args[1]})  # f(n) = 2n is f(m) = 2m
            return self.compare(x, y)
        if a == b and is_name(a):
            return self.compare(x, y)
        defined = all(s.kind == "call" or s == node("sym", "y") for s in (a, b))
        if defined and (a.kind != b.kind or unlike_names(a, b)):
            return self.compare(x, y) if a.kind != b.kind else different("relation", "other names")
        if a.kind == b.kind == "seq" or x.kind not in EXPRESSIONS or y.kind not in EXPRESSIONS:
            return self.compare(x, y) if a == b else different("relation", "other names")
        return self.equations(gold, pred)

    def equations(self, gold: Node, pred: Node) -> Finding:
        """Compare `f = 0` and `g = 0`: the same when f / g is a constant other than zero."""
        f, g = excess(gold), excess(pred)
        if symbols(f) != symbols(g) or not symbols(f):
            return different("equation", "the equations have different unknowns")
        if same_expression(f, number(0)) is Answer.EQUAL:
            sides = gold.args[1:], pred.args[1:]
            if any(
                all(same_expression(x, y) is Answer.EQUAL for x, y in zip(sides[0], s, strict=True))
                for s in (sides[1], sides[1][::-1])
            ):
                return equal("equation", "both sides of the identities agree")
            return different("equation", "an identity against another equation")
        found = same_expression(f, node("mul", ratio_at_a_point(f, g), g))
        if found is Answer.EQUAL:
            return equal("equation", "the equations are multiples of each other")
        if all(self.compare(x, y).equal for x, y in zip(gold.args[1:], pred.args[1:], strict=True)):
            return equal("equation", "both sides of the equations agree")
        return Finding(found, "equation", "the equations are no multiples of each other")

    def two_inequalities(self, gold: Node, pred: Node) -> Finding | None:
        mine, theirs = variable_of(gold), variable_of(pred)
        if mine is not None and theirs is not None and mine != theirs:
            return different("relation", f"one bounds {mine}, the other {theirs}")
        for other in (pred, mirrored(pred)):
            if other.args[0] == gold.args[0]:
                pairs = zip(gold.args[1:], other.args[1:], strict=True)
                if all(self.compare(a, b).equal for a, b in pairs):
                    return equal("relation", "both sides of the relations agree")
        return self.rearranged(gold, pred)

    def rearranged(self, gold: Node, pred: Node) -> Finding | None:
        """Compare `x < 1 - b` and `x + b < 1`: one side's excess is a multiple of the other's."""
        pred = pred if gold.args[0] == pred.args[0] else mirrored(pred)
        if gold.args[0] != pred.args[0] or len(gold.args) != 3 or len(symbols(gold)) < 2:
            return None
        f, g = excess(gold), excess(pred)
        if symbols(f) != symbols(g):
            return None
        ratio = ratio_at_a_point(f, g)
        if not is_positive(ratio) or same_expression(f, node("mul", ratio, g)) is not Answer.EQUAL:
            return None
        return equal("relation", "the inequalities are multiples of each other")
