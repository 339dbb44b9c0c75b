"""Whether two expressions are equal: tables with what decides each."""

import pytest

from rewardkit.verifiers.expressions.equality import (
    Answer,
    check_workable,
    rounds_to,
    same_expression,
)
from rewardkit.verifiers.expressions.sympy_bridge import same_by_sympy
from rewardkit.verifiers.limits import TooComplex, work
from rewardkit.verifiers.parsing.parser import parse

E, D, U = Answer.EQUAL, Answer.DIFFERENT, Answer.UNKNOWN


@pytest.fixture(autouse=True)
def budget():
    work.begin()


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        # numbers
        ("0.5", r"\frac12", E),
        ("0.333", "1/3", D),
        (r"\sqrt{8}", r"2\sqrt{2}", E),
        (r"\sqrt{2} + \sqrt{3}", r"\sqrt{5 + 2\sqrt{6}}", E),
        (r"\sqrt{2} + \sqrt{3}", "3.1462643699419723", D),
        (r"\cos 36^\circ", r"\frac{1 + \sqrt5}{4}", E),
        (r"e^{i\pi}", "-1", E),
        (r"\ln 8", r"3 \ln 2", E),
        (r"\infty", r"\infty", E),
        (r"-\infty", r"\infty", D),
        ("1/0", "1", D),
        ("2^{100} + 1", "2^{100}", D),
        (r"10^{50} + \pi", r"10^{50} + \pi + 10^{-40}", D),
        # symbols
        ("(x+1)^2", "x^2 + 2x + 1", E),
        ("(x+1)^2", "x^2 + x + 1", D),
        (r"\frac{x^2 - 1}{x - 1}", "x + 1", E),
        (r"\sin^2 x + \cos^2 x", "1", E),
        (r"\ln x^2", r"2 \ln x", E),
        (r"\sqrt{x^2}", "|x|", E),
        ("|x|", "x", D),
        ("|x - 100|", "100 - x", D),
        (r"\lceil n/2 \rceil", r"\lfloor n/2 \rfloor", D),
        (r"\lceil n/2 \rceil", r"\lfloor (n+1)/2 \rfloor", E),
        ("(-1)^n", "1", D),
        (r"\binom{n}{2}", r"\frac{n(n-1)}{2}", E),
        (r"\frac{n!}{(n-1)!}", "n", E),
        (r"\sum_{k=1}^n k", r"\frac{n(n+1)}{2}", E),
        (r"\sum_{k=1}^n k", r"\sum_{j=1}^n j", E),
        ("x", "y", D),
        ("f(x) + 1", "1 + f(x)", E),
        ("f(x)", "g(x)", D),
        ("a^{m+n}", "a^m a^n", E),
        # what only sympy could tell
        (r"\int_0^1 x dx", "1/2", U),
        (r"\sum_{k=1}^{\infty} 2^{-k}", "1", U),
        (r"\lim_{x \to 0} x", "0", U),
    ],
)
def test_same_expression(one, other, expected):
    assert same_expression(parse(one), parse(other)) is expected
    assert same_expression(parse(other), parse(one)) is expected


@pytest.mark.parametrize(
    ("exact", "literal", "digits", "expected"),
    [
        (r"\pi", "3.14", 3, True),
        (r"\pi", "3.1", 3, False),
        (r"\pi", "3.15", 3, False),
        (r"\pi", "3.1415", 3, True),  # cut, with two digits more than asked
        (r"\pi", "3.141", 3, False),
        (r"\frac23", "0.667", 3, True),
        (r"\frac23", "0.67", 3, False),
        (r"-\frac23", "-0.667", 3, True),
        (r"\frac23", "-0.667", 3, False),
        ("0.99999", "1.00", 3, False),
        ("123456", "1.235e5", 3, True),
        ("x", "1.23", 3, False),
        ("1/0", "1.23", 3, False),
    ],
)
def test_rounds_to(exact, literal, digits, expected):
    assert rounds_to(parse(exact), literal, digits) is expected


@pytest.mark.parametrize("text", ["3!", "9^{9^9}", r"\frac{1}{0!}", r"\sum_{k=1}^{\infty} 1/k^2"])
def test_workable_at_no_cost_to_the_budget(text):
    before = work.left
    check_workable(parse(text))
    assert work.left == before


@pytest.mark.parametrize(
    "text",
    [
        "9^{9^{9^9}}",
        r"\{1, (10^{30})!\}",
        r"\begin{pmatrix} 1 & (10^{30})! \end{pmatrix}",
        "x = 9^{9^{9^9}}",
        r"x^{9^{9^{9^9}}}",
    ],
)
def test_unworkable_wherever_it_stands(text):
    with pytest.raises(TooComplex):
        check_workable(parse(text))


def test_checking_costs_the_verdict_nothing():
    before = work.left
    check_workable(parse("20! + 2^{50}"))
    assert work.left == before


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (r"\int_0^1 x^2 dx", r"\frac13", E),
        (r"\int_0^1 x^2 dx", r"\frac12", D),
        (r"\sum_{k=1}^{\infty} 2^{-k}", "1", E),
        (r"\lim_{x \to 0} \frac{\sin x}{x}", "1", E),
        (r"\int_0^a 2x dx", "a^2", E),
        (r"\int x dx", "1", U),
        (r"\int_0^1 y", "1", U),
        ("f(x)", "1", U),
    ],
)
def test_same_by_sympy(one, other, expected):
    assert same_by_sympy(parse(one), parse(other)) is expected
