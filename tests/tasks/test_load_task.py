from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from rewardkit.errors import ConfigError, DataError, UnknownNameError
from rewardkit.registry import TASKS
from rewardkit.tasks import PromptTemplate, load_task, read_problems
from rewardkit.types import Outcome, Problem, Task

ROW = {"id": "a", "problem": "1+1?", "answer": "2"}


def write(folder: Path, *lines: str, name: str = "set.jsonl") -> Path:
    path = folder / name
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('{"problem": "x"}', "no field 'answer' or 'gold'; the fields are problem"),
        ('{"answer": "x"}', "no field 'problem' or 'question'"),
        ('{"problem": " ", "answer": "2"}', "field 'problem' is empty"),
        ('{"problem": "x", "answer": null}', "'answer' must be text or a number, found NoneType"),
        ('{"problem": "x", "answer": true}', "'answer' must be text or a number, found bool"),
        ('{"problem": "x", "answer": ["2"]}', "found list"),
        ('{"problem": "x", "answer": "2"', "not JSON"),
        ('["x", "2"]', "expected an object, found list"),
        ('{"id": "a", "problem": "x", "answer": "2"}', "id 'a' was used by .*set.jsonl:1"),
        ('{"id": "b", "problem": "x", "answer": "1000", "source": "AIME 2024"}', "0 to 999"),
        ('{"id": "b", "problem": "x", "answer": "-3", "source": "AIME 2024"}', "0 to 999"),
    ],
)
def test_a_bad_row_is_named_by_file_line_and_field(tmp_path, row, message):
    path = write(tmp_path, json.dumps(ROW), row)
    with pytest.raises(DataError, match=message) as caught:
        read_problems(path)
    assert "set.jsonl:2" in str(caught.value)


def test_good_rows(tmp_path):
    path = write(
        tmp_path,
        "\ufeff" + json.dumps(ROW),
        "",
        json.dumps({"question": "line\u2028sep", "gold": 7}, ensure_ascii=False),
    )
    assert read_problems(path) == [Problem("a", "1+1?", "2"), Problem("2", "line\u2028sep", "7")]
    listed = write(tmp_path, json.dumps([ROW]), name="set.json")
    assert read_problems(listed) == [Problem("a", "1+1?", "2")]


@pytest.mark.parametrize("content", ["", "\n\n"])
def test_an_empty_file_is_refused(tmp_path, content):
    with pytest.raises(DataError, match="holds no problem"):
        read_problems(write(tmp_path, content))


def test_missing_file_and_folder(tmp_path):
    with pytest.raises(DataError, match="no such file"):
        read_problems(tmp_path / "absent.jsonl")
    with pytest.raises(DataError, match="is a folder"):
        read_problems(tmp_path)


def test_not_text(tmp_path):
    path = tmp_path / "set.jsonl"
    path.write_bytes(b'{"problem": "\xff"}')
    with pytest.raises(DataError, match="not UTF-8"):
        read_problems(path)


def test_prompts_keep_braces_of_the_question_and_can_be_pickled():
    template = pickle.loads(pickle.dumps(PromptTemplate("{question} Use \\boxed{{}}.")))
    chat = template(Problem("1", r"\frac{1}{2} {x}", "2"))
    assert chat[0]["content"] == r"\frac{1}{2} {x} Use \boxed{}."


@pytest.mark.parametrize(
    "template", ["no field", "{question} \\boxed{}", "{0}", "{question", "{question} {answer}"]
)
def test_a_template_that_cannot_work_is_refused(template):
    with pytest.raises(ConfigError, match="prompt template"):
        PromptTemplate(template)


def says_two(response, answer):
    return response == "two"


def test_a_task_s_verifier_may_return_a_bool():
    TASKS.register("twos")(
        lambda: Task(
            "twos", [], [Problem("1", "1+1?", "two")], PromptTemplate("{question}"), says_two
        )
    )
    verifier = pickle.loads(pickle.dumps(load_task("twos").verifier))
    assert verifier("two", "two").outcome is Outcome.CORRECT
    assert verifier("three", "two").outcome is Outcome.INCORRECT


def test_unknown_task_names_the_nearest():
    with pytest.raises(UnknownNameError, match="did you mean arithmetic"):
        load_task("arithmetics")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"train_size": "x"}, "task 'arithmetic': train_size must be a whole number, found 'x'"),
        ({"seed": True}, "seed must be a whole number, found True"),
        ({"test_size": 1.5}, "test_size must be a whole number, found 1.5"),
        ({"train_size": -1}, "task.args.train_size is 0 or more, found -1"),
    ],
)
def test_an_argument_that_the_factory_could_not_use_is_refused(arguments, message):
    with pytest.raises(ConfigError, match=message):
        load_task("arithmetic", **arguments)
