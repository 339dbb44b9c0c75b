"""The whole loop on the tiny model: learning, records, resume, and how a run ends."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from importlib.metadata import version

import pytest
import torch
from safetensors.torch import load_file

from rewardkit.config import config_to_toml
from rewardkit.errors import ConfigError, ModelError, NoSignalError, TrainingError
from rewardkit.recipes import DR_GRPO
from rewardkit.runs import RunFolder
from rewardkit.runs.retention import checkpoints
from rewardkit.runs.training_results import TrainingResults
from rewardkit.sampling.filter import GroupTally
from rewardkit.training_step import Scores, plan_step
from rewardkit.types import Finish, Group, Outcome, Problem, Reward, Rollout, Verdict
from rewardkit_native import loop
from rewardkit_native.collect import Collected
from rewardkit_native.learning.batch import make_batch
from rewardkit_native.loop import recorded_rollouts, train


@pytest.fixture
def two_threads():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


def weights(folder, step):
    return load_file(folder / "checkpoints" / f"step-{step:05d}" / "model.safetensors")


def test_a_step_makes_what_was_rewarded_likelier(configure, climb):
    config = configure("steps=1", "optim.lr=1e-6", "optim.grad_clip=1e9", "sampling.group_size=16")
    assert climb(config) == pytest.approx(1, abs=0.1)


def test_run_folder_says_what_happened(configure, draw_curves, monkeypatch):
    monkeypatch.setattr(loop, "draw_if_possible", draw_curves)
    config = configure(
        "eval.samples=2", "eval.problems=3", "recipe.name=dapo", "recipe.minibatches=1"
    )
    path = train(config)
    folder = RunFolder.open(path)
    assert folder.config() == replace(config, recipe=config.recipe.settled(sampled_elsewhere=False))
    manifest = json.loads((path / "manifest.json").read_text())
    assert manifest["versions"]["torch"] == version("torch")
    assert manifest["seed"] == 0

    results = folder.evaluations()
    for label in ("before", "after"):
        found = results[label]["sets"]["test"]
        assert found["samples"] == 6
        assert found["correct"] / 6 == pytest.approx(found["accuracy"])
        low, high = found["interval_these_problems"]
        assert low <= found["accuracy"] <= high
        assert results[label]["sets"]["harder"]["problems"] == 3
        assert sum(found["outcomes"].values()) == 6

    metrics = folder.rows("metrics.jsonl")
    assert [row["step"] for row in metrics] == [1, 2]
    for row in metrics:
        shares = [value for key, value in row.items() if key.startswith("outcome/")]
        assert sum(shares) == pytest.approx(1)
        assert row["reward"] == pytest.approx(row["reward/correct"] + row["reward/soft_overlong"])
        assert row["grad_norm"] > 0
        assert row["groups_kept"] <= row["groups_drawn"]
        assert row["max_sampler_mismatch"] < 1e-3  # float32: what was sampled is what is trained

    rollouts = folder.rows("rollouts.jsonl")
    of_step_1 = [row for row in rollouts if row["step"] == 1]
    assert len(of_step_1) == metrics[0]["groups_kept"] * 8
    for row in rollouts:
        assert row["reward"] == pytest.approx(sum(row["components"].values()))
        assert (row["outcome"] == "correct") == (row["components"]["correct"] == 1)
    for problem in {(row["step"], row["problem"]) for row in rollouts}:
        group = [row for row in rollouts if (row["step"], row["problem"]) == problem]
        assert sum(row["advantage"] for row in group) == pytest.approx(0, abs=1e-4)

    assert (path / "curves.svg").read_text().count("<svg") == 1
    from transformers import AutoModelForCausalLM, AutoTokenizer

    last = path / "checkpoints" / "step-00002"
    assert AutoModelForCausalLM.from_pretrained(last).num_parameters() > 500_000
    assert AutoTokenizer.from_pretrained(last).chat_template


@pytest.mark.parametrize("recipe", [pytest.param("grpo", marks=pytest.mark.slow), "dapo"])
def test_stopped_and_resumed_run_equals_an_uninterrupted_one_bitwise(
    configure, tmp_path, recipe, two_threads
):
    shared = (
        f"recipe.name={recipe}",
        "recipe.minibatches=2",
        "optim.warmup_steps=3",
        "optim.lr=2e-4",
    )
    whole = train(configure("steps=3", f"folder={tmp_path / 'whole'}", *shared))
    half = train(configure("steps=2", f"folder={tmp_path / 'half'}", *shared))
    config = RunFolder.open(half).config(["steps=3"])
    train(config, resume=True)

    expected, found = weights(whole, 3), weights(half, 3)
    assert expected.keys() == found.keys()
    assert all(torch.equal(expected[name], found[name]) for name in expected)
    times = {"step_s", "sample_s", "verify_s", "update_s", "tokens_per_s"}
    rows = [
        [{k: v for k, v in row.items() if k not in times} for row in RunFolder.open(run).rows(name)]
        for run in (whole, half)
        for name in ("metrics.jsonl", "rollouts.jsonl")
    ]
    assert rows[0] == rows[2]
    assert rows[1] == rows[3]
    rates = [row["lr"] for row in rows[0]]
    assert rates == pytest.approx([2e-4 / 3, 4e-4 / 3, 2e-4], rel=1e-12)


def test_resume_drops_what_was_recorded_after_the_checkpoint(configure):
    path = train(configure("steps=2"))
    folder = RunFolder.open(path)
    row = folder.rows("metrics.jsonl")[-1]
    folder.append("metrics.jsonl", [{**row, "step": 3, "reward": -99}])
    with (path / "metrics.jsonl").open("a") as file:
        file.write('{"step": 4, "rew')  # torn by a kill
    train(folder.config(["steps=3"]), resume=True)
    rows = folder.rows("metrics.jsonl")
    assert [row["step"] for row in rows] == [1, 2, 3]
    assert rows[2]["reward"] != -99


def test_only_the_last_checkpoints_are_kept(configure):
    path = train(configure("steps=4", "checkpoint.every=1", "checkpoint.keep=2"))
    names = {p.name for p in (path / "checkpoints").iterdir()}
    best = (path / "checkpoints" / "best").readlink().name
    assert names == {"step-00003", "step-00004", "best", best}


def test_all_degenerate_batch_ends_with_a_clear_message(configure):
    hopeless = {"name": "arithmetic", "args": {"operations": ["*"], "digits": [6, 6]}}
    config = configure("recipe.name=dapo", "recipe.minibatches=1", task=hopeless)
    said = (
        r"none of 16 groups of 8 .* all wrong.*too hard.* The first verdict: (incorrect|no_answer)"
    )
    with pytest.raises(NoSignalError, match=said):
        train(config)
    # What was said can be read, and what was learned before is not lost.
    folder = RunFolder.open(config.folder)
    assert len(folder.rows("rollouts.jsonl")) == 16 * 8
    assert weights(folder.path, 0)


def test_without_filtering_a_run_without_any_gradient_ends_too(configure):
    hopeless = {"name": "arithmetic", "args": {"operations": ["*"], "digits": [6, 6]}}
    config = configure("steps=9", task=hopeless)
    with pytest.raises(NoSignalError, match="5 steps in a row"):
        train(config)
    assert len(RunFolder.open(config.folder).rows("metrics.jsonl")) == 5


def test_existing_run_is_not_overwritten(configure):
    config = configure("steps=1")
    train(config)
    with pytest.raises(ConfigError, match="--resume"):
        train(config)
    train(config, overwrite=True)


def test_a_setting_that_cannot_be_used_costs_no_earlier_run(configure):
    train(configure("steps=1"))
    for override in ("sampling.temperature=0", "sampling.max_tokens=600"):
        with pytest.raises((ConfigError, ModelError)):
            train(configure(override, "recipe.minibatches=1"), overwrite=True)
    assert weights(RunFolder.open(configure().folder).path, 1)


def test_resumed_run_says_what_it_was_resumed_with(configure):
    folder = RunFolder.open(train(configure("steps=1")))
    train(folder.config(["steps=2", "optim.lr=5e-4"]), resume=True)
    assert folder.config().steps == 2
    assert folder.config().optim.lr == 5e-4
    assert folder.rows("metrics.jsonl")[1]["lr"] == 5e-4
    [entry] = json.loads((folder.path / "manifest.json").read_text())["resumed"]
    assert entry["from_step"] == 1


def test_an_evaluation_at_an_earlier_end_stays_among_those_on_the_way(configure):
    folder = RunFolder.open(train(configure("steps=1")))
    results = TrainingResults(folder, 1)
    results.put("after", 1, {"test": {"accuracy": 0.9}})
    results.put("after", 2, {"test": {"accuracy": 0.5}})
    assert results.values["step-00001"] == {"step": 1, "sets": {"test": {"accuracy": 0.9}}}
    assert results.values["after"] == {"step": 2, "sets": {"test": {"accuracy": 0.5}}}


@pytest.mark.parametrize("override", ["seed=1", "task.args.train_size=13", "eval.problems=3"])
def test_a_run_is_not_resumed_as_another(configure, override):
    folder = RunFolder.open(train(configure("steps=1")))
    with pytest.raises(ConfigError, match="cannot be resumed with another"):
        train(folder.config(["steps=2", override]), resume=True)


def test_no_signal_ends_a_resumed_run_again(configure):
    hopeless = {"name": "arithmetic", "args": {"operations": ["*"], "digits": [6, 6]}}
    config = configure("steps=20", task=hopeless)
    for steps in (5, 10):
        with pytest.raises(NoSignalError):
            train(config, resume=steps == 10)
        assert len(RunFolder.open(config.folder).rows("metrics.jsonl")) == steps


def test_results_after_the_step_that_is_resumed_from_are_dropped(configure):
    folder = RunFolder.open(train(configure("steps=2", "eval.samples=1", "eval.problems=2")))
    first = folder.evaluations()
    assert list(first) == ["before", "after"]
    train(folder.config(["steps=3"]), resume=True)
    again = folder.evaluations()
    assert again["before"] == first["before"]
    assert again["after"]["step"] == 3


def test_checkpoints_are_ordered_by_number(tmp_path):
    for name in ("step-99999", "step-100000", "step-100000.bak", "step-100000 copy"):
        (tmp_path / "checkpoints" / name).mkdir(parents=True)
    assert [p.name for p in checkpoints(RunFolder(tmp_path))] == [
        "step-99999",
        "step-100000",
    ]


def test_a_recorded_advantage_is_the_mean_over_the_response_alone():
    right, wrong = (
        Rollout("", tokens, (-1.0,) * len(tokens), Finish.STOP) for tokens in ((5, 6), (7, 8, 9, 1))
    )
    verdicts = Verdict(Outcome.CORRECT), Verdict(Outcome.INCORRECT)
    group = Group(
        Problem("p", "?", "1"),
        (right, wrong),
        verdicts,
        tuple(Reward(float(v.correct), {}) for v in verdicts),
    )
    batch = make_batch([group], [[3]])
    plan = replace(
        plan_step(DR_GRPO, batch, Scores(), []),
        advantages=torch.tensor([[1.0, 2.0, 0.0, 0.0], [-1.0, -1.0, -2.0, -2.0]]),
    )
    rows = recorded_rollouts(1, Collected([group], [[3]], GroupTally()), batch, plan)
    assert [row["advantage"] for row in rows] == [1.5, -1.5]


def test_a_folder_with_any_name_can_be_resumed(configure, tmp_path):
    path = train(configure("steps=1", f"folder={tmp_path / 'größer [/x] 😀'}"))
    train(RunFolder.open(path).config(["steps=2"]), resume=True)
    assert weights(path, 2)


def start(config, tmp_path, **options):
    """Run `rewardkit train` in a process of its own."""
    (tmp_path / "run.toml").write_text(config_to_toml(config))
    return subprocess.Popen(
        [sys.executable, "-m", "rewardkit", "train", str(tmp_path / "run.toml")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([p for p in sys.path if p])},
        **options,
    )


def wait_for_steps(folder, count):
    for _ in range(2400):
        path = folder / "metrics.jsonl"
        if path.exists() and path.read_text().count("\n") >= count:
            return
        time.sleep(0.1)
    raise AssertionError("the run made no steps within four minutes")


@pytest.mark.slow  # recovery/test_signals.py asks the same of one process, for each signal
def test_ctrl_c_saves_a_checkpoint_and_says_how_to_resume(configure, tmp_path):
    config = configure("steps=100000")
    process = start(config, tmp_path, start_new_session=True)
    wait_for_steps(tmp_path / "run", 2)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all processes of the command
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err  # as a shell says that Ctrl-C ended it
    assert "Traceback" not in err
    assert f"rewardkit train --resume {config.folder}" in out
    folder = RunFolder.open(config.folder)
    done = folder.rows("metrics.jsonl")[-1]["step"]
    assert weights(folder.path, done)
    train(folder.config([f"steps={done + 1}"]), resume=True)
    assert folder.rows("metrics.jsonl")[-1]["step"] == done + 1


def test_no_space_on_disk_stops_with_what_is_written_intact(nursery, configure, tmp_path):
    """The kernel refuses to let any file grow beyond 2 MiB: no checkpoint of 3 MiB fits."""
    config = configure("steps=3", "checkpoint.every=2")
    (tmp_path / "run.toml").write_text(config_to_toml(config))
    nursery.log.write_text("")
    nursery.start(str(tmp_path / "run.toml"), most_bytes=2 << 20)
    status, said = nursery.ended(), nursery.log.read_text()
    assert status == 2, said
    assert "cannot write to" in said
    assert f"--resume {config.folder}" in said
    folder = RunFolder.open(config.folder)
    assert [row["step"] for row in folder.rows("metrics.jsonl")] == [1, 2]
    assert list((folder.path / "checkpoints").iterdir()) == []  # no half of a checkpoint
    train(folder.config(), resume=True)
    assert [row["step"] for row in folder.rows("metrics.jsonl")] == [1, 2, 3]


def test_a_write_that_fails_is_a_training_error(tmp_path):
    (tmp_path / "config.toml").write_text("")
    folder = RunFolder(tmp_path / "not-there")
    with pytest.raises(TrainingError, match="cannot write"):
        folder.append("metrics.jsonl", [{"step": 1}])
