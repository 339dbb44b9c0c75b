"""KL estimators: log-probabilities of the same sampled tokens under two policies -> KL per token.

k1, k2, k3 are Schulman's, http://joschu.net/blog/kl-approx.html. With samples of π, k1 and k3 are
unbiased estimates of KL(π‖π_ref); as a *loss*, only k2's gradient is. "k1+", "k3+" and "abs+" take
the value of the estimator and the gradient of k2 (straight through). Values, and the gradients of
the others, end at a difference of 20 nats; the gradient of these goes on, so that a policy far from
its reference is still pulled back.
"""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor

from rewardkit.errors import UnknownNameError
from rewardkit.losses.tokens import LIMIT, Mask, Number, PerToken, difference
from rewardkit.recipes import DISTRIBUTIONS


def _k1(d: Tensor) -> Tensor:
    """D."""
    return d


def _abs(d: Tensor) -> Tensor:
    """|d|."""
    return d.abs()


def _k2(d: Tensor) -> Tensor:
    """½d²."""
    return 0.5 * d.square()


def _k3(d: Tensor) -> Tensor:
    """e^(−d) + d − 1, as expm1(−d) + d: nothing is lost to cancellation for small d."""
    return (-d).expm1() + d


FARTHEST = 1e4
"""Nats: the largest gradient, and the square of it is finite in float32."""


def _cut(estimator: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    return lambda d: estimator(d.clamp(-LIMIT, LIMIT))


def _straight_through(estimator: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    """Return the estimator's value with k2's gradient."""

    def estimate(d: Tensor) -> Tensor:
        pull = _k2(d.clamp(-FARTHEST, FARTHEST))
        return _cut(estimator)(d).detach() + (pull - pull.detach())

    return estimate


KL_ESTIMATORS: dict[str, Callable[[Tensor], Tensor]] = {
    "k1": _cut(_k1),
    "abs": _cut(_abs),
    "k2": _cut(_k2),
    "k3": _cut(_k3),
    "k1+": _straight_through(_k1),
    "abs+": _straight_through(_abs),
    "k3+": _straight_through(_k3),
}
"""Names -> functions of d = log π − log π_ref."""


def kl(
    kind: str, logp: PerToken, ref_logp: PerToken, mask: Mask, *, cap: Number | None = None
) -> PerToken:
    """Return the KL estimate of each token, 0 under the mask.

    Args:
        kind: a name of `KL_ESTIMATORS`.
        logp: log π of the sampled tokens; gradients flow here alone.
        ref_logp: log π_ref of the same tokens.
        mask: which tokens count.
        cap: cut each value to ±cap; verl and NeMo cut k3 at 10, we do not.

    Raises:
        UnknownNameError: no such estimator.

    >>> import torch
    >>> ones = torch.ones(1, 1, dtype=torch.bool)
    >>> kl("k2", torch.tensor([[-1.0]]), torch.tensor([[-3.0]]), ones).item()
    2.0
    """
    if kind not in KL_ESTIMATORS:
        raise UnknownNameError("KL estimator", kind, [*KL_ESTIMATORS, *DISTRIBUTIONS])
    value = KL_ESTIMATORS[kind](difference(logp, ref_logp, mask))
    return value if cap is None else value.clamp(-cap, cap)


def kl_reward(kind: str, logp: PerToken, ref_logp: PerToken, mask: Mask, coef: Number) -> PerToken:
    """Return −β·KL per token, to be added to the reward (`AdvantageInputs.token_rewards`).

    2203.02155 eq. 2, with "k1" and the log-probabilities of the policy that sampled.

    >>> import torch
    >>> ones = torch.ones(1, 1, dtype=torch.bool)
    >>> kl_reward("k1", torch.tensor([[-1.0]]), torch.tensor([[-3.0]]), ones, 0.5).item()
    -1.0
    """
    return -coef * kl(kind, logp.detach(), ref_logp, mask)
