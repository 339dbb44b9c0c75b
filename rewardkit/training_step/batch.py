"""What a step begins with: graded responses, and what the models say of their tokens."""

from __future__ import annotations

from dataclasses import dataclass, field

from jaxtyping import Bool, Float, Int
from torch import Tensor

from rewardkit.advantages import required_inputs
from rewardkit.recipes import Recipe


@dataclass(frozen=True)
class SampledBatch:
    """B responses of one step, padded on the right to T tokens."""

    groups: Int[Tensor, " B"]
    """Any ids, equal for responses to one prompt."""
    rewards: Float[Tensor, " B"]
    """Shaped, float64."""
    correct: Bool[Tensor, " B"]
    """Whether each response's outcome is CORRECT."""
    truncated: Bool[Tensor, " B"]
    """Cut off by the response limit."""
    decided: Bool[Tensor, " B"]
    """Whether the verdict says something of the answer; never for a row that only pads."""
    response: Bool[Tensor, "B T"]
    """The tokens that the policy wrote."""
    trained: Bool[Tensor, " B"] | None = field(default=None, kw_only=True)
    """Which responses are learned from; the others are in the statistics of their group alone.
    None is all of them."""
    taught: Bool[Tensor, " B"] | None = field(default=None, kw_only=True)
    """Of which responses the teacher knows more than the policy; None is all of them."""
    step_rewards: Float[Tensor, "B T"] | None = field(default=None, kw_only=True)
    """Of each step at its last token, float64: `rewardkit.training_step.step_tensors`."""
    step_ends: Bool[Tensor, "B T"] | None = field(default=None, kw_only=True)
    """Which tokens end a step."""


@dataclass(frozen=True)
class Scores:
    """What models say of each token of a batch; None is what the recipe does not read."""

    old: Float[Tensor, "B T"] | None = None
    """Log-probabilities under the policy as it was before the batch's first update."""
    entropies: Float[Tensor, "B T"] | None = None
    """Of the same policy, in nats."""
    reference: Float[Tensor, "B T"] | None = None
    """Log-probabilities under the frozen policy that the KL term pulls to."""
    reference_entropies: Float[Tensor, "B T"] | None = None
    """Of that policy, in nats."""
    values: Float[Tensor, "B T"] | None = None
    """Of the critic."""
    sum_pi_squared: Float[Tensor, "B T"] | None = None
    """Σ π² over the vocabulary, of the policy that `old` is of."""
    sampler: Float[Tensor, "B T"] | None = None
    """Log-probabilities as the sampler reported them, for `second_moment`."""


def loss_mask(recipe: Recipe, batch: SampledBatch) -> Bool[Tensor, "B T"]:
    """Return which tokens take part in the loss."""
    mask = statistics_mask(recipe, batch)
    return mask if batch.trained is None else mask & batch.trained[:, None]


def statistics_mask(recipe: Recipe, batch: SampledBatch) -> Bool[Tensor, "B T"]:
    """Return which tokens an estimator sees: also of responses that are only compared with."""
    mask = batch.response & batch.decided[:, None]
    if recipe.mask_truncated:
        mask = mask & ~batch.truncated[:, None]
    return mask


def needs_old_scores(recipe: Recipe) -> bool:
    """Return whether the policy must be scored before the first update of a batch.

    With one update a batch it need not: the policy is still the one that sampled. With `bypass`
    what the sampler reported is taken instead.

    >>> from rewardkit.recipes import DR_GRPO, GTPO
    >>> needs_old_scores(DR_GRPO), needs_old_scores(GTPO)
    (False, True)
    """
    if recipe.bypass:
        return False
    several_updates = recipe.epochs * recipe.minibatches > 1
    read = required_inputs(recipe.advantage)
    reads_policy = bool(read & {"entropies", "old_logp"}) or recipe.high_entropy is not None
    adapts = recipe.entropy_target is not None or recipe.second_moment is not None
    return several_updates or reads_policy or adapts or recipe.kl_in_reward


def needs_sum_pi_squared(recipe: Recipe) -> bool:
    """Return whether the policy's Σ π² is read as well where it is scored.

    >>> from rewardkit.recipes import GRPO
    >>> needs_sum_pi_squared(GRPO)
    False
    """
    return "sum_pi_squared" in required_inputs(recipe.advantage)
