"""What the parts of an answer are: names and values, lists, signs, families, matrices."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, product
from math import prod
from typing import Any

from rewardkit.verifiers.declarations import without_declarations
from rewardkit.verifiers.evaluate import KNOWN_CALLS, Evaluator, Undefined, Unsupported
from rewardkit.verifiers.limits import (
    MAX_ITEMS,
    TooComplex,
)
from rewardkit.verifiers.nodes import Node, contains, node, number, substitute, symbols, walk

MAX_VARIANTS = 64
"""Of an answer with several plus-minus signs."""
LISTS = ("list", "either", "set")
INEQUALITIES = {"<", ">", "<=", ">=", "!=", "in", "notin"}

EXPRESSIONS = frozenset((
    "num", "sym", "const", "add", "mul", "div", "pow", "neg", "percent", "degree", "fact",
    "abs", "call", "big", "ratio", "quantity",
))  # fmt: skip


class Listed:
    """The values of a list, and the names that `x = 1, y = 2` gives them."""

    def __init__(self, tree: Node) -> None:
        items = tree.args if tree.kind in LISTS else (tree,)
        items = without_declarations(items)
        self.names: list[Node | None] = []
        self.values: list[Node] = []
        for item in items:
            self.add(item)
        given = [name for name in self.names if name is not None]
        self.named = len(given) == len(self.values) == len(set(given)) and bool(given)
        self._group(given)

    def add(self, item: Node) -> None:
        """Take in one item: a named value, a value, or several."""
        if item.kind == "rel" and item.args[0] == ("=",) and is_name(item.args[1]):
            self.names.append(item.args[1])
            self.values.append(item.args[2])
        elif item.kind in LISTS and item.kind != "set":
            for part in item.args:
                self.add(part)
        else:
            self.names.append(None)
            self.values.append(item)

    def _group(self, given: list[Node]) -> None:
        """Turn `p = 5, q = 2; p = 7, q = 2` into two pairs."""
        size = len(set(given))
        repeats = len(given) == len(self.values) and 1 < size < len(given)
        if repeats and len(given) % size == 0 and given == given[:size] * (len(given) // size):
            values = self.values
            self.values = [
                node("seq", "(", ")", *values[k : k + size]) for k in range(0, len(values), size)
            ]
            self.names = [None] * len(self.values)

    @property
    def interchangeable(self) -> bool:
        """Whether the names are x_1, x_2, ...: then their order says nothing."""
        bases = {
            n.args[0].partition("_")[0] for n in self.names if n is not None and n.kind == "sym"
        }
        return len(bases) == 1 and all("_" in str(n.args[0]) for n in self.names if n is not None)

    def in_order(self) -> list[Node]:
        """Return the values as a tuple would hold them: by name, for x, y, z."""
        if self.named and all(n is not None and n.kind == "sym" for n in self.names):
            pairs = zip(self.names, self.values, strict=True)
            return [value for _, value in sorted(pairs, key=lambda p: p[0].args[0])]  # type: ignore[union-attr]
        return self.values


def is_name(tree: Node) -> bool:
    """Return whether a tree may stand left of `=` as the name of the right side's value."""
    match tree.kind, tree.args:
        case "sym", _:
            return True
        case "call", _:  # `sin 2x`, `P(X = 2)`; but `sin 30` is a value
            return not is_constant(tree)
        case (("abs" | "degree" | "union" | "inter" | "minus" | "set"), items):
            return all(is_name(item) for item in items)
        case "seq", (_, _, *items):
            return all(is_name(item) for item in items)
        case "pow", (base, exponent):  # an inverse or a transpose
            return base.kind == "sym" and base.args[0].isupper() and exponent in _OF_A_MATRIX
        case "big", ("lim", *_, body):
            return is_name(body)
        case "ratio", parts if all(part.kind == "sym" for part in parts):
            return True
        case "div", (top, bottom) if _is_differential(top) and _is_differential(bottom):
            return True
        case (("div" | "ratio"), parts):
            return all(p.kind != "num" and is_name(p) for p in parts) and _all_capital(tree)
        case "mul", factors:
            return all(is_name(f) for f in factors) and _all_capital(tree)
    return False


_OF_A_MATRIX = (node("neg", number(1, "1")), node("sym", "T"))


def is_combination(tree: Node) -> bool:
    """Return whether a tree puts several unknowns together, as `m + n` or `x^2 + y^2` does."""
    plain = all(
        part.kind in ("sym", "add", "mul", "div", "neg", "pow")
        or (part.kind == "num" and part.args[0] > 1)
        for part in walk(tree)
    )
    powers = sum(part.kind == "pow" and part.args[1].kind == "num" for part in walk(tree))
    numbers = sum(part.kind == "num" for part in walk(tree))
    return plain and numbers == powers and len(symbols(tree)) > 1


