"""Relations: equations, inequalities, and the name a relation gives its value."""

from __future__ import annotations

from fractions import Fraction

from rewardkit.verifiers.comparison.lists.sequences import matched
from rewardkit.verifiers.comparison.names import is_combination, is_name, is_operator
from rewardkit.verifiers.comparison.number_sets.real_sets import MIRRORED, variable_of
from rewardkit.verifiers.comparison.number_sets.sets import INEQUALITIES
from rewardkit.verifiers.comparison.result import Context, Result, different, equal
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.equality import Answer, is_same, same_expression
from rewardkit.verifiers.expressions.evaluate import constant_value
from rewardkit.verifiers.expressions.nodes import Node, number
from rewardkit.verifiers.expressions.trees import at_point, contains, minus, substitute, symbols


def relations(gold: Node, pred: Node, context: Context) -> Result | None:
    """Compare two relations, or one with the value that it gives to a name."""
    gold, pred = point_named(gold), point_named(pred)
    if isinstance(gold, nodes.Relation) and isinstance(pred, nodes.Relation):
        return _two_relations(gold, pred, context)
    if isinstance(gold, nodes.Relation):
        value = _value_of(gold, pred, False)
        return context.compare(value, pred) if isinstance(value, Node) else value
    if isinstance(pred, nodes.Relation):
        value = _value_of(pred, gold, True)
        return context.compare(gold, value) if isinstance(value, Node) else value
    return None


def point_named(tree: Node) -> Node:
    """Return the point `P(2, 5)` as `P = (2, 5)`."""
    match tree:
        case nodes.Call(name, (_, _, *_) as entries) if len(name) == 1 and name.isupper():
            return nodes.Relation(("=",), (nodes.Sym(name), nodes.Bracketed("(", ")", entries)))
        case nodes.Mul((nodes.Sym(name), nodes.Bracketed("(", ")"))) if (
            len(name) == 1 and name.isupper()
        ):
            return nodes.Relation(("=",), tree.factors)
    return tree


def _value_of(relation: nodes.Relation, other: Node, is_pred: bool) -> Node | Result | None:
    """Return what a relation says, to be compared with a value, or why it cannot be."""
    match relation:
        case nodes.Relation(("=",), (name, value)) | nodes.Relation(
            ("~",), (nodes.Sym() as name, value)
        ):
            pass
        case nodes.Relation(("in",), (_, nodes.SetOf() | nodes.NamedSet() as members)):
            return members
        case nodes.Relation(("equiv",), (_, remainder)) if is_pred or type(other) is nodes.Quantity:
            return remainder
        case _:
            return None  # an inequality against an interval: `sets` compares them
    alike = is_pred and (
        (type(value) is type(other) and isinstance(value, (nodes.Matrix, nodes.Bracketed)))
        or (contains(other, nodes.Bracketed) and contains(value, nodes.Bracketed))
    )
    if not (
        is_name(name)
        or (is_pred and is_combination(name))
        or (alike and not contains(name, nodes.Matrix, nodes.Bracketed))  # `A^2 =` before a matrix
        or (is_pred and _works_out(name, value))
    ):
        return different("relation", "one side is an equation, the other is a value")
    if isinstance(name, nodes.Bracketed) and name.items != tuple(sorted(name.items, key=repr)):
        return different("relation", "names in another order")  # `(y, x) = (2, 3)`
    return value


def _works_out(calculation: Node, value: Node) -> bool:
    """Return whether an equation says what a calculation comes to: `(x-1)(x+1) = x^2 - 1`."""
    if not isinstance(value, nodes.Expression) or isinstance(calculation, nodes.Sym):
        return False
    return is_operator(calculation) or is_same(calculation, value)


def _two_relations(gold: nodes.Relation, pred: nodes.Relation, context: Context) -> Result | None:
    if not gold.operators == pred.operators == ("=",):
        return _other_relations(gold, pred, context)
    (a, x), (b, y) = gold.sides, pred.sides
    match a, b:
        case nodes.Call(f, (nodes.Sym() as mine,)), nodes.Call(g, (nodes.Sym(theirs),)) if f == g:
            return context.compare(x, substitute(y, {theirs: mine}))  # f(n) = 2n is f(m) = 2m
    if a == b and is_name(a):
        return context.compare(x, y)
    match a, b:
        case (nodes.Call(), nodes.Sym("y")) | (nodes.Sym("y"), nodes.Call()):
            return context.compare(x, y)
        case nodes.Call(f), nodes.Call(g) if f != g:
            return different("relation", "other names")
    named = isinstance(a, nodes.Bracketed) and isinstance(b, nodes.Bracketed)
    if named or not (isinstance(x, nodes.Expression) and isinstance(y, nodes.Expression)):
        return context.compare(x, y) if a == b else different("relation", "other names")
    return _equations(gold, pred, context)


