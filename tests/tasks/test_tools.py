import math
import re

import pytest

from rewardkit.environments import EnvironmentPool
from rewardkit.environments.pool import answered
from rewardkit.errors import ConfigError
from rewardkit.tasks import load_task
from rewardkit.types import Outcome, Problem
from rewardkit_tasks.code.programs import Ran
from rewardkit_tasks.tools.calculator import compute

PROBLEM = Problem("1", "?", "4")


@pytest.mark.parametrize(
    ("expression", "value"),
    [("2 + 3 * 4", "14"), ("(2+3)*4", "20"), ("1,234 × 2", "2468"), ("7 // 2", "3"), ("-7 % 3", "2"),
     ("0.1 + 0.2", "0.3"), ("1/3", "0.3333333333333333"), ("2**0.5 * 0 + 1", None), ("2^-2", "0.25"),
     (128, "128")],
)  # fmt: skip
def test_calculator(expression, value):
    if value is None:
        with pytest.raises(ValueError, match="whole number"):
            compute(expression)
    else:
        assert compute(expression) == value


@pytest.mark.parametrize(
    "expression",
    ["", "two", "__import__('os')", "9**9**9**9", "1/0", "1 if 1 else 2", "'a'*9", "1e9999", "(" * 150,
     "9" * 300, "True + 1", "[1]", "1j"],
)  # fmt: skip
def test_what_is_no_bounded_arithmetic_is_refused(expression):
    with pytest.raises(ValueError):
        compute(expression)


@pytest.fixture(scope="module")
def python():
    task = load_task("arithmetic+python", tools={"format": "tags", "run_programs": True})
    with EnvironmentPool(task.environment, 2, 30.0, 2048) as pool:
        yield pool


def test_programs_run_in_the_jail_and_know_what_ran_before(python):
    state, said = None, []
    for code in (
        "x = 6\nprint(x)",
        "print(x * 7)",
        "1/0",
        "import socket; socket.socket()",
        "print(x)",
    ):
        reply, fault = answered(python.reply(PROBLEM, state, f"<python>{code}</python>").result())
        assert fault is None
        state = reply.state
        said.append(reply.said.removeprefix("<output>").removesuffix("</output>"))
    assert said[:2] == ["6", "42"]
    assert "ZeroDivisionError" in said[2]
    assert "PermissionError" in said[3]
    assert said[4] == "6"


def test_what_a_program_does_wrong_is_told_and_what_the_clock_does_is_undecided(monkeypatch):
    from rewardkit_tasks.tools import python as module

    for ran, raised in (
        (Ran("6\n", "it took more than 4 s of CPU time", None, True), ValueError),
        (Ran("", "it was stopped after 8 s", Outcome.TIMEOUT, True), RuntimeError),
    ):
        monkeypatch.setattr(module, "run_program", lambda *_, ran=ran: ran)
        with pytest.raises(raised, match=ran.trouble):
            module.Interpreter(module.Limits(), stateful=True)("print(6)", [])


def test_guess_a_number():
    task = load_task("guess_number", most=20)
    play, problem, state = task.environment, Problem("1", "?", "13"), None
    state = play.begin(problem)
    for turn, hint in (
        ("I say 7", "Higher than 7."),
        ("well", "Write a number."),
        ("20", "Lower than 20."),
    ):
        reply = play.reply(problem, state, turn)
        state = reply.state
        assert reply.said[0]["content"] == hint
    assert play.grade(problem, state).outcome is Outcome.INCORRECT
    last = play.reply(problem, state, "it is 13")
    assert (last.said, play.grade(problem, last.state).outcome) == ((), Outcome.CORRECT)


def test_countdown_says_what_a_wrong_expression_makes():
    task = load_task("countdown", hints=True)
    play = task.environment
    problem = Problem("1", "?", "", info={"numbers": [2, 4, 8], "target": 24})
    state = play.begin(problem)
    for turn, hint, errors in (
        (r"\boxed{8 * 4 - 2}", "Not yet: it makes 30, and the target is 24. Try again.", 0),
        (r"\boxed{8 * 2 + 8}", "Not yet: it uses 2, 8, 8, and the numbers are 2, 4, 8. Try", 0),
        ("I give up.", "Not yet: ", 1),
    ):
        reply = play.reply(problem, state, turn)
        state = reply.state
        assert reply.said[0]["content"].startswith(hint)
        assert reply.errors == errors
    assert play.grade(problem, state).outcome is Outcome.NO_ANSWER
    last = play.reply(problem, state, r"\boxed{(8 - 2) * 4}")
    assert (last.said, play.grade(problem, last.state).outcome) == ((), Outcome.CORRECT)
    assert load_task("countdown").environment is None


def test_search_finds_by_rare_words_in_short_passages(tmp_path):
    """By hand: N = 3, mean length 11/3, idf ln(1 + 2.5/1.5) and ln(1 + 1.5/2.5), k1 1.5, b .75."""
    texts = ["the red fox runs", "the dog", "a fox and a dog"]
    file = tmp_path / "passages.txt"
    file.write_text("\n".join(texts))
    tool = load_task("arithmetic+search", tools={"corpus": str(file), "top": 2}).environment.tools[
        0
    ]
    scores = tool.function.scores("Red fox?")
    rare, common = math.log(1 + 2.5 / 1.5), math.log(1 + 1.5 / 2.5)
    lengths = [4 / (11 / 3), 5 / (11 / 3)]
    first, last = (2.5 / (1 + 1.5 * (0.25 + 0.75 * length)) for length in lengths)
    assert scores == pytest.approx([(rare + common) * first, 0.0, common * last])
    assert tool.call({"query": "red fox"}, []) == "the red fox runs\na fox and a dog"
    for query in ("cat", 5):  # a number is the model's mistake, and no fault of the tool
        with pytest.raises(ValueError, match="no passage"):
            tool.call({"query": query}, [])
    with pytest.raises(ConfigError, match="at least one passage"):
        load_task("arithmetic+search", tools={"corpus": str(file), "top": 0})
    with pytest.raises(ConfigError, match=r"corpus is a file .*'absent'"):
        load_task("arithmetic+search", tools={"corpus": "absent"})


def test_archives_are_answered_by_searching_a_town_and_its_sister():
    task = load_task("archives", hops=2)
    assert not {p.question for p in task.train} & {p.question for p in task.test}
    for problem in (*task.train, *task.test):
        town, state = problem.id.split("-")[1], task.environment.begin(problem)
        kind = problem.id.split("-")[2]
        first = task.environment.reply(problem, state, f"<search>archive {town}</search>")
        sister = re.search(r"sister town is (\w+)", first.said)[1]
        second = task.environment.reply(problem, first.state, f"<search>{sister} {kind}</search>")
        assert f"archive of {sister}" in second.said
        found = re.search(rf"(\d+) {kind}", second.said)[1]
        assert task.verifier(f"\\boxed{{{found}}}", problem.answer).correct
    with pytest.raises(ConfigError, match="hops is 1 or 2"):
        load_task("archives", hops=3)
