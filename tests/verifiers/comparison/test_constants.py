"""Free constants: by any letter, and what parts by one of integration."""

import pytest

from rewardkit.verifiers.comparison.compare import compare
from rewardkit.verifiers.limits import work
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.parsing.parser import parse


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        (r"\sin^2 x + C", r"-\frac12 \cos 2x + C"),
        (r"\ln|x| + C", r"\ln|3x| + c"),
        (r"\ln(x - 20) + C", r"\ln(2x - 40) + C"),
        (r"\frac{(ax+b)^2}{2a} + C", r"\frac{ax^2}{2} + bx + C"),
        (r"t^3 + C_1", r"t^3 - 8 + C_1"),
    ],
)
def test_a_constant_between_them_is_taken_by_the_free_one(gold, answer):
    assert compare(parse(gold), parse(answer), MathOptions()).equal


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("x^2 + C", "2x^2 + C"),
        ("x^2 + C", "x^2 + 5"),
        ("x^2 + C", "x^2 + x + C"),
        ("C + 5", "C + 6"),
        ("Cx + C", "Cx + 1 + C"),
        ("x^2 + C", "C"),
    ],
)
def test_nothing_else_is(gold, answer):
    assert not compare(parse(gold), parse(answer), MathOptions()).equal


@pytest.mark.parametrize(
    ("gold", "answer", "same"),
    [
        ("ax+b", "cx+d", True),
        (r"C + \frac{D}{x}", r"A + \frac{B}{x}", True),
        ("y = C_1 e^x + C_2 e^{-x}", "y = Ae^x + Be^{-x}", True),
        (r"\frac{x^2}{2} + C", r"\frac{x^2}{2} + c", True),
        ("ax+b", "cx^2+d", False),
        ("ax+by", "cx+ay", False),
        ("y = ax+a", "y = cx+d", False),
        ("a+b", "c+d", False),
        ("x+y", "a+b", False),
        ("kx+1", "cx+1", False),
        (r"2\pi rh", r"2\pi rH", False),
    ],
)
def test_free_constants_by_other_letters(gold, answer, same):
    work.begin()
    assert compare(parse(gold), parse(answer), MathOptions()).equal is same
