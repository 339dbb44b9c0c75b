"""One file with an environment, trained natively and on verl."""

import os
import subprocess
import sys

import pytest

from rewardkit.types import Problem
from rewardkit.verifiers import VerifierPool

from played_rows import TASKS, assert_turns  # isort: skip
from small_run import write_config  # isort: skip

pytestmark = [pytest.mark.verl, pytest.mark.slow, pytest.mark.timeout(900)]

sys.path.append(str(TASKS))  # for `playing_task`, of verl's processes too


def test_both_backends_play_and_record_the_same_kind_of_rollout(tiny_model, tmp_path):
    from playing_task import task

    file = write_config(
        tmp_path / "run",
        tiny_model,
        task={"name": "playing_task:task"},
        sampling={"problems": 4, "group_size": 4, "max_tokens": 40, "turns": 3},
        eval={"samples": 1, "problems": 3},
    )
    path = os.pathsep.join([str(TASKS), os.environ.get("PYTHONPATH", "")])
    for backend in ("native", "verl"):
        folder = tmp_path / backend
        command = ["train", str(file), "--backend", backend, "--set", f"folder={folder}"]
        done = subprocess.run(
            [sys.executable, "-m", "rewardkit", *command],
            capture_output=True,
            text=True,
            env={**os.environ, "VERL_PLATFORM": "cpu", "OMP_NUM_THREADS": "1", "PYTHONPATH": path},
            timeout=600,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        _, rows = assert_turns(folder)
        assert len(rows) == 2 * 16
        failed = [row for row in rows if row["method"] == "environment"]
        assert all(row["gold"] == "10" and row["advantage"] == 0 for row in failed)
        pairs = [
            (row["response"], Problem("", "", row["gold"])) for row in rows if row not in failed
        ]
        with VerifierPool(task().verifier, workers=1) as pool:
            again = [verdict.outcome for verdict in pool.verify(pairs)]
        assert [row["outcome"] for row in rows if row not in failed] == again
