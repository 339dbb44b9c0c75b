"""What is compared before an answer is parsed: words, options, commas."""

import pytest

from rewardkit.verifiers.comparison.texts import compare_texts
from rewardkit.verifiers.comparison.written.choices import option
from rewardkit.verifiers.comparison.written.commas import with_points
from rewardkit.verifiers.comparison.written.words import unspaced, words
from rewardkit.verifiers.options import MathOptions
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


@pytest.mark.parametrize(
    ("gold", "answer", "same"),
    [
        ("Tom", "tom", True),
        ("AB", "ab", False),
        ("at most 5", "no more than 5", True),
        ("concave down", "Concave downward", True),
        ("Monday, Wednesday", "Wednesday and Monday", True),
        ("no one", "no", False),
        (r"\ce{Co}", r"\ce{CO}", False),
        ("A and B", "A or B", False),
        ("3.5", "3,5", True),
        ("3,5", "3.5", False),
    ],
)
def test_answers_in_words(gold, answer, same):
    assert compare_texts(gold, answer, MathOptions()).equal is same


@pytest.mark.parametrize(
    "answer",
    ['"42"', "'42'", "“42”", "‘42’", "«42»", "`42'", "``42''", "„42“", r"\text{'42'}", "$``42''$"],
)
def test_quotation_marks_of_any_shape_are_no_part_of_an_answer(answer):
    assert compare_texts("42", answer, MathOptions()).equal
    assert not compare_texts("43", answer, MathOptions()).equal


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        (r"1-\frac{1}{e}", r"1-\frac{1}{\mathrm{e}}"),
        (r"\frac{1+i}{2}", r"\frac{1+\mathrm{i}}{2}"),
        (r"\frac{2e}{3}", r"\frac{2\mathrm{e}}{3}"),
        (r"e^{i\pi}", r"\mathrm{e}^{\mathrm{i}\pi}"),
    ],
)
def test_upright_constants(gold, answer):
    assert compare_texts(gold, answer, MathOptions()).equal


@pytest.mark.parametrize(
    ("gold", "pred", "expected"),
    [
        ("2,74", "2.74", ("2.74", "2.74")),
        ("2.74", "2,74", ("2.74", "2.74")),
        ("2,740", "2.74", None),
        ("0,125", "0.125", ("0.125", "0.125")),
        ("2,74", "3", ("2.74", "3")),
        ("1,20,000", "x", None),
    ],
)
def test_a_comma_before_decimals(gold, pred, expected):
    found = with_points(gold, pred)
    assert found == (tuple(map(parse, expected)) if expected else None)
