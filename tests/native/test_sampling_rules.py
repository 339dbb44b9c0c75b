"""The rules of `[sampling]` in whole runs: what they draw, what they train on, and resuming."""

import json
import re
from dataclasses import replace
from itertools import pairwise

import pytest
import torch

from rewardkit.config import config_from
from rewardkit.errors import ConfigError, DataError, NoSignalError
from rewardkit.recipes import DR_GRPO
from rewardkit.runs import RunFolder
from rewardkit.runs.seal import sha256
from rewardkit.sampling.counts import CountTable, Visit, fingerprint
from rewardkit.sampling.leftovers import Leftover, load_leftovers, save_leftovers
from rewardkit.sampling.settings import KeepConfig
from rewardkit.tasks import load_task
from rewardkit.training_step import Scores, plan_step
from rewardkit.types import Finish, Group, Outcome, Problem, Reward, Rollout, Verdict
from rewardkit_native.learning.batch import make_batch, trained_members
from rewardkit_native.loop import train
from rewardkit_native.recovery.checkpoint import COUNTS, LEFTOVERS

RULES = {
    "mopps that drifts, in one round, with leftovers": [
        "sampling.curriculum.rule=mopps",
        "sampling.curriculum.drift=0.1",
        "sampling.refill.oversample=true",
        "sampling.refill.leftovers=keep",
        "sampling.rounds=3",
    ],
    "greso, screened": [
        "sampling.curriculum.rule=greso",
        "sampling.sizes.rule=speed",
        "sampling.sizes.screen=2",
    ],
    "pools, rounds, balanced": [
        "sampling.curriculum.rule=pools",
        "sampling.curriculum.retire=0.8",
        "sampling.curriculum.return_after=2",
        "sampling.sizes.rule=reinforce_ada",
        "sampling.sizes.rounds=2",
        "sampling.keep.members=balanced",
        "sampling.keep.size=4",
    ],
    "knapsack, a band, the widest": [
        "sampling.curriculum.rule=mopps",
        "sampling.sizes.rule=knapsack",
        "sampling.sizes.most=12",
        "sampling.keep.low=0.05",
        "sampling.keep.high=0.8",
        "sampling.keep.members=variance",
        "sampling.keep.size=4",
        "sampling.keep.statistics=kept",
    ],
}
TIMES = ("_s", "tokens_per_s")
GENTLY = "optim.lr=1e-4"
"""Over three steps: at the usual rate some tiny models forget so much that no group has signal."""


def rows(path, name="metrics.jsonl"):
    return [
        {key: value for key, value in row.items() if not key.endswith(TIMES)}
        for row in RunFolder.open(path).rows(name)
    ]


@pytest.mark.parametrize("rule", RULES)
def test_stopped_and_resumed_it_draws_the_same_to_the_bit(configure, tmp_path, rule):
    overrides = [*RULES[rule], GENTLY, "recipe.filter_groups=true", "sampling.problems=3"]
    whole = train(configure(*overrides, "steps=3", f"folder={tmp_path / 'whole'}"))
    parts = train(configure(*overrides, "steps=2", f"folder={tmp_path / 'parts'}"))
    train(RunFolder.open(parts).config(["steps=3"]), resume=True)
    assert rows(whole) == rows(parts)
    assert rows(whole, "rollouts.jsonl") == rows(parts, "rollouts.jsonl")
    last = "checkpoints/step-00003"
    assert (whole / last / COUNTS).read_bytes() == (parts / last / COUNTS).read_bytes()
    left = [
        re.sub(r'"seconds": [^,}]*', "", (run / last / LEFTOVERS).read_text())
        for run in (whole, parts)
    ]
    assert left[0] == left[1]


