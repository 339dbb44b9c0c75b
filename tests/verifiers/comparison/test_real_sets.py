"""Sets of real numbers: what a tree describes, as intervals in order."""

from fractions import Fraction

import pytest

from rewardkit.verifiers.comparison.number_sets.intervals import same_sets
from rewardkit.verifiers.comparison.number_sets.real_sets import NoSet, real_set, variable_of
from rewardkit.verifiers.limits import work
from rewardkit.verifiers.parsing.parser import parse


@pytest.fixture(autouse=True)
def budget():
    work.begin()


def end(value):
    if isinstance(value, Fraction) or str(value) in ("inf", "-inf"):
        return str(value)
    return f"{float(value):.3f}"


def shown(parts):
    return " ".join(
        f"{'(' if p.start.after else '['}{end(p.start.at)},{end(p.end.at)}{']' if p.end.after else ')'}"
        for p in parts
    )


@pytest.mark.parametrize(
    ("text", "intervals"),
    [
        (r"(2, \infty)", "(2,inf)"),
        (r"[2, \infty]", "[2,inf)"),
        ("[-1, 1/2)", "[-1,1/2)"),
        (r"(-\infty, \sqrt{2}]", "(-inf,1.414]"),
        (r"\mathbb{R}", "(-inf,inf)"),
        (r"\emptyset", ""),
        (r"\{3, 1, 2, 1\}", "[1,1] [2,2] [3,3]"),
        # unions and differences
        (r"(0, 1) \cup (1, 2)", "(0,1) (1,2)"),
        (r"(0, 1] \cup (1, 2)", "(0,2)"),
        (r"(3, 4) \cup (0, 1)", "(0,1) (3,4)"),
        (r"(0, 3) \cup [1, 2]", "(0,3)"),
        (r"(0, 3) \cap [1, 5]", "[1,3)"),
        (r"(0, 1) \cap (2, 3)", ""),
        (r"\mathbb{R} \setminus \{0\}", "(-inf,0) (0,inf)"),
        (r"\mathbb{R} - \{0, 2\}", "(-inf,0) (0,2) (2,inf)"),
        (r"[0, 5] \setminus (1, 2)", "[0,1] [2,5]"),
        # one inequality, or several
        ("x > 2", "(2,inf)"),
        ("2 < x", "(2,inf)"),
        ("x = 5", "[5,5]"),
        (r"x \ne 5", "(-inf,5) (5,inf)"),
        (r"3 - 2x \ge 7", "(-inf,-2]"),
        (r"0 < x \le 1", "(0,1]"),
        (r"x < 0 \text{ or } x > 1", "(-inf,0) (1,inf)"),
        ("x > 0, x < 1", "(0,1)"),
        (r"x \in [0, 1]", "[0,1]"),
        (r"x \notin [0, 1]", "(-inf,0) (1,inf)"),
        (r"\{x \mid x > 2\}", "(2,inf)"),
        (r"\{x \in \mathbb{R} : x^2 < 4\}", "(-2.000,2.000)"),
        (r"x < \infty", "(-inf,inf)"),
        # absolute values and quadratics
        ("|x| < 3", "(-3,3)"),
        (r"|x - 1| \ge 2", "(-inf,-1] [3,inf)"),
        (r"x^2 \ge 2", "(-inf,-1.414] [1.414,inf)"),
        ("x^2 - 2x + 1 > 0", "(-inf,1) (1,inf)"),
        (r"x^2 - 2x + 1 \le 0", "[1,1]"),
        ("x^2 + 1 > 0", "(-inf,inf)"),
        ("x^2 + 1 < 0", ""),
        ("x^2 = 4", "[-2.000,-2.000] [2.000,2.000]"),
        (r"x^2 \ne 0", "(-inf,0) (0,inf)"),
        # the values of one function
        ("0 < f(x) < 1", "(0,1)"),
    ],
)
def test_real_set(text, intervals):
    # Negative zero is a way of writing zero.
    assert shown(real_set(parse(text))).replace("-0.000", "0.000") == intervals


@pytest.mark.parametrize(
    "text",
    [
        "5",
        "(2, -1)",
        "x",
        "x < y",
        "x^3 < 8",
        r"\sin x < 1/2",
        r"x \to 0",
        "(1, 2, 3)",
        "x + 1 > x",
        r"\mathbb{Z}",
        r"x < x^2 < \infty",
        r"1/x > 2",
        r"\{x^2 \mid x > 2\}",
        "1 < 2",
        "|x| = 3",
    ],
)
def test_no_real_set(text):
    with pytest.raises(NoSet):
        real_set(parse(text))


def test_same_sets_are_equal_to_many_digits():
    a, b = real_set(parse(r"[\sqrt{8}, \infty)")), real_set(parse(r"x \ge 2\sqrt{2}"))
    assert same_sets(a, b)
    assert not same_sets(a, real_set(parse(r"x > 2\sqrt{2}")))
    assert not same_sets(a, real_set(parse(r"x \ge 2.828427124746190")))
    assert not same_sets(a, [])


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("x > 2", "x"),
        ("a < b", None),
        ("(a, 1)", None),
        (r"\{x \mid x > 2\}", None),
        (r"\{t\}", None),
        (r"\mathbb{R}", None),
    ],
)
def test_variable_of(text, name):
    assert variable_of(parse(text)) == name
