"""How a rollout of several turns ends, and what is graded of it."""

import json

import pytest

from rewardkit.environments import turn_metrics
from rewardkit.environments.pool import FAULT
from rewardkit.environments.rollout import Playing
from rewardkit.recipes import Term
from rewardkit.shaping import Scope, shape_group, terms_of
from rewardkit.types import Finish, Outcome, Problem, Verdict
from rewardkit.verifiers import MathVerifier


def test_the_box_of_the_last_turn_is_the_answer():
    playing = Playing(Problem("1", "What is 5 + 6?", "11"))
    for said in (r"\boxed{13}", r"\boxed{11}"):
        playing.end_turn(said, 6, ended=True, answers=True)
    assert MathVerifier(answer_in="box")(playing.text, "11").correct
    assert not MathVerifier(answer_in="box")(playing.text, "13").correct


class Letters:
    """A chat of which each letter is a token."""

    tokenizer = type("Tokenizer", (), {"decode": staticmethod(lambda given, **_: "a" * len(given))})

    def tokens(self, said, last):
        return [1] * len(said)


def ended(said, *, turns, most):
    """Return a rollout of a turn of four tokens, to which `said` was answered."""
    playing = Playing(Problem("1", "?", "1"), tokens=[2] * 4, logprobs=[0.0] * 4)
    playing.end_turn("aaaa", 4, ended=True, answers=True)
    body = json.dumps([said, {}, 0, None])
    playing.take(Verdict(Outcome.CORRECT, body, method=FAULT), Letters(), turns, most)
    return playing.rollout()


@pytest.mark.parametrize(
    ("said", "turns", "most", "finish"),
    [
        ("", 1, 9, Finish.STOP),  # the environment ended it, in the last turn of all
        ("more", 1, 99, Finish.TURNS),
        ("more", 2, 8, Finish.LENGTH),
        ("more", 1, 8, Finish.TURNS),  # no turn was left for the tokens either
    ],
)
def test_which_limit_ended_a_rollout(said, turns, most, finish):
    rollout = ended(said, turns=turns, most=most)
    assert rollout.finish is finish
    assert turn_metrics([rollout])["out_of_turns"] == (finish is Finish.TURNS)


def test_what_is_out_of_turns_is_graded_and_not_punished_for_its_length():
    terms = terms_of([Term("stop_properly", 1.0, {"penalty": 0.5})], Scope.RESPONSE)
    rollouts = [ended("more", turns=1, most=99), ended("more", turns=2, most=8)]
    rewards = shape_group([Verdict(Outcome.INCORRECT)] * 2, rollouts, terms, limit=99)
    assert [reward.total for reward in rewards] == [0.0, -0.5]
