"""What is compared before an answer is parsed: words, options, commas."""

import pytest

from rewardkit.verifiers.comparison.written.choices import option
from rewardkit.verifiers.comparison.written.commas import as_decimals, as_lists
from rewardkit.verifiers.comparison.written.words import is_proper_name, unspaced, words
from rewardkit.verifiers.parsing.parser import parse


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\text{The Ellipse.}", ["ellipse"]),
        ("an ellipse", ["ellipse"]),
        (r"\textbf{No}~solution!", ["no", "solution"]),
        (r"x \leq 2", ["x", "\\", "le", "2"]),
        (r"x \le 2", ["x", "\\", "le", "2"]),
        ("", []),
    ],
)
def test_words(text, expected):
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A", ("A", "")),
        ("(B)", ("B", "")),
        ("(B) 24", ("B", "24")),
        (r"\text{(C)}\ 24", ("C", "24")),
        (r"\text{C} 14", ("C", "14")),
        ("C 14", None),
        ("The answer is (D)", ("D", "")),
        ("a", None),
        ("(Z)", None),
        ("x", None),
    ],
)
def test_option(text, expected):
    assert option(text) == expected


@pytest.mark.parametrize(
    ("text", "gold", "expected"),
    [
        ("e", ("E", ""), ("E", "")),
        ("(i)", ("I", "24"), ("I", "")),
        ("e", ("I", ""), None),  # Euler's number
        ("e", None, None),
        ("b", ("B", ""), None),  # an unknown, which is compared with the gold as text
    ],
)
def test_a_small_letter_that_is_a_constant_is_the_option_that_the_gold_is(text, gold, expected):
    assert option(text, gold) == expected


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("x + 1", "x+1", True),
        ("1 2", "12", False),
        (r"\text{Fe}_2\text{O}_{3}", "Fe_{2}O_3", None),
        ("A B", "AB", True),
    ],
)
def test_unspaced(one, other, same):
    if same is None:
        assert unspaced(one) == "Fe_2O_3"
    else:
        assert (unspaced(one) == unspaced(other)) is same


def test_proper_names():
    assert is_proper_name("Tom")
    assert not any(map(is_proper_name, ("tom", "AB", "Tom 2", "TOM")))


@pytest.mark.parametrize(
    ("gold", "pred", "expected"),
    [
        ("100,200", "100, 200", ("(100,200)", "(100,200)")),
        ("100, 200", "100,200", ("(100,200)", "(100,200)")),
        ("100,200", "100,300", None),
        ("1, 2", "3, 4", None),
        ("1,000", "1, 000", None),
    ],
)
def test_a_comma_between_items(gold, pred, expected):
    found = as_lists(gold, pred)
    assert found == (tuple(map(parse, expected)) if expected else None)


@pytest.mark.parametrize(
    ("gold", "pred", "expected"),
    [
        ("2,74", "2.74", ("2.74", "2.74")),
        ("2.74", "2,74", ("2.74", "2.74")),
        ("2,740", "2.74", None),
        ("0,125", "0.125", ("0.125", "0.125")),
        ("2,74", "3", None),
    ],
)
def test_a_comma_before_decimals(gold, pred, expected):
    found = as_decimals(gold, pred)
    assert found == (tuple(map(parse, expected)) if expected else None)
