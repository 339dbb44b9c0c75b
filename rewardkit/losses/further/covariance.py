"""Clip-Cov and KL-Cov: the tokens of highest covariance are treated apart, 2505.22617.

The covariance term of a token, (A − mean A)(log π − mean log π), is what lowers entropy. Both
means, and the choice of tokens, run over all tokens that are passed: pass the whole optimiser
batch at once where that matters, for a micro-batch would choose among its own tokens.
"""

from __future__ import annotations

import torch

from rewardkit.losses.surrogates import Surrogate, ppo_clip, surrogate
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


def covariance(logp: PerToken, advantages: Advantages, mask: Mask) -> PerToken:
    """Return (A − mean A)(log π − mean log π) of each token, 2505.22617; 0 under the mask.

    >>> logp = torch.tensor([[-1.0, -3.0]])
    >>> covariance(logp, torch.tensor([[1.0, 0.0]]), torch.ones(1, 2, dtype=torch.bool))
    tensor([[0.5000, 0.5000]])
    """
    count = mask.sum().clamp(min=1)
    a = masked(per_token(advantages, mask, logp).expand(mask.shape), mask)
    lp = masked(upcast(logp).detach(), mask)
    return masked((a - a.sum() / count) * (lp - lp.sum() / count), mask)


@surrogate
def clip_cov(
    logp: PerToken,
    old_logp: PerToken,
    advantages: Advantages,
    mask: Mask,
    *,
    clip_low: Number = 0.2,
    clip_high: Number = 0.2,
    share: Number = 2e-4,
    lower: Number = 1.0,
    upper: Number = 5.0,
    generator: torch.Generator | None = None,
) -> Surrogate:
    """Return PPO's loss without a few random tokens of high covariance: Clip-Cov, 2505.22617.

    Of the tokens with covariance in (`lower`, `upper`) that PPO does not clip anyway, a `share`
    of all tokens (at least one) is drawn at random and detached.

    >>> logp = torch.tensor([[-1.0, -9.0]])
    >>> found = clip_cov(logp, logp, torch.tensor([[1.0, 0.2]]), torch.ones(1, 2).bool())
    >>> int((found.losses == 0).sum())
    1
    """
    found = ppo_clip(logp, old_logp, advantages, mask, clip_low=clip_low, clip_high=clip_high)
    cov = covariance(logp, advantages, mask)
    free = mask & ~found.clipped_high & ~found.clipped_low
    candidates = (free & (cov > lower) & (cov < upper)).flatten().nonzero()[:, 0]
    count = max(int(share * int(mask.sum())), 1)
    order = torch.randperm(len(candidates), generator=generator).to(candidates.device)
    drop = torch.zeros_like(mask).flatten()
    drop[candidates[order[:count]]] = True
    return found._replace(losses=torch.where(drop.view_as(mask), 0, found.losses))


@surrogate
def kl_cov(
    logp: PerToken,
    old_logp: PerToken,
    advantages: Advantages,
    mask: Mask,
    *,
    share: Number = 2e-4,
    coef: Number = 1.0,
) -> Surrogate:
    """Return −ρA, plus `coef`·|log ρ| on the `share` of highest covariance: KL-Cov.

    >>> new, old = torch.tensor([[-1.0, -2.0]]), torch.tensor([[-1.0, -1.0]])
    >>> found = kl_cov(new, old, torch.zeros(1), torch.ones(1, 2, dtype=torch.bool), share=1.0)
    >>> found.losses.abs()
    tensor([[0., 1.]])
    """
    a = per_token(advantages, mask, logp)
    lr = log_ratio(logp, old_logp, mask)
    ratio = lr.exp()
    never = torch.zeros_like(mask)
    chosen = torch.zeros_like(mask).flatten()
    tokens = int(mask.sum())
    if tokens:
        cov = torch.where(mask, covariance(logp, advantages, mask), -torch.inf).flatten()
        chosen[cov.topk(max(int(share * tokens), 1)).indices] = True
    penalty = torch.where(chosen.view_as(mask), coef * lr.abs(), 0)
    return Surrogate(masked(-a * ratio, mask) + penalty, lr.detach(), ratio.detach(), never, never)
