"""`gym:URL` and `openenv:URL`, against servers that speak as theirs do, and against theirs."""

import json
import sys
from pathlib import Path

import pytest

from rewardkit.environments import EnvironmentPool
from rewardkit.environments.pool import answered
from rewardkit.errors import ConfigError, DataError
from rewardkit.tasks import load_task
from rewardkit.types import Outcome

sys.path.insert(0, str(Path(__file__).parent))

from stand_in_servers import ADD, gym_server, openenv_server  # isort: skip

pytest.importorskip("websockets")

OTHER = "in an environment of its own: make test-other"


def call(name, **arguments):
    return f"<tool_call>{json.dumps({'name': name, 'arguments': arguments})}</tool_call>"


def played(task, problem, *turns, state=None):
    """The replies and the grade; a state of None begins."""
    play = task.environment
    state, said = play.begin(problem) if state is None else state, []
    for turn in turns:
        reply = play.reply(problem, state, turn)
        state = json.loads(json.dumps(reply.state))
        said.append((reply, [message["content"] for message in reply.said]))
    return said, play.grade(problem, state)


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """As NeMo-Gym's example of a session that keeps a state has them."""
    tool = {"type": "function", "name": "increment_counter", "parameters": ADD, "strict": True}
    asked = [
        {"role": "developer", "content": "Count with the tool."},
        {"role": "user", "content": [{"type": "input_text", "text": "Add 4, then 3."}]},
    ]
    row = {
        "responses_create_params": {"input": asked, "tools": [tool]},
        "initial_count": 3,
        "expected_count": 10,
    }
    file = tmp_path_factory.mktemp("gym") / "example.jsonl"
    file.write_text("".join(json.dumps({**row, "number": n}) + "\n" for n in range(6)))
    return file


@pytest.fixture(scope="module", params=["stand-in", "nemo_gym"])
def gym(rows, request):
    if request.param == "nemo_gym":
        pytest.importorskip("nemo_gym", reason=OTHER)
        import real_servers
    serve = gym_server if request.param == "stand-in" else real_servers.gym_server
    with serve() as url:
        yield load_task(f"gym:{url}", data=str(rows), test_size=2)


@pytest.fixture(params=["stand-in", "openenv"])
def hidden(request):
    if request.param == "openenv":
        pytest.importorskip("openenv", reason=OTHER)
        import real_servers
    serve = openenv_server if request.param == "stand-in" else real_servers.openenv_server
    with serve() as url:
        yield url


def test_a_resources_server_answers_calls_and_grades(gym):
    assert (len(gym.train), len(gym.test)) == (4, 2)
    problem = gym.train[0]
    system, question = gym.messages(problem)
    assert system["content"].startswith("Count with the tool.\n\nYou may call functions.")
    assert json.dumps(ADD) in system["content"]
    assert question == {"role": "user", "content": "Add 4, then 3."}
    turns = [
        "I add. " + call("increment_counter", count=4),
        "<think>3</think>" + call("increment_counter", count=3) + call("increment_counter"),
        "It is 10.",
    ]
    (first, second, last), verdict = played(gym, problem, *turns)
    assert [json.loads(one) for one in (*first[1], second[1][0])] == [{"success": True}] * 2
    assert second[1][1].startswith('error: {"detail":')
    assert (second[0].errors, last[1]) == (1, [])
    kinds = [one["type"] for one in last[0].state["output"]]
    assert kinds == ["message", *["function_call", "function_call_output"] * 3, "message"]
    assert last[0].state["output"][0]["content"][0]["text"] == "I add."
    assert (verdict.outcome, verdict.extracted) == (Outcome.CORRECT, "It is 10.")
    assert verdict.reason == "reward 1, total 10"
    assert gym.verifier("No.", "", problem=problem).outcome is Outcome.INCORRECT


def test_rollouts_are_sessions_of_their_own_in_any_worker(gym):
    problem = gym.train[1]
    with EnvironmentPool(gym.environment, 2, 60.0, None) as pool:
        states, futures = [None, None], None
        for count in (4, 3):
            turn = call("increment_counter", count=count)
            futures = [pool.reply(problem, state, turn) for state in states]
            states = [answered(future.result()).reply.state for future in futures]
        grades = [pool.grade(problem, state).result() for state in states]
        fault = answered(pool.reply(problem, None, call("increment_counter", count=13)).result())
    assert [grade.outcome for grade in grades] == [Outcome.CORRECT] * 2
    assert fault.fault.outcome is Outcome.ERROR
    assert "answered 500" in fault.fault.reason


