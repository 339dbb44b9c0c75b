"""Advantages against verl 0.9.1's estimators, same rewards, float64, to 1e-9."""

import numpy as np
import pytest
import torch

from rewardkit.advantages import (
    dr_grpo,
    gae,
    gdpo,
    gpg,
    grpo,
    opo,
    optimal_token_baseline,
    pass_at_k,
    reinforce_pp,
    reinforce_pp_baseline,
    remax,
    rloo,
    whiten,
)

pytestmark = pytest.mark.conformance


def at_last_token(batch, rewards):
    table = torch.zeros_like(batch.logp)
    table[torch.arange(len(rewards)), batch.mask.sum(-1) - 1] = rewards
    return table


def run(verl, name, batch, /, rewards=None, groups=None, **options):
    table = at_last_token(batch, batch.rewards if rewards is None else rewards)
    index = (batch.groups if groups is None else groups).numpy()
    function = verl.core.get_adv_estimator_fn(name)
    return function(
        token_level_rewards=table, response_mask=batch.mask.double(), index=index, **options
    )[0]


def assert_same_advantages(found, theirs, batch, atol=1e-9):
    if found.ndim == 1:
        found = found[:, None] * batch.mask
    torch.testing.assert_close(found, theirs * batch.mask, rtol=0, atol=atol)


def test_grpo(verl, batch):
    assert_same_advantages(grpo(batch.rewards, batch.groups), run(verl, "grpo", batch), batch)


def test_grpo_vectorized_which_is_float32_inside_verl(verl, batch):
    theirs = run(verl, "grpo_vectorized", batch)
    assert_same_advantages(grpo(batch.rewards, batch.groups), theirs, batch, atol=1e-6)


def test_dr_grpo(verl, batch):
    theirs = run(verl, "grpo", batch, norm_adv_by_std_in_grpo=False)
    assert_same_advantages(dr_grpo(batch.rewards, batch.groups), theirs, batch)


@pytest.mark.parametrize("theirs", ["rloo", "rloo_vectorized"])
def test_rloo(verl, batch, theirs):
    assert_same_advantages(rloo(batch.rewards, batch.groups), run(verl, theirs, batch), batch)


def test_opo(verl, batch):
    assert_same_advantages(
        opo(batch.rewards, batch.groups, batch.mask), run(verl, "opo", batch), batch
    )


def test_gpg_in_compat_mode(verl, batch):
    rewards = (batch.rewards > 0).double()
    theirs = run(verl, "gpg", batch, rewards=rewards)
    assert_same_advantages(gpg(rewards, batch.groups, compat="verl"), theirs, batch)


@pytest.mark.parametrize("gamma", [1.0, 0.9])
def test_reinforce_pp(verl, batch, gamma):
    from types import SimpleNamespace

    theirs = run(verl, "reinforce_plus_plus", batch, config=SimpleNamespace(gamma=gamma))
    assert_same_advantages(reinforce_pp(batch.rewards, batch.mask, gamma=gamma), theirs, batch)


def test_reinforce_pp_baseline(verl, batch):
    theirs = run(verl, "reinforce_plus_plus_baseline", batch)
    assert_same_advantages(
        reinforce_pp_baseline(batch.rewards, batch.groups, batch.mask), theirs, batch
    )


def test_remax(verl, batch):
    greedy = batch.rewards.flip(0)
    theirs = run(verl, "remax", batch, reward_baselines=greedy)
    assert_same_advantages(remax(batch.rewards, greedy, batch.mask), theirs, batch)


@pytest.mark.parametrize(("gamma", "lam"), [(1.0, 1.0), (1.0, 0.95), (0.9, 0.8)])
@pytest.mark.parametrize("holes", [False, True])
def test_gae(verl, batch, gamma, lam, holes):
    mask = batch.mask.clone()
    if holes:  # a tool's output within the response
        mask[:, 2:4] = False
        mask[:, 0] = True
    values = batch.old
    token_rewards = 0.1 * batch.ref
    rewards = torch.zeros_like(values)
    rewards[torch.arange(8), [int(m.nonzero().max()) for m in mask]] = batch.rewards
    theirs = verl.core.compute_gae_advantage_return(
        rewards + token_rewards * mask, values, mask.double(), gamma, lam
    )
    found = gae(batch.rewards, values, mask, token_rewards, gamma=gamma, lam=lam)
    torch.testing.assert_close(found.advantages, theirs[0] * mask, rtol=0, atol=1e-9)
    torch.testing.assert_close(found.returns, theirs[1] * mask, rtol=0, atol=1e-9)


