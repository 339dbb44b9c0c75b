"""A step's plan: all that its optimiser updates need to know, computed before the first of them.

The normaliser is one weight a sequence, over the whole batch of one update. Passes only add up,
so neither their number nor their width, nor the number of processes, changes the gradient.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from rewardkit.advantages.groups import TOLERANCE
from rewardkit.errors import ConfigError
from rewardkit.losses import LossInputs, entropy_threshold, second_moment_mask, sequence_weights
from rewardkit.recipes import Recipe
from rewardkit.training_step.advantages import Advantages, batch_advantages
from rewardkit.training_step.batch import SampledBatch, Scores, loss_mask


class Update(NamedTuple):
    """What one optimiser update learns from."""

    rows: Int[Tensor, " R"]
    """Its rows of the batch: whole groups."""
    live: Int[Tensor, " L"]
    """Those of them that need a pass (`has_gradient`). Without any there is nothing to follow,
    and an optimiser with momentum would move the weights all the same."""
    tokens: int
    """Tokens of `rows` that take part in the loss."""
    entropy_threshold: Float[Tensor, ""] | None
    """Over all of `rows`, for `high_entropy`."""


@dataclass(frozen=True)
class StepPlan:
    """What a step computes of a batch of B responses of up to T tokens."""

    scores: Scores
    """What the models said of the batch."""
    mask: Bool[Tensor, "B T"]
    """The tokens that take part in the loss."""
    advantages: Float[Tensor, " B"] | Float[Tensor, "B T"]
    """One a sequence or one a token, float64; 0 for what is in no statistics."""
    returns: Float[Tensor, "B T"] | None
    """What a critic learns, float64, where there is one."""
    token_rewards: Float[Tensor, "B T"] | None
    """−β·KL of each token, where the recipe takes it off the reward."""
    weights: Float[Tensor, " B"]
    """w_i of `rewardkit.losses.sequence_weights` in the sequence's own update, float64."""
    updates: tuple[Update, ...]
    """Of one epoch; every epoch makes the same."""
    entropy_coef: float
    """The weight of the entropy bonus in this step's loss."""
    nll_weights: Float[Tensor, " B"]
    """v_i of `rewardkit.losses.LossInputs.nll_weights` in the sequence's own update, float64."""
    signal: int
    """Groups in which some response has an advantage other than 0: what a reward teaches."""
    masked: float = 0.0
    """The share of the tokens in the loss that `second_moment` takes out."""

    @property
    def learns(self) -> bool:
        """Whether any update of the step has a gradient."""
        return any(len(update.live) for update in self.updates)


