import json
import sys
from types import SimpleNamespace

import pytest

from rewardkit.environments import Tool, ToolEnvironment
from rewardkit.errors import ConfigError, UnknownNameError
from rewardkit.registry import named_by
from rewardkit.tasks import check_name, load_task
from rewardkit.tasks.settings import settings_from, task_of
from rewardkit.types import Problem

PROBLEM = Problem("1", "?", "")


def divide(a: float, b: float) -> float:
    """Divide a by b."""
    if b == 0:
        raise ValueError("division by zero")
    return a / b


def remember(word: str, earlier) -> str:
    return " ".join([*(one["word"] for one in earlier), word])


def broken(word: str) -> str:
    raise KeyError(word)


def call(name, **arguments):
    return f"<tool_call>\n{json.dumps({'name': name, 'arguments': arguments})}\n</tool_call>"


@pytest.fixture(scope="module")
def tools():
    return ToolEnvironment((Tool.of(divide), Tool.of(remember), Tool.of(broken)))


@pytest.mark.parametrize(
    ("turn", "said", "errors"),
    [
        ("The answer is 4.", [], 0),
        (call("divide", a=1, b=4), ["0.25"], 0),
        (call("divide", a=1, b=4) + call("divide", a=6, b=3), ["0.25", "2.0"], 0),
        (call("divide", a=1, b=0), ["error: division by zero"], 1),
        (call("divide", a=1), ["error: divide takes the arguments a, b, found a"], 1),
        (
            call("add", a=1),
            ["error: no tool is called 'add'; there is divide, remember, broken"],
            1,
        ),
        (f"<think>{call('divide', a=1, b=0)} or so</think>{call('divide', a=1, b=4)}", ["0.25"], 0),
        ('<tool_call>{"name": "divide"', ["error: the call is no JSON"], 1),
        ("<tool_call>[1]</tool_call>", ["error: the call is not of that form"], 1),
    ],
)
def test_what_is_wrong_with_a_call_is_told_to_the_model(tools, turn, said, errors):
    reply = tools.reply(PROBLEM, tools.begin(PROBLEM), turn)
    found = [message["content"] for message in reply.said]
    assert reply.errors == errors
    assert len(found) == len(said)
    assert all(text.startswith(wanted) for text, wanted in zip(found, said, strict=True))


def test_another_exception_is_the_tools_own_fault(tools):
    with pytest.raises(KeyError):
        tools.reply(PROBLEM, tools.begin(PROBLEM), call("broken", word="x"))


def test_a_tool_may_know_its_earlier_calls(tools):
    state = tools.begin(PROBLEM)
    for word, said in (("a", "a"), ("b", "a b")):
        reply = tools.reply(PROBLEM, state, call("remember", word=word))
        state = json.loads(json.dumps(reply.state))
        assert reply.said[0]["content"] == said


def test_tags_stand_for_tools_of_one_parameter():
    with pytest.raises(ConfigError, match="format=hermes"):
        ToolEnvironment((Tool.of(divide),), "tags")
    with pytest.raises(UnknownNameError):
        ToolEnvironment((), "llama")


@pytest.mark.parametrize("format", ["hermes", "tags"])
def test_the_example_in_the_prompt_is_such_a_rollout(format):
    task = load_task("arithmetic+calculator", tools={"format": format})
    chat = task.messages(task.train[0])
    written = next(m["content"] for m in chat[3:] if m["role"] == "assistant")
    turn, end, _ = written.partition("</calculator>")
    reply = task.environment.reply(PROBLEM, {"calls": []}, turn + end)
    assert reply.said == (
        "<output>512</output>" if format == "tags" else [{"role": "tool", "content": "512"}]
    )
    assert chat[-1]["content"] == task.train[0].question


def test_a_tool_of_ones_own_may_bring_an_example(monkeypatch):
    shown = Tool.of(divide, ("What is 6 / 3?", {"a": 6, "b": 3}, "2.0", "It is 2."))
    monkeypatch.setitem(sys.modules, "my_tools", SimpleNamespace(shown=shown))
    task = load_task("arithmetic+my_tools:shown")
    said = [message["content"] for message in task.messages(task.train[0])]
    _, called, result, answered, _ = said[said.index("What is 6 / 3?") :]
    assert '"name": "divide"' in called
    assert (result, answered) == ("2.0", "It is 2.")


def test_settings_of_tools():
    asked = settings_from("arithmetic+calculator", {}, ["task.tools.format=tags"])
    assert task_of(asked).environment.stop == ("</calculator>",)
    for name, override, message in (
        ("arithmetic+calculator", "task.tools.colour=1", "which no tool of it takes"),
        ("arithmetic", "task.tools.format=tags", "arithmetic\\+calculator"),
        ("arithmetic+python", "task.tools.format=tags", "run_programs=true"),
    ):
        with pytest.raises(ConfigError, match=message):
            task_of(settings_from(name, {}, [override]))


@pytest.mark.parametrize(
    "name", ["arithmetic+calculators", "file:rows.jsonl+calculators", "mine:task+calculator+pyton"]
)
def test_an_unknown_tool_is_named_with_those_that_there_are(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.jsonl").write_text('{"problem": "1+1?", "answer": "2"}')
    with pytest.raises(UnknownNameError, match=r"unknown tool .*calculator"):
        check_name(name)


def test_data_name_no_taskset_and_no_tool_that_runs_programs():
    with named_by("a/prompts.json"):
        for name in ("verifiers:os", "arithmetic+python", "arithmetic+shutil:rmtree"):
            with pytest.raises(ConfigError, match=r"names the (task|tool)"):
                load_task(name)
