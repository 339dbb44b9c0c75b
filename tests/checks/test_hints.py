"""What a teacher reads beside the question: the solution, a right response, a reason."""

import pytest

from rewardkit.checks.hints import hint, hinted
from rewardkit.types import Finish, Group, Outcome, Problem, Rollout, Task, Verdict

RIGHT, WRONG = Verdict(Outcome.CORRECT), Verdict(Outcome.INCORRECT, reason="5 is not 6.")
NONE = Verdict(Outcome.NO_ANSWER)


def said(sees, verdicts, member, reference="", **info):
    rollouts = tuple(Rollout(f"response {i}", (), (), Finish.STOP) for i in range(len(verdicts)))
    problem = Problem("1", "2 · 3?", "6", info=info)
    task = Task("mine", (), (), lambda problem: [], print, reference=reference)
    return hint(sees, task, Group(problem, rollouts, tuple(verdicts)), member)


@pytest.mark.parametrize(
    ("verdicts", "member", "read", "not_read"),
    [
        ([RIGHT, WRONG], 1, ["response 0", "5 is not 6"], ["response 1"]),
        ([RIGHT, WRONG, RIGHT], 0, ["response 2"], ["response 0", "not right"]),
        ([RIGHT, RIGHT, NONE], 2, ["response 0"], ["not right"]),  # which right one: by turns
        ([RIGHT, RIGHT, WRONG, WRONG], 3, ["response 1"], ["response 0"]),
        ([WRONG, WRONG], 0, ["5 is not 6."], ["right response", ".."]),
    ],
)
def test_feedback(verdicts, member, read, not_read):
    found = said("feedback", verdicts, member)
    assert all(part in found for part in read)
    assert not any(part in found for part in not_read)


@pytest.mark.parametrize("verdicts", [[RIGHT, WRONG], [NONE, NONE]])
def test_there_may_be_none(verdicts):
    assert said("feedback", verdicts, 0) == ""


@pytest.mark.parametrize(
    ("columns", "read"),
    [
        ({}, "6"),
        ({"solution": "2 + 2 + 2"}, "2 + 2 + 2"),
        ({"solution": "x", "reference": "worked", "worked": "3 + 3"}, "3 + 3"),
    ],
)
def test_the_solution_is_the_best_that_there_is(columns, read):
    assert said("solution", [WRONG], 0, **columns).splitlines()[-1] == read


def test_the_last_turn_says_it():
    chat = [{"role": "system", "content": "Box it."}, {"role": "user", "content": "2 · 3?"}]
    system, user = hinted(chat, "It is 6.")
    assert system == chat[0]
    assert user["content"].startswith("2 · 3?\n\nIt is 6.\n\n")
    assert chat[1]["content"] == "2 · 3?"