@pytest.mark.parametrize("scaled", [True, False])
def test_pass_at_k(verl, batch, scaled):
    theirs = run(verl, "grpo_passk", batch, config={"norm_adv_by_std_in_grpo": scaled})
    ours = pass_at_k(batch.rewards, batch.groups, scale="group" if scaled else "none")
    assert_same_advantages(ours, theirs, batch)


def squares_of(batch):
    """Σ π² of a vocabulary of three: the token, and a third and two thirds of what is left."""
    left = 1 - batch.old.exp()
    return (2 * batch.old).exp() + 5 / 9 * left.square()


@pytest.mark.parametrize("zero_tail", [True, False])
@pytest.mark.parametrize("penalty", [0.0, 0.1])
def test_optimal_token_baseline(verl, batch, zero_tail, penalty):
    squares = squares_of(batch)
    token_rewards = -penalty * batch.ref * batch.mask
    table = at_last_token(batch, batch.rewards) + token_rewards
    for groups, found_of in ((batch.groups, None), (torch.arange(8), "verl")):
        for name in ("optimal_token_baseline", "tir_optimal_token_baseline"):
            theirs = verl.core.get_adv_estimator_fn(name)(
                token_level_rewards=table, response_mask=batch.mask.double(),
                index=groups.numpy(), old_log_probs=batch.old, sum_pi_squared=squares,
                handle_zero_tail=zero_tail,
            )[0]  # fmt: skip
            given = (batch.rewards, groups, batch.mask, batch.old, squares, token_rewards)
            ours = optimal_token_baseline(*given, zero_tail=zero_tail, compat="verl")
            assert_same_advantages(ours, theirs, batch)
            if found_of is None:  # but for the 1e-8 that verl divides by
                exact = optimal_token_baseline(*given, zero_tail=zero_tail)
                assert_same_advantages(exact, theirs, batch, atol=1e-6)


def test_optimal_token_baseline_of_responses_with_holes(verl, batch):
    """verl's `tir_` lines up what the policy wrote, as we do; its other one lines up columns."""
    mask = batch.mask.clone()
    mask[::2, 1:3] = False
    squares = squares_of(batch)
    table = torch.zeros_like(batch.old)
    table[torch.arange(8), [int(m.nonzero().max()) for m in mask]] = batch.rewards
    options = {
        "token_level_rewards": table, "response_mask": mask.double(),
        "index": batch.groups.numpy(), "old_log_probs": batch.old, "sum_pi_squared": squares,
    }  # fmt: skip
    lined_up = verl.core.get_adv_estimator_fn("tir_optimal_token_baseline")(**options)[0]
    by_column = verl.core.get_adv_estimator_fn("optimal_token_baseline")(**options)[0]
    given = (batch.rewards, batch.groups, mask, batch.old, squares)
    ours = optimal_token_baseline(*given, compat="verl")
    torch.testing.assert_close(ours, lined_up * mask, rtol=0, atol=1e-9)
    assert (by_column * mask - ours).abs().max() > 1e-3


def test_the_tail_of_an_all_right_group_teaches_in_verl_and_not_here(verl, batch):
    rewards, squares = torch.ones(8).double(), squares_of(batch)
    theirs = verl.core.get_adv_estimator_fn("optimal_token_baseline")(
        token_level_rewards=at_last_token(batch, rewards), response_mask=batch.mask.double(),
        index=batch.groups.numpy(), old_log_probs=batch.old, sum_pi_squared=squares,
    )[0]  # fmt: skip
    assert theirs.max() == 1
    ours = optimal_token_baseline(rewards, batch.groups, batch.mask, batch.old, squares)
    assert not ours.any()


