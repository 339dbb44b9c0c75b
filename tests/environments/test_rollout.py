"""What is graded of a rollout of several turns."""

from rewardkit.environments.rollout import Playing
from rewardkit.types import Problem
from rewardkit.verifiers import MathVerifier


def test_the_box_of_the_last_turn_is_the_answer():
    playing = Playing(Problem("1", "What is 5 + 6?", "11"))
    for said in (r"\boxed{13}", r"\boxed{11}"):
        playing.end_turn(said, 6, ended=True, answers=True)
    assert MathVerifier(answer_in="box")(playing.text, "11").correct
    assert not MathVerifier(answer_in="box")(playing.text, "13").correct
