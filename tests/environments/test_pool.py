import sys
from pathlib import Path

import pytest

from rewardkit.environments import EnvironmentPool
from rewardkit.environments.pool import LONGEST_TEXT, answered
from rewardkit.types import Outcome, Problem

sys.path.insert(0, str(Path(__file__).parent))  # the workers import it as well

from cruel_environments import Cruel, Graded


@pytest.fixture(scope="module")
def pool():
    with EnvironmentPool(Graded(), workers=2, deadline_s=60.0, memory_mb=600) as made:
        yield made


def of(answer):
    return Problem(answer, "?", answer)


@pytest.mark.parametrize(
    ("what", "outcome"),
    [
        ("raise", Outcome.ERROR),
        ("memory", Outcome.ERROR),
        ("exit", Outcome.ERROR),
        ("die", Outcome.ERROR),
        ("state", Outcome.ERROR),
        ("no json", Outcome.ERROR),
    ],
)
def test_a_fault_of_the_environment_is_undecided_and_never_wrong(pool, what, outcome):
    fault = answered(pool.reply(of(what), None, "turn").result()).fault
    assert (fault.outcome, fault.method, fault.score) == (outcome, "environment", 0.0)
    assert fault.reason.startswith("the environment failed: ")


def test_one_that_hangs_is_undecided_after_its_deadline():
    with EnvironmentPool(Cruel(), workers=1, deadline_s=0.5, memory_mb=None) as hanging:
        fault = answered(hanging.reply(of("hang"), None, "turn").result()).fault
    assert (fault.outcome, fault.method) == (Outcome.TIMEOUT, "environment")


def test_a_flood_is_cut_and_said(pool):
    reply, fault = answered(pool.reply(of("flood"), None, "turn").result())
    assert fault is None
    assert len(reply.said) < LONGEST_TEXT + 40
    assert reply.said.endswith("characters cut)")


def test_a_state_travels_and_an_own_grade_is_a_verdict(pool):
    state = None
    for turns in (1, 2, 3):
        reply, fault = answered(pool.reply(of("go on"), state, "turn").result())
        state = reply.state
        assert (fault, state, bool(reply.said)) == (None, {"turns": turns}, turns < 3)
    verdict = pool.grade(of("go on"), state).result()
    found = verdict.outcome, verdict.score, verdict.method
    assert found == (Outcome.INCORRECT, 0.75, "grade")
    assert pool.grade(of("raise in grade"), state).result().outcome is Outcome.ERROR


def test_without_a_grade_of_its_own_the_verifier_is_asked():
    with EnvironmentPool(Cruel(), workers=1, deadline_s=1.0, memory_mb=None) as plain:
        assert not plain.grades
