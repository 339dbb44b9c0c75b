"""VESPO: a smooth weight of the sequence's ratio in the place of clipping, 2602.10693.

A response must lie whole in its row.
"""

from __future__ import annotations

import math

import torch

from rewardkit.losses.surrogates import Surrogate, surrogate
from rewardkit.losses.tokens import (
    LIMIT,
    Advantages,
    Mask,
    Number,
    PerToken,
    by_sign,
    log_ratio,
    masked,
    per_token,
    upcast,
)

TINY = 1e-8
"""The least ratio of a sequence, as its authors have it."""


@surrogate
def vespo(
    logp: PerToken,
    old_logp: PerToken,
    advantages: Advantages,
    mask: Mask,
    *,
    k_positive: Number = 2.0,
    lambda_positive: Number = 3.0,
    k_negative: Number = 3.0,
    lambda_negative: Number = 2.0,
) -> Surrogate:
    """Return −sg[φ(w)] A log π, φ(w) = w^k e^(λ(1−w)) of the sequence's ratio w: VESPO.

    2602.10693. w = Π_t ρ_t without a mean over the length; φ(1) = 1, and it fades on either side.
    k and λ are by the sign of A; the defaults are those of its authors' code and of TRL.

    >>> new, old = torch.tensor([[2.0]]).log(), torch.zeros(1, 1)
    >>> found = vespo(new, old, torch.ones(1), torch.ones(1, 1, dtype=torch.bool))
    >>> round(found.losses.item() / -new.item(), 4) == round(4 * math.exp(-3), 4)
    True
    """
    a = per_token(advantages, mask, logp)
    with torch.no_grad():
        lr = log_ratio(logp, old_logp, mask)
        log_w = lr.sum(-1, keepdim=True).clamp(math.log(TINY), LIMIT)
        k = by_sign(a, negative=k_negative, otherwise=k_positive)
        rate = by_sign(a, negative=lambda_negative, otherwise=lambda_positive)
        weight = -a * (rate + k * log_w - rate * log_w.exp()).exp()
    losses = masked(weight * masked(upcast(logp), mask), mask)
    never = torch.zeros_like(mask)
    return Surrogate(losses, lr, masked(log_w.exp().expand_as(lr), mask), never, never)
