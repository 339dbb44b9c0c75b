"""What the loss of a micro-batch reads: made here, whoever makes the passes."""

from __future__ import annotations

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from rewardkit.losses import LossInputs
from rewardkit.training_step.plan import StepPlan


class LossTable(NamedTuple):
    """What a response's loss needs to know of its whole update; float64, one a response.

    A backend whose passes run elsewhere sends them there beside the responses.
    """

    weight: Float[Tensor, " B"]
    """w_i of `rewardkit.losses.sequence_weights`; 0 for a response that takes no part."""
    tokens: Float[Tensor, " B"]
    """The number of tokens in the update."""
    entropy_threshold: Float[Tensor, " B"]
    """That of the update, for `high_entropy`."""
    entropy_coef: Float[Tensor, " B"]
    """The weight of the entropy bonus."""
    nll_weight: Float[Tensor, " B"]
    """v_i of `rewardkit.losses.LossInputs.nll_weights`."""


def loss_table(plan: StepPlan) -> LossTable:
    """Return what the losses of all responses of a step need to know of their updates."""
    tokens, thresholds = (torch.zeros_like(plan.weights) for _ in range(2))
    for update in plan.updates:
        tokens[update.rows] = float(update.tokens)
        if update.entropy_threshold is not None:
            thresholds[update.rows] = update.entropy_threshold.double()
    bonus = torch.full_like(plan.weights, plan.entropy_coef)
    return LossTable(plan.weights, tokens, thresholds, bonus, plan.nll_weights)


def loss_inputs(
    table: LossTable,
    *,
    logp: Float[Tensor, "B T"],
    old_logp: Float[Tensor, "B T"] | None,
    advantages: Float[Tensor, " B"] | Float[Tensor, "B T"],
    mask: Bool[Tensor, "B T"],
    ref_logp: Float[Tensor, "B T"] | None,
    sampler_logp: Float[Tensor, "B T"] | None,
    entropies: Float[Tensor, "B T"] | None,
    token_scale: Float[Tensor, "B T"] | None = None,
) -> LossInputs:
    """Return the inputs of `rewardkit.losses.policy_loss` for responses of one update.

    Args:
        table: of these responses, on the device of their scores.
        logp: of the policy, with gradient.
        old_logp: None where the policy was not scored before its only update. It is still the one
            that was there, so the ratio is 1 and only its gradient matters.
        advantages: of the plan.
        mask: of the plan.
        ref_logp: of the reference, where the recipe has a KL in the loss.
        sampler_logp: as the sampler reported them.
        entropies: of the policy, with gradient.
        token_scale: any further factor on each token.
    """
    return LossInputs(
        logp=logp,
        old_logp=logp.detach() if old_logp is None else old_logp,
        advantages=advantages,
        mask=mask & (table.weight > 0)[:, None],
        weights=table.weight,
        ref_logp=ref_logp,
        sampler_logp=sampler_logp,
        entropies=entropies,
        entropy_threshold=table.entropy_threshold[0].to(logp),
        entropy_coef=table.entropy_coef[0].to(logp),
        nll_weights=table.nll_weight,
        token_scale=token_scale,
    )
