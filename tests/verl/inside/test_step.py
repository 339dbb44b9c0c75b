"""What our loss says of a pass inside verl's workers."""

from types import SimpleNamespace

import pytest
import torch

from rewardkit.config import config_from
from rewardkit.training_step import LossTable

pytestmark = pytest.mark.verl


def configured(**recipe):
    return config_from({"folder": "x", "steps": 1, "recipe": {"name": "grpo", **recipe}})


def test_the_sampler_is_compared_with_the_trainer_on_what_counts(quietly):
    """Two responses of three and two tokens; a third one takes no part."""
    with quietly():
        from rewardkit_verl.inside import losses
    recipe = configured(kl_coef=0.0).recipe
    old = torch.full((3, 3), -1.0)
    sampler = old + torch.tensor([[0.1, -0.2, 0.0], [0.3, 0.0, 9.0], [9.0, 9.0, 9.0]])
    response = torch.tensor([[1, 1, 1], [1, 1, 0], [1, 1, 1]])
    weights = torch.tensor([0.2, 0.2, 0.0], dtype=torch.float64)
    table = LossTable(weights, *(torch.zeros_like(weights) for _ in range(4)))
    micro = losses._Micro(recipe, table, None, sampler, None)
    config = SimpleNamespace(global_batch_info={"dp_size": 1})
    with losses._handing_over(micro):
        losses.rewardkit_policy_loss(old, old.clone(), torch.ones(3, 3), response, config=config)
    assert float(micro.sums["sampler_mismatch"]) == pytest.approx(0.6)
    assert float(micro.sums["max_sampler_mismatch"]) == pytest.approx(0.3)
