"""What the adapters share: targets by name, rows as problems, texts out of chats."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from asking_verifiers import near, whole

from rewardkit import integrations
from rewardkit.data.messages import after_prompt, said
from rewardkit.errors import ConfigError, DataError, UnknownNameError
from rewardkit.integrations.grading import Grader, row_problem, rows_of, verifier_of
from rewardkit.types import Outcome, Problem, Task
from rewardkit.verifiers import IntegerVerifier, MathVerifier
from rewardkit.verifiers.signature import Asked

TRAINERS = (
    *("trl", "verl", "openrlhf", "verifiers", "inspect_ai", "lighteval", "datasets", "pandas"),
    *("torch", "transformers", "ray", "numpy", "fastapi"),
)


def test_no_adapter_needs_its_trainer_to_be_imported():
    """In a process of its own, in which none of them can be."""
    modules = sorted(path.stem for path in Path(integrations.__file__).parent.glob("[a-z]*.py"))
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({TRAINERS}))\n"
        f"import importlib\n"
        f"for name in {modules}: importlib.import_module('rewardkit.integrations.' + name)"
    )
    path = os.pathsep.join(p for p in sys.path if p)
    environment = {**os.environ, "PYTHONPATH": path}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, timeout=60)
    assert len(modules) >= 8


def equal(response, answer):
    return response == answer


def test_a_target_is_a_verifier_a_function_a_task_or_a_name():
    task = Task("t", (), (), messages=lambda p: [], verifier=equal)
    assert verifier_of("math") == MathVerifier()
    assert verifier_of(IntegerVerifier(low=0)) == IntegerVerifier(low=0)
    assert verifier_of(task)("1", "1").outcome is Outcome.CORRECT
    assert verifier_of(equal)("1", "2").outcome is Outcome.INCORRECT
    assert verifier_of("arithmetic")(r"\boxed{4}", "4").outcome is Outcome.CORRECT
    assert verifier_of("rewardkit.verifiers:MathVerifier") == MathVerifier()
    with pytest.raises(UnknownNameError, match="did you mean math"):
        verifier_of("maths")
    with pytest.raises(ConfigError, match="callable"):
        verifier_of(3)


def test_only_columns_that_are_asked_for_are_read():
    row = {"answer": np.int64(24), "target": np.array([3, 8]), "image": object(), "hint": None}
    problem = row_problem(row, "answer", Asked(("target",), ("hint",)))
    assert (problem.answer, dict(problem.info)) == ("24", {"target": [3, 8]})


def test_a_row_without_its_gold_names_what_there_is():
    with pytest.raises(DataError, match=r"no column 'answer'.*did you mean answers\?.*gold="):
        row_problem({"answers": "1", "question": "?"}, "answer", Asked())
    with pytest.raises(DataError, match="column 'answer': a gold answer is text"):
        row_problem({"answer": {"a": 1}}, "answer", Asked())


def test_a_verifier_gets_its_columns_and_misses_what_is_needed():
    grader = Grader(near, workers=1)
    found = grader.verdicts(["3", "5"], [{"answer": "", "target": 3}, {"answer": "", "slack": 1}])
    assert found[0].outcome is Outcome.CORRECT
    assert found[1].outcome is Outcome.ERROR
    assert "no column 'target'" in found[1].reason
    grader.pool.close()


def test_a_verifier_may_ask_for_the_whole_row():
    row = {"answer": "1", "id": 7, "question": "Q", "b": 1, "a": [2], "image": object()}
    verdict = Grader(whole, workers=1).verdicts(["7 Q ['a', 'b', 'id', 'question']"], [row])[0]
    assert verdict.outcome is Outcome.CORRECT, verdict


def test_a_grader_is_sent_as_its_settings():
    copy = pickle.loads(pickle.dumps(Grader("math", gold="solution", workers=1)))
    assert copy.verdicts([r"\boxed{1/2}"], [{"solution": "0.5"}])[0].outcome is Outcome.CORRECT


def test_columns_as_rows():
    rows = rows_of({"answer": ["1", "2"], "name": "x"}, 2)
    assert rows == [{"answer": "1", "name": "x"}, {"answer": "2", "name": "x"}]
    with pytest.raises(ConfigError, match="'answer' has 1 values for 2 responses"):
        rows_of({"answer": ["1"]}, 2)


@pytest.mark.parametrize(
    ("completion", "text"),
    [
        ("plain", "plain"),
        ([{"role": "assistant", "content": "one"}], "one"),
        ([{"content": "no role"}], "no role"),
        (
            [
                {"role": "assistant", "content": "calls a tool"},
                {"role": "tool", "content": "7"},
                {"role": "assistant", "content": "so 7"},
            ],
            "so 7",
        ),
        ([{"role": "assistant", "content": None, "tool_calls": []}], ""),
        ([{"role": "assistant", "content": [{"type": "text", "text": "a"}, {"type": "x"}]}], "a"),
        ([{"role": "user", "content": "cut"}], ""),
        ([], ""),
    ],
)
def test_what_a_completion_said(completion, text):
    assert said(completion) == text


def test_a_completion_that_is_none():
    with pytest.raises(DataError, match="found int"):
        said(3)


LONG = "\n".join(f"Line {i} of a prompt." for i in range(40))


@pytest.mark.parametrize(
    ("query", "prompt", "response"),
    [
        ("7+5? so 12", "7+5?", " so 12"),
        ("<s>7+5? so 12</s>", "7+5?", " so 12"),
        ("Q?A<|im_end|>\n<|endoftext|>\n", "Q?", "A"),
        ("Q? is Q? asked <|x|> twice", "Q?", " is Q? asked <|x|> twice"),
        (LONG[300:] + "A", LONG, "A"),  # its beginning was cut off
        ("A", "", "A"),
    ],
)
def test_the_response_after_its_prompt(query, prompt, response):
    assert after_prompt(query, prompt) == response


def test_a_query_without_its_prompt():
    with pytest.raises(DataError, match="does not hold the end of its prompt, 'Q'"):
        after_prompt("something else", "Q")


def test_problems_are_graded_as_they_are():
    assert Grader("math").problem({"answer": 3}) == Problem("", "", "3")
