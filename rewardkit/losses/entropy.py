"""Learning from the high-entropy tokens alone, 2506.01939 ("Beyond the 80/20 rule")."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

from rewardkit.losses.tokens import Mask, PerToken, upcast


def entropy_threshold(entropies: PerToken, mask: Mask, keep: float) -> Float[Tensor, ""]:
    """Return the entropy that the `keep` share of tokens reaches, τ of 2506.01939.

    Compute it once over the whole optimiser batch. It is the (1−keep) quantile, interpolated, as
    in TRL; +inf when no token counts, so that nothing is kept.

    >>> entropy_threshold(torch.tensor([[0.0, 1.0, 2.0, 3.0, 4.0]]), torch.ones(1, 5).bool(), 0.25)
    tensor(3.)
    """
    found = upcast(entropies).detach()[mask].sort().values
    if not found.numel():
        return torch.tensor(torch.inf, device=entropies.device, dtype=found.dtype)
    # torch.quantile refuses more than 16 million values, which a batch of long responses holds.
    position = (1 - keep) * (found.numel() - 1)
    below = int(position)
    above = min(below + 1, found.numel() - 1)
    return torch.lerp(found[below], found[above], position - below)


def high_entropy(entropies: PerToken, mask: Mask, threshold: Float[Tensor, ""]) -> Mask:
    """Return which tokens' entropy reaches the threshold; never one under the mask.

    >>> high_entropy(torch.tensor([[1.0, 2.0]]), torch.ones(1, 2).bool(), torch.tensor(2.0))
    tensor([[False,  True]])
    """
    return (upcast(entropies).detach() >= threshold) & mask
