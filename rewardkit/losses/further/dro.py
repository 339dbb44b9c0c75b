"""DRO: a squared log-ratio beside the reward, with samples of any age, 2405.19107."""

from __future__ import annotations

import torch

from rewardkit.errors import ConfigError
from rewardkit.losses.surrogates import Surrogate, surrogate
from rewardkit.losses.tokens import (
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
def dro(
    logp: PerToken, old_logp: PerToken, advantages: Advantages, mask: Mask, *, beta: Number
) -> Surrogate:
    """Return −A log π + β/2 (log π − log π_old)²: the policy's loss of DRO, 2405.19107.

    Its gradient is (−A + β log ρ) ∇log π: nothing is clipped, and a token comes to rest where
    log ρ = A/β.

    Args:
        logp: log π of the sampled tokens.
        old_logp: log π_old, of the policy that sampled them.
        advantages: one a sequence, or one a token.
        mask: which tokens count.
        beta: β > 0; verl has no default either.

    Raises:
        ConfigError: β is not positive.

    >>> new, old, one = torch.tensor([[-1.0]]), torch.tensor([[-2.0]]), torch.ones(1, 1).bool()
    >>> dro(new, old, torch.tensor([0.5]), one, beta=0.5).losses.item()
    0.75
    """
    if beta <= 0:
        raise ConfigError(f"dro's beta must be positive, found {beta}")
    a = per_token(advantages, mask, logp)
    lr = log_ratio(logp, old_logp, mask)
    losses = masked(-a * masked(upcast(logp), mask) + 0.5 * beta * lr.square(), mask)
    never = torch.zeros_like(mask)
    return Surrogate(losses, lr.detach(), lr.detach().exp(), never, never)
