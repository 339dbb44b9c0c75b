"""Advantages of a batch: who is in the statistics, and what else reaches the estimator."""

from dataclasses import replace

import pytest
import torch

from rewardkit.errors import ConfigError
from rewardkit.recipes import RECIPES
from rewardkit.training_step import Scores, batch_advantages, loss_mask, needs_old_scores

SHAPE = (6, 4)


def test_undecided_responses_take_no_part_in_their_group(batch, recipe):
    found = batch_advantages(recipe("dr_grpo"), batch, Scores())
    # r - mean of the decided ones: (1, 0) in the first group, (1, 0, 0) in the second
    assert found.advantages.tolist() == pytest.approx([0.5, -0.5, 0, 2 / 3, -1 / 3, -1 / 3])
    assert found.returns is None
    assert found.token_rewards is None


def test_masked_responses_count_in_the_statistics_or_not(batch, recipe):
    masked = recipe("dr_grpo", mask_truncated=True)
    assert not loss_mask(masked, batch)[5].any()
    assert loss_mask(recipe("dr_grpo"), batch)[5].sum() == 2
    kept = batch_advantages(masked, batch, Scores()).advantages
    assert kept[3:].tolist() == pytest.approx([2 / 3, -1 / 3, -1 / 3])
    without = replace(masked, truncated_in_statistics=False)
    apart = batch_advantages(without, batch, Scores()).advantages
    assert apart[3:].tolist() == pytest.approx([1 / 2, -1 / 2, 0])


def test_kl_in_the_reward_reaches_the_advantage(batch, recipe):
    scores = Scores(old=torch.zeros(SHAPE), reference=torch.full(SHAPE, -1.0))
    rloo = replace(RECIPES["rloo"], kl_coef=0.5)
    found = batch_advantages(rloo, batch, scores)
    assert found.token_rewards[0].tolist() == [-0.5, -0.5, -0.5, 0.0]  # -0.5 * (0 - -1) a token
    assert not found.token_rewards[2].any()
    # rewards less half the length: first group 1 - 1.5 = -0.5 and 0 - 0.5 = -0.5
    assert found.advantages[:2].tolist() == [0.0, 0.0]
    plain = batch_advantages(recipe("rloo"), batch, scores).advantages
    assert plain[:2].tolist() == [1.0, -1.0]


def test_critic_gets_returns_and_undecided_rows_teach_it_nothing(batch, recipe):
    values = torch.rand(SHAPE, generator=torch.Generator().manual_seed(0))
    ppo = recipe("ppo", advantage_options={"gamma": 1.0, "lam": 1.0, "whitened": False})
    advantages, returns, _ = batch_advantages(ppo, batch, Scores(values=values))
    # With gamma = lambda = 1 the return is the reward, at every token.
    assert returns[0, :3].tolist() == pytest.approx([1.0, 1.0, 1.0])
    assert returns[1, :1].tolist() == pytest.approx([0.0])
    assert torch.equal(returns[2], values[2].double())
    assert torch.equal(returns[0, 3:], values[0, 3:].double())  # nor do masked tokens
    assert not advantages[2].any()
    torch.testing.assert_close(advantages[0, :3], 1 - values[0, :3].double())


@pytest.mark.parametrize(
    ("name", "changes", "missing"),
    [
        ("rloo", {}, "old"),
        ("ppo", {"kl": None}, "values"),
        ("gtpo", {}, "entropies"),
    ],
)
def test_scores_that_are_missing_are_named(batch, name, changes, missing):
    with pytest.raises(ConfigError, match=missing):
        batch_advantages(replace(RECIPES[name], **changes), batch, Scores())


@pytest.mark.parametrize(
    ("name", "changes", "expected"),
    [
        ("dr_grpo", {}, False),
        ("dr_grpo", {"epochs": 2}, True),
        ("dr_grpo", {"minibatches": 2}, True),
        ("dr_grpo", {"high_entropy": 0.2}, True),
        ("gtpo", {}, True),
        ("grpo", {}, False),  # its KL is in the loss, which scores the policy anyway
        ("rloo", {}, True),
        ("rloo", {"kl_coef": 0.0}, False),
        ("rloo", {"advantage": "optimal_token_baseline"}, True),
        ("rloo", {"bypass": True, "minibatches": 4}, False),  # the sampler's are there
    ],
)
def test_old_scores_are_needed_where_something_reads_them(name, changes, expected):
    assert needs_old_scores(replace(RECIPES[name], **changes)) is expected
