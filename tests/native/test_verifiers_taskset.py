"""Training on `verifiers:NAME`, beside verifiers 0.4: their rewards are in our records."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("verifiers.v1", reason="in an environment of its own: verifiers==0.4.0")

from rewardkit.runs.rollouts import read_rollouts
from rewardkit_native.loop import train

TASKSETS = Path(__file__).parents[1] / "environments" / "tasksets"
sys.path.insert(0, str(TASKSETS))  # workers import them as well


@pytest.mark.parametrize("name", ["sums_taskset", "counter_taskset"])
def test_three_steps_have_their_rewards_in_our_records(configure, name):
    args = {"most": 20, "test_size": 4}
    sampling = {"problems": 2, "group_size": 8, "max_tokens": 40, "turns": 2}
    path = train(
        configure("steps=3", task={"name": f"verifiers:{name}", "args": args}, sampling=sampling)
    )
    rows = list(read_rollouts(path))
    assert len(rows) == 48
    assert {row["method"] for row in rows} == {"verifiers"}
    parts = {part.split(" ")[0] for row in rows for part in row["reason"].split(", ")}
    assert parts == (
        {"right", "boxed", "turns"} if name == "sums_taskset" else {"reached", "calls"}
    )