def test_all_that_was_drawn_is_counted(configure):
    config = configure(*RULES["greso, screened"], GENTLY, "recipe.filter_groups=true", "steps=3")
    path = train(config)
    problems = load_task(config.task.name, **config.task.args).train
    table = CountTable.load(path / "checkpoints/step-00003" / COUNTS, fingerprint(problems))
    for (step, visits), row in zip(table.steps(), rows(path), strict=True):
        assert row["step"] == step
        assert row["groups_drawn"] == len(visits)
        dropped = sum(row[f"groups_{why}"] for why in ("all_right", "all_wrong", "undecided"))
        assert row["groups_kept"] == row["groups_drawn"] - dropped
        assert {found.decided + found.undecided for found in visits} <= {2, 8}
        rollouts = sum(found.decided + found.undecided for found in visits)
        kept = sum(found.carries_signal for found in visits)
        assert row["rollouts_per_effective_group"] == pytest.approx(rollouts / kept)
        assert row["effective_share"] == pytest.approx(kept / len(visits))
        assert 0 <= row["curriculum/brier"] <= 1
    recorded = [row for row in rows(path, "rollouts.jsonl") if row["step"] == 1]
    assert len(recorded) == sum(
        found.decided + found.undecided for found in dict(table.steps())[1] if found.carries_signal
    )


def test_spare_groups_are_trained_on_in_the_next_step_and_only_once(configure):
    overrides = [
        *RULES["mopps that drifts, in one round, with leftovers"],
        "recipe.filter_groups=true",
    ]
    path = train(configure(*overrides, "sampling.problems=2", "steps=6", "optim.lr=1e-6"))
    found = rows(path)
    assert any(row["leftovers_used"] for row in found)
    assert all(row.get("leftovers_age", 1) == 1 for row in found)
    for before, after in pairwise(found):
        assert after["leftovers_used"] + after["leftovers_expired"] <= before["leftovers"]
    groups = [
        (row["problem"], row["step"], row["group"], row["response"])
        for row in rows(path, "rollouts.jsonl")
    ]
    assert sum(row["groups_kept"] for row in found) == (
        len({group[:3] for group in groups})
        + found[-1]["leftovers"]
        + sum(row["leftovers_expired"] for row in found)
    )


def test_a_band_that_no_group_is_in_is_said(configure):
    band = ["sampling.keep.low=0.999", "recipe.filter_groups=true", "sampling.rounds=1"]
    with pytest.raises(NoSignalError, match=r"lie outside the band of sampling\.keep"):
        train(configure(*band, "sampling.problems=8"))


def graded(outcomes, lengths=None):
    rollouts = tuple(
        Rollout("", (1,) * n, (-0.25,) * n, Finish.STOP) for n in lengths or [3] * len(outcomes)
    )
    verdicts = tuple(Verdict(Outcome(name)) for name in outcomes)
    rewards = tuple(Reward(float(v.correct), {"correct": float(v.correct)}) for v in verdicts)
    return Group(Problem("p", "?", "1"), rollouts, verdicts, rewards)


GROUP = graded(["correct", "incorrect", "timeout", "incorrect", "no_answer"], [3, 9, 1, 2, 5])


def test_the_rollouts_of_a_group_that_train_are_decided_ones():
    assert trained_members(GROUP, KeepConfig()) == {0, 1, 3, 4}
    assert trained_members(GROUP, KeepConfig(members="shortest", size=2)) == {0, 3}
    assert trained_members(GROUP, KeepConfig(members="balanced", size=2)) == {0, 1}


def test_a_batch_compares_with_all_or_with_the_kept_alone():
    batch = make_batch([GROUP], [[3]], KeepConfig(members="shortest", size=2))
    assert batch.rows == [0, 1, 3, 4]
    assert batch.trained.tolist() == [True, False, True, False]
    alone = make_batch([GROUP], [[3]], KeepConfig(members="shortest", size=2, statistics="kept"))
    assert (alone.rows, alone.trained) == ([0, 3], None)


def test_groups_left_over_come_back_as_they_were(tmp_path):
    left = [Leftover(GROUP, [3, 4], 1, 7)]
    save_leftovers(tmp_path / "left.json", left)
    problems = [Problem("other", "?", "2"), GROUP.problem]
    assert load_leftovers(tmp_path / "left.json", problems) == left
    (tmp_path / "left.json").write_text('[{"problem": 1}]')
    with pytest.raises(DataError, match=r"left\.json"):
        load_leftovers(tmp_path / "left.json", problems)


