"""GVPO: by hand, its least value, and whose gradient it is while nothing has moved."""

import pytest
import torch

from rewardkit.advantages import AdvantageInputs, estimate
from rewardkit.errors import ConfigError
from rewardkit.losses import gvpo, kl_reward


def test_by_hand():
    """β S = .1 · (2, 0, −2), r = (1, 0, 0): (.2 − 2/3, 0 + 1/3, −.2 + 1/3), squared, over 2 · 2."""
    logp = torch.tensor([[-1.0, 0.0], [-2.0, -1.0], [-3.0, 9.0]]).double()
    ref = torch.tensor([[-2.0, -1.0], [-2.0, -1.0], [-1.0, 9.0]]).double()
    mask = torch.tensor([[True, True], [True, True], [True, False]])
    rewards, groups = torch.tensor([1.0, 0.0, 0.0]), torch.tensor([5, 5, 5])
    found = gvpo(logp, ref, rewards, groups, mask)
    expected = [(0.2 - 2 / 3) ** 2 / 4, (1 / 3) ** 2 / 4, (-0.2 + 1 / 3) ** 2 / 4]
    assert found.tolist() == pytest.approx(expected)


def test_it_is_nothing_at_the_policy_that_it_is_made_for():
    """π ∝ π' e^(r/β): log-ratios differ by r/β, and Z is the same for all of a group."""
    draw = torch.Generator().manual_seed(0)
    ref = torch.randn(8, generator=draw).double().log_softmax(0)
    rewards = torch.randn(8, generator=draw).double()
    best = (ref + rewards / 0.5).log_softmax(0)
    mask, groups = torch.ones(8, 1, dtype=torch.bool), torch.zeros(8, dtype=torch.int64)
    args = (ref[:, None], rewards, groups, mask)
    assert gvpo(best[:, None], *args, beta=0.5).max() < 1e-20
    assert gvpo(ref[:, None], *args, beta=0.5).sum() > 0.1


@pytest.mark.parametrize("seed", range(3))
def test_its_gradient_is_rloos_with_the_kl_of_the_policy_as_it_is_in_the_reward(make_batch, seed):
    batch, beta, size = make_batch(seed, b=8), 0.3, 4
    groups, mask = torch.arange(8) // size, batch["mask"]
    rewards = batch["advantages"]
    leaf = batch["logp"].clone().requires_grad_()
    gvpo(leaf, batch["ref_logp"], rewards, groups, mask, beta=beta).sum().backward()
    penalty = kl_reward("k1", batch["logp"], batch["ref_logp"], mask, beta)
    advantages = estimate("rloo", AdvantageInputs(rewards, groups, mask, token_rewards=penalty))
    expected = -advantages[:, None] * mask * beta / size
    torch.testing.assert_close(leaf.grad, expected, rtol=1e-10, atol=1e-12)


def test_whole_groups_add_up_in_any_split_and_no_others(make_batch):
    batch = make_batch(1, b=6)
    args = [batch[name] for name in ("logp", "ref_logp", "advantages", "groups", "mask")]
    whole = gvpo(*args)
    for size in (2, 4):
        parts = [gvpo(*(a[i : i + size] for a in args)) for i in range(0, 6, size)]
        torch.testing.assert_close(torch.cat(parts), whole)
    assert (gvpo(*(a[:3] for a in args)) - whole[:3]).abs().max() > 1e-3
    junk = torch.where(batch["mask"], batch["logp"], torch.nan)
    torch.testing.assert_close(gvpo(junk, *args[1:]), whole)
    assert not gvpo(*args[:3], torch.arange(6), args[4]).any()  # groups of one


def test_beta_is_positive():
    zero, one = torch.zeros(1, 1), torch.ones(1, 1, dtype=torch.bool)
    with pytest.raises(ConfigError, match="beta must be positive"):
        gvpo(zero, zero, torch.zeros(1), torch.tensor([0]), one, beta=0)
