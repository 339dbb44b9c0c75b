"""What a step says of itself where verl says less: the terms of a group, and the sampler's error."""

from types import SimpleNamespace

import pytest
import torch

from rewardkit.config import config_from
from rewardkit_verl.batch import COLUMNS, StepBatch

pytestmark = pytest.mark.verl


def configured(**recipe):
    return config_from({"folder": "x", "steps": 1, "recipe": {"name": "grpo", **recipe}})


def test_the_terms_of_a_group_are_logged_plain_and_added_by_weight(quietly):
    with quietly():
        from rewardkit_verl.inside.trainer import RewardkitTrainer
    run = configured(shaping=[{"name": "kimi_length", "weight": 0.2}])
    step = StepBatch(
        groups=torch.tensor([0, 0]),
        rewards=torch.tensor([1.0, 1.0], dtype=torch.float64),
        correct=torch.tensor([True, True]),
        truncated=torch.tensor([False, False]),
        decided=torch.tensor([True, True]),
        response=torch.arange(4) < torch.tensor([2, 4])[:, None],
    )
    infos = [{"outcome": "correct"}, {"outcome": "correct"}]
    trainer = SimpleNamespace(recipe=run.recipe, run=run)
    RewardkitTrainer._shape_groups(trainer, step, infos)
    assert [info["reward/kimi_length"] for info in infos] == [0.5, -0.5]
    assert step.rewards.tolist() == pytest.approx([1.1, 0.9])


def test_the_sampler_is_compared_with_the_trainer_on_what_counts(quietly):
    """Two responses of three and two tokens; a third one takes no part."""
    with quietly():
        from rewardkit_verl.inside import losses
    recipe = configured(kl_coef=0.0).recipe
    old = torch.full((3, 3), -1.0)
    sampler = old + torch.tensor([[0.1, -0.2, 0.0], [0.3, 0.0, 9.0], [9.0, 9.0, 9.0]])
    response = torch.tensor([[1, 1, 1], [1, 1, 0], [1, 1, 1]])
    table = torch.zeros(3, len(COLUMNS), dtype=torch.float64)
    table[:2, COLUMNS.index("weight")] = 0.2
    micro = losses._Micro(recipe, table, None, sampler, None)
    config = SimpleNamespace(global_batch_info={"dp_size": 1})
    with losses._handing_over(micro):
        losses.rewardkit_policy_loss(old, old.clone(), torch.ones(3, 3), response, config=config)
    assert float(micro.sums["sampler_mismatch"]) == pytest.approx(0.6)
    assert float(micro.sums["max_sampler_mismatch"]) == pytest.approx(0.3)
