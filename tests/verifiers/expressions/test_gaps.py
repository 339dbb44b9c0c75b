"""A gap that hardware floats prove is one: never larger than what 40 digits say."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.arithmetic import Undefined
from rewardkit.verifiers.expressions.evaluate import Evaluator
from rewardkit.verifiers.expressions.gaps import is_modest, least_gap
from rewardkit.verifiers.expressions.nodes import number
from rewardkit.verifiers.limits import TooComplex, work
from rewardkit.verifiers.parsing.parser import parse

_NUMBERS = st.fractions(-50, 50, max_denominator=1000).map(number)
_LEAVES = _NUMBERS | st.sampled_from([nodes.Sym("x"), *map(nodes.Const, ("pi", "e", "i"))])
_HALF = nodes.Div(number(1), number(2))


def _grown(inner: st.SearchStrategy[nodes.Node]) -> st.SearchStrategy[nodes.Node]:
    pairs = st.tuples(inner, inner)
    return st.one_of(
        inner.map(nodes.Neg),
        inner.map(nodes.Percent),
        inner.map(nodes.Degree),
        pairs.map(nodes.Add),
        pairs.map(nodes.Mul),
        pairs.map(lambda pair: nodes.Div(*pair)),
        inner.map(lambda base: nodes.Pow(base, _HALF)),
        st.builds(nodes.Pow, inner, st.integers(-2, 14).map(number)),
    )


_TREES = st.recursive(_LEAVES, _grown, max_leaves=12)
_AT = {"x": Fraction(4001, 2477)}


@settings(deadline=None)
@given(_TREES, _TREES)
def test_a_gap_is_never_larger_than_the_difference(a, b):
    gap = least_gap(a, b, _AT)
    if gap:
        work.begin()
        at = Evaluator(_AT, 40)
        x, y = (at.numbers.inexact(at.value(tree)) for tree in (a, b))
        assert gap <= abs(x - y)


@settings(deadline=None)
@given(_TREES)
def test_no_gap_lies_between_a_value_and_the_same_written_otherwise(tree):
    other = nodes.Add(
        (nodes.Mul((tree, number(Fraction(1, 3)))), nodes.Div(tree, number(Fraction(3, 2))))
    )
    assert least_gap(tree, other, _AT) == 0


@settings(deadline=None)
@given(_TREES)
def test_exact_arithmetic_never_refuses_a_modest_constant(tree):
    work.begin()
    if is_modest(tree):
        Evaluator({}, 40).value(tree)  # raises nothing
        assert work.left > 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1/0", "1"),  # has no value
        (r"\sqrt{-2}", "5"),  # is not real
        (r"\frac{1}{\sqrt{2} - \sqrt{2}}", "5"),
        ("y", "5"),  # has no value here
        (r"\infty", "5"),
        (r"\ln 2", "5"),
        ("10^{-400}", "10^{-500}"),
        ("3" * 350, "2"),
        (r"10^{50} + \pi", r"10^{50} + \pi + 10^{-40}"),
    ],
)
def test_nothing_is_said_of_what_floats_cannot_tell(one, other):
    assert least_gap(parse(one), parse(other), _AT) == 0


def test_what_exact_arithmetic_would_refuse_is_left_to_it():
    work.begin()
    roots = nodes.Add(tuple(nodes.Pow(number(n), _HALF) for n in range(1000, 1600)))
    with pytest.raises(TooComplex):
        Evaluator({}, 40).value(roots)
    assert least_gap(roots, number(1), {}) == 0


def test_an_undefined_power_is_left_to_exact_arithmetic():
    tree = nodes.Pow(number(0), nodes.Neg(number(1)))
    with pytest.raises(Undefined):
        Evaluator({}, 40).value(tree)
    assert least_gap(tree, number(1), {}) == 0
