"""Two parsed answers: whether they are equal, and by which rule."""

import pytest

from rewardkit.verifiers.comparison.compare import compare
from rewardkit.verifiers.expressions.equality import Answer
from rewardkit.verifiers.limits import NeedsSympy, TooComplex, work
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.parsing.parser import parse


@pytest.fixture(autouse=True)
def budget():
    work.begin()


def compared(gold, pred, *, sympy=False, **options):
    return compare(parse(gold), parse(pred), MathOptions(**options), sympy=sympy)


SAME = [
    # before any rule
    ("x + 1", "x+1", "exact"),
    ("2, 1", "x_1 = 2, x_2 = 1", "set"),
    ("5", "x = 2 + 3 = 5", "exact"),
    # times, bases, letters
    ("3:15", "3:15:00", "time"),
    ("3:15 pm", "15:15:00", "exact"),
    ("3:15 pm", "3:15", "time"),
    ("2:45 a.m.", "2:45 AM", "exact"),
    ("noon", "12:00 pm", "exact"),
    ("101_2", "(101)_2", "exact"),
    ("101_2", "101", "base"),
    ("ABC", "A, B, C", "choice"),
    ("B", "b", "choice"),
    # signs and families
    (r"\pm 2", "-2, 2", "set"),
    (r"1 \pm \sqrt{2}", r"1 - \sqrt2, 1 + \sqrt2", "set"),
    (r"x = \pm 2", r"x = 2 \text{ or } x = -2", "set"),
    (r"(\pm 1, 2)", "(-1, 2), (1, 2)", "set"),
    (r"\pm 1 \pm 2", "3, 1, -1, -3", "set"),
    (r"\pm 3 \mp 1", "2, -2", "set"),
    (r"x^2 + C", "x^2 + c", "exact"),
    # remainders
    # relations
    ("5", "x = 5", "exact"),
    ("x = 5", "5", "exact"),
    ("5", "m + n = 5", "exact"),
    ("y = 2x + 1", "2x - y + 1 = 0", "equation"),
    ("y = 2x", "f(x) = 2x", "exact"),
    ("f(n) = 2n", "f(m) = 2m", "exact"),
    ("P(2, 5)", "(2, 5)", "exact"),
    ("a < b", "b > a", "relation"),
    (r"x \to 1/2", r"x \to 0.5", "relation"),
    # sets
    (r"(2, \infty)", "x > 2", "set"),
    (r"(0, 1) \cup (a, b)", r"(a, b) \cup (0, 1)", "set"),
    (r"\{x \mid x > a\}", r"\{y \mid y > a\}", "set"),
    # collections
    ("1, 2", "2, 1", "set"),
    (r"\{1, 2\}", "2, 1", "set"),
    (r"\{1, 2\}", r"\{1, 2, 2\}", "set"),
    (r"\{5\}", "5", "exact"),
    ("(1, 2)", "(1.0, 4/2)", "tuple"),
    ("(1, 2)", "x = 1, y = 2", "tuple"),
    (r"2i + 3j", r"(2, 3)", "tuple"),
    ("x = 1, y = 2", "y = 2, x = 1", "set"),
    ("(1, 2), (3, 4)", "x = 3, y = 4; x = 1, y = 2", "set"),
    ("x + y = 3, x - y = 1", "2x + 2y = 6, x - y - 1 = 0", "set"),
    # matrices
    (r"\begin{pmatrix} 1 \\ 2 \end{pmatrix}", "(1, 2)", "matrix"),
    (
        r"\begin{pmatrix} 1/2 & 1 \end{pmatrix}",
        r"\frac12 \begin{pmatrix} 1 & 2 \end{pmatrix}",
        "matrix",
    ),
    (
        r"\begin{pmatrix} \pm 1 \\ 2 \end{pmatrix}",
        r"\begin{pmatrix} -1 \\ 2 \end{pmatrix}, \begin{pmatrix} 1 \\ 2 \end{pmatrix}",
        "set",
    ),
    # ratios and measures
    ("1 : 2", "2 : 4", "ratio"),
    ("1 : 2 : 3", "2 : 4 : 6", "ratio"),
    ("1 : 2", "1/2", "symbolic"),
    ("50%", "0.5", "symbolic"),
    ("50%", "50", "units"),
    (r"30^\circ", "30", "units"),
    (r"30^\circ", r"\frac{\pi}{6}", "symbolic"),
    (r"(30^\circ, 60^\circ)", "(30, 60)", "tuple"),
    (r"5\text{ cm}", "5", "exact"),
    (r"5\text{ cm}", r"50\text{ mm}", "symbolic"),
    (r"\$5", "5 dollars", "exact"),
    (r"5\text{ apples}", r"5\text{ units}", "exact"),
    (r"5\text{ red apples}", r"5\text{ apples}", "exact"),
    (r"\$0.50", r"50\text{ cents}", "symbolic"),
    # values
    ("0.5", r"\frac12", "symbolic"),
    ("0.50", "0.5", "numeric"),
    (r"\pi", "3.14", "rounded"),
    ("f(x) + g(x)", "g(x) + f(x)", "symbolic"),
]
OTHER = [
    ("7", "3 = 4", "relation"),
    ("x + 1 = 4", "3 = 4", "relation"),
    (r"x = k\pi, k \in \mathbb{Z}", r"x = k\pi, k \in \mathbb{N}", "set"),
    ("x = y^2 = 4", "x = y^3 = 4", "relation"),
    ("3:15 pm", "3:15 am", "time"),
    ("3:15 pm", "4", "time"),
    ("101_2", "101_3", "base"),
    ("101_2", "5", "base"),
    ("ABC", "ACB", "exact"),
    ("B", "C", "exact"),
    ("x", "y", "exact"),
    ("p", "A", "exact"),
    (r"\pm 2", "2", "set"),
    (r"\pm 2", r"\pm 3", "set"),
    (
        r"\frac{\pi}{4} + k\pi, k \in \mathbb{Z}",
        r"\frac{\pi}{4} + 2k\pi, k \in \mathbb{Z}",
        "symbolic",
    ),
    (r"n \equiv 2 \pmod 9", r"n \equiv 2 \pmod 8", "relation"),
    (r"n \equiv 2 \pmod 9", r"m \equiv 2 \pmod 9", "relation"),
    ("x = 5", "y = 5", "equation"),
    ("x = (1, 2)", "y = (1, 2)", "relation"),
    ("5", "x^2 = 5 + y", "relation"),
    ("y = 2x + 1", "y = 2x + 2", "symbolic"),
    ("2y = 4x + 1", "y = 2x + 1", "equation"),
    ("y = 2x + 1", "z = 2x + 1", "equation"),
    ("f(x) = 2x", "g(x) = 2x", "relation"),
    ("x > 2", "y > 2", "relation"),
    ("x > 2", r"x \ge 2", "set"),
    (r"(2, \infty)", r"[2, \infty)", "interval"),
    ("(1, 2)", "(1, 2]", "interval"),
    ("(1, 2)", "(2, 1)", "tuple"),
    ("(1, 2)", "(1, 2, 3)", "tuple"),
    ("1, 2", "1, 3", "set"),
    ("1, 2, 3", "1, 2", "set"),
    ("1, 2", "1", "set"),
    (r"\{1, 2\}", r"\{\{1\}, 2\}", "set"),
    (r"\{\mathbb{R}\}", r"\mathbb{R}", "set"),
    (r"\{1\}", r"\{\{1\}\}", "set"),
    ("x = 1, y = 2", "x = 2, y = 1", "set"),
    (r"\begin{pmatrix} 1 & 2 \end{pmatrix}", r"\begin{pmatrix} 1 \\ 2 \end{pmatrix}", "matrix"),
    (r"\begin{pmatrix} 1 & 2 \end{pmatrix}", r"\begin{pmatrix} 1 & 3 \end{pmatrix}", "matrix"),
    ("1 : 2", "2 : 1", "ratio"),
    ("1 : 2 : 3", "1 : 2", "ratio"),
    ("0.5%", "0.5", "symbolic"),
    (r"5\text{ cm}", r"5\text{ mm}", "symbolic"),
    (r"5\text{ cm}", r"5\text{ kg}", "units"),
    (r"5\text{ apples}", r"5\text{ pears}", "units"),
    (r"5\text{ m north}", r"5\text{ m south}", "units"),
    (r"5\%", r"5\text{ cm}", "units"),
    ("5", "6", "numeric"),
    ("x + 1", "x + 2", "symbolic"),
    (r"\pi", "3.2", "symbolic"),
    ("0.125", "0.12", "numeric"),
    ("5", r"\begin{pmatrix} 1 & 2 \end{pmatrix}", "kind"),
    ("5", r"\mathbb{R}", "kind"),
]


