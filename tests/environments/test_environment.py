"""The shape of an environment of a user's own, and what it may return."""

import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from rewardkit.environments import EnvironmentPool
from rewardkit.environments.pool import answered
from rewardkit.errors import ConfigError
from rewardkit.evaluation.drawing.sets import verifier_name
from rewardkit.tasks import load_task
from rewardkit.types import Outcome, Problem, Task
from rewardkit.validation import refusals
from rewardkit.verifiers import VerifierPool

sys.path.insert(0, str(Path(__file__).parent))  # the workers import it as well

from own_environments import Kept, OfSets, Silent

PROBLEM = Problem("1", "?", "1")


def loaded(monkeypatch, environment, **fields):
    """Return the task of a module that a user wrote, as `mine:task` names it."""
    made = Task("mine", [PROBLEM], [PROBLEM], list, environment=environment, **fields)
    monkeypatch.setitem(sys.modules, "mine", SimpleNamespace(task=lambda: made))
    return load_task("mine:task")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"stop": None}, r"no `stop`; write\n    stop = \(\)"),
        ({"roles": None}, r"no `roles`; write\n    roles = "),
        ({"reply": None}, r"no `reply`; write\n    def reply\(self, problem, state, turn\)"),
        ({"stop": "</price>"}, r"`stop` is '</price>', expected texts, such as \('\\n',\)"),
    ],
)
def test_what_an_environment_lacks_is_said_when_it_is_loaded(monkeypatch, change, said):
    members = {name: getattr(Kept, name) for name in ("stop", "roles", "begin", "reply", "grade")}
    members = {name: value for name, value in (members | change).items() if value is not None}
    environment = type("Treasure", (), members)()
    with pytest.raises(ConfigError, match=f"environment Treasure of task 'mine'.*{said}"):
        loaded(monkeypatch, environment)


def test_a_class_in_the_place_of_an_environment_is_refused(monkeypatch):
    with pytest.raises(ConfigError, match=r"environment=Kept\(\)"):
        loaded(monkeypatch, Kept)


def test_a_task_needs_a_verifier_unless_its_environment_grades(monkeypatch):
    task = loaded(monkeypatch, Kept())
    assert task.verifier("a turn", "1", problem=PROBLEM).score == 0.25
    assert verifier_name(task.verifier) == "the environment Kept"
    with pytest.raises(ConfigError, match="no verifier, and no environment with a method `grade`"):
        Task("mine", (), (), list)
    with pytest.raises(ConfigError, match="no verifier"):
        replace(task, verifier=Task.verifier, environment=None)


def test_a_reply_without_a_state_keeps_it_with_what_was_changed_in_it():
    with EnvironmentPool(Kept(), workers=1, deadline_s=60.0, memory_mb=None) as pool:
        state = None
        for turns in (1, 2, 2):
            reply, fault = answered(pool.reply(PROBLEM, state, "turn").result())
            state = reply.state
            assert fault is None
            assert state == {"turns": turns}
        assert not reply.said
        assert pool.grade(PROBLEM, state).result().score == 0.5


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        (Silent(), "Silent.reply returned None, expected a Reply"),
        (OfSets(), "OfSets.begin: Object of type set is not JSON serializable"),
    ],
)
def test_what_is_no_reply_or_no_state_is_said_by_name(monkeypatch, environment, said):
    with EnvironmentPool(environment, workers=1, deadline_s=60.0, memory_mb=None) as pool:
        fault = answered(pool.reply(PROBLEM, None, "turn").result()).fault
    assert fault.outcome is Outcome.ERROR
    assert said in fault.reason
    task = loaded(monkeypatch, environment)
    with (
        VerifierPool(task.verifier, workers=1) as pool,
        pytest.raises(ConfigError, match=f"the task's environment, given an empty turn, .*{said}"),
    ):
        refusals.refuse_broken_verifier(pool, task)
