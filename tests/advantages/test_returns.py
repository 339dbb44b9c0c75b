"""Estimators over time: against plain loops, and by hand."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from rewardkit.advantages import (
    backward_sum,
    gae,
    grpo,
    grpo_process,
    mt_grpo,
    reinforce_pp,
    reinforce_pp_baseline,
    remax,
    token_level_rewards,
    whiten,
)

BOUNDED = settings(deadline=None, max_examples=30)


@given(st.integers(0, 999), st.integers(1, 20))
@BOUNDED
def test_backward_sum_is_the_loop(seed, width):
    draw = torch.Generator().manual_seed(seed)
    decay = torch.rand(3, width, generator=draw, dtype=torch.float64)
    term = torch.randn(3, width, generator=draw, dtype=torch.float64)
    expected, following = torch.zeros_like(term), torch.zeros(3, dtype=torch.float64)
    for t in reversed(range(width)):
        following = expected[:, t] = term[:, t] + decay[:, t] * following
    torch.testing.assert_close(backward_sum(decay, term), expected)


def test_gae_by_hand():
    """γ = .9, λ = .5, V = (1, 2), r = 3 at the end: δ = (0.8, 1), A = (0.8 + .45·1, 1)."""
    mask = torch.tensor([[True, True, False]])
    values = torch.tensor([[1.0, 2.0, torch.nan]], dtype=torch.float64)
    found = gae(torch.tensor([3.0]), values, mask, gamma=0.9, lam=0.5, whitened=False)
    assert found.advantages[0].tolist() == pytest.approx([1.25, 1.0, 0.0])
    assert found.returns[0].tolist() == pytest.approx([2.25, 3.0, 0.0])


def test_gae_steps_over_what_the_model_did_not_write():
    values = torch.tensor([[1.0, 2.0]], dtype=torch.float64)
    plain = gae(torch.tensor([3.0]), values, torch.ones(1, 2).bool(), gamma=0.9, whitened=False)
    holes = torch.tensor([[True, False, False, True, False]])
    spread = torch.tensor([[1.0, 7.0, 7.0, 2.0, 7.0]], dtype=torch.float64)
    found = gae(torch.tensor([3.0]), spread, holes, gamma=0.9, whitened=False)
    torch.testing.assert_close(found.advantages[holes], plain.advantages[0])


def test_a_kl_in_the_reward_counts_from_where_it_arises():
    mask = torch.ones(1, 3, dtype=torch.bool)
    penalty = torch.tensor([[0.0, -0.5, 0.0]])
    table = token_level_rewards(torch.tensor([1.0]), mask, penalty)
    assert table.tolist() == [[0.0, -0.5, 1.0]]
    found = remax(torch.tensor([1.0]), torch.tensor([0.0]), mask, penalty)
    assert found.tolist() == [[0.5, 0.5, 1.0]]


def test_reinforce_pp_whitens_over_tokens_of_the_whole_batch():
    mask = torch.tensor([[True, True, False], [True, False, False]])
    found = reinforce_pp(torch.tensor([1.0, 0.0]), mask)
    values = torch.tensor([1.0, 1.0, 0.0], dtype=torch.float64)
    expected = (values - values.mean()) / (values.var() + 1e-8).sqrt()
    torch.testing.assert_close(found[mask], expected)
    ddof0 = reinforce_pp(torch.tensor([1.0, 0.0]), mask, compat="openrlhf")
    assert ddof0[0, 0].item() == pytest.approx(found[0, 0].item() * 1.5**0.5)


def test_reinforce_pp_baseline_removes_each_groups_mean_first():
    mask = torch.ones(4, 2, dtype=torch.bool)
    found = reinforce_pp_baseline(
        torch.tensor([1.0, 0.0, 5.0, 4.0]), torch.tensor([0, 0, 1, 1]), mask
    )
    assert found[0, 0] == found[2, 0] > 0


def test_process_supervision_by_hand():
    """Steps rewarded 1, 0 | 0, 0: mean ¼, σ = ½; the first sums what ends at or after each token."""
    mask = torch.tensor([[True] * 4, [True] * 3 + [False]])
    ends = torch.tensor([[False, True, False, True], [True, False, True, False]])
    r = torch.tensor([[9.0, 1.0, 9.0, 0.0], [0.0, 9.0, 0.0, 9.0]], dtype=torch.float64)
    found = grpo_process(r, ends, torch.tensor([0, 0]), mask, eps=0.0)
    assert found[0].tolist() == pytest.approx([1.0, 1.0, -0.5, -0.5])
    assert found[1].tolist() == pytest.approx([-1.0, -0.5, -0.5, 0.0])


def test_process_supervision_with_one_step_each_is_outcome_supervision():
    r, g = torch.tensor([3.8, 5.2, 6.1], dtype=torch.float64), torch.zeros(3, dtype=torch.int64)
    mask = torch.ones(3, 4, dtype=torch.bool)
    ends = torch.arange(4).expand(3, 4) == 3
    found = grpo_process(r[:, None].expand(3, 4), ends, g, mask)
    torch.testing.assert_close(found, grpo(r, g)[:, None].expand(3, 4))
    assert (grpo_process(torch.ones(3, 4), ends, g, mask) == 0).all()


def test_turns_are_compared_with_turns_and_outcomes_with_outcomes():
    """Turns .3, .1, .2: σ .1. Outcomes 1, 0, 0 and of a rollout without a call 1: σ 1/√3."""
    mask = torch.ones(4, 3, dtype=torch.bool)
    ends = torch.tensor([[True, False, True]] * 3 + [[False, False, True]])
    r = torch.tensor([[0.3, 9, 1], [0.1, 9, 0], [0.2, 9, 0], [9, 9, 1]], dtype=torch.float64)
    outcome = [3**0.5 / 2, -(3**0.5) / 2, -(3**0.5) / 2, 3**0.5 / 2]
    for weight in (1.0, 0.5):
        found = mt_grpo(r, ends, torch.tensor([7] * 4), mask, turn_weight=weight, eps=0.0)
        turns = [1.0, -1.0, 0.0, 0.0]
        first = [a + weight * b for a, b in zip(outcome, turns, strict=True)]
        assert found[:, 0].tolist() == pytest.approx(first, abs=1e-6)
        assert found[:, 1].tolist() == found[:, 2].tolist() == pytest.approx(outcome)


def test_whitening_something_constant_is_zero():
    x = torch.full((4,), 0.9)
    mask = torch.tensor([True, True, True, False])
    assert (whiten(x, mask) == 0).all()
    assert (whiten(x, ~mask) == 0).all()
    assert (whiten(x, torch.zeros(4, dtype=torch.bool)) == 0).all()


@pytest.mark.parametrize("junk", [float("nan"), float("inf")])
def test_nothing_under_the_mask_leaks(junk):
    mask = torch.tensor([[True, True, False], [True, False, False]])
    r, g = torch.tensor([1.0, 0.0]), torch.tensor([0, 0])

    def table(fill):
        x = torch.tensor([[0.1, 0.2, 0.0], [0.3, 0.0, 0.0]])
        return torch.where(mask, x, fill)

    for found, clean in [
        (gae(r, table(junk), mask, table(junk)), gae(r, table(0.0), mask, table(0.0))),
    ]:
        assert torch.equal(found.advantages, clean.advantages)
        assert torch.equal(found.returns, clean.returns)
    assert torch.equal(reinforce_pp(r, mask, table(junk)), reinforce_pp(r, mask, table(0.0)))
    assert torch.equal(remax(r, r, mask, table(junk)), remax(r, r, mask, table(0.0)))
    ends = mask.clone()
    assert torch.equal(
        grpo_process(table(junk), ends, g, mask), grpo_process(table(0.0), ends, g, mask)
    )


def test_gae_of_vapo_by_hand():
    """λ by length, 1 − 1/(α·length): of 4 tokens 1/2, of 1 token 0; the returns have λ = 1."""
    mask = torch.tensor([[True] * 4, [True, False, False, False]])
    values = torch.tensor([[0.0, 0.5, 0.25, 0.5], [0.25, 9.0, 9.0, 9.0]], dtype=torch.float64)
    found = gae(torch.tensor([1.0, 1.0]), values, mask, alpha=0.5, lam_returns=1.0, whitened=False)
    # δ = .5, −.25, .25, .5; A_t = δ_t + A_(t+1)/2
    assert found.advantages[0].tolist() == [0.5, 0.0, 0.5, 0.5]
    assert found.advantages[1].tolist() == [0.75, 0.0, 0.0, 0.0]
    assert found.returns[mask].tolist() == [1.0] * 5
    plain = gae(torch.tensor([1.0, 1.0]), values, mask, lam=0.5, whitened=False)
    assert torch.equal(plain.advantages[0], found.advantages[0])


def test_reinforce_pp_and_gae_as_nemo_has_them():
    """The token's own KL alone; ddof 0 for REINFORCE++, 1 for GAE."""
    mask = torch.tensor([[True, True], [True, False]])
    penalty = torch.tensor([[-0.1, -0.2], [-0.4, 9.0]], dtype=torch.float64)
    found = reinforce_pp(torch.tensor([1.0, 0.0]), mask, penalty, compat="nemo")
    values = torch.tensor([0.9, 0.8, -0.4], dtype=torch.float64)
    expected = (values - values.mean()) / (values.var(correction=0) + 1e-8).sqrt()
    torch.testing.assert_close(found[mask], expected)
    zeros = torch.zeros(2, 2)
    by = {c: gae(torch.tensor([1.0, 0.0]), zeros, mask, lam=1.0, compat=c) for c in (None, "nemo")}
    assert by["nemo"].advantages.tolist() == by[None].advantages.tolist()
