"""The learning rates of verl's engine are those of the native backend."""

import pytest
import torch

from rewardkit.config import config_from, config_to_toml, rate_factor
from rewardkit_verl.names import CONFIG_VARIABLE

pytestmark = pytest.mark.verl


@pytest.mark.parametrize("schedule", ["constant", "linear", "cosine", "wsd"])
@pytest.mark.parametrize(("critic", "alone"), [(False, 0), (False, 2), (True, 2)])
def test_each_batch_has_the_rate_of_the_formula(quietly, monkeypatch, schedule, critic, alone):
    with quietly():
        from verl.workers.engine.fsdp.transformer_impl import (
            FSDPEngineWithLMHead,
            FSDPEngineWithValueHead,
        )

        import rewardkit_verl.plugin  # noqa: F401
    config = config_from(
        {
            "folder": "x",
            "steps": 9,
            "recipe": {"name": "vapo", "critic_warmup": alone},
            "optim": {"schedule": schedule, "warmup_steps": 3, "lr_end": 0.1},
        }
    )
    monkeypatch.setenv(CONFIG_VARIABLE, config_to_toml(config))
    from rewardkit_verl.settings import run_config

    run_config.cache_clear()
    engine = object.__new__(FSDPEngineWithValueHead if critic else FSDPEngineWithLMHead)
    optimiser = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.02)
    engine.lr_scheduler = engine._build_lr_scheduler(optimiser)
    first = 0 if critic else alone  # the policy's schedule waits while the critic learns alone
    for step in range(first, 9):
        expected = 0.02 * rate_factor(config.optim, step, 9)
        assert optimiser.param_groups[0]["lr"] == pytest.approx(expected, rel=1e-12)
        optimiser.step()
        assert engine.lr_scheduler_step() == pytest.approx(expected, rel=1e-12)
    run_config.cache_clear()