def _other_relations(gold: nodes.Relation, pred: nodes.Relation, context: Context) -> Result | None:
    mine, theirs = {*gold.operators}, {*pred.operators}
    if mine & INEQUALITIES and theirs & INEQUALITIES:
        return _inequalities(gold, pred, context)
    if mine == theirs == {"="} and len(gold.sides) == len(pred.sides):  # `a = b = c` in any order
        return matched(gold.sides, pred.sides, "relation", context)
    if mine <= {"->", "equiv"} | _TURNED.keys() and _sides_agree(gold, pred, context):
        return equal("relation", "both sides of the relations agree")
    return different("relation", "relations of different kinds")


def _sides_agree(gold: nodes.Relation, pred: nodes.Relation, context: Context) -> bool:
    """Return whether two relations have the same sides, one of them read from right to left."""
    return any(
        gold.operators == other.operators and context.all_same(gold.sides, other.sides)
        for other in (pred, _turned(pred))
    )


_TURNED: dict[nodes.RelationSign, nodes.RelationSign] = {
    "subset": "supset", "supset": "subset", "subseteq": "supseteq", "supseteq": "subseteq",
    "parallel": "parallel", "perp": "perp",
}  # fmt: skip
"""Relations between figures or sets, and what they are read from right to left."""


def _turned(relation: nodes.Relation) -> nodes.Relation:
    """Return the relation read from right to left, where that is how it can be read."""
    turned = MIRRORED | _TURNED
    if not turned.keys() >= {*relation.operators}:
        return relation
    operators = tuple(turned[operator] for operator in reversed(relation.operators))
    return nodes.Relation(operators, relation.sides[::-1])


def _equations(gold: nodes.Relation, pred: nodes.Relation, context: Context) -> Result:
    """Compare `f = 0` and `g = 0`: the same when f / g is a constant other than zero."""
    f, g = _excess(gold), _excess(pred)
    if symbols(f) != symbols(g) or not symbols(f):
        return different("equation", "the equations have different unknowns")
    if is_same(f, number(0)):
        return different("equation", "an identity against another equation")
    ratio = _ratio_at_a_point(f, g)
    if _is_left_to_solve(gold, pred, ratio):
        return different("equation", "the equation is not solved")
    found = same_expression(f, nodes.Mul((ratio, g)))
    if found is Answer.EQUAL:
        return equal("equation", "the equations are multiples of each other")
    if context.all_same(gold.sides, pred.sides):
        return equal("equation", "both sides of the equations agree")
    return Result(found, "equation", "the equations are no multiples of each other")


def _is_left_to_solve(gold: nodes.Relation, pred: nodes.Relation, ratio: Node) -> bool:
    """Return whether `2x + 3 = 11` stands for `x = 4`; a line may be `2x - 1 = 0` for `x = 1/2`."""
    match gold.sides:
        case (nodes.Sym(), value) | (value, nodes.Sym()) if not symbols(value):
            pass
        case _:
            return False
    if any(isinstance(side, nodes.Sym) for side in pred.sides):
        return False
    size, scale = constant_value(value), constant_value(ratio)
    if not any(is_same(side, number(0)) for side in pred.sides):
        return True
    wanted = size.denominator if isinstance(size, Fraction) else 1
    return scale is not None and abs(scale) * wanted != 1


def _inequalities(gold: nodes.Relation, pred: nodes.Relation, context: Context) -> Result | None:
    mine, theirs = variable_of(gold), variable_of(pred)
    if mine is not None and theirs is not None and mine != theirs:
        return different("relation", f"one bounds {mine}, the other {theirs}")
    if _sides_agree(gold, pred, context):
        return equal("relation", "both sides of the relations agree")
    return None


def _excess(relation: nodes.Relation) -> Node:
    """Return the left side less the right one."""
    return minus(*relation.sides)


def _ratio_at_a_point(f: Node, g: Node) -> Node:
    """Return f / g at one point: their ratio everywhere, if one is a multiple of the other."""
    here = {name: Fraction(3 + 7 * k, 5) for k, name in enumerate(sorted(symbols(f)))}
    return nodes.Div(at_point(f, here), at_point(g, here))
