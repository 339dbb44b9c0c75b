"""On-policy distillation: each token is worth what a teacher says of it."""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from rewardkit.advantages.groups import Number
from rewardkit.advantages.outcome import grpo
from rewardkit.options import check_finite


def distillation(
    rewards: Float[Tensor, " B"],
    groups: Int[Tensor, " B"],
    mask: Bool[Tensor, "B T"],
    token_rewards: Float[Tensor, "B T"] | None = None,
    *,
    outcome_coef: Number = 0.0,
) -> Float[Tensor, "B T"]:
    """Return A_t = r_t + c·A^GRPO: rewards of tokens as they are, each for its own token alone.

    With r_t = −(log π_old − log π_T), a KL with coefficient 1 in the reward whose reference is the
    teacher, it is on-policy distillation (2306.13649 with λ = 1; Lu and Thinking Machines 2025,
    reverse KL with discount 0): no return sums later tokens, and no baseline is subtracted. c adds
    the verdict's advantage.

    Args:
        rewards: shaped rewards, one a sequence; read with `outcome_coef` alone.
        groups: any ids, equal for samples of one prompt.
        mask: which tokens count.
        token_rewards: r_t; None where the teacher is in the loss, as 0.
        outcome_coef: c.

    Raises:
        DataError: a reward is NaN or infinite; names its row.

    >>> rewards, groups = torch.tensor([1.0, 0.0]), torch.tensor([0, 0])
    >>> mask = torch.tensor([[True, True], [True, False]])
    >>> token_rewards = torch.tensor([[-0.5, 0.25], [-2.0, 9.0]])
    >>> distillation(rewards, groups, mask, token_rewards).tolist()
    [[-0.5, 0.25], [-2.0, 0.0]]
    """
    check_finite(rewards)
    found = torch.zeros(mask.shape, dtype=torch.float64)
    if token_rewards is not None:
        check_finite(token_rewards, mask, "token rewards")
        found = torch.where(mask, token_rewards.double(), 0.0)
    if outcome_coef:
        found = found + outcome_coef * torch.where(mask, grpo(rewards, groups)[:, None], 0.0)
    return found
