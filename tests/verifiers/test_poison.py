"""Answers written to hang, crash or take over a grader: each must end at once and run nothing."""

import time

import pytest

from rewardkit.types import Outcome
from rewardkit.verifiers import MathVerifier, VerifierPool

POISONS = {
    "power tower": r"\boxed{9^{9^{9^{9^{9}}}}}",
    "plain power tower": "9**9**9**9**9",
    "wide tower": r"\boxed{10^{10^{10^{10}}}}",
    "negative tower": r"\boxed{10^{-10^{10^{10}}}}",
    "fractional tower": r"\boxed{2.5^{3.5^{4.5^{5.5^{6.5}}}}}",
    "huge power": r"\boxed{123456789^{987654321}}",
    "huge root": r"\boxed{\sqrt[10^{100}]{10^{10^{20}}}}",
    "factorial": r"\boxed{10^9!}",
    "factorial of 10^9": r"\boxed{(10^9)!}",
    "factorial of 10^100": r"\boxed{(10^{100})!}",
    "nested factorials": r"\boxed{((9!)!)!}",
    "factorial tower": r"\boxed{9!!!!!!}",
    "factorials of factorials": r"\boxed{(((((3!)!)!)!)!)!}",
    "binomial": r"\boxed{\binom{10^9}{5\cdot 10^8}}",
    "larger binomial": r"\boxed{\binom{10^{100}}{10^{99}}}",
    "multiplied binomials": r"\boxed{" + r"\binom{99999}{44444}" * 60 + "}",
    "10k parentheses": r"\boxed{" + "(" * 10_000 + "1" + ")" * 10_000 + "}",
    "100k parentheses": r"\boxed{" + "(" * 100_000 + "1" + ")" * 100_000 + "}",
    "100k open parentheses": "(" * 100_000,
    "100k braces": r"\boxed{" + "{" * 100_000 + "1" + "}" * 100_000 + "}",
    "100k open braces": r"\boxed{" + "{" * 100_000,
    "100k boxes": r"\boxed{" * 100_000,
    "100k short boxes": r"\boxed{1}" * 100_000,
    "2k fractions": r"\boxed{" + r"\frac{1}{" * 2_000 + "1" + "}" * 2_000 + "}",
    "2k roots": r"\boxed{" + r"\sqrt{" * 2_000 + "2" + "}" * 2_000 + "}",
    "50 roots of sums": r"\boxed{" + r"\sqrt{2+" * 50 + "2" + "}" * 50 + "}",
    "nested sets": r"\boxed{" + r"\{" * 55 + "1" + r"\}" * 55 + "}",
    "nested mixed fractions": r"\boxed{" + r"1\frac{" * 50 + "1" + "}{2}" * 50 + "}",
    "nested bars": r"\boxed{" + "|" * 3_000 + "1" + "|" * 3_000 + "}",
    "1 MB of digits": r"\boxed{" + "7" * 1_000_000 + "}",
    "1 MB of letters": "x" * 1_000_000,
    "1 MB of words": "word " * 200_000,
    "1 MB of dollars": "$" * 1_000_000,
    "1 MB of opening math": r"\(" * 500_000,
    "1 MB of spaces": " " * 1_000_000 + "1",
    "1 MB of backslashes": "\\" * 1_000_000,
    "1 MB of thinking": "<think>" * 140_000,
    "1 MB of answers": "the answer is " * 70_000,
    "1 MB of answer tags": "<answer>" * 120_000,
    "1 MB of signs": r"\boxed{" + "-" * 1_000_000 + "1}",
    "9k signs": r"\boxed{" + "-" * 9_000 + "1}",
    "1 MB of numbers": "1 " * 500_000,
    "1 MB of groups of digits": "123 " * 250_000,
    "1 MB of commas": r"\boxed{" + "1," * 400_000 + "1}",
    "1 MB of formulas": "$1$ " * 250_000,
    "1 MB of percent": "% " * 500_000,
    "1000 x 1000 matrix": r"\boxed{\begin{pmatrix}"
    + r"\\".join(["&".join(["1"] * 1000)] * 1000)
    + r"\end{pmatrix}}",
    "19 x 19 determinant": r"\boxed{\begin{vmatrix}"
    + r"\\".join("&".join(str(r * c % 7 + 1) for c in range(19)) for r in range(19))
    + r"\end{vmatrix}}",
    "monster integral": r"\boxed{\int_0^1 \frac{\sin(x^{x^{x}})}{\ln(1+x^{99})}\,dx}",
    "nested integrals": r"\boxed{" + r"\int_0^1" * 40 + "x" + "dx" * 40 + "}",
    "long sum": r"\boxed{\sum_{k=1}^{10^{12}} \frac{1}{k}}",
    "nested sums": r"\boxed{"
    + "".join(rf"\sum_{{{v}=1}}^{{2000}} " for v in "abcdfgh")
    + "1}",
    "product of factorials": r"\boxed{\prod_{k=1}^{2000} k!}",
    "infinite sum": r"\boxed{\sum_{k=1}^{\infty} \frac{1}{k^2}}",
    "limit": r"\boxed{\lim_{x\to 0} \frac{\sin x}{x}}",
    "200 plus-minus": r"\boxed{" + r"\pm 1" * 200 + "}",
    "tuple of plus-minus": r"\boxed{(" + ",".join([r"\pm 1"] * 60) + ")}",
    "400-item set": r"\boxed{\{" + ",".join(rf"\sqrt{{{k}}}" for k in range(399)) + r"\}}",
    "400 intervals": r"\boxed{" + r"\cup".join(f"({k},{k + 1})" for k in range(399)) + "}",
    "sine of a tower": r"\boxed{\sin(10^{10^{10}})}",
    "exponential of a tower": r"\boxed{e^{e^{e^{e^{e}}}}}",
    "logarithm of a tower": r"\boxed{\ln(10^{10^{10^{10}}})}",
    "gcd of towers": r"\boxed{\gcd(10^{10^{10}}, 7)}",
    "modulo of a tower": r"\boxed{7^{7^{7^{7}}} \bmod 10}",
    "floor of a tower": r"\boxed{\lfloor \pi^{\pi^{\pi^{\pi^{\pi}}}} \rfloor}",
    "base with 9k digits": r"\boxed{" + "1" * 9_000 + "_2}",
    "huge exponent literal": r"\boxed{1e999999999}",
    "tiny exponent literal": r"\boxed{1e-99999}",
    "repeating decimal": r"\boxed{0.\overline{" + "142857" * 1_500 + "}}",
    "null bytes": "\\boxed{\x001\x00}",
    "lone surrogates": "\\boxed{\ud800}",
    "control characters": "\\boxed{" + "".join(map(chr, range(32))) + "}",
    "right-to-left marks": "\\boxed{\u202e21\u202c}",
    "combining marks": "\\boxed{1" + "\u0301" * 9_000 + "}",
    "long polynomial": r"\boxed{" + "+".join(f"x^{{{k}}}" for k in range(500)) + "}",
    "expanding power": r"\boxed{(a+b+c+d+f)^{4999}}",
    "symbols beyond number": r"\boxed{" + "+".join(f"x_{{{k}}}" for k in range(700)) + "}",
    "1 MB of blank lines": "\n" * 1_000_000 + "so it is",
    "blank lines after the words": "The final answer" + "\n " * 300_000,
    "1 MB of spaces after a box": r"\boxed{}" + " " * 1_000_000 + "x",
    "1 MB of hope": " " * 1_000_000 + "I hope",
    "spaces in a text": r"\boxed{\text{" + " " * 9_000 + "}}",
    "commas in a text": r"\boxed{\text{" + " ," * 4_500 + "}}",
    "1 MB of answers that are": r"\(1\) " * 150_000 + "answer",
    "many comments": "<!--" * 200_000,
    "1 MB of full stops and commas": r"\boxed{" + ".," * 500_000 + "}",
    "300 pieces": r"\boxed{\begin{cases}" + r"1&x>0\\" * 300 + r"\end{cases}}",
    "many units": r"\boxed{5" + " cm" * 3_000 + "s}",
    "absorbed terms": r"\boxed{\pi" + "".join(f"+e^{{-{k}00}}" for k in range(1, 60)) + "}",
    "alternating brackets": r"\boxed{" + "([" * 400 + "1" + "])" * 400 + "}",
}  # fmt: skip
GOLDS = [
    "42",
    r"\frac{1}{3}",
    r"\sqrt{2}+1",
    r"\{1, 2\}",
    r"(1, 2)",
    "x^2+1",
    r"[0, \infty)",
    "blue",
]


