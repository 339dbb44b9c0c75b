"""Sets of reals, lists, sets, tuples and matrices: their parts, in order or in any."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from rewardkit.verifiers.equality import Answer, same_expression
from rewardkit.verifiers.findings import Finding, _Rules, different, equal
from rewardkit.verifiers.forms import (
    LISTS,
    Listed,
    at_point,
    is_inequality,
    is_name,
    may_be_set,
    where,
)
from rewardkit.verifiers.limits import (
    MAX_UNORDERED,
    TooComplex,
)
from rewardkit.verifiers.matrices import matrix_rows
from rewardkit.verifiers.nodes import Node, contains, node, number, substitute, symbols, with_symbol
from rewardkit.verifiers.realsets import NoSet, real_set, same_sets
from rewardkit.verifiers.wholes import domain_of, whole_set


def in_coordinates(tree: Node, other: Node) -> Node | None:
    """Return `a i + b j + c k` as the vector (a, b, c) that the other side is, else None."""
    names = ("i", "j", "k")[: len(other.args) - 2]
    if other.kind != "seq" or tree.kind != "add" or len(names) < 2 or "j" not in symbols(tree):
        return None
    tree = with_symbol(tree, "i")

    def at(*values: int) -> Node:
        return at_point(tree, dict(zip(names, map(Fraction, values), strict=True)))

    units = [at(*(int(n == name) for n in names)) for name in names]
    linear = (at(*[0] * len(names)), number(0)), (at(*[1] * len(names)), node("add", *units))
    if any(same_expression(a, b) is not Answer.EQUAL for a, b in linear):
        return None
    return node("seq", "(", ")", *units)


_MEMBERS = ("named", "set")
"""What a set of one is not taken for: a set of numbers is not the set that holds it."""


class _Collecting(_Rules):
    """The rules of this module."""

    def real_sets(self, gold: Node, pred: Node) -> Finding | None:
        if not (may_be_set(gold) and may_be_set(pred)):
            return None
        if gold.kind == pred.kind and gold.kind in ("seq", "set"):
            return None
        if not self.options.relation_as_set and is_inequality(gold) != is_inequality(pred):
            return different("set", "one is a relation, the other a set")
        whole = whole_set(gold), whole_set(pred)
        if whole[0] is not None and whole[1] is not None:
            if whole[0] == whole[1]:
                return equal("set", "both are the same set of whole numbers")
            return different("set", "the sets of whole numbers differ")
        if bool(domain_of(gold)) != bool(domain_of(pred)):
            return different("set", "one is a set of whole numbers, the other is not")
        try:
            mine, theirs = real_set(gold), real_set(pred)
        except NoSet:
            return self.unions(gold, pred)
        if same_sets(mine, theirs):
            return equal("set", "both are the same set of real numbers")
        return different("set", "the sets of real numbers differ: " + where(mine, theirs))

    def unions(self, gold: Node, pred: Node) -> Finding | None:
        """Compare set expressions that hold symbols: the same operator over equal parts."""
        if gold.kind != pred.kind or gold.kind not in ("union", "inter", "minus", "builder"):
            return None
        a, b = list(gold.args), list(pred.args)
        if gold.kind == "builder":
            b = [
                substitute(part, {b[0].args[0]: a[0]}) if b[0].kind == "sym" else part for part in b
            ]
        orders = [b] if gold.kind in ("minus", "builder") else [b, b[::-1]]
        if any(all(self.compare(x, y).equal for x, y in zip(a, o, strict=True)) for o in orders):
            return equal("set", "the sets have equal parts")
        return different("set", "the sets have different parts")

    def collections(self, gold: Node, pred: Node) -> Finding | None:
        kinds = (*LISTS, "seq")
        if gold.kind not in kinds and pred.kind not in kinds:
            return None
        if gold.kind == "either" and pred.kind not in kinds and len(self.unique([*gold.args])) == 1:
            return self.compare(gold.args[0], pred)  # `0.5, or 50%`
        if all(t.kind in LISTS and all(i.kind == "rel" for i in t.args) for t in (gold, pred)):
            rewritten = any(
                i.args[0] == ("=",) and not is_name(i.args[1]) for t in (gold, pred) for i in t.args
            )
            if rewritten and len(gold.args) == len(pred.args):
                return self.matched(list(gold.args), list(pred.args), "equation")
        if gold.kind == pred.kind == "seq":
            return self.tuples(gold, pred)
        a, b = in_coordinates(gold, pred), in_coordinates(pred, gold)
        if a or b:
            return self.tuples(a or gold, b or pred)
        for one, other in ((gold, pred), (pred, gold)):
            if one.kind in LISTS and len(one.args) == 1 and one.args[0].kind not in _MEMBERS:
                return (
                    self.compare(one.args[0], pred)
                    if one is gold
                    else self.compare(gold, one.args[0])
                )
            if other.kind not in (*kinds, "rel") and one.kind != "seq":
                return different("set", f"{len(one.args)} values against one")
        if "seq" in (gold.kind, pred.kind):
            return self.tuple_and_list(gold, pred)
        return self.lists(Listed(gold), Listed(pred), "set" in (gold.kind, pred.kind))

    def tuples(self, gold: Node, pred: Node) -> Finding:
        mine, theirs = gold.args[2:], pred.args[2:]
        if len(mine) != len(theirs):
            return different("tuple", f"{len(mine)} entries against {len(theirs)}")
        if len(mine) == 2 and gold.args[:2] != pred.args[:2]:
            return different("interval", "the ends are open on one side and closed on the other")
        pairs = list(zip(mine, theirs, strict=True))
        if not self.options.ordered_tuples:
            return self.matched(list(mine), list(theirs), "tuple")
        for k, (a, b) in enumerate(pairs, start=1):
            found = self.compare(a, b)
            if not found.equal:
                return Finding(found.answer, "tuple", f"entry {k}: {found.reason}")
        return equal("tuple", "all entries are equal, in order")

    def tuple_and_list(self, gold: Node, pred: Node) -> Finding | None:
        one, many = (gold, pred) if gold.kind == "seq" else (pred, gold)
        if many.kind not in LISTS or many.kind in ("set", "either"):
            return None if many.kind == "matrix" else different("tuple", "one side is a tuple")
        if one.args[0] != "(" and len(one.args) == 4:
            return different("tuple", "an interval against a list")
        listed = Listed(many)
        values = listed.in_order()
        entries = node("seq", "(", ")", *values)
        one = node("seq", "(", ")", *one.args[2:])
        return self.tuples(one, entries) if gold.kind == "seq" else self.tuples(entries, one)

    def lists(self, gold: Listed, pred: Listed, is_set: bool) -> Finding:
        mine, theirs = gold.values, pred.values
        if gold.named and pred.named:
            if set(gold.names) != set(pred.names):
                return different("set", "the values have other names")
            by_name = dict(zip(pred.names, pred.values, strict=True))
            for name, value in zip(gold.names, gold.values, strict=True):
                if not (found := self.compare(value, by_name[name])).equal:
                    return Finding(found.answer, "set", f"one named value: {found.reason}")
            return equal("set", "all named values are equal")
        if len(mine) != len(theirs):  # a value said twice is one value; `5, 5` is still no 5
            fewer = self.unique(mine), self.unique(theirs)
            if is_set or min(map(len, fewer)) > 1:
                mine, theirs = fewer
        if len(mine) != len(theirs):
            return different("set", f"{len(mine)} values against {len(theirs)}")
        if (gold.named and not gold.interchangeable) or self.options.ordered_lists:
            entries = node("seq", "(", ")", *mine), node("seq", "(", ")", *theirs)
            return self.tuples(*entries) if len(mine) != 1 else self.compare(mine[0], theirs[0])
        return self.matched(mine, theirs, "set")

    def matched(self, mine: list[Node], theirs: list[Node], method: str) -> Finding:
        """Pair each gold value with one equal value of the answer."""
        left = list(theirs)
        rest = []
        for value in mine:
            if value in left:
                left.remove(value)
            else:
                rest.append(value)
        if rest and all(v.kind == "num" for v in (*rest, *left)):
            if Counter(v.args[0] for v in rest) == Counter(v.args[0] for v in left):
                return equal(method, "the same values, in any order")
            return different(method, "a value of the gold has no equal in the answer")
        if len(rest) > MAX_UNORDERED:
            raise TooComplex(f"{len(rest)} values to match")
        for value in rest:
            # Only the outermost braces may be left out: {{1}, 2} is not {1, 2}.
            found = next(
                (
                    k
                    for k, b in enumerate(left)
                    if (value.kind == "set") == (b.kind == "set") and self.compare(value, b).equal
                ),
                None,
            )
            if found is None:
                return different(method, "a value of the gold has no equal in the answer")
            left.pop(found)
        return equal(method, "the same values, in any order")

    def unique(self, values: list[Node]) -> list[Node]:
        values = list(dict.fromkeys(number(v.args[0]) if v.kind == "num" else v for v in values))
        if all(v.kind == "num" for v in values):
            return values
        if len(values) > MAX_UNORDERED:
            raise TooComplex(f"{len(values)} values in a set")
        kept: list[Node] = []
        for value in values:
            if not any(self.compare(value, k).equal for k in kept):
                kept.append(value)
        return kept

    def matrices(self, gold: Node, pred: Node) -> Finding | None:
        if not (contains(gold, "matrix") or contains(pred, "matrix")):
            return None
        a, b = matrix_rows(gold), matrix_rows(pred)
        if a is None or b is None:
            return None
        if (len(a), len(a[0])) != (len(b), len(b[0])):
            vector = gold.kind == "seq" or pred.kind == "seq"
            if (
                not vector
                or len(a) * len(a[0]) != len(b) * len(b[0])
                or min(len(b), len(b[0])) != 1
            ):
                return different("matrix", "the shapes differ")
        cells = zip((c for row in a for c in row), (c for row in b for c in row), strict=True)
        for x, y in cells:
            if not (found := self.compare(x, y)).equal:
                return Finding(found.answer, "matrix", f"an entry: {found.reason}")
        return equal("matrix", "all entries are equal")
