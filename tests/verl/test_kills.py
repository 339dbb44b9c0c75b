"""Processes that die in the middle of a real run: it goes on, or ends with a reason; it never hangs."""

import os
import signal
import subprocess
import sys
import time

import pytest

from rewardkit.runs import RunFolder
from rewardkit.runs.rollouts import kept_groups

from small_run import write_config  # isort: skip

pytestmark = [pytest.mark.verl, pytest.mark.slow, pytest.mark.timeout(600)]


def descendants(pid):
    import psutil

    return psutil.Process(pid).children(recursive=True)


def reward_workers(pid):
    return [p for p in descendants(pid) if "RewardLoopWorker" in p.name() + " ".join(p.cmdline())]


def steps(folder):
    return max((row["step"] for row in RunFolder(folder).rows("metrics.jsonl")), default=0)


def wait_for_step(process, folder, step, limit_s=240):
    end = time.monotonic() + limit_s
    while steps(folder) < step:
        assert process.poll() is None, "the run ended"
        assert time.monotonic() < end, f"no step {step} within {limit_s} s"
        time.sleep(0.2)


@pytest.fixture
def running(tmp_path, tiny_model):
    folder = tmp_path / "run"
    file = write_config(
        folder,
        tiny_model,
        steps=500,
        recipe={"name": "dr_grpo", "constant": 8},
        guards={"degenerate": "none"},
        checkpoint={"every": 1},
        records={"groups": 2},
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "rewardkit", "train", file, "--backend", "verl"],
        env={**os.environ, "VERL_PLATFORM": "cpu", "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    yield process, folder
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        process.wait(90)


def test_a_verifier_is_replaced_and_a_lost_reward_worker_ends_the_run(running):
    process, folder = running
    wait_for_step(process, folder, 1)
    [worker] = reward_workers(process.pid)
    # The pool's own processes, in which the verifier runs.
    for child in worker.children(recursive=True):
        child.kill()
    wait_for_step(process, folder, steps(folder) + 2)
    for row in RunFolder(folder).rows("rollouts.jsonl"):
        assert row["outcome"] != "error", row["reason"]
        # Centred and not scaled: reward minus the mean of four zeros and ones.
        assert abs(row["advantage"]) in (0, 0.25, 0.5, 0.75)
    config, rows = RunFolder(folder).config(), RunFolder(folder).rows("rollouts.jsonl")
    for step in (1, 2):
        kept = kept_groups(config.records, config.seed, step, 4)
        assert sorted({row["group"] for row in rows if row["step"] == step}) == kept

    worker.kill()
    said, _ = process.communicate(timeout=200)
    assert process.returncode == 2, said
    assert "reward worker 0 died" in said
    assert f"rewardkit train --resume {folder}" in said


def test_ctrl_c_ends_verl_and_ray_and_says_how_to_go_on(running):
    process, folder = running
    wait_for_step(process, folder, 1)
    started = descendants(process.pid)
    assert any("raylet" in p.name() for p in started)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=120)
    assert process.returncode == 130, said
    assert f"rewardkit train --resume {folder}" in said
    end = time.monotonic() + 30
    while alive := [p for p in started if p.is_running() and p.status() != "zombie"]:
        assert time.monotonic() < end, alive
        time.sleep(0.5)
