"""The examples for GPUs, as far as a machine without one can check: verl's own validation."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from rewardkit.config import load_config
from rewardkit_verl.dry_run import plan

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
    few = "steps=3"  # a plan writes the rows of all steps
    return [f"task.args.train={train}", f"task.args.test=aime24={test}", few]


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


@pytest.mark.parametrize(("script", "nodes"), [("one_node.sh", 1), ("cluster.sh", 2)])
def test_the_scripts_start_what_they_say(script, nodes, data, monkeypatch, tmp_path):
    command = tmp_path / "rewardkit"
    command.write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
    command.chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", EXAMPLES / script, "grpo", "--set", "steps=4"],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    words = done.stdout.splitlines()
    assert words[:2] == ["train", str(EXAMPLES / "qwen2.5-7b_grpo.toml")]
    assert words[2:4] == ["--backend", "verl"]
    settings = [word for word in words if "=" in word]
    config = load_config(words[1], [*data, *settings])
    assert (config.steps, config.verl.nodes) == (4, nodes)
    monkeypatch.delenv("VERL_PLATFORM", raising=False)
    assert f"trainer.nnodes={nodes}" in plan(config)
