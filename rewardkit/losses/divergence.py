"""How far a policy's whole distribution over the vocabulary is from a teacher's, token by token.

π is the policy, q the teacher, both at one place of a response; sums run over the vocabulary.

| name | D | ∂D/∂π_v, up to a constant |
|---|---|---|
| `reverse_kl` | Σ π log(π / q), 2306.08543 eq. 1 | log(π_v / q_v) |
| `forward_kl` | Σ q log(q / π) | −q_v / π_v |
| `jsd` | β KL(q‖m) + (1−β) KL(π‖m), m = βq + (1−β)π, 2306.13649 eq. 1 | (1−β) log(π_v / m_v) |

With `top` both are looked at over the k likeliest tokens alone, the teacher's where it leads
(`forward_kl`) and the policy's else; all others are one token more, or with `tail` off left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from rewardkit.errors import ConfigError, UnknownNameError
from rewardkit.losses.tokens import Number

LEAST = 1e-30
"""Of a tail: what is left of 1 by rounding has a logarithm."""


class Divergence(NamedTuple):
    """What `divergence` finds at each of N places."""

    value: Float[Tensor, " N"]
    """How far the policy is from the teacher, in nats."""
    gradient: Float[Tensor, "N V"]
    """Of the value, in the policy's logits."""


def _reverse_kl(p: Tensor, log_p: Tensor, q: Tensor, log_q: Tensor, beta: Number) -> _Found:
    apart = log_p - log_q
    return (p * apart).sum(-1), p * (apart + 1)


def _forward_kl(p: Tensor, log_p: Tensor, q: Tensor, log_q: Tensor, beta: Number) -> _Found:
    return (q * (log_q - log_p)).sum(-1), -q


def _jsd(p: Tensor, log_p: Tensor, q: Tensor, log_q: Tensor, beta: Number) -> _Found:
    # Of two that are nearly 0, half the sum would be 0, and its logarithm nothing to subtract.
    log_m = torch.logaddexp(log_p + math.log1p(-beta), log_q + math.log(beta))
    of_p = (1 - beta) * p * (log_p - log_m)
    return (of_p + beta * q * (log_q - log_m)).sum(-1), of_p


_Found = tuple[Tensor, Tensor]
"""D [N], and π_v ∂D/∂π_v [N, K]."""
DIVERGENCES: dict[str, Callable[..., _Found]] = {
    "reverse_kl": _reverse_kl,
    "forward_kl": _forward_kl,
    "jsd": _jsd,
}
"""Names -> functions of π, log π, q, log q and β."""


def divergence(
    kind: str,
    logits: Float[Tensor, "N V"],
    teacher_logits: Float[Tensor, "N V"],
    *,
    beta: Number = 0.5,
    top: int = 0,
    tail: bool = True,
) -> Divergence:
    """Return how far the policy is from the teacher, and the gradient in the policy's logits.

    The gradient at logit v is h_v − π_v Σ h, with h_v = π_v ∂D/∂π_v.

    Args:
        kind: a name of `DIVERGENCES`.
        logits: of the policy, float32 or float64, divided by the temperature.
        teacher_logits: of the teacher, over the same vocabulary.
        beta: β of `jsd`: near 0 as `forward_kl`, near 1 as `reverse_kl`, times β or 1 − β.
        top: k; 0 is the whole vocabulary.
        tail: whether with `top` all other tokens count as one (TRL), or not at all (verl).

    Raises:
        UnknownNameError: no such divergence. ConfigError: a β or k that cannot be.

    >>> logits, teachers = torch.tensor([[0.0, 0.0]]), torch.tensor([[0.0, 1.0986]])
    >>> found = divergence("forward_kl", logits, teachers)  # ¼ log ½ + ¾ log 1½
    >>> round(found.value.item(), 4), [round(x, 4) for x in found.gradient[0].tolist()]
    (0.1308, [0.25, -0.25])
    """
    if kind not in DIVERGENCES:
        raise UnknownNameError("divergence", kind, DIVERGENCES)
    if not 0 < beta < 1:
        raise ConfigError(
            f"beta must be above 0 and below 1, found {beta}; 0 is forward_kl, 1 reverse_kl"
        )
    if top < 0:
        raise ConfigError(f"top is a number of tokens, 0 for all, found {top}")
    log_p, log_q = logits.detach().log_softmax(-1), teacher_logits.detach().log_softmax(-1)
    if not top or top >= logits.shape[-1]:
        p = log_p.exp()
        value, h = DIVERGENCES[kind](p, log_p, log_q.exp(), log_q, beta)
        return Divergence(value, h - p * h.sum(-1, keepdim=True))
    likeliest = (log_q if kind == "forward_kl" else log_p).topk(top, -1).indices
    some_p, some_q = log_p.gather(-1, likeliest), log_q.gather(-1, likeliest)
    if tail:
        some_p, some_q = (torch.cat([one, _rest(one)], -1) for one in (some_p, some_q))
    value, h = DIVERGENCES[kind](some_p.exp(), some_p, some_q.exp(), some_q, beta)
    p = log_p.exp()
    share = h[:, -1:] / some_p[:, -1:].exp() if tail else torch.zeros_like(h[:, :1])
    gradient = (p * share).scatter(-1, likeliest, h[:, :top])
    return Divergence(value, gradient - p * h.sum(-1, keepdim=True))


def _rest(logp: Tensor) -> Tensor:
    """Return the logarithm of what some probabilities leave of 1, [N, 1]."""
    return (-torch.expm1(logp.logsumexp(-1, keepdim=True))).clamp(min=LEAST).log()
