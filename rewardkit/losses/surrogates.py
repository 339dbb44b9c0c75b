"""The surrogates that recipes use: log-probabilities and advantages -> the loss of each token.

All take `(logp, old_logp, advantages, mask)` first and return a `Surrogate`; the loss is to be
minimised, is 0 under the mask, and is not yet aggregated. ρ = exp(log π − log π_old). One is known
to recipes by the name of its function (`surrogate`); those that few need are in `further`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple, TypeVar

import torch
from torch import Tensor

from rewardkit.errors import ConfigError
from rewardkit.losses.tokens import (
    Advantages,
    Mask,
    Number,
    PerToken,
    by_sign,
    log_ratio,
    masked,
    per_token,
    row_mean,
    upcast,
)


class Surrogate(NamedTuple):
    """The loss of each token, and what is worth logging of it; only `losses` has a gradient."""

    losses: PerToken
    log_ratio: PerToken
    """log ρ of each token, to the old policy."""
    ratio: PerToken
    """ρ as the surrogate uses it, of a token or of its sequence."""
    clipped_high: Mask
    """Where the upper bound of the clip range took effect."""
    clipped_low: Mask
    """Where the lower one did."""


SURROGATES: dict[str, Callable[..., Surrogate]] = {}
"""Names -> functions (logp, old_logp, advantages, mask, *, options) -> `Surrogate`."""

F = TypeVar("F", bound=Callable[..., Surrogate])


def surrogate(function: F) -> F:
    """Make a function known to recipes by its name."""
    SURROGATES[function.__name__] = function
    return function


@surrogate
def ppo_clip(
    logp: PerToken,
    old_logp: PerToken,
    advantages: Advantages,
    mask: Mask,
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


@surrogate
def policy_gradient(
    logp: PerToken, old_logp: PerToken, advantages: Advantages, mask: Mask
) -> Surrogate:
    """Return −A log π: REINFORCE, and GPG's loss, 2504.02546.

    >>> logp = torch.tensor([[-2.0]])
    >>> policy_gradient(logp, logp, torch.tensor([3.0]), torch.ones(1, 1, dtype=torch.bool))[0]
    tensor([[6.]])
    """
    a = per_token(advantages, mask, logp)
    losses = masked(-a * masked(upcast(logp), mask), mask)
    return without_clipping(losses, log_ratio(logp.detach(), old_logp, mask), mask)


@surrogate
def cispo(
    logp: PerToken,
    old_logp: PerToken,
    advantages: Advantages,
    mask: Mask,
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


@surrogate
def gspo(
    logp: PerToken,
    old_logp: PerToken,
    advantages: Advantages,
    mask: Mask,
    *,
    clip_low: Number = 3e-4,
    clip_high: Number = 4e-4,
) -> Surrogate:
    """Return −min(sA, clip(s)A) with s the geometric mean of ρ over the sequence: GSPO.

    2507.18071 eq. 5-7, in the form of GSPO-token (eq. 13-14): each token carries s in value and
    its own log-probability in gradient. With one advantage a sequence that is GSPO itself.

    >>> new, old = torch.tensor([[-1.0, -1.0]]), torch.tensor([[-1.2, -1.0]])
    >>> found = gspo(new, old, torch.ones(1), torch.ones(1, 2, dtype=torch.bool), clip_high=9.0)
    >>> [round(x, 4) for x in found.losses.tolist()[0]]
    [-1.1052, -1.1052]
    """
    a = per_token(advantages, mask, logp)
    lr = log_ratio(logp, old_logp, mask)
    s = row_mean(lr.detach(), mask).exp()
    # exp(0) = 1 carries the gradient of its token's log-probability and adds nothing to the value.
    ratio = s * (lr - lr.detach()).exp()
    floor = by_sign(a, negative=1 - clip_low, otherwise=0)
    ceiling = by_sign(a, negative=math.inf, otherwise=1 + clip_high)
    losses = masked(-a * ratio.clamp(floor, ceiling), mask)
    high, low = (s > ceiling) & mask, (s < floor) & mask
    return Surrogate(losses, lr.detach(), s.expand_as(lr), high, low)


def without_clipping(losses: Tensor, lr: Tensor, mask: Tensor) -> Surrogate:
    """Return a surrogate that bounds nothing, from its losses and log ρ."""
    never = torch.zeros_like(mask)
    return Surrogate(losses, lr, lr.exp(), never, never)
