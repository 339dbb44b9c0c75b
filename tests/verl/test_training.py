"""`rewardkit train --backend verl` for real: verl's main_ppo, Ray, FSDP2 and our plugin on a CPU."""

import json
import os
import subprocess
import sys
import tomllib

import pytest

from rewardkit.config import ModelConfig
from rewardkit.errors import SELF_STOPPED
from rewardkit.evaluation.models import resolve_model
from rewardkit.runs import RunFolder
from rewardkit_native.model.loading import load

from small_run import write_config  # isort: skip

LIMIT_S = 600
"""A run that takes longer than this hangs: a minute on two quiet cores, ten times that on full ones."""
pytestmark = [pytest.mark.verl, pytest.mark.timeout(LIMIT_S + 100)]


def run(*arguments, expect=0):
    done = subprocess.run(
        [sys.executable, "-m", "rewardkit", "train", *map(str, arguments)],
        capture_output=True,
        text=True,
        env={**os.environ, "VERL_PLATFORM": "cpu", "OMP_NUM_THREADS": "1"},
        timeout=LIMIT_S,
        check=False,
    )
    assert done.returncode == expect, done.stdout + done.stderr
    return done.stdout + done.stderr


def configuration(tmp_path, tiny_model, recipe, further="", samples=0):
    return write_config(
        tmp_path / recipe,
        tiny_model,
        recipe={"name": recipe, "minibatches": 1, **tomllib.loads(further)},
        optim={"lr": 1e-4},
        eval={"samples": samples, "problems": 8},
    )


def check(folder, steps=2):
    """What holds of every run: our plugin was there, and the weights moved."""
    rows = folder.rows("metrics.jsonl")
    assert [row["step"] for row in rows] == list(range(1, steps + 1))
    for row in rows:
        shares = [value for name, value in row.items() if name.startswith("outcome/")]
        assert sum(shares) == pytest.approx(1)
        assert row["rollout_probs_diff_max"] < 1e-4, "the sampler has the trainer's weights"
    assert any(row["grad_norm"] > 0 for row in rows)
    logged = [json.loads(line) for line in metrics_lines(folder)]
    assert any("actor/rewardkit/ratio" in entry["data"] for entry in logged), "our loss ran"
    return rows


def metrics_lines(folder):
    return [
        line
        for file in sorted((folder.path / "verl").glob("metrics-from-*.jsonl"))
        for line in file.read_text().splitlines()
    ]


@pytest.fixture(scope="module")
def trained(tiny_model, tmp_path_factory):
    """One run for all that it shows: DAPO, with a KL to the reference, evaluated at both ends."""
    root = tmp_path_factory.mktemp("verl")
    further = 'kl = "k3"\nkl_coef = 1e-3'
    file = configuration(root, tiny_model, "dapo", further, samples=1)
    # Of pairs more than half are all alike; of 12 groups of four, none is once in 40 runs.
    pairs = ("--set", "sampling.problems=6", "--set", "sampling.group_size=2")
    out = run(file, "--backend", "verl", *pairs)
    return RunFolder.open(root / "dapo"), out


def test_verl_trains_with_our_loss_on_the_sampler_s_weights(trained):
    folder, out = trained
    rows = check(folder)
    assert all("kl" in row for row in rows), "the KL to the reference is in the loss"
    assert "model in" in out


def test_dapo_evicts_groups_and_punishes_length(trained):
    folder, _ = trained
    rows = folder.rows("metrics.jsonl")
    assert sum(row["groups_all_right"] + row["groups_all_wrong"] for row in rows) >= 1
    assert all("reward/soft_overlong" in row for row in rows)
    rollouts = folder.rows("rollouts.jsonl")
    for row in rollouts:
        total = row["components"]["correct"] + row["components"]["soft_overlong"]
        assert row["reward"] == pytest.approx(total)
    groups = {}
    for row in rollouts:
        groups.setdefault((row["step"], row["problem"]), set()).add(row["outcome"] == "correct")
    assert all(outcomes == {True, False} for outcomes in groups.values()), "only mixed groups"


