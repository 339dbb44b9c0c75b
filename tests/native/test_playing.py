"""Runs of a task with an environment: what is recorded, resumed, and refused."""

import json
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from rewardkit.errors import ConfigError
from rewardkit.runs.rollouts import read_rollouts
from rewardkit.tasks import load_task
from rewardkit_native.collect import Collector
from rewardkit_native.loop import train
from rewardkit_native.sampling.turns import TurnSampler, refuse_unplayable

sys.path.insert(0, str(Path(__file__).parent))  # workers import the task as well

PLAYED = {"name": "playing_task:task"}
SAMPLING = {"problems": 4, "group_size": 8, "max_tokens": 40}


def outcome(path):
    step = load_file(path / "checkpoints" / "step-00002" / "model.safetensors")
    return list(read_rollouts(path)), step


def test_a_run_records_its_turns_and_one_that_was_killed_in_a_step_is_the_same(
    configure, monkeypatch, tmp_path
):
    settings = {"task": PLAYED, "sampling": SAMPLING, "eval": {"samples": 1, "problems": 3}}
    whole = train(configure("checkpoint.every=1", **settings))
    rows, weights = outcome(whole)
    played = [row for row in rows if len(row["segments"]) > 1]
    assert played
    for row in played:
        (first, text, _), (environment, said, count), *_ = row["segments"]
        assert (first, environment, said) == (True, False, " 1 + 1 = 2 ")
        assert row["tokens"] == sum(part[2] for part in row["segments"] if part[0])
        assert row["response"].startswith(text + "\n")
        assert count > 0
    failed = [row for row in rows if row["outcome"] == "error"]
    assert all(row["gold"] == "10" and row["method"] == "environment" for row in failed)
    assert all(row["advantage"] == 0 for row in failed)
    metrics = [json.loads(line) for line in (whole / "metrics.jsonl").read_text().splitlines()]
    for row in metrics:
        own = [r["tokens"] for r in rows if r["step"] == row["step"]]
        assert row["tokens"] == sum(own)
        assert row["turns"] > 1
        assert row["environment_tokens"] > 0
        assert row["tool_errors"] == pytest.approx(row["turns"] - 1)

    killed = configure("checkpoint.every=1", f"folder={tmp_path / 'killed'}", **settings)
    collect, end_turn, now = Collector.collect, TurnSampler._end_turn, [0, 0]

    def collecting(self, step, leftovers=()):
        now[:] = step, 0
        return collect(self, step, leftovers)

    def dying(self, *arguments):
        now[1] += 1
        if now == [2, 40]:
            raise RuntimeError("the power went off")
        end_turn(self, *arguments)

    with monkeypatch.context() as patched:
        patched.setattr(Collector, "collect", collecting)
        patched.setattr(TurnSampler, "_end_turn", dying)
        with pytest.raises(RuntimeError, match="power"):
            train(killed)
    assert (tmp_path / "killed" / "metrics.jsonl").read_text().count("\n") == 1
    again, resumed = outcome(train(killed, resume=True))
    assert again == rows
    assert all(torch.equal(resumed[name], weights[name]) for name in weights)


def test_what_no_environment_is_played_with_is_refused(configure):
    config = configure("sampling.engine=vllm", task=PLAYED, sampling=SAMPLING)
    with pytest.raises(ConfigError, match="engine=fast"):
        refuse_unplayable(config, load_task("guess_number"))
