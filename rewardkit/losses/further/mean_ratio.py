"""GRPO-S: the mean of the tokens' ratios as the ratio of a sequence, 2508.04349."""

from __future__ import annotations

import math

from rewardkit.errors import ConfigError
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
def mean_ratio(
    logp: PerToken,
    old_logp: PerToken,
    advantages: Advantages,
    mask: Mask,
    *,
    clip_low: Number = 0.2,
    clip_high: Number = 0.2,
    mean: str = "arith",
) -> Surrogate:
    """Return −min(ŵA, clip(ŵ)A) with ŵ the mean of ρ over the sequence: GRPO-S.

    2508.04349 eq. 8; `mean="geo"` is its section 2.4.1, the geometric mean with its true
    gradient.

    >>> import torch
    >>> new, old = torch.tensor([[3.0, 1.0]]).log(), torch.zeros(1, 2)
    >>> found = mean_ratio(new, old, torch.ones(1), torch.ones(1, 2).bool(), clip_high=9.0)
    >>> found.losses.round(decimals=4)
    tensor([[-2., -2.]])
    """
    a = per_sequence(advantages, mask, logp)
    lr = log_ratio(logp, old_logp, mask)
    if mean == "arith":
        w = row_mean(masked(lr.exp(), mask), mask)
    elif mean == "geo":
        w = row_mean(lr, mask).exp()
    else:
        raise ConfigError(f'mean is "arith" or "geo", found {mean!r}')
    floor = by_sign(a, negative=1 - clip_low, otherwise=0)
    ceiling = by_sign(a, negative=math.inf, otherwise=1 + clip_high)
    losses = masked((-a * w.clamp(floor, ceiling)).expand_as(lr), mask)
    high, low = (w > ceiling) & mask, (w < floor) & mask
    return Surrogate(losses, lr.detach(), w.detach().expand_as(lr), high, low)
