"""`verifiers:NAME` beside verifiers 0.4: rows, tools and rewards of its tasksets, played."""

import json
import sys
from pathlib import Path

import pytest

pytest.importorskip(
    "verifiers.v1", reason="in an environment of its own: pip install verifiers==0.4.0"
)

from rewardkit.errors import ConfigError
from rewardkit.tasks import load_task
from rewardkit.types import Outcome

sys.path.insert(0, str(Path(__file__).parent / "tasksets"))  # workers import them as well

CALL = '<tool_call>{"name": "add", "arguments": {"number": %s}}</tool_call>'


def played(task, problem, *turns):
    play = task.environment
    state, said = play.begin(problem), []
    for turn in turns:
        reply = play.reply(problem, state, turn)
        state = json.loads(json.dumps(reply.state))
        said.append([message["content"] for message in reply.said])
    return said, play.grade(problem, state)


def test_rewards_of_one_turn_are_a_score_with_its_parts_and_metrics_by_name():
    task = load_task("verifiers:sums_taskset", most=40, test_size=8)
    assert (len(task.train), len(task.test)) == (32, 8)
    problem = task.test[2]
    assert task.messages(problem) == [{"role": "user", "content": "What is 1 + 3?"}]
    said, verdict = played(task, problem, "It is \\boxed{4}.")
    assert (said, verdict.outcome, verdict.score) == ([[]], Outcome.CORRECT, 1.0)
    assert verdict.reason == "boxed 0.25, right 0.75, turns 1"
    assert played(task, problem, "It is \\boxed{5}.")[1].score == 0.25


def test_tools_answer_turns_and_remember_in_their_state():
    task = load_task("verifiers:counter_taskset", most=4, test_size=2)
    problem = task.train[0]
    chat = task.messages(problem)
    assert '"number": {"type": "integer"}' in chat[0]["content"]
    said, verdict = played(task, problem, CALL % 3, CALL % 4, CALL % '"x"', "Done.")
    assert said[:2] == [["3"], ["7"]]
    assert said[2][0].startswith("error: ")
    assert said[3] == []
    assert (verdict.outcome, verdict.score) == (Outcome.INCORRECT, pytest.approx(0.7))
    assert verdict.reason == "reached 0.7, calls 3"


def test_what_is_not_installed_is_said():
    with pytest.raises(ConfigError, match=r"verifiers:absent.*verifiers==0\.4\.0"):
        load_task("verifiers:absent")
