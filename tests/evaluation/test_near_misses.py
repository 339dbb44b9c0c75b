"""Near misses: the right value without the declared format, and what is said where most are."""

from __future__ import annotations

import pytest

from rewardkit.data.asking import BOXED_PROMPT, PromptTemplate
from rewardkit.evaluation.drawing.sets import ProblemSet, Slot
from rewardkit.evaluation.measures.near import (
    ELSEWHERE,
    READ,
    RIGHT,
    near_misses,
    nearness,
    undeclared_note,
)
from rewardkit.evaluation.samples import Sample
from rewardkit.tasks import load_task
from rewardkit.tasks.mixture import mixed_task
from rewardkit.types import Finish, Outcome, Problem, Task
from rewardkit.verifiers import ChoiceVerifier, First, IntegerVerifier, MathVerifier, TextVerifier

BOXED = MathVerifier(answer_in="box")


def task_of(verifier, problem):
    return Task("t", (), [problem], PromptTemplate(BOXED_PROMPT), verifier)


@pytest.mark.parametrize(
    ("verifier", "gold", "response", "near"),
    [
        (BOXED, "12", "The answer is 12.", RIGHT),
        (BOXED, "12", "So she has 12 apples left.", RIGHT),
        (BOXED, "12", "The answer is 13.", READ),
        (BOXED, "12", r"\boxed{13} Wait. The answer is 12.", ELSEWHERE),
        (BOXED, "12", r"\boxed{13}", ""),
        (BOXED, "12", r"\boxed{12}", ""),
        (BOXED, "12", "", ""),
        (MathVerifier(), "12", "The answer is 13.", ""),  # nothing is declared
        (MathVerifier(answer_in="marker"), "12", r"\boxed{12}", RIGHT),
        (IntegerVerifier(0, 999, "box"), "12", "So the sum is 12.", RIGHT),
        (ChoiceVerifier(answer_in="box"), "B", "The answer is (B).", RIGHT),
        (First((BOXED, TextVerifier())), "12", "It is 12.", ""),  # it may ask a server
        (lambda response, answer: False, "12", "It is 12.", ""),
    ],
)
def test_what_a_lenient_reading_makes_of_a_response(verifier, gold, response, near):
    problem = Problem("p", "?", gold)
    found = load_verdict(verifier, response, gold)
    assert nearness(task_of(verifier, problem), problem, response, *found) == near


def load_verdict(verifier, response, gold):
    verdict = verifier(response, gold)
    return (verdict.outcome, verdict.method) if verdict else (Outcome.INCORRECT, "")


def test_undecided_ones_are_not_looked_at():
    problem = Problem("p", "?", "12")
    for outcome in (Outcome.TIMEOUT, Outcome.ERROR, Outcome.BAD_GOLD):
        assert nearness(task_of(BOXED, problem), problem, "It is 12.", outcome, "pool") == ""


def test_a_verifier_that_asks_for_columns_gets_them_and_a_mixture_its_part():
    task = mixed_task(
        {"made": load_task("countdown"), "sums": load_task("sums")},
        dict.fromkeys(("made", "sums"), 1.0),
    )
    made = next(p for p in task.test if p.source == "made")
    sums = next(p for p in task.test if p.source == "sums")
    for problem in (made, sums):
        response = f"The answer is {problem.answer}"
        assert nearness(task, problem, response, Outcome.NO_ANSWER, "not declared") == RIGHT


def test_the_samples_of_a_set_are_found_by_their_keys():
    problem = Problem("p", "?", "12")
    said = {"right": r"\boxed{12}", "near": "It is 12.", "silent": "No idea."}
    samples = {}
    for key, response in said.items():
        verdict = BOXED(response, "12")
        ended = (Finish.STOP, 1, 1, 0.0, verdict.outcome, verdict.extracted, verdict.method)
        samples[key] = Sample(key, "t", key, 0, 0, "", response, *ended)
    slots = [Slot(problem, index, 0, key) for index, key in enumerate((*said, "missing"))]
    one = ProblemSet("t", task_of(BOXED, problem), [problem], slots, {"p": ""})
    assert near_misses(one, samples) == {"near": RIGHT}


def test_a_note_is_made_where_most_answers_are_not_declared():
    near = {"count": 1, "read": 4, "right": 1, "elsewhere": 0}
    assert undeclared_note("test", {"samples": 8, "near_misses": near}) == ""
    note = undeclared_note("test", {"samples": 7, "near_misses": near})
    assert note.startswith("test: 4 of 7 responses")
    assert "--set task.lenient=true" in note
    assert "if it says so, show worked examples as turns of the chat" in note
