"""What must hold for any answer: no error, equality that is one, and no luck."""

import os
import time
from fractions import Fraction

import pytest
from hypothesis import example, given, seed, settings
from hypothesis import strategies as st

from rewardkit.types import Outcome
from rewardkit.verifiers import (
    ChoiceVerifier,
    FormatVerifier,
    IntegerVerifier,
    MathVerifier,
    NumericVerifier,
    TextVerifier,
)
from rewardkit.verifiers.expressions.arithmetic import Undefined
from rewardkit.verifiers.expressions.evaluate import Evaluator
from rewardkit.verifiers.limits import NotAnswer, TooComplex
from rewardkit.verifiers.parsing.parser import parse

VERIFIER = MathVerifier()
PIECES = st.sampled_from(
    [
        r"\frac",
        r"\sqrt",
        r"\boxed",
        r"\text",
        r"\pm",
        r"\le",
        r"\cup",
        r"\infty",
        r"\pi",
        r"\sin",
        r"\{",
        r"\}",
        r"\left(",
        r"\right)",
        r"\begin{pmatrix}",
        r"\end{pmatrix}",
        r"\\",
        r"&",
        r"{",
        r"}",
        r"(",
        r")",
        r"[",
        r"]",
        r"|",
        r"^",
        r"_",
        r",",
        r";",
        r":",
        r"=",
        r"<",
        r">",
        r"+",
        r"-",
        r"*",
        r"/",
        r"!",
        r"%",
        r"'",
        r".",
        r"1",
        r"2",
        r"12",
        r"0.5",
        r"x",
        r"y",
        r"e",
        r"i",
        r"a_1",
        r"and",
        r"or",
        r"\text{cm}",
        r"\mathbb{R}",
        r"\int",
        r"\sum",
        r"\lim",
        r"\log",
        r"\binom",
        r"not",
        r"$",
        r"½",
        r"√",
        r"²",
        r"°",
        r"–",
        r"<think>",
        r"</think>",
        r"<answer>",
    ]
)
SOUP = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=25).map(" ".join))
NESTING = st.sampled_from(
    [
        "-",
        "+",
        "x^",
        "2*",
        "1/",
        "x_",
        "2^{",
        "x^-",
        "\\sin ",
        "\\sin^",
        "\\log_",
        "\\frac1",
        "x(",
        "|",
    ]
)
"""What nests once more each time that it is repeated."""
SMALL = (IntegerVerifier(), ChoiceVerifier(), NumericVerifier(), TextVerifier(), FormatVerifier())
QUICK = settings(max_examples=150, deadline=None)


def verdict(response, gold):
    return VERIFIER.quick(response, gold)


@QUICK
@given(SOUP, SOUP)
def test_no_text_raises(response, gold):
    found = verdict(response, gold)
    assert found is None or found.outcome is not Outcome.ERROR, found.reason
    for small in SMALL:
        found = small(response, gold)
        assert found.outcome is not Outcome.ERROR, (small, found.reason)


@pytest.mark.slow
def test_no_text_raises_whatever_is_tried():
    """As `test_no_text_raises`, for REWARDKIT_FUZZ_SECONDS more."""
    until, number = time.monotonic() + float(os.environ.get("REWARDKIT_FUZZ_SECONDS", "0")), 0
    while number == 0 or time.monotonic() < until:
        number += 1
        whole = settings(max_examples=300, deadline=None, database=None)
        seed(number)(whole(given(SOUP, SOUP)(test_no_text_raises.hypothesis.inner_test)))()
    assert number > 0


@settings(max_examples=50, deadline=None)
@given(st.lists(PIECES | NESTING, min_size=1, max_size=3), st.integers(20, 600), PIECES)
@example(["="], 20, "\\frac")  # a chain of which nothing is left to read again
def test_no_depth_raises(pieces, times, end):
    text = "".join(pieces) * times + end
    for response in (f"\\boxed{{{text}}}", f"<answer>{text}</answer>", text):
        found = verdict(response, "1")
        assert found is None or found.outcome is not Outcome.ERROR, found.reason
        for small in SMALL:
            found = small(response, "1")
            assert found.outcome is not Outcome.ERROR, (small, found.reason)


@QUICK
@given(SOUP)
def test_the_parser_gives_one_tree_or_raises_what_it_says(text):
    try:
        tree = parse(text)
    except (NotAnswer, TooComplex):
        return
    assert hash(tree) == hash(parse(text))


numbers = st.fractions(-1000, 1000, max_denominator=60)


