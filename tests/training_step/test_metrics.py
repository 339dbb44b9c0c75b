"""What is said of a step, from the batch and from its passes."""

import pytest
import torch

from rewardkit.losses import LossInputs
from rewardkit.recipes import DAPO
from rewardkit.sampling import GroupTally
from rewardkit.training_step import COUNTS, MetricSums, is_maximum, sampler_mismatch, step_metrics
from rewardkit.types import Finish, Group, Outcome, Problem, Reward, Rollout, Verdict


def group(outcomes, cut=()):
    """A response of one token more than the one before, each with a log-probability of -1/2."""
    rollouts = tuple(
        Rollout("", (1,) * (i + 1), (-0.5,) * (i + 1), Finish.LENGTH if i in cut else Finish.STOP)
        for i in range(len(outcomes))
    )
    return Group(Problem("p", "?", "1"), rollouts, tuple(Verdict(Outcome(o)) for o in outcomes))


def test_a_batch_is_told_apart_from_what_was_drawn_for_it():
    tally = GroupTally()
    groups = [group(["correct", "no_answer"], cut=[1]), group(["incorrect", "timeout"])]
    assert tally.add(groups, filtering=True) == groups[:1]
    rewards = [Reward(1.0, {"correct": 1.0}), Reward(-0.5, {"correct": 0.0, "soft_overlong": -0.5})]
    found = step_metrics(tally, rewards, [1, 2], 1)
    assert found == {
        "reward": 0.25,
        "reward/correct": 0.5,
        "reward/soft_overlong": -0.25,
        "length": 1.5,
        "truncated": 0.5,
        "tokens": 3,
        "groups_drawn": 2,
        "groups_kept": 1,
        "groups_all_right": 0,
        "groups_all_wrong": 0,
        "groups_undecided": 1,
        "group_size": 2,
        "truncated_drawn": 0.25,
        "entropy_sampled": 0.5,
        "outcome/correct": 0.25,
        "outcome/incorrect": 0.25,
        "outcome/no_answer": 0.25,
        "outcome/timeout": 0.25,
        "outcome/error": 0.0,
        "outcome/bad_gold": 0.0,
    }
    assert {name for name, value in found.items() if isinstance(value, int)} == COUNTS - {
        "updates",
        "groups_signal",
    }


def test_scores_of_steps_are_said_where_a_task_gives_them():
    tally = GroupTally()
    steps = [(1, 1.0), (2, 0.5)], [(1, 0.0)], []
    verdicts = [Verdict(Outcome.INCORRECT, steps=found) for found in steps]
    tally.count([*verdicts, Verdict(Outcome.ERROR)], 0, kept=True)
    found = step_metrics(tally, [Reward(0.0, {})], [3], 0)
    assert (found["steps"], found["step_score"]) == (0.75, 0.5)
    assert "steps" not in step_metrics(GroupTally(), [Reward(0.0, {})], [3], 0)


def test_an_entropy_that_nobody_measured_is_not_said():
    tally = GroupTally()
    tally.count([Verdict(Outcome.CORRECT)], 0, kept=True)
    assert "entropy_sampled" not in step_metrics(tally, [Reward(1.0, {})], [3], 0)


def test_a_mean_score_is_said_where_scores_say_more_than_outcomes():
    tally = GroupTally()
    tally.count([Verdict(Outcome.CORRECT), Verdict(Outcome.ERROR)], 0, kept=True)
    assert "score" not in step_metrics(tally, [Reward(1.0, {})], [3], 0)
    tally.count([Verdict(Outcome.INCORRECT, score=0.5)], 0, kept=True)
    assert step_metrics(tally, [Reward(1.0, {})], [3], 0)["score"] == 0.75


def test_sums_are_divided_by_tokens_and_maxima_are_not():
    sums = MetricSums()
    for tokens, ratio, largest in ((3, 3.5, -2.0), (1, 0.5, -3.0)):
        sums.add({"tokens": torch.tensor(tokens), "ratio": torch.tensor(ratio)})
        sums.add({"max_x": torch.tensor(largest)})
    assert sums.means() == {"ratio": 1.0, "max_x": -2.0}
    assert MetricSums().means() == {}
    assert is_maximum("max_abs_log_ratio")
    assert not is_maximum("maxrl")


@pytest.mark.parametrize(
    ("mask", "total", "largest"),
    [
        ([[1, 1, 0], [1, 0, 0]], 0.1 + 0.2 + 0.3, 0.3),
        ([[0, 1, 0], [0, 0, 0]], 0.2, 0.2),
        ([[0, 0, 0], [0, 0, 0]], 0.0, 0.0),
    ],
)
def test_the_sampler_is_compared_on_what_counts(mask, total, largest):
    old = torch.full((2, 3), -1.0)
    sampler = old + torch.tensor([[0.1, -0.2, 9.0], [0.3, 9.0, 9.0]])
    counts, ones = torch.tensor(mask).bool(), torch.ones(2)
    inputs = LossInputs(old - 9, old, ones, counts, ones, sampler_logp=sampler)
    found = sampler_mismatch(DAPO, inputs)
    assert float(found["sampler_mismatch"]) == pytest.approx(total)
    assert float(found["max_sampler_mismatch"]) == pytest.approx(largest)


def test_of_a_mixture_each_task_is_told_apart():
    tally = GroupTally(sources=("a", "b", "c"))
    right, wrong, half = (
        Verdict(Outcome.CORRECT),
        Verdict(Outcome.INCORRECT),
        Verdict(Outcome.INCORRECT, score=0.5),
    )
    tally.count([right, wrong], 1, kept=True, source="a")
    tally.count([right, right], 0, kept=False, source="a")
    tally.count([half, wrong], 2, kept=True, source="b")
    rewards = [Reward(total, {}) for total in (1.0, 0.0, 0.5, 0.25)]
    found = step_metrics(tally, rewards, [1, 2, 3, 6], 3, ["a", "a", "b", "b"])
    own = {name: value for name, value in found.items() if name.startswith("source/")}
    assert own == {
        "source/a/correct": 0.75,
        "source/a/score": 0.75,
        "source/a/truncated": 0.25,
        "source/a/groups_drawn": 2,
        "source/a/groups_kept": 1,
        "source/a/groups_signal": 1,
        "source/a/reward": 0.5,
        "source/a/length": 1.5,
        "source/b/correct": 0.0,
        "source/b/score": 0.25,
        "source/b/truncated": 1.0,
        "source/b/groups_drawn": 1,
        "source/b/groups_kept": 1,
        "source/b/groups_signal": 1,
        "source/b/reward": 0.375,
        "source/b/length": 4.5,
    }
    assert (found["groups_drawn"], found["outcome/correct"]) == (3, 0.5)
