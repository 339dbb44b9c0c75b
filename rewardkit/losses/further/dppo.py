"""DPPO: a trust region of each token's probability, not of its ratio, 2602.04879."""

from __future__ import annotations

import torch
from torch import Tensor

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
def dppo_tv(
    logp: PerToken,
    old_logp: PerToken,
    advantages: Advantages,
    mask: Mask,
    *,
    clip_low: Number = 0.2,
    clip_high: Number = 0.2,
    cap: Number = 20.0,
    kl_tau: Number = 0.0,
) -> Surrogate:
    """Return −A sg[min(ρ, cap)] log π where the token's total variation allows: DPPO, 2602.04879.

    A token is dropped when the update would push its probability further away than it already
    is: π − π_old > `clip_high` with A > 0, or π_old − π > `clip_low` with A ≤ 0. The two widths
    are differences of probabilities, not of ratios. The cap is the paper's 20; verl 0.9.1 says 20
    and applies its `clip_ratio_c`, 3. `kl_tau` adds that much of (log ρ)², dropped tokens' too:
    prime-rl's default loss (`default_loss_fn`), in which π_old is the sampler's (`bypass`).

    >>> one, a = torch.ones(1, 1, dtype=torch.bool), torch.ones(1)
    >>> new, old = torch.tensor([[0.9]]).log(), torch.tensor([[0.5]]).log()
    >>> abs(dppo_tv(new, old, a, one).losses.item())
    0.0
    """
    with torch.no_grad():
        new, old = masked(upcast(logp), mask).exp(), masked(upcast(old_logp), mask).exp()
        rise = new - old
        high, low = rise > clip_high, -rise > clip_low
    return _trust_region(logp, old_logp, advantages, mask, high, low, cap, kl_tau)


@surrogate
def dppo_kl(
    logp: PerToken,
    old_logp: PerToken,
    advantages: Advantages,
    mask: Mask,
    *,
    clip_low: Number = 0.2,
    clip_high: Number = 0.2,
    cap: Number = 20.0,
    kl_tau: Number = 0.0,
) -> Surrogate:
    """Return the loss of `dppo_tv` with the binary KL(π_old‖π) of the token as its distance.

    2602.04879. The widths are KL divergences in nats; a token is dropped when its KL is above
    them and the update would push it further.

    >>> one, a = torch.ones(1, 1, dtype=torch.bool), torch.ones(1)
    >>> new, old = torch.tensor([[0.9]]).log(), torch.tensor([[0.5]]).log()
    >>> abs(dppo_kl(new, old, a, one).losses.item())
    0.0
    """
    tiny = 1e-8  # verl's; keeps the logarithm finite for a token that is certain
    with torch.no_grad():
        new, old = masked(upcast(logp), mask).exp(), masked(upcast(old_logp), mask).exp()
        d = log_ratio(logp, old_logp, mask)
        distance = -old * d + (1 - old) * ((1 - old + tiny) / (1 - new + tiny)).log()
        high = (distance > clip_high) & (new > old)
        low = (distance > clip_low) & (new < old)
    return _trust_region(logp, old_logp, advantages, mask, high, low, cap, kl_tau)


def _trust_region(
    logp: Tensor,
    old_logp: Tensor,
    advantages: Tensor,
    mask: Tensor,
    high: Tensor,
    low: Tensor,
    cap: Number,
    kl_tau: Number,
) -> Surrogate:
    a = per_token(advantages, mask, logp)
    lr = log_ratio(logp, old_logp, mask)
    with torch.no_grad():
        ratio = lr.exp()
        high, low = high & (a > 0) & mask, low & (a <= 0) & mask
        weight = torch.where(high | low, 0, -a * ratio.clamp(max=cap))
    losses = weight * masked(upcast(logp), mask) + kl_tau * lr.square()
    return Surrogate(masked(losses, mask), lr.detach(), ratio, high, low)
