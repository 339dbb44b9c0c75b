"""What people hand in: golds that are numbers, functions that return a bool, coroutine functions."""

import asyncio
import inspect
from decimal import Decimal
from fractions import Fraction

import pytest
from pool_verifiers import awaited, awkward, same

import rewardkit.verifiers
from rewardkit.errors import ConfigError
from rewardkit.golds import as_text
from rewardkit.types import Outcome, Problem, Task, Verdict
from rewardkit.verifiers import (
    Agreement,
    ChoiceVerifier,
    First,
    FormatVerifier,
    IntegerVerifier,
    MathVerifier,
    NumericVerifier,
    TextVerifier,
    VerifierPool,
    Weighted,
)
from rewardkit.verifiers.functions import as_verifier

C, I, B, E = Outcome.CORRECT, Outcome.INCORRECT, Outcome.BAD_GOLD, Outcome.ERROR  # noqa: E741


@pytest.mark.parametrize(
    ("gold", "text"),
    [
        ("1/2", "1/2"),
        (12, "12"),
        (-3, "-3"),
        (0.5, "0.5"),
        (1e-7, "1e-07"),
        (True, "True"),
        (Fraction(1, 3), "1/3"),
        (Fraction(4, 2), "2"),
        ([1, 2, 3], "1, 2, 3"),
        ([Fraction(1, 2), 0.25], "1/2, 0.25"),
        ((1, 2), "1, 2"),
        ([(1, 2), (3, 4)], "(1, 2), (3, 4)"),
        (["2", "3"], "2, 3"),
        ([7], "7"),
        ([], ""),
        (None, ""),
        (float("nan"), ""),
        (Decimal("NaN"), ""),
    ],
)
def test_a_gold_is_read_as_it_prints(gold, text):
    assert as_text(gold) == text


@pytest.mark.parametrize(
    ("verifier", "response", "gold", "outcome"),
    [
        (MathVerifier(), r"\boxed{12}", 12, C),
        (MathVerifier(), r"\boxed{13}", 12, I),
        (MathVerifier(), r"\boxed{\frac12}", 0.5, C),
        (MathVerifier(), r"\boxed{0.5}", Fraction(1, 2), C),
        (MathVerifier(), r"\boxed{10^{-7}}", 1e-7, C),
        (MathVerifier(), r"\boxed{\text{true}}", True, C),
        (MathVerifier(), r"\boxed{\text{false}}", True, I),
        (MathVerifier(), r"\boxed{1, 2}", [1, 2], C),
        (MathVerifier(), r"\boxed{\{2, 1\}}", [1, 2], C),
        (MathVerifier(), r"\boxed{3}", [1, 2], I),
        (MathVerifier(), r"\boxed{[1, 2]}", [1, 2], C),
        (MathVerifier(), r"\boxed{[1, 3]}", [1, 2], I),
        (MathVerifier(), r"\boxed{1, 2}", "[1, 2]", I),
        (MathVerifier(), r"\boxed{0.5, 3}", [Fraction(1, 2), 3], C),
        (MathVerifier(), r"\boxed{\int_0^1 2\pi x\,dx}", "\\pi", C),
        (MathVerifier(), r"\boxed{1}", None, B),
        (MathVerifier(), r"\boxed{1}", float("nan"), B),
        (MathVerifier(), r"\boxed{1}", {"a": 1}, E),
        (IntegerVerifier(), r"\boxed{042}", 42, C),
        (NumericVerifier(relative=0.01), r"\boxed{9.79}", 9.8, C),
        (TextVerifier(), r"\boxed{\text{True}}", True, C),
        (ChoiceVerifier(letters="12"), r"\boxed{A}", 1, B),
        (FormatVerifier(), "<think>a</think><answer>b</answer>", 1, C),
        (First((IntegerVerifier(), same)), "<answer>7</answer>", 7, C),
        (Weighted(((IntegerVerifier(), 1.0),)), r"\boxed{7}", 7, C),
        (Agreement(IntegerVerifier(), same), r"\boxed{7}", 7, C),
        (as_verifier(same), "7", 7, C),
    ],
)
def test_every_verifier_and_the_pool_read_it(verifier, response, gold, outcome):
    assert verifier(response, gold).outcome is outcome
    with VerifierPool(verifier if verifier != as_verifier(same) else same, workers=1) as pool:
        verdicts = [pool.verify_one(response, gold), *pool.verify([(response, gold)])]
    assert [verdict.outcome for verdict in verdicts] == [outcome, outcome]
    assert all(isinstance(verdict.gold, str) for verdict in verdicts)


def test_a_function_that_returns_a_bool_is_taken_wherever_a_verifier_is():
    with VerifierPool(same, workers=1) as pool:
        assert [v.outcome for v in pool.verify([("a", "a"), ("b", "a")])] == [C, I]
        assert pool.verify_one("a", "a").method == "same"
    assert First((same,))("a", "a").outcome is C
    assert Weighted(((same, 1.0),))("b", "a").outcome is I
    task = Task("t", (), (), lambda problem: [], same)
    assert task.verifier("a", "a")
    assert Problem("1", "?", "a").answer == "a"


def test_an_exception_says_where_the_users_code_raised_it():
    line = inspect.getsourcelines(awkward)[1]
    source = inspect.getsource(awkward).split("\n")
    line += next(k for k, text in enumerate(source) if "ValueError" in text)
    with VerifierPool(awkward, workers=1) as pool:
        reason = pool.verify_one("raise", "a").reason
    assert reason.startswith("ValueError: boo (")
    assert f"pool_verifiers.py:{line}, in awkward)" in reason


def test_the_users_line_is_named_where_a_library_raised():
    with VerifierPool(awaited, workers=1) as pool:
        reason = pool.verify_one("{", "1").reason
    assert "JSONDecodeError" in reason
    assert "pool_verifiers.py:" in reason
    assert "in awaited)" in reason


def test_a_coroutine_function_is_awaited():
    with VerifierPool(awaited, workers=1) as pool:
        assert [v.outcome for v in pool.verify([("1", "1"), ("[1]", "2")])] == [C, I]

        async def within():
            return await pool.averify("1.0", "1")

        assert asyncio.run(within()).outcome is C
    assert as_verifier(awaited)("1", "1").outcome is C


def test_a_coroutine_function_is_refused_by_name_where_a_loop_runs():
    async def within():
        return as_verifier(awaited)("1", "1")

    with pytest.raises(ConfigError, match=r"awaited is a coroutine.*VerifierPool\(awaited\)"):
        asyncio.run(within())


def test_what_is_no_verifier_is_refused():
    with pytest.raises(ConfigError, match="must be callable"):
        VerifierPool("math")


def test_the_public_names_are_listed():
    names = dir(rewardkit.verifiers)
    assert {"MathVerifier", "VerifierPool", "Agreement", "load_verifier"} <= set(names)
    assert all(getattr(rewardkit.verifiers, name) is not None for name in names)


def test_verdicts_are_passed_on():
    verdict = Verdict(C, reason="mine")
    assert as_verifier(lambda response, answer: verdict)("a", "a") is verdict