def test_gdpo_differs_in_what_the_last_whitening_runs_over(verl, batch):
    """Verl whitens over tokens, so long responses count for more; GDPO's batch is of responses."""
    components = torch.stack([batch.rewards, batch.rewards.flip(0).square()], 1)
    tables = {
        "a": components[:, 0].float().numpy(),
        "b": components[:, 1].float().numpy(),
    }
    prompt = torch.ones(8, 1, dtype=torch.int64)
    theirs = run(
        verl,
        "gdpo",
        batch,
        config={"gdpo_reward_keys": ["a", "b"]},
        non_tensor_batch=tables,
        batch={
            "prompts": prompt,
            "attention_mask": torch.cat([prompt, batch.mask.long()], 1),
        },
    )
    ours = gdpo(components, batch.groups)
    each = [grpo(components[:, k], batch.groups) for k in range(2)]
    over_tokens = whiten((each[0] + each[1])[:, None].expand(batch.mask.shape), batch.mask)
    # float32 inside verl
    torch.testing.assert_close(over_tokens.float(), theirs.float(), rtol=0, atol=1e-5)
    assert (ours[:, None] * batch.mask - theirs).abs().max() > 1e-3


def test_a_group_of_one_keeps_its_raw_score_in_verl_and_gets_zero_here(verl, batch):
    groups = torch.tensor([0, 1, 1, 1, 2, 2, 2, 2])
    theirs = run(verl, "grpo", batch, groups=groups)
    r = batch.rewards
    assert theirs[0, 0] == pytest.approx(float(r[0] / (1 + 1e-6)))
    assert grpo(r, groups)[0] == 0
    # verl divides the raw score by a float32 1 + 1e-6
    assert_same_advantages(grpo(r, groups, compat="verl"), theirs, batch, atol=1e-6)
    assert_same_advantages(
        rloo(r, groups, compat="verl"), run(verl, "rloo", batch, groups=groups), batch
    )
    assert rloo(r, groups)[0] == 0
    assert run(verl, "rloo_vectorized", batch, groups=groups)[0, 0] == 0  # verl's two disagree
    assert_same_advantages(
        opo(r, groups, batch.mask, compat="verl"), run(verl, "opo", batch, groups=groups), batch
    )
    theirs = run(verl, "reinforce_plus_plus_baseline", batch, groups=groups)
    assert_same_advantages(
        reinforce_pp_baseline(r, groups, batch.mask, compat="verl"), theirs, batch
    )


def test_equal_float32_rewards_are_noise_in_verl_and_zero_here(verl):
    rewards = torch.full((8,), 0.9)
    groups = torch.zeros(8, dtype=torch.int64)
    theirs = verl.core.compute_grpo_outcome_advantage(
        rewards[:, None].clone(), torch.ones(8, 1), np.zeros(8)
    )[0]
    assert theirs.abs().max() == pytest.approx(0.056, abs=0.001)
    assert (grpo(rewards, groups) == 0).all()


@pytest.mark.parametrize("size", [2, 3, 8, 16])
def test_compat_repeats_verl_in_float32_too(verl, size):
    draw = torch.Generator().manual_seed(size)
    groups = torch.arange(8 * size) // size
    for rewards in (
        torch.rand(8 * size, generator=draw),
        torch.randint(0, 2, (8 * size,), generator=draw).float(),
    ):
        theirs = verl.core.compute_grpo_outcome_advantage(
            rewards[:, None].clone(), torch.ones(8 * size, 1), groups.numpy()
        )[0][:, 0]
        found = grpo(rewards, groups, compat="verl")
        torch.testing.assert_close(found.float(), theirs, rtol=1e-5, atol=1e-6)


def test_gpg_counts_groups_with_signal_where_verl_counts_nonzero_scores(verl, batch):
    rewards = torch.tensor([1.0, 1, 1, 1, 1, 0, 0, 0]).double()
    theirs = run(verl, "gpg", batch, rewards=rewards)
    assert theirs[4, 0] == pytest.approx(0.75 * 8 / 5)
    assert gpg(rewards, batch.groups)[4] == pytest.approx(0.75 * 8 / 4)
