"""SAPO: a soft gate in the place of the clip range, 2511.20347."""

from __future__ import annotations

from rewardkit.losses.surrogates import Surrogate, surrogate, without_clipping
from rewardkit.losses.tokens import (
    Advantages,
    Mask,
    Number,
    PerToken,
    by_sign,
    log_ratio,
    masked,
    per_token,
)


@surrogate
def sapo(
    logp: PerToken,
    old_logp: PerToken,
    advantages: Advantages,
    mask: Mask,
    *,
    tau_positive: Number = 1.0,
    tau_negative: Number = 1.05,
) -> Surrogate:
    """Return −(4/τ) σ(τ(ρ−1)) A with τ by the sign of A: SAPO's soft gate, 2511.20347.

    >>> import torch
    >>> same = torch.tensor([[-1.0]])
    >>> sapo(same, same, torch.tensor([2.0]), torch.ones(1, 1, dtype=torch.bool)).losses.item()
    -4.0
    """
    a = per_token(advantages, mask, logp)
    lr = log_ratio(logp, old_logp, mask)
    ratio = lr.exp()
    tau = by_sign(-a, negative=tau_positive, otherwise=tau_negative)
    gate = (tau * (ratio - 1)).sigmoid()
    found = without_clipping(masked((-4 * a / tau) * gate, mask), lr.detach(), mask)
    return found._replace(ratio=ratio.detach())
