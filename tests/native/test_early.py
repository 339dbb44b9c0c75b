"""A wrong name or column is told before torch is loaded."""

import subprocess
import sys

import pytest

from rewardkit.config import config_from
from rewardkit.errors import ConfigError
from rewardkit.runs import RunFolder
from rewardkit_native import train

RUN = """
import sys
from rewardkit.config import config_from
from rewardkit.errors import RewardkitError
from rewardkit_native import train

run = {"folder": "run", "steps": 1, "recipe": {"name": "grpo"}, "model": {"name": "tiny"}}
try:
    train(config_from(run, sys.argv[1:]))
except RewardkitError as error:
    print(error, "torch" in sys.modules)
"""


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("task.name=arithmetics", "did you mean arithmetic"),
        ("task.name=file:nowhere.jsonl", "nowhere.jsonl: no such file"),
        ("task.verifier=mth", "unknown verifier 'mth'; did you mean math"),
        ("folder=taken", "taken already exists and is no run of rewardkit"),
        ("model.name=smollm", "no model 'smollm'"),
        ("task.args.digit=2", "digit"),
        ("task.columns.question=frage", "frage"),
        ("sampling.problems=0", "sampling.problems must be at least 1"),
        ("recipe.minibatches=16", "a batch holds only sampling.problems = 8 groups"),
        ("recipe.name=grpp", "unknown recipe 'grpp'; did you mean grpo"),
    ],
)
def test_a_wrong_name_is_told_before_torch_is_loaded(tmp_path, override, said):
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "letter.txt").touch()
    (tmp_path / "sums.jsonl").write_text('{"question": "1 + 1?", "answer": "2"}\n' * 4)
    overrides = [override]
    if "columns" in override:
        overrides += ["task.name=file:sums.jsonl", "eval.samples=0"]
    path = [p for p in sys.path if p]
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {path!r}\n{RUN}", *overrides],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=True,
    )
    assert said in done.stdout
    assert done.stdout.split()[-1] == "False"
    assert not (tmp_path / "run").exists()


def test_of_several_processes_the_first_tells_it(monkeypatch, tmp_path):
    told = []
    monkeypatch.setattr(
        "rewardkit_native.before_torch.check_early", lambda *_, **__: told.append(1)
    )
    monkeypatch.setattr("rewardkit_native.before_torch.wait_briefly", lambda: 1 / 0)
    config = config_from({"folder": str(tmp_path / "run"), "steps": 1, "recipe": {"name": "grpo"}})
    for rank in ("1", "0"):
        monkeypatch.setenv("RANK", rank)
        with pytest.raises(ZeroDivisionError):
            train(config)
    assert len(told) == 1


def test_what_keeps_a_run_from_going_on_is_told_before_torch_is_loaded(monkeypatch, tmp_path):
    monkeypatch.setattr("rewardkit_native.before_torch.wait_briefly", lambda: 1 / 0)
    run = {"folder": str(tmp_path / "run"), "steps": 1, "recipe": {"name": "grpo"}}
    RunFolder.create(config_from(run))
    with pytest.raises(ConfigError, match="cannot be resumed with another seed"):
        train(config_from(run, ["seed=7"]), resume=True)
    with pytest.raises(ZeroDivisionError):
        train(config_from(run, ["steps=2"]), resume=True)