def written(draw, value, depth):
    """Write an expression and work out its value with Fraction, apart from our evaluator."""
    if depth == 0:
        if value.denominator == 1:
            return str(value.numerator), value
        form = draw(st.sampled_from([r"\frac{%d}{%d}", r"\dfrac{%d}{%d}", "(%d/%d)"]))
        return form % (value.numerator, value.denominator), value
    left, a = written(draw, value, depth - 1)
    right, b = written(draw, draw(numbers), depth - 1)
    op = draw(st.sampled_from(["+", "-", r"\cdot", "*", r"\frac"]))
    if op == r"\frac" and b:
        return rf"\frac{{{left}}}{{{right}}}", a / b
    if op == "+":
        return f"({left} + {right})", a + b
    if op == "-":
        return rf"\left({left} - \left({right}\right)\right)", a - b
    return f"({left}){op if op != chr(92) + 'frac' else '*'}({right})", a * b


@st.composite
def expressions(draw):
    return written(draw, draw(numbers), draw(st.integers(0, 3)))


@QUICK
@given(expressions())
def test_exact_values_are_those_of_python_fractions(pair):
    text, value = pair
    assert Evaluator({}, 30).value(parse(text)) == value


@QUICK
@given(expressions(), expressions())
def test_equality_is_reflexive_symmetric_and_follows_the_values(one, other):
    (a, x), (b, y) = one, other
    verify = MathVerifier(unevaluated="accept").quick  # what is left to be done has a value too
    assert verify(rf"\boxed{{{a}}}", a).correct
    forward, backward = verify(rf"\boxed{{{a}}}", b).correct, verify(rf"\boxed{{{b}}}", a).correct
    assert forward == backward == (x == y)


@QUICK
@given(expressions(), st.integers(1, 9))
def test_a_changed_number_is_a_changed_answer(pair, change):
    text, value = pair
    assert not verdict(rf"\boxed{{{text} + {change}}}", text).correct
    assert not verdict(rf"\boxed{{{value + Fraction(change, 10**9)}}}", text).correct


LETTERS = st.sampled_from("xyab")


@st.composite
def polynomials(draw):
    terms = draw(
        st.lists(st.tuples(st.integers(1, 30), LETTERS, st.integers(1, 5)), min_size=1, max_size=5)
    )
    return terms


@QUICK
@given(polynomials(), st.randoms(use_true_random=False))
def test_the_order_and_style_of_terms_do_not_matter(terms, random):
    one = " + ".join(f"{c}{x}^{{{n}}}" for c, x, n in terms)
    random.shuffle(terms)
    other = "+".join(rf"{x}^{n}\cdot {c}" for c, x, n in terms)
    assert verdict(rf"\boxed{{{other}}}", one).correct
    (c, x, n), rest = terms[0], terms[1:]
    wrong = "+".join(f"{k}{y}^{{{m}}}" for k, y, m in [(c + 1, x, n), *rest])
    assert not verdict(rf"\boxed{{{wrong}}}", one).correct


@QUICK
@given(
    st.lists(st.integers(-99, 99), min_size=2, max_size=6, unique=True),
    st.randoms(use_true_random=False),
)
def test_sets_have_no_order_and_tuples_have(values, random):
    shuffled = values[:]
    random.shuffle(shuffled)
    gold, given_ = ", ".join(map(str, values)), ", ".join(map(str, shuffled))
    assert verdict(rf"\boxed{{\{{{given_}\}}}}", rf"\{{{gold}\}}").correct
    assert verdict(rf"\boxed{{({given_})}}", f"({gold})").correct == (values == shuffled)
    assert not verdict(rf"\boxed{{\{{{given_}, 100\}}}}", rf"\{{{gold}\}}").correct


@QUICK
@given(st.integers(-50, 50), st.integers(1, 50), st.booleans(), st.booleans())
def test_intervals_and_inequalities_are_the_same_sets(low, width, closed_low, closed_high):
    high = low + width
    interval = f"{'[' if closed_low else '('}{low}, {high}{']' if closed_high else ')'}"
    below, above = (r"\le" if closed else "<" for closed in (closed_low, closed_high))
    bounds = f"{low} {below} x {above} {high}"
    assert verdict(rf"\boxed{{{bounds}}}", interval).correct
    assert verdict(rf"\boxed{{{interval}}}", bounds).correct
    other = f"{'(' if closed_low else '['}{low}, {high}{']' if closed_high else ')'}"
    assert not verdict(rf"\boxed{{{other}}}", bounds).correct


@QUICK
@given(st.integers(1, 10**30), st.integers(1, 40))
def test_neighbouring_large_and_small_numbers_differ(n, power):
    assert not verdict(rf"\boxed{{{n + 1}}}", str(n)).correct
    assert not verdict(
        rf"\boxed{{{n} \times 10^{{-{power + 1}}}}}", rf"{n} \times 10^{{-{power}}}"
    ).correct
    assert not verdict(rf"\boxed{{\sqrt{{{n + 1}}}}}", rf"\sqrt{{{n}}}").correct


@pytest.mark.parametrize("text", [r"\frac{1}{0}", r"\frac{0}{0}", "0^0", r"\infty"])
def test_undefined_is_no_number(text):
    with pytest.raises(Undefined):
        Evaluator({}, 30).value(parse(text))
