import pytest

from rewardkit.environments import EnvironmentPool
from rewardkit.environments.pool import answered
from rewardkit.tasks import load_task
from rewardkit.types import Outcome, Problem
from rewardkit_tasks.code.programs import Ran
from rewardkit_tasks.tools.calculator import compute

PROBLEM = Problem("1", "?", "4")


@pytest.mark.parametrize(
    ("expression", "value"),
    [("2 + 3 * 4", "14"), ("(2+3)*4", "20"), ("1,234 × 2", "2468"), ("7 // 2", "3"), ("-7 % 3", "2"),
     ("0.1 + 0.2", "0.3"), ("1/3", "0.3333333333333333"), ("2**0.5 * 0 + 1", None), ("2^-2", "0.25")],
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
