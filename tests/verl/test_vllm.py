"""verl's own vLLM server on the CPU takes the weights that were trained; run by `make test-vllm`."""

import os
import subprocess
import sys

import pytest

from rewardkit.runs import RunFolder

from played_rows import TASKS, assert_turns  # isort: skip
from small_run import write_config  # isort: skip

pytestmark = [pytest.mark.vllm, pytest.mark.timeout(1800)]

ENVIRONMENT = {
    "VERL_PLATFORM": "cpu",
    # Few threads, that sleep when there is nothing to do: engine and trainer share the cores.
    "OMP_NUM_THREADS": "1",
    "KMP_BLOCKTIME": "1",
    "VLLM_CPU_OMP_THREADS_BIND": "nobind",
    "VLLM_SLEEP_WHEN_IDLE": "1",
    "VLLM_CPU_KVCACHE_SPACE": "1",  # GiB
}


def train(file, **environment):
    done = subprocess.run(
        [sys.executable, "-m", "rewardkit", "train", str(file), "--backend", "verl"],
        capture_output=True, text=True, timeout=1500, check=False,
        env={**os.environ, **ENVIRONMENT, **environment},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_server_samples_with_the_trained_weights_at_every_step(tmp_path, tiny_model):
    """Its output head is tied: unless that is re-packed, the server goes on with the first one."""
    file = write_config(
        tmp_path / "run",
        tiny_model,
        steps=3,
        recipe={"name": "dr_grpo", "constant": 12},
        sampling={"problems": 4, "group_size": 8, "max_tokens": 12},
        optim={"lr": 1e-3},
        verl={"rollout": "vllm"},
    )
    train(file)
    rows = RunFolder.open(tmp_path / "run").rows("metrics.jsonl")
    assert len(rows) == 3
    for row in rows:
        assert row["rollout_probs_diff_max"] < 1e-4
    assert sum(row["grad_norm"] > 0 for row in rows) >= 2, "the weights never moved"


def test_the_server_goes_on_behind_what_an_environment_wrote(tmp_path, tiny_model):
    """The trainer's probabilities of each turn are the server's: both saw the same tokens."""
    file = write_config(
        tmp_path / "run",
        tiny_model,
        task={"name": "playing_task:task"},
        sampling={"problems": 4, "group_size": 4, "max_tokens": 40, "turns": 3},
        verl={"rollout": "vllm"},
    )
    train(file, PYTHONPATH=os.pathsep.join([str(TASKS), os.environ.get("PYTHONPATH", "")]))
    metrics, rows = assert_turns(tmp_path / "run")
    assert len(rows) == 2 * 16
    for row in metrics:
        assert row["rollout_probs_diff_max"] < 1e-4
