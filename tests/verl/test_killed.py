"""A process of a run dies: the run ends with a reason, and never hangs."""

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from rewardkit.runs import RunFolder

pytestmark = [pytest.mark.verl, pytest.mark.slow, pytest.mark.timeout(600)]

CONFIG = """
folder = "{folder}"
steps = 200

[model]
name = "{model}"
dtype = "float32"

[task]
name = "arithmetic"
args = {{ operations = ["+"] }}

[recipe]
name = "dr_grpo"
constant = 8

[sampling]
problems = 4
group_size = 4
max_tokens = 8

[verify]
workers = 1

[eval]
samples = 0
"""


def process_called(name, root, patience_s=240):
    """The process of the run whose title holds `name`; Ray gives its actors such titles."""
    until = time.monotonic() + patience_s
    while time.monotonic() < until and root.is_running():
        for process in root.children(recursive=True):
            try:
                if name in " ".join(process.cmdline()):
                    return process
            except psutil.Error:  # it ended while we looked
                continue
        time.sleep(0.5)
    raise AssertionError(f"no process called {name} came up")


def wait_for_steps(folder, process, patience_s=240):
    until = time.monotonic() + patience_s
    while time.monotonic() < until and process.poll() is None:
        if (folder / "metrics.jsonl").exists() and RunFolder.open(folder).rows("metrics.jsonl"):
            return
        time.sleep(0.5)
    raise AssertionError("no step was finished")


def test_a_killed_reward_worker_ends_the_run_with_its_name(tmp_path, tiny_model):
    file = tmp_path / "run.toml"
    file.write_text(CONFIG.format(folder=tmp_path / "run", model=tiny_model))
    path = os.pathsep.join(entry for entry in sys.path if entry)
    log = (tmp_path / "said").open("w+")
    run = subprocess.Popen(
        [sys.executable, "-m", "rewardkit", "train", str(file), "--backend", "verl"],
        stdout=log, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "PYTHONPATH": path, "VERL_PLATFORM": "cpu", "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    try:
        worker = process_called("ray::RewardLoopWorker", psutil.Process(run.pid))
        wait_for_steps(tmp_path / "run", run)
        os.kill(worker.pid, signal.SIGKILL)
        status = run.wait(timeout=180)  # the step at hand, and Ray's shutdown
    finally:
        run.terminate()
        run.wait(timeout=60)
    log.seek(0)
    said = log.read()
    assert status == 1, said
    assert "reward worker 0 died" in said
    assert "--resume" in said
