"""The optimal token baseline: by hand, and against a plain loop."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from rewardkit.advantages import optimal_token_baseline

BOUNDED = settings(deadline=None, max_examples=30)


def case(seed, holes=False):
    draw = torch.Generator().manual_seed(seed)
    b, t = 7, 6
    lengths = torch.randint(1, t + 1, (b,), generator=draw)
    mask = torch.arange(t) < lengths[:, None]
    if holes:
        mask &= torch.rand(b, t, generator=draw) < 0.7
        mask[:, 0] = True
    old = -torch.rand(b, t, generator=draw).double()
    rest = torch.rand(b, t, generator=draw) * (1 - old.exp()).square()
    return {
        "rewards": torch.randint(0, 2, (b,), generator=draw).double(),
        "groups": torch.tensor([3, 3, 3, 1, 1, 1, 1]),
        "mask": mask,
        "old_logp": old,
        "sum_pi_squared": (2 * old).exp() + rest,
    }


def loop(rewards, groups, mask, old_logp, sum_pi_squared):
    """The equations as they are printed, one response and token at a time."""
    found = torch.zeros(mask.shape, dtype=torch.float64)
    for i, row in enumerate(mask):
        mine = [j for j in range(len(mask)) if groups[j] == groups[i]]
        if len({float(rewards[j]) for j in mine}) == 1:
            continue
        for t, column in enumerate(row.nonzero()[:, 0].tolist()):
            top, bottom = 0.0, 0.0
            alive = [j for j in mine if mask[j].sum() > t]
            for j in alive:
                upto = mask[j].nonzero()[: t + 1, 0]
                energy = 1 - 2 * old_logp[j, upto].exp() + sum_pi_squared[j, upto]
                top, bottom = top + rewards[j] * energy.sum(), bottom + energy.sum()
            found[i, column] = rewards[i] - (top / bottom if len(alive) > 1 else 0)
    return found


@given(st.integers(0, 999), st.booleans())
@BOUNDED
def test_it_is_the_loop(seed, holes):
    inputs = case(seed, holes)
    torch.testing.assert_close(optimal_token_baseline(**inputs), loop(**inputs))


def test_by_hand():
    """W = .1, .1 + .4 for the first, .3, .3 + .2 for the second, .6 for the third.

    r = 1, 0, 1. At the first token B = (.1 + .6)/(.1 + .3 + .6) = .7; at the second, of the two
    that are left, .5/(.5 + .5) = .5; the third token of the first has no peer, and no baseline.
    """
    energy = torch.tensor([[0.1, 0.4, 0.9], [0.3, 0.2, 0.0], [0.6, 0.0, 0.0]]).double()
    mask = torch.tensor([[1, 1, 1], [1, 1, 0], [1, 0, 0]]).bool()
    old = torch.zeros(3, 3).double()  # π = 1, and Σ π² = 1 + W gives 1 − 2 + 1 + W
    args = (torch.tensor([1.0, 0.0, 1.0]), torch.zeros(3, dtype=torch.int64), mask, old, 1 + energy)
    found = optimal_token_baseline(*args)
    assert found[0].tolist() == pytest.approx([0.3, 0.5, 1.0])
    assert found[1].tolist() == pytest.approx([-0.7, -0.5, 0.0])
    assert found[2].tolist() == pytest.approx([0.3, 0.0, 0.0])
    assert optimal_token_baseline(*args, zero_tail=False)[0, 2] == 0


def test_certain_tokens_leave_the_plain_mean():
    """π = 1 has no gradient: every weight is 0, and no baseline is better than another."""
    mask, old = torch.ones(4, 2, dtype=torch.bool), torch.zeros(4, 2).double()
    r = torch.tensor([1.0, 0.0, 0.0, 0.0])
    found = optimal_token_baseline(r, torch.zeros(4, dtype=torch.int64), mask, old, old + 1)
    assert found[:, 0].tolist() == [0.75, -0.25, -0.25, -0.25]


def test_equal_rewards_and_groups_of_one_teach_nothing():
    inputs = case(0)
    equal = optimal_token_baseline(**{**inputs, "rewards": torch.full((7,), 0.9)})
    apart = optimal_token_baseline(**{**inputs, "groups": torch.arange(7)})
    assert not equal.any()
    assert not apart.any()


def test_what_lies_under_the_mask_does_not_matter():
    inputs = case(3)
    holes = {
        name: torch.where(inputs["mask"], inputs[name], torch.nan)
        for name in ("old_logp", "sum_pi_squared")
    }
    torch.testing.assert_close(
        optimal_token_baseline(**{**inputs, **holes}), optimal_token_baseline(**inputs)
    )
