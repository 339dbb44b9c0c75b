"""GVPO: a group's log-ratios should differ as its rewards do, 2504.19599."""

from __future__ import annotations

import torch
from jaxtyping import Int
from torch import Tensor

from rewardkit.errors import ConfigError
from rewardkit.losses.tokens import (
    Mask,
    Number,
    PerSequence,
    PerToken,
    masked,
    upcast,
)


def gvpo(
    logp: PerToken,
    ref_logp: PerToken,
    rewards: PerSequence,
    groups: Int[Tensor, " B"],
    mask: Mask,
    *,
    beta: Number = 0.1,
) -> PerSequence:
    """Return ½ ((β S − mean β S) − (r − mean r))² / (k − 1), S = log π/π' of a response: GVPO.

    2504.19599, its loss as a squared error; divided by k − 1 for groups of k, as its authors' code
    does. Summed over a group it is least where π ∝ π' e^(r/β), and nowhere else. β is theirs too.

    The mean of S is that of the policy as it is, over a whole group: a micro-batch that holds a
    part of one gives another gradient, so that this is no surrogate of a recipe. With one update a
    batch its gradient is that of the recipe `rloo` with kl_coef = β, times β/k.

    Args:
        logp: log π of the sampled tokens; gradients flow here alone.
        ref_logp: log π' of the same: of the policy that sampled, as in the paper's experiments, or
            of a reference.
        rewards: one a sequence.
        groups: any ids; whole groups.
        mask: which tokens count.
        beta: β > 0.

    Raises:
        ConfigError: β is not positive.

    >>> zero, one = torch.zeros(2, 1), torch.ones(2, 1, dtype=torch.bool)
    >>> gvpo(zero, zero, torch.tensor([1.0, 0.0]), torch.tensor([0, 0]), one).tolist()
    [0.125, 0.125]
    """
    if beta <= 0:
        raise ConfigError(f"gvpo's beta must be positive, found {beta}")
    _, index, counts = torch.unique(groups, return_inverse=True, return_counts=True)
    ratio = masked(upcast(logp) - upcast(ref_logp).detach(), mask).sum(-1)
    off = beta * ratio - rewards.to(ratio)
    mean = off.new_zeros(len(counts)).index_add(0, index, off) / counts
    losses: Tensor = 0.5 * (off - mean[index]).square() / (counts[index] - 1).clamp(min=1)
    return losses
