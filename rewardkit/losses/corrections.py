"""Weights between sampler and trainer: what to do when an engine samples from another π than ours.

`sampler_logp` are the log-probabilities that the engine reported, `old_logp` those that the
trainer computes for the same weights; w = exp(old_logp − sampler_logp). The result multiplies the
surrogate's loss, carries no gradient, and is 0 under the mask.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from rewardkit.losses.tokens import (
    LIMIT,
    Mask,
    Number,
    PerSequence,
    PerToken,
    log_ratio,
    masked,
    row_mean,
    upcast,
)


def _weight(old_logp: Tensor, sampler_logp: Tensor, mask: Tensor) -> Tensor:
    return masked(log_ratio(old_logp.detach(), sampler_logp, mask).exp(), mask)


def _sequence_weight(old_logp: Tensor, sampler_logp: Tensor, mask: Tensor) -> Tensor:
    """Return Π_t w_t of each row, [B, 1]: the sum of the logarithms is cut to ±20, not each."""
    difference = masked(upcast(old_logp).detach() - upcast(sampler_logp).detach(), mask)
    return difference.sum(-1, keepdim=True).clamp(-LIMIT, LIMIT).exp()


def tis(old_logp: PerToken, sampler_logp: PerToken, mask: Mask, *, cap: Number = 2.0) -> PerToken:
    """Return min(w, cap) per token: truncated importance sampling, Yao et al. 2025.

    https://fengyao.notion.site/off-policy-rl

    >>> old, one = torch.tensor([[3.0, 0.5]]).log(), torch.ones(1, 2, dtype=torch.bool)
    >>> tis(old, torch.zeros(1, 2), one)
    tensor([[2.0000, 0.5000]])
    """
    return _weight(old_logp, sampler_logp, mask).clamp(max=cap)


def mis(old_logp: PerToken, sampler_logp: PerToken, mask: Mask, *, cap: Number = 2.0) -> PerToken:
    """Return w where w ≤ cap and 0 elsewhere: masked importance sampling.

    >>> old, one = torch.tensor([[3.0, 0.5]]).log(), torch.ones(1, 2, dtype=torch.bool)
    >>> mis(old, torch.zeros(1, 2), one)
    tensor([[0.0000, 0.5000]])
    """
    w = _weight(old_logp, sampler_logp, mask)
    return torch.where(w <= cap, w, 0)


def icepop(
    old_logp: PerToken, sampler_logp: PerToken, mask: Mask, *, low: Number = 0.5, high: Number = 5.0
) -> PerToken:
    """Return w where low ≤ w ≤ high and 0 elsewhere: IcePop, 2510.18855 (0.5 and 5 there).

    >>> old, one = torch.tensor([[3.0, 0.1]]).log(), torch.ones(1, 2, dtype=torch.bool)
    >>> icepop(old, torch.zeros(1, 2), one).round(decimals=4)
    tensor([[3., 0.]])
    """
    w = _weight(old_logp, sampler_logp, mask)
    return torch.where((w >= low) & (w <= high), w, 0)


def sequence_tis(
    old_logp: PerToken, sampler_logp: PerToken, mask: Mask, *, cap: Number = 2.0
) -> PerToken:
    """Return min(Π_t w_t, cap) of the whole sequence, given to each of its tokens.

    >>> old, one = torch.tensor([[3.0, 0.5]]).log(), torch.ones(1, 2, dtype=torch.bool)
    >>> sequence_tis(old, torch.zeros(1, 2), one)
    tensor([[1.5000, 1.5000]])
    """
    w = _sequence_weight(old_logp, sampler_logp, mask).clamp(max=cap)
    return masked(w.expand(mask.shape), mask)


def sequence_mask(
    old_logp: PerToken, sampler_logp: PerToken, mask: Mask, *, cap: Number = 3.0
) -> PerToken:
    """Return Π_t w_t of the sequence where it is ≤ cap, else 0; TRL's default with vLLM.

    >>> old, one = torch.tensor([[3.0, 2.0]]).log(), torch.ones(1, 2, dtype=torch.bool)
    >>> sequence_mask(old, torch.zeros(1, 2), one)
    tensor([[0., 0.]])
    """
    w = _sequence_weight(old_logp, sampler_logp, mask)
    return masked(torch.where(w <= cap, w, 0).expand(mask.shape), mask)


def geometric_mask(
    old_logp: PerToken,
    sampler_logp: PerToken,
    mask: Mask,
    *,
    low: Number = 0.999,
    high: Number = 1.001,
) -> PerToken:
    """Return 1 where the geometric mean of the sequence's 1/w is within [low, high], else 0.

    Li et al. 2025, https://richardli.xyz/rl-collapse; verl's `seq_mean_k1`. A mean, so that long
    responses are not refused for their length. The bounds are verl's.

    >>> old, one = torch.tensor([[1.1, 1.1]]).log(), torch.ones(1, 2, dtype=torch.bool)
    >>> geometric_mask(old, torch.zeros(1, 2), one, low=0.95, high=1.05)
    tensor([[0., 0.]])
    """
    mean = row_mean(log_ratio(sampler_logp, old_logp, mask), mask).exp()
    return ((mean >= low) & (mean <= high) & mask).to(mean)


def k3_mask(
    old_logp: PerToken, sampler_logp: PerToken, mask: Mask, *, threshold: Number = 0.01
) -> PerToken:
    """Return 1 where the mean of w − 1 − log w over the sequence is ≤ threshold, else 0.

    The k3 estimate of KL(π_sampler‖π_old) in nats a token; verl's `seq_mean_k3`. Never negative,
    so that deviations of both signs add up instead of cancelling.

    >>> old, one = torch.tensor([[2.0, 0.5]]).log(), torch.ones(1, 2, dtype=torch.bool)
    >>> k3_mask(old, torch.zeros(1, 2), one), geometric_mask(old, torch.zeros(1, 2), one)
    (tensor([[0., 0.]]), tensor([[1., 1.]]))
    """
    lr = log_ratio(old_logp.detach(), sampler_logp, mask)
    mean = row_mean(lr.expm1() - lr, mask)
    return ((mean <= threshold) & mask).to(mean)


def seq_mask_tis(
    old_logp: PerToken,
    sampler_logp: PerToken,
    mask: Mask,
    *,
    low: Number = 0.999,
    high: Number = 1.001,
    cap: Number = 2.0,
) -> PerToken:
    """Return min(w, cap) per token in the sequences that `geometric_mask` keeps, and 0 elsewhere.

    A sequence mask with token weights: NeMo-RL's and OpenRLHF's `seq-mask-tis`, whose weights have
    no cap; verl's `rollout_rs = "seq_mean_k1"` with `rollout_is = "token"`.

    >>> old, one = torch.tensor([[1.1, 0.9]]).log(), torch.ones(1, 2, dtype=torch.bool)
    >>> seq_mask_tis(old, torch.zeros(1, 2), one, low=0.9, high=1.1).round(decimals=4)
    tensor([[1.1000, 0.9000]])
    """
    kept = geometric_mask(old_logp, sampler_logp, mask, low=low, high=high)
    return kept * tis(old_logp, sampler_logp, mask, cap=cap)


def k3_mask_tis(
    old_logp: PerToken,
    sampler_logp: PerToken,
    mask: Mask,
    *,
    threshold: Number = 0.01,
    cap: Number = 2.0,
) -> PerToken:
    """Return min(w, cap) per token in the sequences that `k3_mask` keeps, and 0 elsewhere.

    verl's `rollout_rs = "seq_mean_k3"` with `rollout_is = "token"`.

    >>> old, one = torch.tensor([[1.1, 0.9]]).log(), torch.ones(1, 2, dtype=torch.bool)
    >>> k3_mask_tis(old, torch.zeros(1, 2), one).round(decimals=4)
    tensor([[1.1000, 0.9000]])
    """
    kept = k3_mask(old_logp, sampler_logp, mask, threshold=threshold)
    return kept * tis(old_logp, sampler_logp, mask, cap=cap)


def second_moment_mask(
    old_logp: PerToken, sampler_logp: PerToken, mask: Mask, *, limit: Number
) -> Mask:
    """Return which tokens stay when the largest (log w)² go until the mean of it is ≤ `limit`.

    M2PO, 2510.01161. Of a whole update: the mean is over all the tokens that it is given.

    >>> old, one = torch.tensor([[0.1, -0.2, 0.5]]), torch.ones(1, 3, dtype=torch.bool)
    >>> second_moment_mask(old, torch.zeros(1, 3), one, limit=0.04)
    tensor([[ True,  True, False]])
    """
    square = log_ratio(old_logp.detach(), sampler_logp, mask)[mask].double().square()
    ordered, order = square.sort()
    means = ordered.cumsum(0) / torch.arange(1, len(ordered) + 1, device=ordered.device)
    kept = torch.zeros_like(mask[mask])
    kept[order[means <= limit]] = True
    return torch.zeros_like(mask).masked_scatter(mask, kept)


def off_policy_mask(
    logp: PerToken,
    sampler_logp: PerToken,
    advantages: PerSequence,
    mask: Mask,
    *,
    threshold: Number,
) -> PerToken:
    """Return 0 for sequences with A < 0 and mean(log π_sampler − log π) > δ, else 1.

    The off-policy sequence mask of DeepSeek-V3.2, 2512.02556; pass the result as
    `LossInputs.token_scale`.

    >>> logp, sampler = torch.tensor([[-5.0]]), torch.tensor([[-1.0]])
    >>> one = torch.ones(1, 1, dtype=torch.bool)
    >>> off_policy_mask(logp, sampler, torch.tensor([-1.0]), one, threshold=1.0)
    tensor([[0.]])
    """
    drift = masked(upcast(sampler_logp).detach() - upcast(logp).detach(), mask)
    mean = drift.sum(-1) / mask.sum(-1).clamp(min=1)
    keep = (advantages >= 0) | (mean <= threshold)
    return (keep[:, None] & mask).to(drift)


CORRECTIONS: dict[str, Callable[..., Tensor]] = {
    "tis": tis,
    "mis": mis,
    "icepop": icepop,
    "sequence_tis": sequence_tis,
    "sequence_mask": sequence_mask,
    "geometric_mask": geometric_mask,
    "k3_mask": k3_mask,
    "seq_mask_tis": seq_mask_tis,
    "k3_mask_tis": k3_mask_tis,
}
"""Names -> functions (old_logp, sampler_logp, mask, *, options) -> weights [B, T]."""
