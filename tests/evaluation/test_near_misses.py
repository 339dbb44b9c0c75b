"""What a person should look at first, and what is no near miss."""

from __future__ import annotations

import pytest

from rewardkit.data.asking import BOXED_PROMPT, PromptTemplate
from rewardkit.evaluation.drawing.plan import ProblemSet, Slot
from rewardkit.evaluation.measures import near
from rewardkit.evaluation.measures.near import GOLD, SECOND, gold_stands_in, near_misses
from rewardkit.evaluation.samples import Sample
from rewardkit.types import Finish, Outcome, Problem, Task
from rewardkit.verifiers import ChoiceVerifier, MathVerifier


@pytest.mark.parametrize(
    ("response", "gold", "near"),
    [
        ("The answer is 12", "12", True),
        ("The answer is $12$.", "12", True),
        ("**12**", "12", True),
        ("so 12, as asked", "12", True),
        ("x = 12/5", "12", False),
        ("112 or 12.5 or 1,012", "12", False),
        ("12^2", "12", False),
        ("12" + " " * 4 + "x" * 300, "12", False),
        (r"\boxed{12} but no, it is " + "x " * 300, "12", True),
        (r"\boxed{\dfrac{1}{2}}" + "x " * 300, r"\frac{1}{2}", True),
        (r"\boxed{120}", "12", False),
        ("anything", "", False),
        ("\\boxed{" * 5000, "12", False),
    ],
)
def test_gold_stands_in(response, gold, near):
    assert gold_stands_in(response, gold) is near


def graded(key, response, extracted, outcome=Outcome.INCORRECT):
    found = (Finish.STOP, 1, 1, 0.0, outcome, extracted)
    return Sample(key, "t", key, 0, 0, "", response, *found)


def looked_at(verifier, gold, *samples):
    problem = Problem("p", "?", gold)
    slots = [Slot(problem, index, 0, sample.key) for index, sample in enumerate(samples)]
    task = Task("t", (), [problem], PromptTemplate(BOXED_PROMPT), verifier)
    one = ProblemSet("t", task, [problem], slots, {"p": ""})
    return near_misses(one, {sample.key: sample for sample in samples}, workers=1)


def test_the_second_opinion_is_asked_only_where_there_can_be_two():
    pytest.importorskip("math_verify")
    found = looked_at(
        *(MathVerifier(), r"\frac{1}{2}"),
        graded("half", r"\boxed{0.5}", "0.5"),
        graded("third", r"\boxed{1/3}", "1/3"),
        graded("stated", r"It is \frac{1}{2}.", None, Outcome.NO_ANSWER),
        graded("right", r"\boxed{0.5}", "0.5", Outcome.CORRECT),
        graded("late", r"\boxed{0.5}", None, Outcome.TIMEOUT),
        graded("silent", "No idea.", None, Outcome.NO_ANSWER),
    )
    assert found == {"half": SECOND, "stated": GOLD}


def test_two_plain_numbers_and_letters_of_options_need_no_look(monkeypatch):
    monkeypatch.setattr(near, "VerifierPool", None)  # nothing is to be asked
    assert looked_at(MathVerifier(), "12", graded("a", r"\boxed{13}", "13")) == {}
    assert looked_at(ChoiceVerifier(), "A", graded("b", "Not A but B", "B")) == {}