@pytest.mark.parametrize(("gold", "pred", "method"), SAME)
def test_equal(gold, pred, method):
    found = compared(gold, pred)
    assert (found.equal, found.method) == (True, method), found


@pytest.mark.parametrize(("gold", "pred", "method"), OTHER)
def test_different(gold, pred, method):
    found = compared(gold, pred)
    assert (found.equal, found.method) == (False, method), found


@pytest.mark.parametrize(
    ("gold", "pred", "options"),
    [
        ("(1, 2)", "(2, 1)", {"ordered_tuples": False}),
        ("1, 2", "2, 1", {"ordered_lists": True}),
        ("101_2", "101", {"missing_unit": False}),
        (r"5\text{ cm}", "5", {"missing_unit": False}),
        ("50%", "50", {"missing_unit": False}),
        (r"(30^\circ, 60^\circ)", "(30, 60)", {"missing_unit": False}),
        (r"\pi", "3.14", {"decimal_digits": 0}),
        (r"\pi", "3.14", {"decimal_digits": 4}),
        (r"\pi", "3.1", {"decimal_digits": 2}),
        (r"(2, \infty)", "x > 2", {"relation_as_set": False}),
    ],
)
def test_each_policy_decides(gold, pred, options):
    assert compared(gold, pred).equal != compared(gold, pred, **options).equal


@pytest.mark.parametrize(
    ("gold", "pred", "reason"),
    [
        ("5", r"\mathbb{R}", "the gold is Num, the answer is NamedSet"),
        ("(1, x)", "(1, y)", "entry 2: x is not y"),
        ("1, 2", "1", "2 values against one"),
        (r"(0, 1) \cup (2, 3)", "x > 2", "the sets of real numbers differ"),
        (r"30^\circ", "31", "values differ"),
        (r"30^\circ", "30", "equal; the degree sign is left out on one side"),
    ],
)  # fmt: skip
def test_the_reason_says_what_differs(gold, pred, reason):
    assert compared(gold, pred).reason == reason


def test_only_sympy_can_tell():
    with pytest.raises(NeedsSympy):
        compared(r"\frac13", r"\int_0^1 x^2 dx")
    found = compared(r"\frac13", r"\int_0^1 x^2 dx", sympy=True)
    assert (found.equal, found.method) == (True, "sympy")
    assert compared("1", r"\int x", sympy=True).answer is Answer.UNKNOWN


def test_many_values_in_no_order_are_refused():
    roots = [rf"\sqrt{{{k}}}" for k in range(2, 60)]
    halves = [rf"\frac12\sqrt{{{4 * k}}}" for k in range(2, 60)]
    with pytest.raises(TooComplex):
        compared(", ".join(roots), ", ".join(reversed(halves)))
