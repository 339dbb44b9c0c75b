"""The optimal token baseline: a baseline of each token's own, of least variance, 2602.07078."""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from rewardkit.advantages.groups import TOLERANCE, Number, Segments, conventions
from rewardkit.advantages.returns import backward_sum, token_level_rewards

TINY = 1e-8
"""What verl adds to the sum of the weights."""


def optimal_token_baseline(
    rewards: Float[Tensor, " B"],
    groups: Int[Tensor, " B"],
    mask: Bool[Tensor, "B T"],
    old_logp: Float[Tensor, "B T"],
    sum_pi_squared: Float[Tensor, "B T"],
    token_rewards: Float[Tensor, "B T"] | None = None,
    *,
    zero_tail: bool = True,
    tol: Number = TOLERANCE,
    compat: str | None = None,
) -> Float[Tensor, "B T"]:
    """Return G_t − Σ G_t W_t / Σ W_t, sums over the group at its responses' t-th token: OTB.

    2602.07078, with its proxy W_t = Σ_(j ≤ t) (1 − 2π_j + Σ_v π_v²), the squared norm of the
    gradient in the logits of all tokens so far. G_t is the reward to go. Where all W are 0 the
    baseline is the plain mean.

    Args:
        rewards: one a sequence.
        groups: any ids.
        mask: which tokens count; the others are stepped over.
        old_logp: log π of each token under the policy that sampled.
        sum_pi_squared: Σ_v π_v² over the vocabulary, of the same policy at each token.
        token_rewards: further rewards of tokens, such as −β KL.
        zero_tail: beyond the second longest response of its group the longest has baseline 0;
            otherwise it would be its own, and the advantage 0.
        tol: the range up to which a group counts as without signal; it gets 0, a tail too.
        compat: "verl" gives a group of one, and the tail of equal rewards, what is left of the
            reward; and adds 1e-8 to the sum of the weights.

    >>> mask = torch.tensor([[True, True], [True, False]])
    >>> half, none = torch.full((2, 2), 0.5).log(), torch.full((2, 2), 0.5)
    >>> optimal_token_baseline(torch.tensor([1.0, 0.0]), torch.tensor([0, 0]), mask, half, none)
    tensor([[ 0.5000,  1.0000],
            [-0.5000,  0.0000]], dtype=torch.float64)
    """
    rules, by_group = conventions(compat), Segments.of(groups)
    r = token_level_rewards(rewards, mask, token_rewards)
    to_go = backward_sum(torch.ones_like(r), r)[mask]
    energy = 1 - 2 * old_logp.detach().double().exp() + sum_pi_squared.detach().double()
    # Never below (1 − π)², but for the rounding of a token that is nearly certain.
    weights = torch.where(mask, energy.clamp(min=0), 0.0).cumsum(-1)[mask]
    # The t-th token of a response is compared with the t-th of the others, wherever they stand.
    place = by_group.index[:, None] * mask.shape[1] + mask.cumsum(-1) - 1
    peers = Segments.of(place[mask])
    total = peers.sum(weights)
    weighed = peers.sum(to_go * weights) / (total + (0.0 if compat is None else TINY))
    baseline = torch.where(total > 0, weighed, peers.mean(to_go))[peers.index]
    single = by_group.size() == 1
    alone = (peers.size() == 1)[peers.index]
    if not zero_tail:
        alone = alone & single[by_group.index][:, None].expand(mask.shape)[mask]
    found = torch.zeros_like(r).masked_scatter(mask, torch.where(alone, to_go, to_go - baseline))
    if rules.degenerate_to_zero:
        silent = by_group.span(r.sum(-1)) <= tol
    else:
        silent = single & (not rules.singleton_raw)
    return torch.where(silent[by_group.index][:, None], 0.0, found)
