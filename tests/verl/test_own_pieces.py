"""Pieces of a user's own, as the documentation shows them, in verl's processes; resumed there.

Their rule chooses problems: what it counted is in the checkpoint, and goes on from it.
"""

import os
import subprocess
import sys

import pytest

from rewardkit.runs import RunFolder
from rewardkit.sampling.counts import CountTable

from small_run import write_config  # isort: skip

LIMIT_S = 600
pytestmark = [pytest.mark.verl, pytest.mark.slow, pytest.mark.timeout(2 * LIMIT_S)]


def test_they_train_with_adapters_on_verl_and_a_resumed_run_has_them_again(
    tmp_path, tiny_model, own_pieces
):
    code, own = own_pieces
    (tmp_path / "mine.py").write_text(code)
    sampling = {"problems": 6, "group_size": 4, "max_tokens": 8, **own["sampling"]}
    write_config(
        tmp_path / "run",
        tiny_model,
        recipe={**own["recipe"], "minibatches": 1},
        sampling=sampling,
        optim={"lr": 1e-3},
        lora={"rank": 4},
    )
    for words in (["run.toml", "--backend", "verl"], ["--resume", "run", "--set", "steps=3"]):
        done = subprocess.run(
            [sys.executable, "-m", "rewardkit", "train", *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            env={**os.environ, "VERL_PLATFORM": "cpu", "OMP_NUM_THREADS": "1"},
            timeout=LIMIT_S,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    folder = RunFolder.open(tmp_path / "run")
    rows = folder.rows("metrics.jsonl")
    assert [row["step"] for row in rows] == [1, 2, 3]
    assert all("reward/mine:shorter" in row for row in rows)
    assert any(row["grad_norm"] > 0 for row in rows)
    assert all(row["rollout_probs_diff_max"] < 1e-4 for row in rows), "merged weights sample"
    assert (folder.path / "checkpoints" / "step-00003" / "adapter").is_dir()
    saved = folder.path / "verl" / "checkpoints" / "global_step_3"
    table = dict(CountTable.load(saved / "counts.bin").steps())
    assert [len(table[row["step"]]) for row in rows] == [row["groups_drawn"] for row in rows]
    seen = set()
    for row in rows:
        drawn = {visit.problem for visit in table[row["step"]]}
        assert row["curriculum/explored"] == len(drawn - seen)
        seen |= drawn
