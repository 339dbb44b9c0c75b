"""GMPO: the geometric mean of the tokens' clipped ratios, 2507.20673."""

from __future__ import annotations

import math

from rewardkit.losses.surrogates import Surrogate, surrogate
from rewardkit.losses.tokens import (
    Advantages,
    Mask,
    Number,
    PerToken,
    by_sign,
    log_ratio,
    masked,
    per_sequence,
    row_mean,
)


@surrogate
def gmpo(
    logp: PerToken,
    old_logp: PerToken,
    advantages: Advantages,
    mask: Mask,
    *,
    clip_low: Number = 0.4,
    clip_high: Number = 0.4,
) -> Surrogate:
    """Return −A exp(mean_t of the clipped log ρ): GMPO, 2507.20673.

    The widths bound log ρ (the paper's clip is (e^−0.4, e^0.4)), each token one-sidedly as in
    PPO: from above where A > 0, from below where A < 0.

    >>> import torch
    >>> new, old = torch.tensor([[9.0, 0.0]]), torch.zeros(1, 2)
    >>> found = gmpo(new, old, torch.ones(1), torch.ones(1, 2, dtype=torch.bool))
    >>> [round(x, 4) for x in found.losses.tolist()[0]]
    [-1.2214, -1.2214]
    """
    a = per_sequence(advantages, mask, logp)
    lr = log_ratio(logp, old_logp, mask)
    floor = by_sign(a, negative=-clip_low, otherwise=-math.inf)
    ceiling = by_sign(-a, negative=clip_high, otherwise=math.inf)
    ratio = row_mean(lr.clamp(floor, ceiling), mask).exp()
    losses = masked((-a * ratio).expand_as(lr), mask)
    return Surrogate(losses, lr.detach(), ratio.detach().expand_as(lr), lr > ceiling, lr < floor)
