"""A step's plan: weights of each update, its entropy threshold, and what needs a pass."""

from dataclasses import replace

import pytest
import torch

from rewardkit.errors import ConfigError, DataError
from rewardkit.recipes import RECIPES
from rewardkit.training_step import (
    Scores,
    entropy_weight,
    has_gradient,
    mean_advantages,
    plan_metrics,
    plan_step,
)

ALL = torch.arange(6)


@pytest.mark.parametrize(
    ("aggregation", "weights"),
    [
        # 5 of the 6 count; their lengths are 3, 1, 4, 2, 2: 12 tokens
        ("token-mean", [1 / 12, 1 / 12, 0, 1 / 12, 1 / 12, 1 / 12]),
        ("seq-mean-token-mean", [1 / 15, 1 / 5, 0, 1 / 20, 1 / 10, 1 / 10]),
        ("constant", [1 / 40, 1 / 40, 0, 1 / 40, 1 / 40, 1 / 40]),
        ("prompt-mean", [1 / 8, 1 / 8, 0, 1 / 16, 1 / 16, 1 / 16]),
        ("seq-mean-token-sum", [1 / 5, 1 / 5, 0, 1 / 5, 1 / 5, 1 / 5]),
    ],
)
def test_weights_of_one_update(batch, recipe, aggregation, weights):
    grpo = recipe("grpo", aggregation=aggregation, constant=8)
    plan = plan_step(grpo, batch, Scores(), [ALL])
    assert plan.weights.dtype == torch.float64
    assert plan.weights.tolist() == pytest.approx(weights)
    assert [update.tokens for update in plan.updates] == [12]


def test_m2po_takes_tokens_their_advantage_and_not_their_place(batch, recipe):
    old = torch.zeros(6, 4)
    sampler = old.clone()
    sampler[0, 0] = sampler[4, 1] = 1.0
    scores = Scores(old=old, sampler=sampler)
    plan = plan_step(recipe("m2po"), batch, scores, [ALL[:3], ALL[3:]])
    plain = plan_step(recipe("dapo"), batch, Scores(), [ALL[:3], ALL[3:]])
    assert plan.weights.tolist() == plain.weights.tolist()
    # One of 4 tokens, and one of 8, is far off.
    assert plan.advantages[0].tolist() == [0.0, *[plain.advantages[0].item()] * 2, 0.0]
    assert plan.advantages[4, 1] == 0
    assert plan.advantages[4, 0] == plain.advantages[4]
    found = plan_metrics(recipe("m2po"), plan)
    assert found == {"groups_signal": 2, "second_moment_masked": pytest.approx(2 / 12)}
    with pytest.raises(ConfigError, match="`sampler` scores"):
        plan_step(recipe("m2po"), batch, Scores(old=old), [ALL])


def test_rloo_n_leaves_cut_off_responses_out_of_the_baseline(batch, recipe):
    # Of the second group one of three is cut off: 1 and 0 are left, and compared with each other.
    plan = plan_step(recipe("rloo_n"), batch, Scores(), [ALL])
    assert plan.advantages.tolist() == [1, -1, 0, 1, -1, 0]
    assert plan_step(recipe("rloo"), batch, Scores(), [ALL]).advantages[3:].tolist() == [
        1,
        -0.5,
        -0.5,
    ]


def test_each_update_is_normalised_by_itself(batch, recipe):
    plan = plan_step(recipe("dapo"), batch, Scores(), [ALL[:3], ALL[3:]])
    assert plan.weights.tolist() == pytest.approx([1 / 4, 1 / 4, 0, 1 / 8, 1 / 8, 1 / 8])
    assert [update.tokens for update in plan.updates] == [4, 8]
    assert [update.live.tolist() for update in plan.updates] == [[0, 1], [3, 4, 5]]


def test_a_masked_response_has_no_weight_and_counts_as_a_sequence(batch, recipe):
    masked = recipe("grpo", mask_truncated=True)
    plan = plan_step(masked, batch, Scores(), [ALL])
    # four with tokens, 3, 1, 4 and 2 of them, and five sequences
    assert plan.weights.tolist() == pytest.approx([1 / 15, 1 / 5, 0, 1 / 20, 1 / 10, 0])
    assert plan.updates[0].live.tolist() == [0, 1, 3, 4]
    # It is in its group's statistics, and nothing is learned from it.
    assert plan.advantages[5] < 0
    assert mean_advantages(plan)[5] == 0


