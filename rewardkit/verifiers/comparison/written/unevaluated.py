"""A calculation that was asked for and is handed back: `513^2-487^2` where 26000 is wanted."""

from __future__ import annotations

from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.trees import children, contains, symbols, walk

_COUNTS = frozenset(("binom", "double factorial"))
"""Functions whose values are left as they are written: `\\binom{5}{2}`."""
_LONG = 10
"""From here on a whole number is long enough that a sum with it is worked out."""
_AT_SIGHT = 100
"""Below it, a root is taken at sight: `\\sqrt{16}`."""
_CLOSED_FORM = 10**12
"""A value from here on may stay what it is: `2^{100}-2^{50}`."""


def is_unevaluated(gold: Node, pred: Node, last: Node) -> bool:
    """Return whether the gold is a rational number and the equal answer a calculation of it.

    A number as people write one is an answer: a fraction in any terms, a mixed number, a power of
    ten times a number, several units. So is a closed form: one power, factorial or binomial
    coefficient, products and quotients of these and of numbers, one of them plus or minus numbers
    of one digit, a root of numbers below a hundred, and what holds pi, e or i. All else is a
    calculation: sums and products of plain numbers, and other functions (`\\log_3 81`, `mod`).
    Of a chain of equalities, `last` is what it says in the end.
    """
    sides = pred.sides if isinstance(pred, nodes.Relation) else ()
    if any(isinstance(_bare(side), nodes.Num) for side in sides):
        return False  # `85 = 17 * 5` says what it comes to
    gold, pred = _bare(_said_of(gold)), _bare(_said_of(last))
    if not all(isinstance(part, nodes.Num | nodes.Neg | nodes.Div) for part in walk(gold)):
        return False
    if isinstance(pred, nodes.BigOperator):
        constant = any(isinstance(part, nodes.Const) for part in walk(pred))
        return pred.operator in ("int", "lim") or not constant
    if not isinstance(pred, nodes.Expression) or isinstance(pred, nodes.Num) or symbols(pred):
        return False
    calls = {part.name for part in walk(pred) if isinstance(part, nodes.Call)} - _COUNTS
    if calls:
        return not (isinstance(pred, nodes.Call) and pred.arguments[0] == gold)  # `3 mod 7` is 3
    if contains(pred, nodes.Const):
        return False
    large = isinstance(gold, nodes.Num) and gold.value >= _CLOSED_FORM
    return not (large and contains(pred, *_CLOSED)) and not _is_answer(pred)


_CLOSED = (nodes.Pow, nodes.Factorial, nodes.Call)


def _said_of(tree: Node) -> Node:
    return tree.sides[-1] if isinstance(tree, nodes.Relation) else tree


def _bare(tree: Node) -> Node:
    while isinstance(tree, nodes.Neg | nodes.Quantity | nodes.Percent | nodes.Degree):
        tree = tree.value
    return tree


def _is_answer(tree: Node) -> bool:
    """Return whether a constant is a number as it is written, or a closed form."""
    tree = _bare(tree)
    match tree:
        case nodes.Num():
            return True
        case nodes.Pow(base, nodes.Div()):
            numbers = (part.value for part in walk(base) if isinstance(part, nodes.Num))
            return all(number < _AT_SIGHT for number in numbers)
        case nodes.Mul(factors):
            return _is_product(factors)
        case nodes.Add(terms):
            return _is_sum(terms)
        case nodes.Div(top, bottom) if isinstance(top, nodes.Mul) or isinstance(bottom, nodes.Mul):
            return contains(tree, *_CLOSED) and _is_answer(top) and _is_answer(bottom)
        case nodes.Pow() | nodes.Div() | nodes.Factorial() | nodes.Call() | nodes.Ratio():
            return all(map(_is_answer, children(tree)))
    return False


def _is_product(factors: tuple[Node, ...]) -> bool:
    """Return whether a product holds a closed form, a power of ten or what a word says."""
    plain = [factor for factor in map(_bare, factors) if isinstance(factor, nodes.Num)]
    long = [number for number in plain if number.literal and not _is_power_of_ten(number)]
    return all(map(_is_answer, factors)) and (len(long) < 2 or len(plain) < len(factors))


def _is_sum(terms: tuple[Node, ...]) -> bool:
    """Return whether a sum is one closed form and numbers of one digit, or several units."""
    if any(isinstance(part, nodes.Num) and not part.literal for term in terms for part in walk(term)
           if not isinstance(term, nodes.Pow)):  # fmt: skip
        return True  # `12 dollars and 50 cents`
    plain = [term for term in map(_bare, terms) if isinstance(term, nodes.Num)]
    short = all(number.value < _LONG or _is_power_of_ten(number) for number in plain)
    return short and len(plain) == len(terms) - 1 and all(map(_is_answer, terms))


def _is_power_of_ten(number: nodes.Num) -> bool:
    return number.value.denominator == 1 and str(number.value.numerator).strip("0") == "1"
