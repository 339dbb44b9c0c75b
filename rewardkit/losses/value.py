"""The value function's loss, for PPO."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

from rewardkit.losses.tokens import Mask, Number, PerSequence, PerToken, masked, upcast


def value_loss(
    values: PerToken,
    old_values: PerToken,
    returns: PerToken,
    mask: Mask,
    weights: PerSequence,
    *,
    clip: Number | None = 0.2,
) -> Float[Tensor, ""]:
    """Return ½ Σ_i w_i Σ_t max((V−R)², (clip(V, V_old±ε)−R)²), PPO's clipped value loss.

    The clipping is that of the authors' code, https://github.com/openai/baselines (ppo2), not of
    the paper. `clip=None` is the plain squared error.

    >>> x = lambda v: torch.tensor([[v]])
    >>> value_loss(x(1.0), x(0.0), x(0.0), torch.ones(1, 1).bool(), torch.ones(1)).item()
    0.5
    """
    v, old = masked(upcast(values), mask), masked(upcast(old_values), mask).detach()
    target = masked(upcast(returns), mask).detach()
    error = (v - target).square()
    if clip is not None:
        clipped = v.clamp(old - clip, old + clip)
        error = torch.maximum(error, (clipped - target).square())
    return 0.5 * (weights.to(v) @ masked(error, mask).sum(-1))
