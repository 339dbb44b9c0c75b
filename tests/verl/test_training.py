"""`rewardkit train --backend verl` for real: verl's main_ppo, Ray, FSDP2 and our plugin on a CPU."""

import json
import os
import subprocess
import sys

import pytest

from rewardkit.config import ModelConfig
from rewardkit.evaluation.models import resolve_model
from rewardkit.runs import RunFolder
from rewardkit_native.model import load

pytestmark = [pytest.mark.verl, pytest.mark.timeout(400)]

LIMIT_S = 280
"""A run that takes longer than this hangs."""

CONFIG = """
folder = "{folder}"
steps = 2

[model]
name = "{model}"
dtype = "float32"

[task]
name = "arithmetic"
args = {{ operations = ["+"] }}

[recipe]
name = "{recipe}"
minibatches = 1
{further}

[sampling]
problems = 4
group_size = 4
max_tokens = 8

[optim]
lr = 1e-4

[verify]
workers = 1

[eval]
samples = {samples}
problems = 8
"""


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
    file = tmp_path / "run.toml"
    file.write_text(
        CONFIG.format(
            folder=tmp_path / recipe,
            model=tiny_model,
            recipe=recipe,
            further=further,
            samples=samples,
        )
    )
    return file


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


def test_grpo_trains_resumes_and_leaves_a_model_that_eval_takes(tmp_path, tiny_model):
    file = configuration(tmp_path, tiny_model, "grpo", samples=1)
    out = run(file, "--backend", "verl")
    folder = RunFolder.open(tmp_path / "grpo")
    rows = check(folder)
    assert all("kl" in row for row in rows), "the KL to the reference is in the loss"
    results = folder.read_json("results.json")
    assert (results["before"]["samples"], results["after"]["samples"]) == (8, 8)
    assert "model in" in out

    run("--resume", folder.path, "--set", "steps=3")
    check(folder, steps=3)
    seen = [row["problem"] for row in folder.rows("rollouts.jsonl")]
    drawn = data_order(folder)
    by_step = [seen[i : i + 16] for i in range(0, 48, 16)]
    assert [set(step) for step in by_step] == [set(drawn[i : i + 4]) for i in range(0, 12, 4)]
    assert folder.read_json("manifest.json")["resumed"][0]["from_step"] == 2
    assert folder.read_json("results.json")["before"] == results["before"]

    merged = resolve_model(str(folder.path))
    assert merged.endswith("step-00003")
    trained, start = (
        load(ModelConfig(name)).model.state_dict() for name in (merged, str(tiny_model))
    )
    assert trained.keys() == start.keys()
    assert any((trained[name] != start[name]).any() for name in start)


def data_order(folder):
    import pyarrow.parquet as pq

    rows = pq.read_table(folder.path / "verl" / "data" / "train.parquet").to_pylist()
    return [row["extra_info"]["id"] for row in rows]


def test_dapo_evicts_groups_and_punishes_length(tmp_path, tiny_model):
    run(
        configuration(tmp_path, tiny_model, "dapo"),
        "--backend",
        "verl",
        "--set",
        "sampling.problems=6",
    )
    folder = RunFolder.open(tmp_path / "dapo")
    rows = check(folder)
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


def test_dr_grpo_trains(tmp_path, tiny_model):
    run(configuration(tmp_path, tiny_model, "dr_grpo", further="constant = 8"), "--backend", "verl")
    folder = RunFolder.open(tmp_path / "dr_grpo")
    check(folder)
    for row in folder.rows("rollouts.jsonl"):
        # Centred and not scaled: reward minus the mean of four zeros and ones.
        assert abs(row["advantage"]) in (0, 0.25, 0.5, 0.75)
