"""What answers are made of: signs, matrices, chains and names."""

import pytest

from rewardkit.verifiers.comparison.names import domain_of, is_combination, is_name
from rewardkit.verifiers.comparison.relations.chains import false_relation, settled
from rewardkit.verifiers.comparison.values.matrices import matrix_rows
from rewardkit.verifiers.comparison.values.signs import signs_expanded
from rewardkit.verifiers.comparison.values.values import as_written, terminates
from rewardkit.verifiers.comparison.written.choices import chosen_letters
from rewardkit.verifiers.expressions.evaluate import Evaluator
from rewardkit.verifiers.limits import TooComplex, work
from rewardkit.verifiers.parsing.parser import parse


@pytest.fixture(autouse=True)
def budget():
    work.begin()


@pytest.mark.parametrize(
    ("text", "expanded"),
    [
        (r"\pm 2", "2, -2"),
        (r"1 \pm x", "1 + x, 1 - x"),
        (r"x = \pm 2", "x = 2, x = -2"),
        (r"x \ne \pm 2", r"x \ne 2, x \ne -2"),
        (r"\{\pm 1, 3\}", r"\{1, -1, 3\}"),
        (r"\pm 1, 3", "1, -1, 3"),
        (r"(\pm 1, 2)", "(1, 2), (-1, 2)"),
        (r"(\pm 1, \pm 2)", "(1, 2), (1, -2), (-1, 2), (-1, -2)"),
        (r"\pm 3 \mp 1", "3 - 1, -3 + 1"),
        (r"\pm (1, 2)", "(1, 2), (-1, -2)"),
        (r"\pm a \pm b", "a + b, a - b, -a + b, -a - b"),
        (r"x > \pm 2", r"x > \pm 2"),
        (r"5", "5"),
    ],
)
def test_signs_expanded(text, expanded):
    assert signs_expanded(parse(text)) == parse(expanded)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("x", True),
        ("x + y", False),
        ("f(x)", True),
        (r"\sin 2x", True),
        (r"\sin 30", False),
        ("P(2)", True),
        ("|x|", True),
        ("|5|", False),
        ("(x, y)", True),
        ("(x, 1)", False),
        ("A^2", False),
        ("x^{-1}", False),
        (r"\frac{dy}{dx}", True),
        (r"\frac{AB}{CD}", True),
        (r"\frac{a}{b}", False),
        ("AB", True),
        ("ab", False),
        ("a : b", True),
        ("1 : b", False),
        (r"\lim_{x \to 0} f(x)", True),
        (r"A \cup B", True),
        ("5", False),
    ],
)
def test_names(text, named):
    assert is_name(parse(text)) is named


@pytest.mark.parametrize(
    ("text", "combined"),
    [
        ("m + n", True), ("x^2 + y^2", True), ("xy", True), ("a - b", True), ("a/b", True),
        ("m", False), ("2m + n", False), ("x^y", True), ("x + 1", False), ("f(x) + y", False),
    ],
)  # fmt: skip
def test_combinations(text, combined):
    assert is_combination(parse(text)) is combined


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("ACD", "ACD"),
        ("A, C, D", "ACD"),
        ("D, A", "AD"),
        ("DA", None),
        ("A", None),
        ("AA", None),
        ("AX", None),
        ("A + B", None),
    ],
)
def test_letters(text, chosen):
    assert chosen_letters(parse(text)) == (frozenset(chosen) if chosen else None)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("0.50", "0.50"),
        ("-0.5", "-0.5"),
        ("12.5%", "12.5e-2"),
        (r"1.5 \cdot 10^3", "1.5e3"),
        (r"1.5 \cdot 10^{-3}", "1.5e-3"),
        (r"1.5 \cdot 2^3", None),
        ("x", None),
        ("1/2", None),
    ],
)
def test_plain_numbers_as_written(text, written):
    assert as_written(parse(text)) == written


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("1/8", True),
        ("3", True),
        ("1/3", False),
        (r"\pi", False),
        ("1/0", False),
        ("2^{-30}", False),
    ],
)
def test_terminating_decimals(text, short):
    assert terminates(parse(text)) is short


@pytest.mark.parametrize(
    ("text", "false"),
    [
        ("3 = 4", True),
        ("3 = 3", False),
        ("1 = 2 = 3", True),
        ("x = 3", False),
        ("x = 6 = 2", True),
        ("x = 2 + 3 = 5", False),
        ("x = 3 + 3 = 5 = 6", False),
        (r"\pi = 3.14", False),
        (r"\pi \approx 3.14", False),
        (r"\pi \approx 3.5", True),
        (r"1\text{ m} = 100\text{ cm}", False),
        ("x = 1, 2 = 3", True),
        ("3 < 2", False),
    ],
)
def test_false_relations(text, false):
    assert false_relation(parse(text)) is false


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 2 + 3 = 5", "x = 5"),
        ("2 + 3 = 5", "5"),
        ("5 = x", "x = 5"),
        (r"x \approx 11", "x = 11"),
        (r"x = \frac13 \approx 0.33", r"x = \frac13"),
        (r"k\pi, k \in \mathbb{Z}", r"k\pi"),
        ("x = y", "x = y"),
        ("x > 2", "x > 2"),
        ("S = A + B = C", "S = A + B = C"),
        ("5", "5"),
    ],
)
def test_settled(text, expected):
    assert settled(parse(text)) == parse(expected)


A = r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}"
ROW = r"\begin{pmatrix} 1 & 2 \end{pmatrix}"
B = r"\begin{pmatrix} 0 & 1 \\ 1 & 0 \end{pmatrix}"


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (A, [[1, 2], [3, 4]]),
        ("(1, 2)", [[1], [2]]),
        (f"-{A}", [[-1, -2], [-3, -4]]),
        (f"{A} + {B}", [[1, 3], [4, 4]]),
        (f"2 {A}", [[2, 4], [6, 8]]),
        (f"{A} \\cdot 2", [[2, 4], [6, 8]]),
        (f"{A} {B}", [[2, 1], [4, 3]]),
        (f"\\frac{{{A}}}{{2}}", [[0.5, 1], [1.5, 2]]),
        (f"{A} (1, 2)", [[5], [11]]),
        ("5", None),
        (f"{A} + 1", None),
        (f"{ROW} {ROW}", None),
        (f"{A} + {ROW}", None),
    ],
)
def test_matrices_worked_out(text, rows):
    found = matrix_rows(parse(text))
    at = Evaluator({}, 30)
    assert (found and [[at.value(cell) for cell in row] for row in found]) == rows


def test_a_large_matrix_is_refused():
    row = "&".join(["1"] * 21)
    with pytest.raises(TooComplex):
        matrix_rows(parse(r"\begin{pmatrix}" + r"\\".join([row] * 20) + r"\end{pmatrix}"))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (r"x = k\pi, k \in \mathbb{Z}", "Z"),
        (r"x = k\pi, k \in \mathbb{N}", "N"),
        (r"\{x \mid x > 0, x \in \mathbb{Z}\}", "Z"),
        (r"x \in \mathbb{Z}", "Z"),
        (r"x \in \mathbb{R}", None),
        (r"a \in \mathbb{Z}, b \in \mathbb{N}", None),
        ("x > 2", None),
    ],
)
def test_domain_of(text, name):
    assert domain_of(parse(text)) == name