def plan_step(
    recipe: Recipe,
    batch: SampledBatch,
    scores: Scores,
    updates: Sequence[Int[Tensor, " _"]],
    entropy_coef: float | None = None,
) -> StepPlan:
    """Return what the updates of a step are made of.

    Args:
        recipe: names the estimator, the aggregation and their constants.
        batch: all responses.
        scores: what the recipe reads of the models.
        updates: for each update of an epoch, the rows that it learns from: whole groups, and no
            row in two of them.
        entropy_coef: the weight of the entropy bonus, where it is adapted (`entropy_weight`).

    Raises:
        ConfigError: scores that the recipe needs are missing. DataError: a reward is NaN or inf.

    >>> from rewardkit.recipes import DAPO
    >>> batch = SampledBatch(
    ...     groups=torch.tensor([0, 0, 1, 1]),
    ...     rewards=torch.tensor([1.0, 0.0, 1.0, 1.0]),
    ...     correct=torch.tensor([True, False, True, True]),
    ...     truncated=torch.zeros(4, dtype=torch.bool),
    ...     decided=torch.ones(4, dtype=torch.bool),
    ...     response=torch.ones(4, 2, dtype=torch.bool),
    ... )
    >>> plan = plan_step(DAPO, batch, Scores(), [torch.arange(4)])
    >>> plan.weights.tolist(), plan.updates[0].live.tolist()
    ([0.125, 0.125, 0.125, 0.125], [0, 1])
    """
    mask = loss_mask(recipe, batch)
    found, masked = _advantages(recipe, batch, scores, mask, updates)
    advantages = found.advantages
    right = batch.correct & mask.any(1) & bool(recipe.nll_coef)
    learns = has_gradient(recipe, batch.groups, mask, advantages, batch.taught) | right
    counted = batch.decided if batch.trained is None else batch.decided & batch.trained
    weights, nll_weights = (torch.zeros(len(mask), dtype=torch.float64) for _ in range(2))
    planned = []
    for rows in updates:
        # A response that is only compared with is none of the B that a mean is taken over.
        trained = rows[counted[rows]]
        lengths = mask[trained].sum(1)
        weights[trained] = sequence_weights(
            recipe.aggregation, lengths, batch.groups[trained], constant=recipe.constant
        )
        of_right = rows[right[rows]]
        nll_weights[of_right] = 1 / mask[of_right].sum().double()
        threshold = _threshold(recipe, scores, mask, trained)
        planned.append(Update(rows, rows[learns[rows]], int(lengths.sum()), threshold))
    signal = int(torch.unique(batch.groups[_signal(recipe, batch, mask, advantages)]).numel())
    coef = recipe.entropy_coef if entropy_coef is None else entropy_coef
    of_all = scores, mask, *found, weights, tuple(planned), coef
    return StepPlan(*of_all, nll_weights=nll_weights, signal=signal, masked=masked)


def has_gradient(
    recipe: Recipe,
    groups: Int[Tensor, " B"],
    mask: Bool[Tensor, "B T"],
    advantages: Float[Tensor, " B"] | Float[Tensor, "B T"],
    taught: Bool[Tensor, " B"] | None = None,
) -> Bool[Tensor, " B"]:
    """Return which sequences have a gradient, or are of a group in which another one has.

    A group of equal rewards has none, unless a KL or an entropy bonus in the loss pulls, and
    neither has a response that is masked whole: they count in the normaliser, and need no pass.
    Where `taught` is given, a KL pulls at those alone.

    >>> from rewardkit.recipes import DAPO
    >>> groups, mask = torch.tensor([0, 0, 1]), torch.ones(3, 1, dtype=torch.bool)
    >>> has_gradient(DAPO, groups, mask, torch.tensor([0.5, 0.0, 0.0])).tolist()
    [True, True, False]
    """
    live = mask.any(1)
    pulled = torch.zeros_like(live)
    if recipe.pulls_everywhere:
        pulled = live if taught is None or recipe.entropy_bonus else live & taught
    return pulled | live & torch.isin(groups, groups[_own_signal(mask, advantages)])


def _signal(recipe: Recipe, batch: SampledBatch, mask: Tensor, advantages: Tensor) -> Tensor:
    """Return which sequences have something to learn, of a reward or of a teacher."""
    found = _own_signal(mask, advantages)
    if recipe.distils and recipe.compares_distributions:
        return found | mask.any(1) & (batch.decided if batch.taught is None else batch.taught)
    if recipe.reads_steps or recipe.distils:  # tokens differ where whole rewards may not
        return found
    return found & _differs(recipe, batch)


def _own_signal(mask: Tensor, advantages: Tensor) -> Tensor:
    """Return which sequences have a token in the loss whose advantage is not 0."""
    by_token = advantages if advantages.dim() == 2 else advantages[:, None]
    return (mask & (by_token != 0)).any(1)


