"""`eval` of a task with an environment: played, measured, shown, and not graded anew by a verifier."""

import json
import shutil
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from rewardkit.cli import main
from rewardkit.config import RunConfig, SamplingConfig, TaskConfig, config_to_toml
from rewardkit.errors import ConfigError
from rewardkit.evaluation.drawing.ledger import read_samples
from rewardkit.evaluation.drawing.runner import refuse_unplayed
from rewardkit.evaluation.drawing.sets import ProblemSet
from rewardkit.tasks import load_task

sys.path.insert(0, str(Path(__file__).parent))  # workers import the task as well


def command(model, folder):
    return ["eval", "--model", str(model), "--engine", "fast", "--task", "playing_task:task",
            "--limit", "12", "--samples", "4", "--max-tokens", "40", "--run-dir", str(folder)]  # fmt: skip


@pytest.fixture(scope="module")
def evaluated(tiny_model, tmp_path_factory):
    folder = tmp_path_factory.mktemp("eval") / "run"
    with redirect_stdout(StringIO()) as said:
        main(command(tiny_model, folder))
    (folder / "said").write_text(said.getvalue())
    return folder


def test_a_run_as_the_task_limits_the_turns_as_it_did(tiny_model, tmp_path, capsys):
    run = tmp_path / "run"
    run.mkdir()
    (run / "manifest.json").write_text("{}")
    config = RunConfig(
        folder="run",
        steps=1,
        task=TaskConfig("playing_task:task"),
        sampling=SamplingConfig(turns=2),
    )
    (run / "config.toml").write_text(config_to_toml(config))
    words = command(tiny_model, tmp_path / "r")
    words[words.index("playing_task:task")] = str(run)
    main([*words, "--trust"])
    said = capsys.readouterr().out
    assert "drawn with at most 2 turns" in said
    lines = (tmp_path / "r" / "samples.jsonl").read_text().splitlines()
    turns = [sum(part[0] for part in json.loads(line)["segments"]) for line in lines]
    assert max(turns) == 2
    found = json.loads((tmp_path / "r" / "results.json").read_text())["evaluations"]["model"]
    assert found["asking"]["turns"] == 2


def test_what_an_environment_failed_in_is_played_again(evaluated, tiny_model, tmp_path):
    shutil.copytree(evaluated, tmp_path / "r")
    path = tmp_path / "r" / "samples.jsonl"
    before = path.read_text().splitlines()
    failed = [json.loads(line)["key"] for line in before if '"environment"' in line]
    main(command(tiny_model, tmp_path / "r"))
    after = path.read_text().splitlines()
    assert after[: len(before)] == before
    assert [json.loads(line)["key"] for line in after[len(before) :]] == failed
    healed = json.loads(after[-1]) | {"method": "exact", "outcome": "correct", "reason": ""}
    path.write_text("\n".join([*after, json.dumps(healed), ""]))
    assert read_samples(tmp_path / "r")[healed["key"]].outcome == "correct"


def test_turns_errors_and_failures_are_measured_and_shown(evaluated):
    said = (evaluated / "said").read_text()
    for told in ("turns of the model", "wrong calls", "at most 8 turns", "plays again"):
        assert told in " ".join(said.split())
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
