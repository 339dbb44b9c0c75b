"""The exact path and sympy agree on random rational expressions."""

import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from rewardkit.types import Outcome
from rewardkit.verifiers import MathVerifier
from rewardkit.verifiers.parsing.parser import parse

X = sympy.Symbol("x")
LEAVES = st.one_of(
    st.integers(-9, 9).map(lambda n: (f"({n})", sympy.Integer(n))), st.just(("x", X))
)


def _ratio(top, bottom):
    return sympy.nan if bottom == sympy.nan or sympy.cancel(bottom) == 0 else top / bottom


def _grown(children):
    pair = st.tuples(children, children)
    return st.one_of(
        pair.map(lambda p: (f"({p[0][0]}+{p[1][0]})", p[0][1] + p[1][1])),
        pair.map(lambda p: (f"({p[0][0]}-{p[1][0]})", p[0][1] - p[1][1])),
        pair.map(lambda p: (f"{p[0][0]}\\cdot {p[1][0]}", p[0][1] * p[1][1])),
        pair.map(lambda p: (f"\\frac{{{p[0][0]}}}{{{p[1][0]}}}", _ratio(p[0][1], p[1][1]))),
        st.tuples(children, st.integers(2, 3)).map(
            lambda p: (f"({p[0][0]})^{{{p[1]}}}", p[0][1] ** p[1])
        ),
    )


EXPRESSIONS = st.recursive(LEAVES, _grown, max_leaves=5)


def _defined(value):
    return (
        not value.has(sympy.zoo, sympy.nan, sympy.oo) and sympy.cancel(value).is_finite is not False
    )


@settings(deadline=None, max_examples=150)
@given(EXPRESSIONS, EXPRESSIONS)
def test_two_expressions_are_equal_when_sympy_says_so(first, second):
    (one, a), (other, b) = first, second
    if not (_defined(a) and _defined(b)):
        return
    same = sympy.cancel(a - b) == 0
    verdict = MathVerifier(unevaluated="accept")(f"\\boxed{{{one}}}", other)
    assert (verdict.outcome is Outcome.CORRECT) == same, verdict


@settings(deadline=None, max_examples=150)
@given(EXPRESSIONS, st.integers(-3, 3))
def test_an_expression_equals_its_normal_form_and_no_shift_of_it(expression, shift):
    text, value = expression
    if not _defined(value):
        return
    normal = sympy.latex(sympy.cancel(value + shift))
    verdict = MathVerifier(unevaluated="accept")(f"\\boxed{{{text}}}", normal)
    assert (verdict.outcome is Outcome.CORRECT) == (shift == 0), (normal, verdict)


@given(st.from_regex(r"(0|[1-9][0-9]{0,30})(\.[0-9]{1,30})?", fullmatch=True))
def test_a_plain_numeral_is_read_as_the_grammar_reads_it(numeral):
    assert parse(numeral) == parse(f"({numeral})")
