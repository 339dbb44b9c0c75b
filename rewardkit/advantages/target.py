"""TPO: a group's responses are pulled towards a distribution over them, 2604.06159."""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from rewardkit.advantages.groups import TOLERANCE, Number, Segments, centre
from rewardkit.options import check_finite


def tpo(
    rewards: Float[Tensor, " B"],
    groups: Int[Tensor, " B"],
    old_logp: Float[Tensor, "B T"],
    mask: Bool[Tensor, "B T"],
    *,
    eta: Number = 1.0,
    length_normalized: bool = True,
    tol: Number = TOLERANCE,
) -> Float[Tensor, " B"]:
    """Return G(q − p) by group of G: target policy optimisation, 2604.06159 eq. 2-3.

    p is a softmax of the log-probabilities of the group's responses, q ∝ p exp(u/η) with the
    standardised reward u. p − q is the gradient of the cross-entropy −Σ q log p on those
    log-probabilities while the policy is the one that sampled: make one update a batch. G makes
    the mean over responses one over prompts.

    Args:
        rewards: one a sequence.
        groups: any ids, equal for samples of one prompt.
        old_logp: log π of each token under the policy that sampled.
        mask: which tokens count.
        eta: η, the temperature of the target.
        length_normalized: p of the mean over a response's tokens, which goes with
            `seq-mean-token-mean`; else of their sum, with `seq-mean-token-sum`.
        tol: the range up to which a group counts as without signal.

    >>> r, g = torch.tensor([1.0, 0.0]), torch.tensor([0, 0])
    >>> one = torch.ones(2, 1, dtype=torch.bool)
    >>> tpo(r, g, torch.zeros(2, 1), one).round(decimals=4).tolist()  # q = e/(e + 1/e)
    [0.7616, -0.7616]
    """
    check_finite(rewards)
    segments = Segments.of(groups)
    index = segments.index
    logp = torch.where(mask, old_logp.double(), 0.0).sum(-1)
    if length_normalized:
        logp = logp / mask.sum(-1).clamp(min=1)
    centred, degenerate = centre(rewards.double(), segments, tol)
    deviation = segments.std(rewards.double(), 0)[index]
    score = torch.where(degenerate, 0.0, centred / torch.where(degenerate, 1.0, deviation))

    def softmax(x: Tensor) -> Tensor:
        e = (x - segments.extreme(x, "amax")[index]).exp()
        return e / segments.sum(e)[index]

    pull = segments.size()[index] * (softmax(logp + score / eta) - softmax(logp))
    return torch.where(degenerate, 0.0, pull)
