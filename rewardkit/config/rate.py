"""The learning rate of a step, warm-up and what comes behind it; and a KL's weight."""

from __future__ import annotations

import math
from dataclasses import replace

from rewardkit.config.sections import OptimConfig
from rewardkit.recipes import Recipe


def rate_factor(optim: OptimConfig, step: int, steps: int) -> float:
    """Return what a step's learning rates are multiplied with; steps are counted from 0.

    Linear warm-up over w steps, (s + 1) / w, and then e + (1 − e) f, with e = `lr_end` and, x being
    the share of the steps behind the warm-up that are over, f = 1 (`constant`), 1 − x (`linear`),
    (1 + cos πx) / 2 (`cosine`, 1608.03983 eq. 5 without restarts), or 1 until the last `decay` of
    all steps, in which it falls in a line (`wsd`: warm-up, stable, decay; 2404.06395 section 4).

    All updates of a step have one rate, and a step without a gradient counts.

    >>> optim = OptimConfig(schedule="cosine", warmup_steps=2, lr_end=0.1)
    >>> [round(rate_factor(optim, step, 6), 3) for step in range(6)]
    [0.5, 1.0, 1.0, 0.868, 0.55, 0.232]
    """
    warm = optim.warmup_steps
    if warm < 1:
        warm = round(warm * steps)
    if step < warm:
        return (step + 1) / warm
    left = 1.0
    if optim.schedule == "wsd":
        left = min(1.0, (steps - step) / max(1, round(optim.decay * steps)))
    elif optim.schedule != "constant":
        left = (steps - step) / max(1, steps - warm)
        if optim.schedule == "cosine":
            left = (1 - math.cos(math.pi * left)) / 2
    return optim.lr_end + (1 - optim.lr_end) * max(0.0, left)


def scheduled(recipe: Recipe, step: int, steps: int) -> Recipe:
    """Return a recipe as it is in a step, counted from 0: its KL's weight by `kl_schedule`.

    >>> falling = Recipe("mine", kl="k1", kl_coef=2.0, kl_schedule="linear")
    >>> [scheduled(falling, step, 4).kl_coef for step in range(4)]
    [2.0, 1.5, 1.0, 0.5]
    """
    weight = rate_factor(OptimConfig(schedule=recipe.kl_schedule), step, steps)
    return replace(recipe, kl_coef=recipe.kl_coef * weight)