def test_a_group_of_equal_rewards_weighs_and_needs_no_pass(batch, recipe):
    equal = replace(batch, rewards=torch.tensor([1.0, 0.0, 0.0, 0.5, 0.5, 0.5]).double())
    plan = plan_step(recipe("dapo"), equal, Scores(), [ALL])
    assert plan.weights[3:].tolist() == pytest.approx([1 / 12] * 3)
    assert plan.updates[0].live.tolist() == [0, 1]
    apart = plan_step(recipe("dapo"), equal, Scores(), [ALL[:3], ALL[3:]])
    assert [len(update.live) for update in apart.updates] == [2, 0]
    assert apart.learns
    none = replace(equal, rewards=torch.full((6,), 0.25).double())
    assert not plan_step(recipe("dapo"), none, Scores(), [ALL]).learns


def test_groups_with_signal_are_counted_by_their_rewards_alone(batch, recipe):
    with_kl = recipe("grpo", kl="k3", kl_coef=0.04)  # moves the weights, and teaches no answer
    for rewards, signal in (
        ([1.0, 0.0, 9.0, 1.0, 0.0, 0.0], 2),
        ([1.0, 0.0, 0.0, 0.5, 0.5, 0.5], 1),
        ([0.25] * 6, 0),
    ):
        given = replace(batch, rewards=torch.tensor(rewards).double())
        for asked, learns in ((recipe("dapo"), signal > 0), (with_kl, True)):
            plan = plan_step(asked, given, Scores(reference=torch.zeros(6, 4)), [ALL])
            assert (plan.signal, plan.learns) == (signal, learns)


def test_entropy_threshold_is_that_of_the_whole_update(batch, recipe):
    scores = Scores(entropies=torch.arange(24.0).view(6, 4))
    share = recipe("dapo", high_entropy=0.25)
    plan = plan_step(share, batch, scores, [ALL])
    # of 0 1 2, 4, 12 13 14 15, 16 17, 20 21 the quantile 3/4 is at place 8.25: 16.25
    assert plan.updates[0].entropy_threshold.item() == 16.25
    apart = plan_step(share, batch, scores, [ALL[:3], ALL[3:]])
    # of 0 1 2 4 at place 2.25: 2.5; of 12 13 14 15 16 17 20 21 at 5.25: 17.75
    assert [update.entropy_threshold.item() for update in apart.updates] == [2.5, 17.75]
    with pytest.raises(ConfigError, match="entropies"):
        plan_step(share, batch, Scores(), [ALL])


def test_without_high_entropy_there_is_no_threshold(batch, recipe):
    assert plan_step(recipe("dapo"), batch, Scores(), [ALL]).updates[0].entropy_threshold is None


GROUPS = torch.tensor([0, 0, 1, 1, 2])
MASK = torch.tensor([[1, 1], [1, 0], [1, 1], [1, 0], [0, 0]]).bool()


@pytest.mark.parametrize(
    ("name", "advantages", "expected"),
    [
        ("dapo", [0.0, 0.0, 0.0, 0.0, 0.0], []),
        ("dapo", [0.5, 0.0, 0.0, 0.0, 0.0], [0, 1]),  # the group of the one that has
        ("dapo", [0.0, 0.0, 0.0, 0.0, 0.5], []),  # masked whole
        ("dapo", [[0.0, 0.0]] * 3 + [[0.1, 0.0]] + [[0.0, 0.0]], [2, 3]),
        ("dapo", [[0.0, 0.0]] * 3 + [[0.0, 0.1]] + [[0.0, 0.0]], []),  # under the mask
        ("grpo", [0.0, 0.0, 0.0, 0.0, 0.0], [0, 1, 2, 3]),  # a KL in the loss
        ("rloo", [0.0, 0.0, 0.0, 0.0, 0.0], []),  # a KL in the reward
    ],
)
def test_what_has_a_gradient(name, advantages, expected):
    found = has_gradient(RECIPES[name], GROUPS, MASK, torch.tensor(advantages))
    assert found.nonzero()[:, 0].tolist() == expected


def test_a_teacher_pulls_where_it_has_something_to_say():
    taught = torch.tensor([True, False, False, True, True])
    nothing = torch.zeros(5)
    for name, expected in (("sdpo", [0, 3]), ("skywork_or1", [0, 1, 2, 3])):
        found = has_gradient(RECIPES[name], GROUPS, MASK, nothing, taught)
        assert found.nonzero()[:, 0].tolist() == expected


