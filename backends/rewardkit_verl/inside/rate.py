"""The run's learning rates inside verl's workers: the schedule that the native backend follows.

verl steps its scheduler once a batch, knows two schedules, begins a warm-up with a rate of 0 and
reports the rate of the step to come.
"""

from __future__ import annotations

import os
from typing import Any

from torch.optim.lr_scheduler import LambdaLR
from verl.workers.engine.fsdp.transformer_impl import FSDPEngine

from rewardkit.config import rate_factor
from rewardkit_verl.names import CONFIG_VARIABLE
from rewardkit_verl.settings import run_config

VERLS = FSDPEngine._build_lr_scheduler


def build_schedule(engine: Any, optimizer: Any) -> Any:
    """Return the schedule of the run that this process belongs to; without one, verl's own."""
    if CONFIG_VARIABLE not in os.environ:
        return VERLS(engine, optimizer)
    config = run_config()
    # A critic learns alone first; verl makes no step of the policy's schedule meanwhile.
    critic = type(engine).__name__.endswith("ValueHead")
    alone = 0 if critic else config.recipe.critic_warmup
    return LambdaLR(optimizer, lambda step: rate_factor(config.optim, step + alone, config.steps))


def next_rate(engine: Any) -> float:
    """Make a step of the schedule, and return the rate of the batch that is learned from."""
    rate = float(engine.lr_scheduler.get_last_lr()[0])
    engine.lr_scheduler.step()
    return rate


FSDPEngine._build_lr_scheduler = build_schedule
FSDPEngine.lr_scheduler_step = next_rate
