"""One schema of results.json, and the two forms that were written before there was one."""

import json

import pytest

from rewardkit.config import config_from
from rewardkit.errors import ConfigError, DataError
from rewardkit.evaluation.asking.settings import EvalSettings
from rewardkit.evaluation.measures.scoring import set_result
from rewardkit.evaluation.stored import load_results
from rewardkit.runs import RunFolder
from rewardkit.runs.results import document, evaluations_in
from rewardkit.runs.training_results import TrainingResults, evaluation_label
from rewardkit.types import Outcome

MEASURED = {
    "accuracy": 0.25,
    "interval_these_problems": [0.1, 0.4],
    "interval_new_problems": [0.0, 0.5],
    "problems": 2,
    "samples": 7,
    "correct": 2,
    "answered_share": 0.75,
    "accuracy_given_answer": 1 / 3,
    "outcomes": {"correct": 2, "incorrect": 4, "no_answer": 1, "timeout": 1, "error": 0, "bad_gold": 0},
}  # fmt: skip
OF_A_RUN = {
    "before": {"step": 0, **MEASURED, "suites": {"harder": MEASURED}},
    "after": {"step": 3, **MEASURED},
}
PROBLEM = {"id": "p0", "text_hash": "t", "prompt_hash": "q", "gold": "2", "correct": 1, "graded": 2}
OF_ONE_MODEL = {
    "model": "m",
    "fingerprint": "weights:1",
    "engine": "fast",
    "seed": 0,
    "sampling": {"samples_per_problem": 2},
    "complete": True,
    "generation_errors": 0,
    "overall": None,
    "tasks": {
        "sums": {
            "task": "sums",
            "complete": True,
            "problems": 1,
            "samples": 2,
            "accuracy": 0.5,
            "interval_these_problems": [0.1, 0.9],
            "interval_new_problems": [0.0, 1.0],
            "outcomes": {"correct": 1, "incorrect": 0, "no_answer": 1},
            "per_problem": [PROBLEM],
        }
    },
}


@pytest.fixture
def folder(tmp_path):
    return RunFolder.create(config_from({"folder": str(tmp_path / "run"), "steps": 3}))


def test_what_runs_wrote_before_there_was_a_schema():
    found = evaluations_in(OF_A_RUN)
    assert {label: (one["step"], list(one["sets"])) for label, one in found.items()} == {
        "before": (0, ["test", "harder"]),
        "after": (3, ["test"]),
    }
    test = found["before"]["sets"]["test"]
    assert test["accuracy"] == 0.25
    assert (test["samples"], test["graded"], test["correct"]) == (8, 7, 2)  # 1 of 8 timed out
    assert "step" not in test
    assert test["ungraded"]["problems_without_grade"] == 0


def test_what_eval_wrote_before_there_was_a_schema(tmp_path):
    (tmp_path / "results.json").write_text(json.dumps(OF_ONE_MODEL))
    found = load_results(tmp_path)
    assert (found["model"], found["step"], list(found["sets"])) == ("m", None, ["sums"])
    row = found["sets"]["sums"]
    assert (row["samples"], row["graded"], row["correct"]) == (2, 2, 1)
    assert (row["answered_share"], row["accuracy_given_answer"]) == (0.5, 1.0)
    assert row["per_problem"] == [PROBLEM]


@pytest.mark.parametrize("old", [OF_A_RUN, OF_ONE_MODEL])
def test_what_was_read_is_written_in_the_one_schema(old):
    found = evaluations_in(old)
    again = json.loads(json.dumps(document(found)))
    assert again["schema"] == 2
    assert evaluations_in(again) == found
    assert json.dumps(document(evaluations_in(again))) == json.dumps(again)  # to the byte


@pytest.mark.parametrize(
    "odd", [{}, [], None, {"x": 1}, {"schema": 2}, {"schema": 2, "evaluations": {"x": 1}}]
)
def test_what_is_no_evaluation_is_left_out(odd):
    assert evaluations_in(odd) == {}


def test_a_later_schema_is_not_guessed_at(folder):
    folder.write_json("results.json", {"schema": 3, "evaluations": {}})
    with pytest.raises(DataError, match=r"results\.json has schema 3.*knows 2"):
        folder.evaluations()


def test_a_run_goes_on_from_what_an_older_version_measured(folder):
    folder.write_json("results.json", OF_A_RUN)
    results = TrainingResults(folder, 2)
    assert list(results.values) == ["before"]  # step 3 is made again
    results.put("after", 3, {"test": set_result([[Outcome.CORRECT]])})
    assert list(folder.evaluations()) == ["before", "after"]
    assert folder.read_json("results.json")["schema"] == 2
    longer = TrainingResults(folder, 3)
    longer.put("after", 4, {"test": set_result([[Outcome.INCORRECT]])})
    assert {label: one["step"] for label, one in folder.evaluations().items()} == {
        "before": 0,
        "after": 4,
        "step-00003": 3,  # it may have been the best
    }
    assert not longer.best_is(4)


@pytest.mark.parametrize(
    ("step", "label"), [(0, "before"), (1, None), (2, "step-00002"), (6, "after"), (7, "after")]
)
def test_when_a_run_measures_itself(step, label):
    data = {"folder": "r", "steps": 6, "eval": {"every": 2}}
    assert evaluation_label(config_from(data), step) == label
    assert evaluation_label(config_from({**data, "eval": {"samples": 0}}), step) is None


def test_the_score_of_one_set():
    right, wrong, nothing = Outcome.CORRECT, Outcome.INCORRECT, Outcome.NO_ANSWER
    found = set_result(
        [[right, right], [right, wrong, nothing, Outcome.TIMEOUT], [Outcome.BAD_GOLD], [wrong]]
    )
    assert found["accuracy"] == pytest.approx((1 + 1 / 3 + 0) / 3)
    assert (found["problems"], found["samples"], found["graded"], found["correct"]) == (4, 8, 6, 3)
    assert found["answered_share"] == 5 / 6
    assert found["accuracy_given_answer"] == 3 / 5
    assert found["ungraded"] == {
        "timeout_or_error": 1,
        "bad_gold": 1,
        "problems_without_grade": 1,
    }


def test_what_nothing_is_known_of_has_no_score():
    found = set_result([[Outcome.TIMEOUT], []])
    assert found["accuracy"] is None
    assert found["interval_new_problems"] is None
    assert found["accuracy_given_answer"] is None


def test_an_evaluation_does_not_replace_the_results_of_a_run(folder):
    with pytest.raises(ConfigError, match=r"is a training run.*results\.json"):
        EvalSettings("m", ("arithmetic",), folder.path)
