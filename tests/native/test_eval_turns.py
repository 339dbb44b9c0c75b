"""`eval` of a task with an environment: played, measured, shown, and not graded anew by a verifier."""

import json
import sys
from pathlib import Path

import pytest

from rewardkit.cli import main
from rewardkit.errors import ConfigError
from rewardkit.evaluation.drawing.runner import refuse_unplayed
from rewardkit.evaluation.drawing.sets import ProblemSet
from rewardkit.tasks import load_task

sys.path.insert(0, str(Path(__file__).parent))  # workers import the task as well


@pytest.fixture(scope="module")
def evaluated(tiny_model, tmp_path_factory):
    folder = tmp_path_factory.mktemp("eval") / "run"
    command = ["eval", "--model", str(tiny_model), "--engine", "fast", "--task", "playing_task:task",
               "--limit", "12", "--samples", "4", "--max-tokens", "40", "--run-dir", str(folder)]  # fmt: skip
    main(command)
    return folder


def test_turns_errors_and_failures_are_measured_and_shown(evaluated):
    lines = (evaluated / "samples.jsonl").read_text().splitlines()
    samples = [row for row in map(json.loads, lines) if row["task"] == "arithmetic"]
    found = json.loads((evaluated / "results.json").read_text())["evaluations"]["model"]
    row = found["sets"]["arithmetic"]
    parts = [part for sample in samples for part in sample["segments"]]
    assert row["turns"]["mean"] == sum(part[0] for part in parts) / len(samples) > 1
    assert row["turns"]["tool_errors"] > 0
    failed = sum(sample["method"] == "environment" for sample in samples)
    assert row["turns"]["environment_failed"] == failed / len(samples) > 0
    assert all(sample["gold"] == "10" for sample in samples if sample["method"] == "environment")
    page = (evaluated / "report.html").read_text()
    assert "wrong calls" in page
    assert " 1 + 1 = 2 " in page


def test_a_failed_environment_stays_undecided_when_all_is_graded_anew(evaluated):
    before = (evaluated / "results.json").read_text()
    main(["eval", "regrade", str(evaluated), "--trust"])
    assert (evaluated / "results.json").read_text() == before


def test_an_engine_that_plays_nothing_is_refused():
    task = load_task("guess_number")
    with pytest.raises(ConfigError, match="--engine fast"):
        refuse_unplayed([ProblemSet("guess", task, (), (), {})], object())