def _is_differential(tree: Node) -> bool:
    return tree.kind == "mul" and tree.args[0] in (node("sym", "d"), node("sym", "partial"))


def _all_capital(tree: Node) -> bool:
    names = symbols(tree)
    return bool(names) and all(name[0].isupper() for name in names)


def is_constant(tree: Node) -> bool:
    """Return whether an expression has no unknowns: no symbols, no `f(2)`."""
    calls = (part.args[0] for part in walk(tree) if part.kind == "call")
    return tree.kind in EXPRESSIONS and not symbols(tree) and KNOWN_CALLS.issuperset(calls)


def is_arithmetic(tree: Node) -> bool:
    """Return whether an expression is of numbers and the four operations alone."""
    return all(part.kind in ("num", "add", "mul", "div", "neg") for part in walk(tree))


def continued(tree: Node) -> Node:
    """Return a list with its dots filled in, where they continue whole numbers evenly."""
    if tree.kind not in (*LISTS, "seq"):
        return tree
    start = 2 if tree.kind == "seq" else 0
    items = tree.args[start:]
    dots = next((k for k, item in enumerate(items) if item.kind == "dots"), 0)
    if dots < 2 or len(items) != dots + 2:
        return tree
    values = [item.args[0] for item in (*items[:dots], items[-1]) if item.kind == "num"]
    if len(values) != dots + 1:
        return tree
    first, *rest = values
    step = rest[0] - first
    even = all(b - a == step for a, b in pairwise(values[:-1]))
    if not even or not step or (values[-1] - first) % step or (values[-1] - first) / step < dots:
        return tree
    count = int((values[-1] - first) / step) + 1
    if count > MAX_ITEMS:
        return tree
    return node(tree.kind, *tree.args[:start], *(number(first + step * k) for k in range(count)))


def letters(tree: Node) -> frozenset[str] | None:
    """Return the options that `ACD` or `A, C, D` chooses, or None for anything else."""
    parts = _letters_of(tree)
    if parts and len(parts) > 1 and len(set(parts)) == len(parts) and set(parts) <= set("ABCDEFGH"):
        return frozenset(parts) if tree.kind != "mul" or parts == sorted(parts) else None
    return None


def _letters_of(tree: Node) -> list[str]:
    if tree.kind == "sym":
        return [tree.args[0]]
    if tree.kind not in ("mul", "list", "set"):
        return []
    found = [_letters_of(part) for part in tree.args]
    return [name for part in found for name in part] if all(found) else []


def unlike_names(a: Node, b: Node) -> bool:
    """Return whether two calls are of different functions."""
    return a.kind == "call" and b.kind == "call" and a.args[0] != b.args[0]


def at_point(tree: Node, values: dict[str, Fraction]) -> Node:
    """Return the tree with numbers for its symbols."""
    return substitute(tree, {name: number(value) for name, value in values.items()})  # type: ignore[no-any-return]


def mirrored(relation: Node) -> Node:
    """Return the relation read from right to left."""
    mirror = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
    operators = tuple(mirror.get(op, op) for op in reversed(relation.args[0]))
    return node("rel", operators, *reversed(relation.args[1:]))


def is_inequality(tree: Node) -> bool:
    """Return whether a tree is an inequality, or several."""
    if tree.kind in ("list", "either"):
        return all(is_inequality(item) for item in tree.args)
    return tree.kind == "rel" and bool(set(tree.args[0]) & (INEQUALITIES - {"in"}))


def may_be_set(tree: Node) -> bool:
    """Return whether a tree may describe a set of real numbers."""
    if tree.kind in ("union", "inter", "minus", "named", "builder", "seq", "set"):
        return True
    if tree.kind in ("list", "either"):
        return all(i.kind == "rel" for i in tree.args) and any(may_be_set(i) for i in tree.args)
    return tree.kind == "rel" and bool(set(tree.args[0]) & INEQUALITIES)


def where(a: list, b: list) -> str:  # type: ignore[type-arg]
    """Say in what two sets of intervals differ."""
    if len(a) != len(b):
        return f"{len(a)} pieces against {len(b)}"
    closed = [(x[1], x[3]) for x in a] != [(y[1], y[3]) for y in b]
    return "open or closed ends" if closed else "the ends"