def test_it_is_evaluated_before_and_after_and_leaves_a_model_that_eval_takes(trained, tiny_model):
    folder, _ = trained
    found = folder.evaluations()
    assert [found[label]["sets"]["test"]["samples"] for label in ("before", "after")] == [8, 8]
    check_model(folder, "step-00002", tiny_model)


def check_model(folder, step, tiny_model):
    merged = resolve_model(str(folder.path))
    assert merged.endswith(step)
    after, before = (
        load(ModelConfig(name)).model.state_dict() for name in (merged, str(tiny_model))
    )
    assert after.keys() == before.keys()
    assert any((after[name] != before[name]).any() for name in before)


@pytest.mark.slow
def test_a_teacher_stands_in_the_place_of_the_reference(tmp_path, tiny_model, teacher):
    file = write_config(tmp_path / "opd", tiny_model, recipe={"name": "opd"})
    file.write_text(file.read_text().replace("[model]", f"[model]\nteacher = {str(teacher)!r}"))
    run(file, "--backend", "verl", "--set", "recipe.kl_schedule=linear")
    rows = check(RunFolder.open(tmp_path / "opd"))
    assert [row["kl_coef"] for row in rows] == [1, 0.5]
    assert rows[0]["kl"] > 0.05  # to the policy itself it would be 0 before the first update


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_mixture_meets_the_native_backend_s_problems_resumed_or_not(tmp_path, tiny_model):
    pytest.importorskip("reasoning_gym")
    tasks = [
        {"name": "arithmetic", "args": {"operations": ["+"]}, "weight": 2},
        {"name": "countdown", "args": {"train_size": 12, "test_size": 3}},
        {"name": "reasoning_gym:chain_sum", "args": {"train_size": 12, "test_size": 3}},
    ]
    problems = {}
    for backend in ("verl", "native"):
        file = write_config(
            tmp_path / backend,
            tiny_model,
            task={},
            tasks=tasks,
            recipe={"name": "grpo", "minibatches": 1},
            eval={"samples": 1, "problems": 2},
        )
        run(file, "--backend", backend, "--set", "checkpoint.every=1")
        folder = RunFolder.open(tmp_path / backend)
        before = folder.evaluations()["before"]
        run("--resume", tmp_path / backend, "--set", "steps=3")
        assert folder.evaluations()["before"] == before
        assert folder.read_json("manifest.json")["resumed"][0]["from_step"] == 2
        rows = folder.rows("metrics.jsonl")
        assert sum(row.get("source/arithmetic/groups_drawn", 0) for row in rows) == 6
        assert set(folder.evaluations()["after"]["sets"]) == {
            "test", "arithmetic", "arithmetic/harder", "countdown", "chain_sum",
        }  # fmt: skip
        found = folder.rows("rollouts.jsonl")
        problems[backend] = [
            {row["problem"] for row in found if row["step"] == step} for step in (1, 2, 3)
        ]
    check_model(RunFolder.open(tmp_path / "verl"), "step-00003", tiny_model)
    assert problems["verl"] == problems["native"]
    assert [len(step) for step in problems["verl"]] == [4, 4, 4]


@pytest.mark.slow
@pytest.mark.timeout(2 * LIMIT_S + 100)
def test_a_batch_without_any_signal_ends_both_backends_with_one_status(tmp_path, tiny_model):
    cut_off = ("--set", "sampling.max_tokens=1")  # too short for any answer, so none is right
    file = configuration(tmp_path, tiny_model, "dapo")
    for backend in ("native", "verl"):
        folder = ("--set", f"folder={tmp_path / backend}")
        said = run(file, "--backend", backend, *cut_off, *folder, expect=SELF_STOPPED)
        assert "sampling.group_size" in said, "what to change"
