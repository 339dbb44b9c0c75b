"""TOPR: what was bad pushes less the less the policy would still say it, 2503.14286.

A response must lie whole in its row.
"""

from __future__ import annotations

import torch

from rewardkit.losses.surrogates import Surrogate, surrogate
from rewardkit.losses.tokens import (
    LIMIT,
    Advantages,
    Mask,
    Number,
    PerToken,
    log_ratio,
    masked,
    per_token,
    upcast,
)


@surrogate
def topr(
    logp: PerToken, old_logp: PerToken, advantages: Advantages, mask: Mask, *, cap: Number = 1.0
) -> Surrogate:
    """Return −A log π where A ≥ 0 and −sg[min(w, cap)] A log π elsewhere: TOPR, 2503.14286 eq. 8.

    w = Π_t ρ_t of the sequence. What was good is learned as it stands; what was bad pushes less
    the less the policy would still say it, so that it cannot push without end.

    >>> new, old = torch.tensor([[0.25]]).log(), torch.tensor([[0.5]]).log()
    >>> one, bad = torch.ones(1, 1, dtype=torch.bool), torch.tensor([-1.0])
    >>> (topr(new, old, bad, one).losses / new).item()
    0.5
    """
    a = per_token(advantages, mask, logp)
    with torch.no_grad():
        lr = log_ratio(logp, old_logp, mask)
        w = lr.sum(-1, keepdim=True).clamp(-LIMIT, LIMIT).exp()
        weight = -a * torch.where(a < 0, w.clamp(max=cap), 1)
        high = (w > cap) & (a < 0) & mask
    losses = masked(weight * masked(upcast(logp), mask), mask)
    never = torch.zeros_like(mask)
    return Surrogate(losses, lr, masked(w.expand_as(lr), mask), high, never)
