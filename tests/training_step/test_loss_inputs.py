from dataclasses import replace

import pytest
import torch

from rewardkit.recipes import DAPO
from rewardkit.training_step import LossTable, Scores, loss_inputs, loss_table, plan_step

UPDATES = [torch.tensor([0, 1, 2]), torch.tensor([3, 4, 5])]


def test_the_table_says_of_each_response_what_its_whole_update_is(batch):
    recipe = replace(DAPO, high_entropy=0.5, mask_truncated=False)
    entropies = torch.arange(24.0).view(6, 4)
    table = loss_table(plan_step(recipe, batch, Scores(entropies=entropies), UPDATES, 0.25))
    assert {column.dtype for column in table} == {torch.float64}
    # 3 + 1 tokens of the two that are decided; 4 + 2 + 2 in the second update
    assert table.tokens.tolist() == [4, 4, 4, 8, 8, 8]
    assert table.weight.tolist() == pytest.approx([1 / 4, 1 / 4, 0, 1 / 8, 1 / 8, 1 / 8])
    # the medians of 0 1 2 4 and of 12 13 14 15 16 17 20 21
    assert table.entropy_threshold.tolist() == [1.5, 1.5, 1.5, 15.5, 15.5, 15.5]
    assert table.entropy_coef.tolist() == [0.25] * 6


def test_what_takes_no_part_is_masked_and_an_unscored_policy_is_its_own_past():
    weights = torch.tensor([0.5, 0.0], dtype=torch.float64)
    table = LossTable(weights, *(torch.zeros_like(weights) for _ in LossTable._fields[1:]))
    logp = torch.full((2, 2), -1.0, requires_grad=True)
    found = loss_inputs(
        table,
        logp=logp,
        old_logp=None,
        advantages=torch.ones(2),
        mask=torch.ones(2, 2, dtype=torch.bool),
        ref_logp=None,
        sampler_logp=None,
        entropies=None,
    )
    assert found.mask.tolist() == [[True, True], [False, False]]
    assert not found.old_logp.requires_grad
    assert (found.old_logp == logp).all()
    assert found.entropy_coef.dtype == logp.dtype