def test_a_table_of_other_problems_is_refused_by_name(configure):
    path = train(configure("steps=1"))
    table = CountTable("of another task")
    table.append(1, [Visit(0, 1, 1)])
    table.save(path / "checkpoints/step-00001" / COUNTS)
    seal = path / "checkpoints/step-00001/checkpoint.json"
    found = json.loads(seal.read_text())
    damaged = path / "checkpoints/step-00001" / COUNTS
    found["files"][COUNTS] = {"bytes": damaged.stat().st_size, "sha256": sha256(damaged)}
    seal.write_text(json.dumps(found))
    with pytest.raises(DataError, match=r"counts\.bin counts the problems of another task"):
        train(RunFolder.open(path).config(["steps=2"]), resume=True)


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        (["sampling.keep.low=0.1", "recipe.name=grpo"], "no effect without group filtering"),
        (["sampling.keep.members=variance"], "name a rule and how many rollouts it keeps"),
        (["sampling.keep.low=0.9", "sampling.keep.high=0.1"], "solve rates in order"),
        (["sampling.curriculum.rule=mops"], "sampling.curriculum.rule must be one of"),
        (["sampling.curiculum.rule=mopps"], "curriculum"),
    ],
)
def test_settings_that_cannot_be_are_refused(overrides, said):
    with pytest.raises(ConfigError, match=said):
        config_from({"folder": "x", "steps": 1, "recipe": {"name": "dapo"}}, overrides)


def test_an_estimator_that_needs_larger_groups_is_refused_before_anything_is_loaded(configure):
    at_4 = {"name": "grpo", "advantage": "pass_at_k_training", "advantage_options": {"k": 4}}
    with pytest.raises(ConfigError, match=r"k must be in 1\.\.2, found 4"):
        train(configure("sampling.sizes.rule=speed", "sampling.sizes.screen=2", recipe=at_4))
    kept = ["sampling.keep.members=variance", "sampling.keep.size=3"]
    with pytest.raises(ConfigError, match=r"k must be in 1\.\.3, found 4"):
        train(configure(*kept, "sampling.keep.statistics=kept", recipe=at_4))
    with pytest.raises(ConfigError, match="found 8 of 8"):
        train(configure("sampling.sizes.rule=speed", "sampling.sizes.screen=8"))


def test_a_prior_of_a_file_is_read_before_anything_is_loaded(configure, tmp_path):
    (tmp_path / "rates.jsonl").write_text('{"id": "nobody", "solve_rate": 0.5}\n')
    prior = f"sampling.curriculum.prior={tmp_path / 'rates.jsonl'}"
    with pytest.raises(ConfigError, match="no solve rate for any of 12 training problems"):
        train(configure(prior))
    with pytest.raises(ConfigError, match="needs difficulties"):
        train(configure("sampling.curriculum.rule=adarft"))


def test_only_the_chosen_are_in_the_gradient_and_all_in_the_statistics():
    recipe = replace(DR_GRPO, constant=12)
    batch = make_batch([GROUP], [[3]], KeepConfig(members="shortest", size=2))
    plan = plan_step(recipe, batch, Scores(), [torch.arange(4)])
    assert plan.advantages.tolist() == [0.75, -0.25, -0.25, -0.25]  # of four decided answers
    assert plan.mask.any(1).tolist() == [True, False, True, False]
    assert (plan.weights > 0).tolist() == [True, False, True, False]
    pair = make_batch([graded(["correct", "incorrect"], [3, 2])], [[3]])
    assert (
        plan.weights[[0, 2]].tolist()
        == plan_step(recipe, pair, Scores(), [torch.arange(2)]).weights.tolist()
    )
    assert plan.updates[0].live.tolist() == [0, 2]
