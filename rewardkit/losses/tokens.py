"""Masked token tensors: how padding is kept out of values and out of gradients."""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor

PerToken = Float[Tensor, "B T"]
"""A number for each token of B responses, padded on the right to T."""
PerSequence = Float[Tensor, " B"]
Mask = Bool[Tensor, "B T"]
"""Which tokens count."""
Advantages = PerSequence | PerToken
Number = float | int
"""What Python lets stand for a float; a checker at run time is told so."""

LIMIT = 20.0
"""Log-ratios are cut to ±20: exp(20) = 4.9e8 is finite in float32, and no gradient passes there."""


def upcast(x: Tensor) -> Tensor:
    """Return `x` in float32 if it is narrower; bfloat16 keeps too few digits for a difference."""
    return x.float() if x.dtype in (torch.bfloat16, torch.float16) else x


def masked(x: PerToken, mask: Mask) -> PerToken:
    """Return `x` with 0 wherever the mask is off, whatever is there (NaN and inf too).

    `torch.where` and not `x * mask`: NaN times 0 is NaN. Its gradient under the mask is exactly 0
    because the value that goes on from here no longer depends on what was there.
    """
    return torch.where(mask, x, 0)


def log_ratio(logp: PerToken, old_logp: PerToken, mask: Mask) -> PerToken:
    """Return log π − log π_old per token, cut to ±20, and 0 under the mask.

    The old log-probabilities are data: no gradient flows into them.
    """
    return difference(logp, old_logp, mask).clamp(-LIMIT, LIMIT)


def difference(
    logp: Float[Tensor, "B T"], old_logp: Float[Tensor, "B T"], mask: Bool[Tensor, "B T"]
) -> Float[Tensor, "B T"]:
    """Return `log_ratio` as it is, not cut."""
    return masked(upcast(logp) - upcast(old_logp).detach(), mask)


def per_token(advantages: Advantages, mask: Mask, logp: PerToken) -> Tensor:
    """Return advantages that broadcast over tokens: [B, 1], or [B, T] with 0 under the mask.

    In the type that the loss is computed in, that of the widened log-probabilities: the float64
    of an estimator would otherwise double the memory of every tensor after it.
    """
    advantages = advantages.detach().to(upcast(logp[:0]).dtype)
    return advantages[:, None] if advantages.ndim == 1 else masked(advantages, mask)


def per_sequence(advantages: Advantages, mask: Mask, logp: PerToken) -> Float[Tensor, "B 1"]:
    """Return one advantage a sequence, [B, 1]: given, or the mean of those of its tokens."""
    found = per_token(advantages, mask, logp)
    return found if advantages.ndim == 1 else row_mean(found, mask)


def by_sign(a: Tensor, *, negative: Number, otherwise: Number) -> Tensor:
    """Return one number where `a` < 0 and another elsewhere, in the type of `a`.

    `torch.where` on two Python numbers answers in float32, where 1.28 is 1.27999997.
    """
    return torch.where(a < 0, a.new_tensor(negative), a.new_tensor(otherwise))


def row_mean(x: PerToken, mask: Mask) -> Float[Tensor, "B 1"]:
    """Return each row's mean over its tokens, [B, 1]; `x` is 0 under the mask; 0 for no tokens."""
    return x.sum(-1, keepdim=True) / mask.sum(-1, keepdim=True).clamp(min=1)
