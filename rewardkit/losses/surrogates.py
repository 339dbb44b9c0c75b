"""Surrogates on tokens: log-probabilities and advantages -> the loss of each token.

All take `(logp, old_logp, advantages, mask)` first and return a `Surrogate`; the loss is to be
minimised, is 0 under the mask, and is not yet aggregated. ρ = exp(log π − log π_old).
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from rewardkit.errors import ConfigError
from rewardkit.losses.tokens import Number, by_sign, log_ratio, masked, per_token, upcast


class Surrogate(NamedTuple):
    """The loss of each token, and what is worth logging of it; only `losses` has a gradient."""

    losses: Float[Tensor, "B T"]
    log_ratio: Float[Tensor, "B T"]
    """log ρ of each token, to the old policy."""
    ratio: Float[Tensor, "B T"]
    """ρ as the surrogate uses it, of a token or of its sequence."""
    clipped_high: Bool[Tensor, "B T"]
    """Where the upper bound of the clip range took effect."""
    clipped_low: Bool[Tensor, "B T"]
    """Where the lower one did."""


Advantages = Float[Tensor, " B"] | Float[Tensor, "B T"]


def ppo_clip(
    logp: Float[Tensor, "B T"],
    old_logp: Float[Tensor, "B T"],
    advantages: Advantages,
    mask: Bool[Tensor, "B T"],
    *,
    clip_low: Number = 0.2,
    clip_high: Number = 0.2,
    dual_clip: Number | None = None,
    delta: Number | None = None,
) -> Surrogate:
    """Return −min(ρA, clip(ρ, 1−ε_low, 1+ε_high)A): PPO, 1707.06347 eq. 7.

    ε_low ≠ ε_high is DAPO's clip-higher, 2503.14476 eq. 8. The minimum only ever bounds ρ from
    above where A ≥ 0 and from below where A < 0, so that it is one clamp with bounds that depend
    on the sign of A.

    Args:
        logp: log π of the sampled tokens.
        old_logp: log π_old, of the policy that sampled them.
        advantages: one a sequence, or one a token.
        mask: which tokens count.
        clip_low: ε_low.
        clip_high: ε_high.
        dual_clip: c > 1 bounds the loss where A < 0 by −cA, 1912.09729; verl always has 3.
        delta: TRL's two-sided clipping, min(ρ, δ) in the unclipped term whatever the sign of A,
            2505.07291; the same as `dual_clip` iff δ > 1 + ε_high.

    Raises:
        ConfigError: `dual_clip` is not above 1.

    >>> old = torch.tensor([[0.01, 0.9]]).log()
    >>> new = torch.tensor([[0.02, 1.0]]).log()
    >>> found = ppo_clip(new, old, torch.ones(1), torch.ones(1, 2, dtype=torch.bool))
    >>> [round(x, 3) for x in (-found.losses * old.exp()).tolist()[0]]
    [0.012, 1.0]
    """
    if dual_clip is not None and dual_clip <= 1:
        raise ConfigError(f"dual_clip must be above 1, found {dual_clip}")
    a = per_token(advantages, mask, logp)
    lr = log_ratio(logp, old_logp, mask)
    ratio = lr.exp()
    ceiling = _ceiling(a, clip_high, dual_clip, delta)
    floor = by_sign(a, negative=1 - clip_low, otherwise=0)
    bounded = ratio.clamp(floor, ceiling)
    with torch.no_grad():
        high, low = ratio > ceiling, ratio < floor
    return Surrogate(masked(-a * bounded, mask), lr.detach(), ratio.detach(), high, low)


def _ceiling(
    a: Tensor, clip_high: Number, dual_clip: Number | None, delta: Number | None
) -> Tensor:
    """Return the bound on ρ from above: 1+ε_high where A ≥ 0, else none, c or δ."""
    for_positive, for_negative = 1.0 + clip_high, torch.inf if dual_clip is None else dual_clip
    if delta is not None:
        # min(min(ρ,δ)A, clip(ρ)A): for A ≥ 0 the lower of the two caps; for A < 0 the clipped
        # term never lets ρ count for less than clip(ρ), which reaches 1+ε_high.
        for_positive = min(for_positive, delta)
        for_negative = min(for_negative, max(delta, for_positive, 1.0 + clip_high))
    return by_sign(a, negative=for_negative, otherwise=for_positive)


def policy_gradient(
    logp: Float[Tensor, "B T"],
    old_logp: Float[Tensor, "B T"],
    advantages: Advantages,
    mask: Bool[Tensor, "B T"],
) -> Surrogate:
    """Return −A log π: REINFORCE, and GPG's loss, 2504.02546.

    >>> logp = torch.tensor([[-2.0]])
    >>> policy_gradient(logp, logp, torch.tensor([3.0]), torch.ones(1, 1, dtype=torch.bool))[0]
    tensor([[6.]])
    """
    a = per_token(advantages, mask, logp)
    losses = masked(-a * masked(upcast(logp), mask), mask)
    return _without_clipping(losses, log_ratio(logp.detach(), old_logp, mask), mask)


def cispo(
    logp: Float[Tensor, "B T"],
    old_logp: Float[Tensor, "B T"],
    advantages: Advantages,
    mask: Bool[Tensor, "B T"],
    *,
    clip_low: Number = 1.0,
    clip_high: Number = 4.0,
) -> Surrogate:
    """Return −sg[clip(ρ, 1−ε_low, 1+ε_high)] A log π: CISPO, 2506.13585 eq. 4-5.

    Clipped tokens keep a gradient: the weight is clipped, not the update. Both ε are distances
    from 1, as in verl; TRL's `epsilon_high` is the cap itself, 1 + ε_high here. `clip_low=1`
    is no lower bound, as in the paper.

    >>> one = torch.ones(1, 1, dtype=torch.bool)
    >>> cispo(torch.tensor([[-1.0]]), torch.tensor([[-9.0]]), torch.ones(1), one).losses.item()
    5.0
    """
    a = per_token(advantages, mask, logp)
    with torch.no_grad():
        lr = log_ratio(logp, old_logp, mask)
        ratio = lr.exp()
        high, low = ratio > 1 + clip_high, ratio < 1 - clip_low
        weight = -a * ratio.clamp(1 - clip_low, 1 + clip_high)
    return Surrogate(masked(weight * masked(upcast(logp), mask), mask), lr, ratio, high, low)


def sapo(
    logp: Float[Tensor, "B T"],
    old_logp: Float[Tensor, "B T"],
    advantages: Advantages,
    mask: Bool[Tensor, "B T"],
    *,
    tau_positive: Number = 1.0,
    tau_negative: Number = 1.05,
) -> Surrogate:
    """Return −(4/τ) σ(τ(ρ−1)) A with τ by the sign of A: SAPO's soft gate, 2511.20347.

    >>> same = torch.tensor([[-1.0]])
    >>> sapo(same, same, torch.tensor([2.0]), torch.ones(1, 1, dtype=torch.bool)).losses.item()
    -4.0
    """
    a = per_token(advantages, mask, logp)
    lr = log_ratio(logp, old_logp, mask)
    ratio = lr.exp()
    tau = by_sign(-a, negative=tau_positive, otherwise=tau_negative)
    gate = (tau * (ratio - 1)).sigmoid()
    found = _without_clipping(masked((-4 * a / tau) * gate, mask), lr.detach(), mask)
    return found._replace(ratio=ratio.detach())


def dppo_tv(
    logp: Float[Tensor, "B T"],
    old_logp: Float[Tensor, "B T"],
    advantages: Advantages,
    mask: Bool[Tensor, "B T"],
    *,
    clip_low: Number = 0.2,
    clip_high: Number = 0.2,
    cap: Number = 20.0,
) -> Surrogate:
    """Return −A sg[min(ρ, cap)] log π where the token's total variation allows: DPPO, 2602.04879.

    A token is dropped when the update would push its probability further away than it already
    is: π − π_old > `clip_high` with A > 0, or π_old − π > `clip_low` with A ≤ 0. The two widths
    are differences of probabilities, not of ratios. The cap is the paper's 20; verl 0.9.1 says 20
    and applies its `clip_ratio_c`, 3.

    >>> one, a = torch.ones(1, 1, dtype=torch.bool), torch.ones(1)
    >>> new, old = torch.tensor([[0.9]]).log(), torch.tensor([[0.5]]).log()
    >>> abs(dppo_tv(new, old, a, one).losses.item())
    0.0
    """
    with torch.no_grad():
        new, old = masked(upcast(logp), mask).exp(), masked(upcast(old_logp), mask).exp()
        rise = new - old
        high, low = rise > clip_high, -rise > clip_low
    return _trust_region(logp, old_logp, advantages, mask, high, low, cap)


def dppo_kl(
    logp: Float[Tensor, "B T"],
    old_logp: Float[Tensor, "B T"],
    advantages: Advantages,
    mask: Bool[Tensor, "B T"],
    *,
    clip_low: Number = 0.2,
    clip_high: Number = 0.2,
    cap: Number = 20.0,
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
    return _trust_region(logp, old_logp, advantages, mask, high, low, cap)


def _trust_region(
    logp: Tensor,
    old_logp: Tensor,
    advantages: Tensor,
    mask: Tensor,
    high: Tensor,
    low: Tensor,
    cap: Number,
) -> Surrogate:
    a = per_token(advantages, mask, logp)
    with torch.no_grad():
        lr = log_ratio(logp, old_logp, mask)
        ratio = lr.exp()
        high, low = high & (a > 0) & mask, low & (a <= 0) & mask
        weight = torch.where(high | low, 0, -a * ratio.clamp(max=cap))
    return Surrogate(masked(weight * masked(upcast(logp), mask), mask), lr, ratio, high, low)


def _without_clipping(losses: Tensor, lr: Tensor, mask: Tensor) -> Surrogate:
    never = torch.zeros_like(mask)
    return Surrogate(losses, lr, lr.exp(), never, never)
