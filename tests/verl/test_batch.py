from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from rewardkit.recipes import RECIPES, Term
from rewardkit.types import Finish, Outcome
from rewardkit_verl.batch import (
    StepBatch,
    arrange,
    kl_in_reward,
    loss_table,
    pulls,
    step_advantages,
    update_rows,
)
from rewardkit_verl.shaping import group_components, group_terms, own_terms

LENGTHS = [3, 1, 2, 4, 2, 2]


def step(**changes):
    """Two groups of three: right, wrong, undecided; right, wrong, wrong (cut off)."""
    fields = {
        "groups": torch.tensor([0, 0, 0, 1, 1, 1]),
        "rewards": torch.tensor([1.0, 0.0, 9.0, 1.0, 0.0, 0.0], dtype=torch.float64),
        "correct": torch.tensor([True, False, False, True, False, False]),
        "truncated": torch.tensor([False, False, False, False, False, True]),
        "decided": torch.tensor([True, True, False, True, True, True]),
        "response": torch.arange(4) < torch.tensor(LENGTHS)[:, None],
    }
    return StepBatch(**fields | changes)


def recipe(name, **changes):
    return replace(RECIPES[name], **{"kl": None, "kl_coef": 0.0, **changes})


def test_undecided_responses_take_no_part_in_their_group():
    found = step_advantages(recipe("dr_grpo"), step()).advantages
    # r - mean of the decided ones: (1, 0) in the first group, (1, 0, 0) in the second
    assert found[:, 0].tolist() == pytest.approx([0.5, -0.5, 0, 2 / 3, -1 / 3, -1 / 3])
    assert not found[2].any()
    assert found[0].tolist() == [0.5, 0.5, 0.5, 0.0]  # nothing beyond the response


def test_masked_responses_count_in_the_statistics_or_not():
    masked = recipe("dr_grpo", mask_truncated=True)
    kept = step_advantages(masked, step()).advantages
    assert kept[3:, 0].tolist() == pytest.approx([2 / 3, -1 / 3, 0])
    apart = step_advantages(replace(masked, truncated_in_statistics=False), step()).advantages
    assert apart[3:, 0].tolist() == pytest.approx([1 / 2, -1 / 2, 0])


def test_kl_in_the_reward_reaches_the_advantage():
    shape = (6, 4)
    policies = {"old": torch.zeros(shape), "reference": torch.full(shape, -1.0)}
    rloo = replace(RECIPES["rloo"], kl_coef=0.5)
    found = kl_in_reward(rloo, step(**policies))
    assert found[0].tolist() == [-0.5, -0.5, -0.5, 0.0]  # -0.5 * (0 - -1) a token
    assert not found[2].any()
    advantages = step_advantages(rloo, step(**policies)).advantages
    # rewards less half the length: first group 1 - 1.5 = -0.5 and 0 - 0.5 = -0.5
    assert advantages[:2, 0].tolist() == [0.0, 0.0]
    plain = step_advantages(recipe("rloo"), step()).advantages
    assert plain[:2, 0].tolist() == [1.0, -1.0]


def test_critic_gets_returns_and_undecided_rows_teach_it_nothing():
    values = torch.rand(6, 4, generator=torch.Generator().manual_seed(0))
    ppo = recipe("ppo", advantage_options={"gamma": 1.0, "lam": 1.0, "whitened": False})
    found = step_advantages(ppo, step(values=values))
    # With gamma = lambda = 1 the return is the reward, at every token.
    assert found.returns[0, :3].tolist() == pytest.approx([1.0, 1.0, 1.0])
    assert found.returns[1, :1].tolist() == pytest.approx([0.0])
    assert torch.equal(found.returns[2], values[2])
    assert torch.equal(found.returns[0, 3:], values[0, 3:])  # masked tokens teach it nothing
    assert not found.advantages[2].any()
    torch.testing.assert_close(found.advantages[0, :3], 1 - values[0, :3])


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
def test_weights_of_one_update(aggregation, weights):
    grpo = recipe("grpo", aggregation=aggregation, constant=8)
    table = loss_table(grpo, step(), [torch.arange(6)])
    assert table[:, 0].tolist() == pytest.approx(weights)
    assert table[:, 1].tolist() == [12] * 6


def test_each_update_is_normalised_by_itself():
    table = loss_table(recipe("dapo"), step(), [torch.tensor([0, 1, 2]), torch.tensor([3, 4, 5])])
    assert table[:, 0].tolist() == pytest.approx([1 / 4, 1 / 4, 0, 1 / 8, 1 / 8, 1 / 8])


def test_entropy_threshold_is_that_of_the_whole_update():
    entropies = torch.arange(24.0).view(6, 4)
    table = loss_table(
        recipe("dapo", high_entropy=0.25), step(entropies=entropies), [torch.arange(6)]
    )
    # of 0 1 2, 4, 12 13 14 15, 16 17, 20 21 the highest quarter begins between 15 and 16 .. 17
    kept = torch.tensor([0, 1, 2, 4, 12, 13, 14, 15, 16, 17, 20, 21.0])
    assert (kept >= table[0, 2]).sum() == 3


def test_a_batch_pulls_by_its_advantages_or_towards_the_reference():
    table = loss_table(recipe("dapo"), step(), [torch.arange(6)])
    flat = torch.zeros(6, 4)
    assert not pulls(recipe("dapo"), flat, table)
    assert pulls(recipe("dapo"), flat + 1, table)
    assert pulls(RECIPES["grpo"], flat, table)
    assert not pulls(RECIPES["grpo"], flat, 0 * table)
    assert not pulls(RECIPES["rloo"], flat, table)


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 3), st.integers(1, 3), st.integers(1, 4), st.randoms(use_true_random=False))
def test_updates_are_of_neighbouring_rows_and_ranks_share_them_equally(
    ranks, updates, each, random
):
    size = ranks * updates * each
    workloads = [random.randint(1, 50) for _ in range(size)]
    order = arrange(workloads, ranks, updates)
    assert sorted(order) == list(range(size))
    for number, rows in enumerate(update_rows(size, ranks, updates)):
        first = number * ranks * each
        came = sorted(order[row] for row in rows.tolist())
        assert came == list(range(first, first + ranks * each))


def test_shaping_is_split_between_worker_and_trainer():
    terms = (Term("soft_overlong"), Term("kimi_length", 0.5), Term("correct", 2.0))
    assert [t.name for t in own_terms(terms)] == ["soft_overlong", "correct"]
    assert [t.name for t in group_terms(terms)] == ["kimi_length"]
    outcomes = [Outcome.CORRECT, Outcome.INCORRECT, Outcome.BAD_GOLD]
    found = group_components(group_terms(terms), outcomes, [2, 6, 4], [Finish.STOP] * 3, limit=8)
    assert found == [{"kimi_length": 0.5}, {"kimi_length": -0.5}, {"kimi_length": 0.0}]