@pytest.mark.parametrize("name", POISONS)
def test_a_poisoned_answer_ends_within_its_bounded_work_and_is_never_right(name):
    verifier = MathVerifier()
    unbounded = name in ("monster integral", "nested integrals", "limit", "infinite sum")
    for gold in GOLDS[:1] if unbounded else GOLDS:
        started = time.process_time()
        verdict = verifier(POISONS[name], gold)
        spent = time.process_time() - started
        if not (name == "right-to-left marks" and gold == "42"):
            assert verdict.outcome is not Outcome.CORRECT
        assert verdict.outcome is not Outcome.ERROR, verdict.reason
        # No timing test: a hundred times what any of these takes, for a hang must fail here.
        assert spent < 30, f"{gold}: {spent:.1f} s"


# Of one integral as an answer the other test says it, in as many seconds.
@pytest.mark.parametrize("name", [name for name in POISONS if name != "monster integral"])
def test_a_poisoned_gold_ends_too(name):
    verdict = MathVerifier()(r"\boxed{42}", POISONS[name])
    assert verdict.outcome not in (Outcome.CORRECT, Outcome.ERROR)


def test_the_pool_gives_the_good_answers_around_poisons_their_verdicts():
    pairs = []
    for poison in list(POISONS.values())[:40]:
        pairs += [(poison, "42"), (r"\boxed{\frac12}", "0.5")]
    with VerifierPool(MathVerifier(), workers=1, deadline_s=20.0) as pool:
        verdicts = list(pool.verify(pairs))
    assert [v.outcome for v in verdicts[1::2]] == [Outcome.CORRECT] * 40
    assert not any(v.correct for v in verdicts[::2])
