"""The examples for GPUs, as far as a machine without one can check: verl's own validation."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rewardkit.config import load_config
from rewardkit_verl.plan import plan

pytestmark = pytest.mark.verl

EXAMPLES = Path(__file__).parents[2] / "examples" / "verl"
GPU = sorted(path.name for path in EXAMPLES.glob("qwen*.toml"))


@pytest.fixture
def data(tmp_path):
    """Stand-ins for the training file and for AIME, as `--set` takes them."""
    train, test = tmp_path / "train.jsonl", tmp_path / "aime.jsonl"
    train.write_text(
        "\n".join(json.dumps({"problem": f"{n} + 1?", "answer": n + 1}) for n in range(99))
    )
    test.write_text(
        "\n".join(json.dumps({"problem": f"{n} - 1?", "answer": n - 1}) for n in range(1, 31))
    )
    return [f"task.args.train={train}", f"task.args.test=aime24={test}"]


@pytest.mark.parametrize("nodes", [1, 4])
@pytest.mark.parametrize("name", GPU)
def test_verl_s_own_validation_accepts_the_example(name, nodes, data, monkeypatch, tmp_path):
    monkeypatch.delenv("VERL_PLATFORM", raising=False)
    cluster = [f"verl.nodes={nodes}", "verl.address=auto"] if nodes > 1 else []
    config = load_config(EXAMPLES / name, [*data, *cluster, f"folder={tmp_path / 'run'}"])
    said = plan(config)
    assert "verl 0.9.1's own validation accepts this configuration" in said
    assert f"trainer.nnodes={nodes}" in said
    assert "trainer.n_gpus_per_node=8" in said
    assert "actor_rollout_ref.rollout.name=vllm" in said
    assert "actor_rollout_ref.model.path=Qwen/Qwen2.5-7B" in said
    assert "30 rows" in said
    assert not (tmp_path / "run").exists(), "a dry run leaves nothing"


def test_there_is_one_for_each_of_the_three_recipes():
    assert {name.split("_", 1)[1] for name in GPU} == {"grpo.toml", "dapo.toml", "dr_grpo.toml"}


@pytest.mark.parametrize(
    ("script", "says"), [("one_node.sh", "ray_init.address=local"), ("cluster.sh", "ray_init.address=auto")]
)  # fmt: skip
def test_the_scripts_run_as_they_stand(script, says, data, tmp_path):
    command = tmp_path / "rewardkit"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m rewardkit "$@"\n')
    command.chmod(0o755)
    options = [word for setting in data for word in ("--set", setting)]
    done = subprocess.run(
        ["sh", EXAMPLES / script, "grpo", "--dry-run", *options],
        env={
            **{k: v for k, v in os.environ.items() if k != "VERL_PLATFORM"},
            "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": os.pathsep.join(p for p in sys.path if p),
        },
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert says in done.stdout
    assert "accepts this configuration" in done.stdout
