"""Lists, sets and tuples: their parts, in order or in any."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rewardkit.verifiers.comparison.lists.lists import NamedValues, named_values
from rewardkit.verifiers.comparison.result import Context, Result, decided, different, equal
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.equality import is_same
from rewardkit.verifiers.expressions.nodes import Node, number
from rewardkit.verifiers.expressions.trees import at_point, children, symbols, with_symbol
from rewardkit.verifiers.limits import MAX_UNORDERED, TooComplex


def collections(gold: Node, pred: Node, context: Context) -> Result | None:
    """Compare lists, sets and tuples."""
    several = (nodes.Collection, nodes.Bracketed)
    if not isinstance(gold, several) and not isinstance(pred, several):
        return None
    if isinstance(gold, nodes.Either) != isinstance(pred, nodes.Either) and all(
        isinstance(tree, nodes.Enumeration) and all(isinstance(i, nodes.Sym) for i in tree.items)
        for tree in (gold, pred)
    ):
        return different("set", "`A and B` is not `A or B`")
    if isinstance(pred, nodes.Either) and not isinstance(gold, several):
        return _said_twice(gold, pred, context)
    if isinstance(gold, nodes.Bracketed) and isinstance(pred, nodes.Bracketed):
        return tuples(gold, pred, context)
    if isinstance(pred, nodes.Bracketed) and (vector := in_coordinates(gold, pred)):
        return tuples(vector, pred, context)
    if isinstance(gold, nodes.Bracketed) and (vector := in_coordinates(pred, gold)):
        return tuples(gold, vector, context)
    for one, other in ((gold, pred), (pred, gold)):
        if isinstance(one, nodes.Collection):
            if len(one.items) == 1 and not isinstance(one.items[0], (nodes.NamedSet, nodes.SetOf)):
                [item] = one.items  # a set of numbers is not the set that holds it
                return context.compare(item, pred) if one is gold else context.compare(gold, item)
            if isinstance(other, nodes.Matrix):
                return None
            if not isinstance(other, (*several, nodes.Relation)):
                return different("set", f"{len(one.items)} values against one")
    if isinstance(gold, nodes.Bracketed) or isinstance(pred, nodes.Bracketed):
        return _tuple_and_list(gold, pred, context)
    is_set = isinstance(gold, nodes.SetOf) or isinstance(pred, nodes.SetOf)
    return _lists(named_values(gold), named_values(pred), is_set, context)


def _said_twice(gold: Node, pred: nodes.Either, context: Context) -> Result:
    """Compare one value with two alternatives, which are right where they are one: `1/2 or 50%`."""
    each = [context.compare(gold, item) for item in children(pred)]
    wrong = next((found for found in each if not found.equal), None)
    first, *others = children(pred)
    if wrong is None or (
        any(found.equal for found in each) and all(context.same(first, other) for other in others)
    ):
        return equal("set", "one value, said twice")
    return wrong


def in_coordinates(tree: Node, other: nodes.Bracketed) -> nodes.Bracketed | None:
    """Return `a i + b j + c k` as the vector (a, b, c) that the other side is, else None."""
    names = ("i", "j", "k")[: len(other.items)]
    if not isinstance(tree, nodes.Add) or len(names) < 2 or not symbols(tree) & {*names[1:]}:
        return None
    vector = with_symbol(tree, "i")

    def at(*values: int) -> Node:
        return at_point(vector, dict(zip(names, map(Fraction, values), strict=True)))

    units = tuple(at(*(int(n == name) for n in names)) for name in names)
    zeros, ones = at(*[0] * len(names)), at(*[1] * len(names))
    linear = is_same(zeros, number(0)) and is_same(ones, nodes.Add(units))
    return nodes.Bracketed("(", ")", units) if linear else None


def tuples(gold: nodes.Bracketed, pred: nodes.Bracketed, context: Context) -> Result:
    """Compare tuples entry by entry; of two entries, they may be intervals."""
    if len(gold.items) != len(pred.items):
        return different("tuple", f"{len(gold.items)} entries against {len(pred.items)}")
    brackets = (gold.opening, gold.closing), (pred.opening, pred.closing)
    half_open = {*brackets} & {("[", ")"), ("(", "]")}
    if brackets[0] != brackets[1] and (len(gold.items) == 2 or half_open):
        return different("interval", "the ends are open on one side and closed on the other")
    if not context.options.ordered_tuples:
        return matched(gold.items, pred.items, "tuple", context)
    return context.compare_each(gold.items, pred.items, "tuple", "all entries are equal, in order")


def _in_order(values: Sequence[Node]) -> nodes.Bracketed:
    return nodes.Bracketed("(", ")", tuple(values))


def _tuple_and_list(gold: Node, pred: Node, context: Context) -> Result | None:
    one, many = (gold, pred) if isinstance(gold, nodes.Bracketed) else (pred, gold)
    if not isinstance(one, nodes.Bracketed) or not isinstance(many, nodes.ListOf):
        return None if isinstance(many, nodes.Matrix) else different("tuple", "one side is a tuple")
    brackets = one.opening + one.closing
    if brackets != "()" and len(one.items) == 2:
        printed = one is pred and brackets == "[]" and all(map(_is_plain, one.items))
        if not printed:
            return different("tuple", "an interval against a list")
        return _lists(named_values(many), NamedValues(one.items, ()), False, context)  # as printed
    one, entries = _in_order(one.items), _in_order(named_values(many).in_order())
    return tuples(one, entries, context) if many is pred else tuples(entries, one, context)


def _is_plain(value: Node) -> bool:
    return isinstance(value.value if isinstance(value, nodes.Neg) else value, nodes.Num)


def _lists(gold: NamedValues, pred: NamedValues, is_set: bool, context: Context) -> Result:
    mine, theirs = gold.values, pred.values
    if gold.names and pred.names:
        if {*gold.names} != {*pred.names}:
            return different("set", "the values have other names")
        by_name = dict(zip(pred.names, theirs, strict=True))
        named = (by_name[name] for name in gold.names)
        return context.compare_each(mine, named, "set", "all named values are equal")
    if len(mine) != len(theirs):  # a value said twice is one value; `5, 5` is still no 5
        fewer = _unique(mine, context), _unique(theirs, context)
        if is_set or min(map(len, fewer)) > 1:
            mine, theirs = fewer
    if len(mine) != len(theirs):
        return different("set", f"{len(mine)} values against {len(theirs)}")
    if (gold.names and not gold.interchangeable) or context.options.ordered_lists:
        return tuples(_in_order(mine), _in_order(theirs), context)
    return matched(mine, theirs, "set", context)


def matched(mine: Sequence[Node], theirs: Sequence[Node], method: str, context: Context) -> Result:
    """Pair each gold value with one equal value of the answer."""
    same = _are_matched(mine, list(theirs), context)
    missing = "a value of the gold has no equal in the answer"
    return decided(same, method, "the same values, in any order", missing)


def _are_matched(mine: Sequence[Node], left: list[Node], context: Context) -> bool:
    rest = []
    for value in mine:
        if value in left:
            left.remove(value)
        else:
            rest.append(value)
    numbers = [[v.value for v in side if isinstance(v, nodes.Num)] for side in (rest, left)]
    if len(numbers[0]) == len(rest) and len(numbers[1]) == len(left):
        return sorted(numbers[0]) == sorted(numbers[1])
    if len(rest) > MAX_UNORDERED:
        raise TooComplex(f"{len(rest)} values to match")
    for value in rest:
        # Only the outermost braces may be left out: {{1}, 2} is not {1, 2}.
        alike = (b for b in left if isinstance(value, nodes.SetOf) == isinstance(b, nodes.SetOf))
        found = next((b for b in alike if context.same(value, b)), None)
        if found is None:
            return False
        left.remove(found)
    return True


def _unique(values: Sequence[Node], context: Context) -> tuple[Node, ...]:
    """Return the values without those that equal an earlier one."""
    written = dict.fromkeys(number(v.value) if isinstance(v, nodes.Num) else v for v in values)
    if all(isinstance(v, nodes.Num) for v in written):
        return tuple(written)
    if len(written) > MAX_UNORDERED:
        raise TooComplex(f"{len(written)} values in a set")
    kept: list[Node] = []
    for value in written:
        if not any(context.same(value, k) for k in kept):
            kept.append(value)
    return tuple(kept)