def _differs(recipe: Recipe, batch: SampledBatch) -> Tensor:
    """Return which sequences have a reward that another one differs from that it is compared with.

    A critic's values, and a KL in the reward, make advantages where every reward is the same.
    """
    same = batch.groups if recipe.compares_groups else torch.zeros_like(batch.groups)
    _, index = same.unique(return_inverse=True)
    low, high = (
        torch.full((len(index),), empty, dtype=torch.float64).scatter_reduce(
            0, index, torch.where(batch.decided, batch.rewards.double(), empty), how
        )
        for empty, how in ((torch.inf, "amin"), (-torch.inf, "amax"))
    )
    return (high - low > TOLERANCE)[index]


def plan_metrics(recipe: Recipe, plan: StepPlan) -> dict[str, float | int]:
    """Return what is recorded of a plan: `groups_signal`, and by recipe what else it decides.

    `entropy_coef` of an entropy bonus; `kl`, a mean over tokens, where it is taken off the reward;
    `kl_coef`, where it has a schedule; of a teacher `taught`, and its entropy where it was scored;
    `second_moment_masked`, the share of tokens that M2PO takes out.
    """
    found: dict[str, float | int] = {"groups_signal": plan.signal}
    if recipe.entropy_bonus:
        found["entropy_coef"] = plan.entropy_coef
    if plan.token_rewards is not None:
        total = torch.where(plan.mask, plan.token_rewards, 0.0).sum()
        found["kl"] = float(-total / recipe.kl_coef / plan.mask.sum().clamp(min=1))
    if recipe.kl_schedule != "constant":
        found["kl_coef"] = recipe.kl_coef
    if recipe.distils:
        found["taught"] = 1.0
        if (entropies := plan.scores.reference_entropies) is not None:
            found["teacher_entropy"] = float(entropies[plan.mask].mean())
    if recipe.second_moment is not None:
        found["second_moment_masked"] = plan.masked
    return found


def mean_advantages(plan: StepPlan) -> Float[Tensor, " B"]:
    """Return each sequence's advantage as it is recorded: the mean over its tokens in the loss.

    One that has none there has 0, whatever it was given in its group's statistics.
    """
    if plan.advantages.dim() == 1:
        return torch.where(plan.mask.any(1), plan.advantages, 0.0)
    return (plan.advantages * plan.mask).sum(1) / plan.mask.sum(1).clamp(min=1)


def _threshold(recipe: Recipe, scores: Scores, mask: Tensor, rows: Tensor) -> Tensor | None:
    if recipe.high_entropy is None:
        return None
    if scores.entropies is None:
        raise ConfigError(f"recipe {recipe.name} has high_entropy and needs `entropies`")
    return entropy_threshold(scores.entropies[rows], mask[rows], recipe.high_entropy)


def _advantages(
    recipe: Recipe, batch: SampledBatch, scores: Scores, mask: Tensor, updates: Sequence[Tensor]
) -> tuple[Advantages, float]:
    """Return the advantages, and the share of tokens that `second_moment` takes out.

    Those have 0 and stay in the normaliser.
    """
    found = batch_advantages(recipe, batch, scores)
    if recipe.second_moment is None:
        return found, 0.0
    if scores.old is None or scores.sampler is None:
        raise ConfigError(
            f"recipe {recipe.name} has second_moment and needs `old` and `sampler` scores"
        )
    near = torch.zeros_like(mask)
    for rows in updates:
        near[rows] = second_moment_mask(
            scores.old[rows], scores.sampler[rows], mask[rows], limit=recipe.second_moment
        )
    a = found.advantages if found.advantages.dim() == 2 else found.advantages[:, None]
    masked = float((mask & ~near).sum() / mask.sum().clamp(min=1))
    return found._replace(advantages=torch.where(near, a, 0.0)), masked


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
    divergence: Float[Tensor, "B T"] | None = None,
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
        divergence: from the reference, with gradient, where the recipe compares distributions.
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
        divergence=divergence,
        entropy_threshold=table.entropy_threshold[0].to(logp),
        entropy_coef=table.entropy_coef[0].to(logp),
        nll_weights=table.nll_weight,
        token_scale=token_scale,
    )
