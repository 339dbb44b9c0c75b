"""Groups of different sizes in one batch: each is what it would be alone."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from rewardkit.advantages import AdvantageInputs, estimate
from rewardkit.advantages.estimate import ESTIMATORS

BY_GROUP = {
    "grpo": {},
    "dr_grpo": {},
    "rloo": {},
    "opo": {},
    "maxrl": {},
    "pass_at_k": {},
    "pass_at_k_training": {"k": 2},
    "grpo_process": {},
    "mt_grpo": {},
    "tpo": {},
    "gtpo": {},
    "grpo_s": {},
    "optimal_token_baseline": {},
}
OVER_THE_BATCH = {
    "gpg": "one factor for all: responses over those of groups with signal",
    "gdpo": "whitened over the batch",
    "reinforce_pp": "whitened over the batch",
    "reinforce_pp_baseline": "whitened over the batch",
    "prpo": "mean and deviation of the batch, knows no groups",
    "remax": "compares with a greedy response, knows no groups",
    "distillation": "judges each token alone, knows no groups",
    "gae": "has a critic, knows no groups",
}
SIZES = st.lists(st.integers(2, 9), min_size=1, max_size=5)


def batch(sizes, seed, steps=4):
    generator = torch.Generator().manual_seed(seed)
    groups = torch.arange(len(sizes)).repeat_interleave(torch.tensor(sizes))
    count = len(groups)
    correct = torch.rand(count, generator=generator) < 0.5
    lengths = torch.randint(1, steps + 1, (count,), generator=generator)
    mask = torch.arange(steps) < lengths[:, None]
    ends = torch.nn.functional.one_hot(lengths - 1, steps).bool()
    return AdvantageInputs(
        rewards=correct.double(),
        groups=groups,
        mask=mask,
        correct=correct,
        entropies=torch.rand(count, steps, generator=generator).double(),
        old_logp=-torch.rand(count, steps, generator=generator).double(),
        sum_pi_squared=torch.rand(count, steps, generator=generator).double(),
        step_rewards=torch.where(ends, correct.double()[:, None], 0.0),
        step_ends=ends,
    )


def rows(inputs, kept):
    return AdvantageInputs(
        **{name: value[kept] for name, value in vars(inputs).items() if value is not None}
    )


@pytest.mark.parametrize("name", BY_GROUP)
@settings(deadline=None, max_examples=50)
@given(sizes=SIZES, seed=st.integers(0, 999))
def test_a_group_is_judged_by_its_own_members(name, sizes, seed):
    inputs = batch(sizes, seed)
    together = estimate(name, inputs, **BY_GROUP[name])
    for group in range(len(sizes)):
        kept = inputs.groups == group
        alone = estimate(name, rows(inputs, kept), **BY_GROUP[name])
        torch.testing.assert_close(together[kept], alone, rtol=1e-9, atol=1e-12)


def test_every_estimator_is_in_one_of_the_tables():
    assert set(BY_GROUP) | set(OVER_THE_BATCH) == set(ESTIMATORS)


def test_an_average_group_of_any_size_pulls_with_a_mean_of_zero():
    inputs = batch([2, 3, 9, 5], 1)
    for name in ("grpo", "dr_grpo", "rloo", "maxrl"):
        found = estimate(name, inputs)
        sums = torch.zeros(4, dtype=torch.float64).index_add(0, inputs.groups, found)
        assert sums.abs().max() < 1e-9