def test_a_recorded_advantage_is_the_mean_over_the_tokens_in_the_loss(batch, recipe):
    plan = plan_step(recipe("rloo"), batch, Scores(), [ALL])
    assert torch.equal(mean_advantages(plan), plan.advantages)
    by_token = torch.tensor([[1.0, 2.0, 6.0, 99.0]] + [[-2.0, 99.0, 99.0, 99.0]] * 5)
    found = mean_advantages(replace(plan, advantages=by_token))
    assert found[:3].tolist() == [3.0, -2.0, 0.0]


def test_likelihood_weighs_by_the_tokens_of_the_right_responses_of_an_update(batch, recipe):
    plan = plan_step(recipe("dapo", nll_coef=0.1), batch, Scores(), [ALL])
    assert plan.nll_weights.tolist() == pytest.approx([1 / 7, 0, 0, 1 / 7, 0, 0])  # 3 + 4 tokens
    apart = plan_step(recipe("dapo", nll_coef=0.1), batch, Scores(), [ALL[:3], ALL[3:]])
    assert apart.nll_weights.tolist() == pytest.approx([1 / 3, 0, 0, 1 / 4, 0, 0])
    assert not plan_step(recipe("dapo"), batch, Scores(), [ALL]).nll_weights.any()


@pytest.mark.parametrize(
    ("pull", "live"), [({"nll_coef": 0.1}, [3]), ({"entropy_target": 0.5}, [0, 1, 3, 4, 5])]
)
def test_what_pulls_without_signal_needs_a_pass(batch, recipe, pull, live):
    alike = replace(batch, rewards=torch.ones(6).double(), correct=torch.arange(6) == 3)
    plan = plan_step(recipe("dapo", **pull), alike, Scores(), [ALL])
    assert plan.updates[0].live.tolist() == live
    assert plan.signal == 0


@pytest.mark.parametrize(
    ("carried", "entropy", "applied", "following"),
    [
        (None, 0.1, 0.01, 0.015),
        (None, 0.3, 0.0, 0.005),
        (0.05, 0.2, 0.05, 0.055),  # at the target it is still there
        (0.002, 0.3, 0.0, 0.0),
        (0.998, 0.1, 0.998, 1.0),
    ],
)
def test_entropy_weight_grows_while_it_is_needed(
    batch, recipe, carried, entropy, applied, following
):
    adaptive = recipe("dapo", entropy_coef=0.01, entropy_target=0.2)
    scores = Scores(entropies=torch.full((6, 4), entropy, dtype=torch.float64))
    found = entropy_weight(adaptive, carried, scores, batch.response)
    assert found == pytest.approx((applied, following))
    with pytest.raises(ConfigError, match="entropies"):
        entropy_weight(adaptive, carried, Scores(), batch.response)


@pytest.mark.parametrize(
    ("name", "rewards", "signal"),
    [
        # A critic and a batch's whitening compare all responses, a group's mean its members.
        ("ppo", [1.0, 1.0, 9.0, 0.0, 0.0, 0.0], 2),
        ("ppo", [1.0, 1.0, 9.0, 1.0, 1.0, 1.0], 0),
        ("reinforce_pp", [0.0, 0.0, 9.0, 0.0, 0.0, 0.0], 0),
        ("rloo", [1.0, 1.0, 9.0, 0.0, 0.0, 0.0], 0),
        ("rloo", [1.0, 0.0, 9.0, 0.0, 0.0, 0.0], 1),
    ],
)
def test_values_and_a_kl_in_the_reward_are_no_signal(batch, name, rewards, signal):
    """What was undecided (the third) counts nowhere."""
    logp = -torch.arange(24.0).view(6, 4) / 7
    scores = Scores(old=logp, reference=logp - logp.cos(), values=logp.sin())
    given = replace(batch, rewards=torch.tensor(rewards).double())
    plan = plan_step(RECIPES[name], given, scores, [ALL])
    assert plan.advantages.any()
    assert plan.signal == signal


def test_a_reward_that_is_no_number_is_refused_unless_its_row_does_not_count(batch, recipe):
    rewards = batch.rewards.clone()
    rewards[~batch.decided] = torch.nan
    plan_step(recipe("grpo"), replace(batch, rewards=rewards), Scores(), [ALL])
    rewards[4] = -torch.inf
    with pytest.raises(DataError, match="rewards: row 4 has -inf, expected a finite number"):
        plan_step(recipe("grpo"), replace(batch, rewards=rewards), Scores(), [ALL])