def test_what_their_server_could_not_grade_is_no_reward(rows):
    with gym_server() as url:
        gym = load_task(f"gym:{url}", data=str(rows), test_size=2)
        problem = gym.train[0]
        assert played(gym, problem)[1].outcome is Outcome.NO_ANSWER
        while not (state := gym.environment.begin(problem))["cookies"]["session"].endswith("9"):
            pass
        with pytest.raises(RuntimeError, match="not graded: lost"):
            played(gym, problem, call("increment_counter", count=7), state=state)


def test_what_is_no_server_and_no_row_is_said(rows, tmp_path):
    with pytest.raises(ConfigError, match=r"gym:http://127.0.0.1:1.*Start it"):
        load_task("gym:http://127.0.0.1:1", data=str(rows))
    with pytest.raises(ConfigError, match="named with an address"):
        load_task("openenv:echo")
    file = tmp_path / "mine.jsonl"
    file.write_text('{"question": "?"}\n')
    with gym_server() as url:
        with pytest.raises(DataError, match=r"mine.*responses_create_params"):
            load_task(f"gym:{url}", data=str(file))
        with pytest.raises(ConfigError, match="the lowest and the highest"):
            load_task(f"gym:{url}", data=str(rows), rewards=(1, 0))
    with openenv_server() as url, pytest.raises(ConfigError, match="a turn is one of guess"):
        load_task(f"openenv:{url}", action="gess")


def test_a_turn_is_the_action_of_an_environment_and_a_seed_its_episode(hidden):
    task = load_task(f"openenv:{hidden}", observation="hint", rewards=(-1, 1), test_size=4)
    problem = task.test[3]  # 4 is hidden
    assert task.messages(problem)[-1]["content"] == "I think of a number from 1 to 7."
    assert task.train[0].id == "seed-4"
    assert task.environment.text({"observation": {"hint": 0}}) == "0"
    (one, two, three, last), verdict = played(task, problem, "2", "none", "6", "<think>?</think>4")
    assert [one[1], three[1], last[1]] == [["higher"], ["lower"], []]
    assert [part[0].score for part in (one, three, last)] == [0.25, 0.25, 1.0]
    assert two[1][0].startswith("error: ")
    assert two[1][0].endswith(" (VALIDATION_ERROR)")
    assert (two[0].errors, last[0].state["actions"]) == (1, [{"guess": n} for n in "264"])
    assert (verdict.outcome, verdict.reason) == (Outcome.CORRECT, "reward 1, steps 3")
    assert played(task, problem, "2")[1].score == 0.25
    assert played(task, problem)[1].outcome is Outcome.NO_ANSWER
    with pytest.raises(OSError, match="EXECUTION_ERROR"):
        played(task, problem, "99")


def test_tools_of_an_environment_are_called_and_its_sessions_shared():
    """Two workers take turns at the one session that the server has."""
    with openenv_server(tools=True) as url:
        task = load_task(f"openenv:{url}", rewards=(-1, 1), test_size=4)
        problem = task.test[3]
        assert '"name": "guess"' in task.messages(problem)[0]["content"]
        assert problem.question == "A number."
        with EnvironmentPool(task.environment, 2, 60.0, None) as pool:
            asked = [pool.reply(problem, None, call("guess", number=n)) for n in (3, 4, 5)]
            replies = [answered(one.result()).reply for one in asked]
        said = [[message["content"] for message in reply.said] for reply in replies]
        assert said == [["higher"], [], ["lower"]]
        found, _ = played(task, problem, call("guess"), call("guess", number=4))
        assert (found[0][1], found[0][0].errors) == (["error: number is missing"], 1)


def test_an_environment_that_goes_another_way_is_undecided():
    with openenv_server(seeded=False) as url:
        task = load_task(f"openenv:{url}", observation="hint", rewards=(-1, 1), test_size=1)
        with pytest.raises(OSError, match="says something else"):
            played(task, task.test[0], "4", "4")
