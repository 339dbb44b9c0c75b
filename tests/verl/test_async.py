"""verl's asynchronous trainer for real, on a CPU: ages, their bound, a kill in the middle, a resume."""

import os
import subprocess
import sys
import time

import pytest

from rewardkit.runs import RunFolder

from small_run import write_config  # isort: skip

pytestmark = [pytest.mark.verl, pytest.mark.slow, pytest.mark.timeout(900)]


def start(*arguments):
    return subprocess.Popen(
        [sys.executable, "-m", "rewardkit", "train", *map(str, arguments)],
        env={**os.environ, "VERL_PLATFORM": "cpu", "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_responses_of_older_weights_train_within_the_bound_killed_and_resumed(tmp_path, tiny_model):
    folder = tmp_path / "run"
    file = write_config(
        folder,
        tiny_model,
        steps=4,
        recipe={"name": "grpo", "minibatches": 1},
        sampling={"problems": 4, "group_size": 4, "max_tokens": 48},
        optim={"lr": 1e-4},
        checkpoint={"every": 1},
        verl={"mode": "colocate_async", "max_age": 2},
    )
    first = start(file, "--backend", "verl")
    end = time.monotonic() + 300
    while not any(row["step"] == 2 for row in RunFolder(folder).rows("metrics.jsonl")):
        assert first.poll() is None, first.communicate()[0]
        assert time.monotonic() < end
        time.sleep(0.2)
    first.kill()
    first.communicate()

    second = start("--resume", folder)
    said, _ = second.communicate(timeout=400)
    assert second.returncode == 0, said
    assert "verl.mode = 'colocate_async'" in said

    rows = RunFolder(folder).rows("metrics.jsonl")
    assert [row["step"] for row in rows] == [1, 2, 3, 4]
    ages = {row["step"]: [] for row in rows}
    for row in RunFolder(folder).rows("rollouts.jsonl"):
        ages[row["step"]].append(row["age"])
    for row in rows:
        assert len(ages[row["step"]]) == 16
        assert row["age_max"] == max(ages[row["step"]]) <= 2
        assert row["age_mean"] == pytest.approx(sum(ages[row["step"]]) / 16)
        assert row["groups_drawn"] == 4
        assert row["correction"] > 0, "old and new weights are told apart"
    assert ages[1] == [0] * 16
    assert any(age > 0 for step in ages.values() for age in step)