def signs_expanded(tree: Node) -> Node:
    """Return the tree with each plus-minus as the two values it stands for."""
    if tree.kind == "rel":
        operators, *sides = tree.args
        if operators == ("=",) and contains(sides[0], "pm"):
            return node("list", *_variants(tree))
        if operators in (("=",), ("!=",)):
            values = signs_expanded(sides[1])
            if values.kind == "list":
                return node("list", *(node("rel", operators, sides[0], v) for v in values.args))
        return tree
    if tree.kind in LISTS:
        items: list[Node] = []
        for item in tree.args:
            grown = signs_expanded(item)
            items += grown.args if grown.kind in ("list", "either") else [grown]
        return node(tree.kind, *items)
    if tree.kind == "seq":
        choices = [_variants(item) for item in tree.args[2:]]
        if 1 < prod(map(len, choices)) <= MAX_VARIANTS:
            return node("list", *(node("seq", *tree.args[:2], *c) for c in product(*choices)))
        return tree
    found = _variants(tree)
    return found[0] if len(found) == 1 else node("list", *found)


def _variants(tree: Node) -> list[Node]:
    """Return the values that the signs stand for: all of them together where one is minus-plus."""
    if not contains(tree, "pm", "mp"):
        return [tree]
    signs = sum(part.kind == "pm" for part in walk(tree))
    if contains(tree, "mp") or not 1 < signs <= 6:
        made = [_with_sign(tree, plus) for plus in (True, False)]
    else:
        made = [_with_signs(tree, iter(each)) for each in product((True, False), repeat=signs)]
    return list(dict.fromkeys(made))


def _with_signs(tree: Node, plus: Iterator[bool]) -> Node:
    """Return the tree with a sign of its own for each plus-minus."""
    if tree.kind == "pm":
        up = next(plus)
        inner = _with_signs(tree.args[0], plus)
        return inner if up else _negative(inner)
    return Node(
        tree.kind, tuple(_with_signs(a, plus) if isinstance(a, Node) else a for a in tree.args)
    )


def _negative(tree: Node) -> Node:
    """Return the tree with the other sign, which each entry of a vector takes."""
    if tree.kind != "seq":
        return node("neg", tree)
    return node("seq", *tree.args[:2], *(node("neg", entry) for entry in tree.args[2:]))


def _with_sign(tree: Node, plus: bool) -> Node:
    if tree.kind in ("pm", "mp"):
        inner = _with_sign(tree.args[0], plus)
        return inner if plus == (tree.kind == "pm") else _negative(inner)
    return Node(
        tree.kind, tuple(_with_sign(a, plus) if isinstance(a, Node) else a for a in tree.args)
    )


def without_degrees(tree: Node) -> Node:
    """Return the tree without its degree signs."""
    if tree.kind == "degree":
        return without_degrees(tree.args[0])
    return Node(
        tree.kind, tuple(without_degrees(a) if isinstance(a, Node) else a for a in tree.args)
    )


def at_least_one(tree: Node) -> bool:
    """Return whether a constant is 1 or more in size."""
    value = _real_value(tree)
    return value is not None and bool(abs(value) >= 1)


def is_positive(tree: Node) -> bool:
    """Return whether a constant is above zero."""
    value = _real_value(tree)
    return value is not None and bool(value > 0)


def _real_value(tree: Node) -> Any:
    """Return a constant's value, or None where it has none that is real and can be worked out."""
    try:
        return Evaluator({}, 20).real(tree)
    except (Undefined, Unsupported, TooComplex):
        return None


def plain_number(tree: Node) -> str | None:
    """Return a number as it was written, with its sign; None for any other expression."""
    if tree.kind == "neg":
        inner = plain_number(tree.args[0])
        return f"-{inner}" if inner else None
    if tree.kind == "percent":
        inner = plain_number(tree.args[0])
        return f"{inner}e-2" if inner and "e" not in inner else None
    if tree.kind == "mul" and tree.args[1].kind == "pow":
        mantissa, (base, exponent) = plain_number(tree.args[0]), tree.args[1].args
        power = plain_number(exponent)
        if mantissa and power and base.kind == "num" and base.args[0] == 10:
            return f"{mantissa}e{power}" if power.lstrip("-").isdigit() and len(power) < 5 else None
    return tree.args[1] or None if tree.kind == "num" else None


def terminates(tree: Node) -> bool:
    """Return whether the exact value has a short decimal expansion: then nobody need round it."""
    try:
        value = Evaluator({}, 30).value(tree)
    except (Undefined, Unsupported, TooComplex):
        return False
    if not isinstance(value, Fraction):
        return False
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return rest == 1 and value.denominator <= 10**6


def structure(tree: Node) -> Node:
    """Return the tree with sums and products sorted, and literals forgotten."""
    if tree.kind == "num":
        return number(tree.args[0])
    args = tuple(structure(a) if isinstance(a, Node) else a for a in tree.args)
    if tree.kind in ("add", "mul"):
        flat: list[Node] = []
        for a in args:
            flat += a.args if a.kind == tree.kind else (a,)
        args = tuple(sorted(flat, key=repr))
    return Node(tree.kind, args)
