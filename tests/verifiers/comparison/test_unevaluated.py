"""Which calculations are answers, and which hand the question back."""

import pytest

from rewardkit.verifiers.comparison.relations.chains import settled
from rewardkit.verifiers.comparison.texts import compare_texts
from rewardkit.verifiers.comparison.written.unevaluated import is_unevaluated
from rewardkit.verifiers.limits import work
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.parsing.parser import parse


@pytest.mark.parametrize(
    ("gold", "pred", "expected"),
    [
        ("26000", "513^2-487^2", True),
        ("26000", "(513-487)(513+487)", True),
        ("35", r"(6^{83}+8^{83}) \bmod 49", True),
        ("3", r"7^{2023} \bmod 10", True),
        ("5050", r"\sum_{k=1}^{100} k", True),
        ("6912", "1234+5678", True),
        ("7", r"\gcd(1001, 210)", True),
        ("26000", "x = 513^2-487^2", True),
        ("26000", r"\$(513^2-487^2)", True),
        ("7", "|123-130|", True),
        ("0.5", r"\frac12", False),
        ("1024", "2^{10}", False),
        ("7", "3+4", True),
        ("120", "5!", False),
        ("10", r"\binom{5}{2}", False),
        ("26000", r"26\cdot1000", False),
        ("26000", r"2^4\cdot5^3\cdot13", False),
        ("26000", r"2.6\times10^4", False),
        ("6", r"\gcd(12,18)", True),
        ("3", r"3 \bmod 7", False),
        ("1", r"\lim_{x\to0}\frac{\sin x}{x}", True),
        (r"\frac13", r"\int_0^1 x^2 dx", True),
        ("391", r"17\times23", True),
        ("143", r"11\cdot13", True),
        ("2717", r"11\cdot13\cdot19", True),
        ("1573", r"11^2\cdot13", False),
        (r"\pi", r"\int_0^1 2\pi x dx", False),
        ("12.5", r"12\text{ dollars and }50\text{ cents}", False),
        ("1", r"\sin^2 30^\circ+\cos^2 30^\circ", True),
        ("513^2-487^2", "513^2-487^2", False),
        (r"\frac56", r"\frac12+\frac13", True),
        ("12", r"\sqrt{144}", True),
        ("4", r"\sqrt{16}", False),
        ("4", r"\log_3 81", True),
        ("10080", r"7!\times2", False),
        ("5050", r"\frac{100\cdot101}{2}", True),
        (r"\frac{999}{1000}", r"1-\frac{1}{1000}", False),
        ("1267650600228229401496703205375", "2^{100}-1", False),
    ],
)
def test_is_unevaluated(gold, pred, expected):
    work.begin()
    assert is_unevaluated(parse(gold), parse(pred), settled(parse(pred))) is expected


def test_the_policy_can_let_them_pass():
    assert not compare_texts("26000", "513^2-487^2", MathOptions()).equal
    assert compare_texts("26000", "513^2-487^2", MathOptions(unevaluated="accept")).equal
    assert compare_texts("26000", "513^2-487^2=26000", MathOptions()).equal
