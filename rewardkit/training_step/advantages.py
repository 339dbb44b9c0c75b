"""The advantages of a batch, by the recipe's estimator."""

from __future__ import annotations

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from rewardkit.advantages import AdvantageInputs, estimate, gae
from rewardkit.errors import ConfigError
from rewardkit.losses import kl_reward
from rewardkit.options import check_finite
from rewardkit.recipes import Recipe
from rewardkit.training_step.batch import SampledBatch, Scores, statistics_mask


class Advantages(NamedTuple):
    """What the policy learns from, and what a critic does; float64."""

    advantages: Float[Tensor, " B"] | Float[Tensor, "B T"]
    """One number a response, or one a token."""
    returns: Float[Tensor, "B T"] | None
    """None where the recipe has no critic."""
    token_rewards: Float[Tensor, "B T"] | None
    """−β·KL of each token, where the recipe takes it off the reward."""


def batch_advantages(recipe: Recipe, batch: SampledBatch, scores: Scores) -> Advantages:
    """Return the advantages of all responses; one that is in no statistics has 0.

    Undecided responses are in none; neither are truncated ones, where the recipe masks them and
    says so.

    Raises:
        ConfigError: the estimator needs scores that are not there.
        DataError: the reward of a decided response is NaN or infinite; names its row.

    >>> from rewardkit.recipes import DR_GRPO
    >>> yes = torch.tensor([True, True, True])
    >>> batch = SampledBatch(
    ...     groups=torch.zeros(3, dtype=torch.int64),
    ...     rewards=torch.tensor([1.0, 0.0, 0.0]),
    ...     correct=torch.tensor([True, False, False]),
    ...     truncated=~yes,
    ...     decided=torch.tensor([True, True, False]),
    ...     response=yes[:, None],
    ... )
    >>> batch_advantages(DR_GRPO, batch, Scores()).advantages.tolist()
    [0.5, -0.5, 0.0]
    """
    check_finite(batch.rewards, batch.decided)
    mask = statistics_mask(recipe, batch)
    told = mask if batch.taught is None else mask & batch.taught[:, None]
    token_rewards = _kl_in_reward(recipe, scores, told)
    if recipe.advantage == "gae":
        return _with_critic(recipe, batch, scores, mask, token_rewards)
    counted = batch.decided
    if recipe.mask_truncated and not recipe.truncated_in_statistics:
        counted = counted & ~batch.truncated
    inputs = AdvantageInputs(
        rewards=batch.rewards,
        groups=batch.groups,
        mask=mask,
        correct=batch.correct,
        entropies=scores.entropies,
        values=scores.values,
        old_logp=scores.old,
        sum_pi_squared=scores.sum_pi_squared,
        token_rewards=token_rewards,
        step_rewards=batch.step_rewards,
        step_ends=batch.step_ends,
        counted=None if counted.all() else counted,  # no copy of the batch without need
    )
    found = estimate(recipe.advantage, inputs, **recipe.advantage_options)
    return Advantages(found, None, token_rewards)


def _kl_in_reward(recipe: Recipe, scores: Scores, mask: Tensor) -> Tensor | None:
    if not recipe.kl_in_reward:
        return None
    if scores.old is None or scores.reference is None:
        raise ConfigError(
            f'recipe {recipe.name} has kl_in = "reward" and needs `old` and `reference` scores'
        )
    assert recipe.kl is not None
    return kl_reward(recipe.kl, scores.old, scores.reference, mask, recipe.kl_coef)


def _with_critic(
    recipe: Recipe,
    batch: SampledBatch,
    scores: Scores,
    mask: Bool[Tensor, "B T"],
    token_rewards: Tensor | None,
) -> Advantages:
    if scores.values is None:
        raise ConfigError(f"recipe {recipe.name} has advantage = 'gae' and needs `values`")
    kept = batch.decided
    found = gae(
        batch.rewards[kept],
        scores.values[kept],
        mask[kept],
        None if token_rewards is None else token_rewards[kept],
        **recipe.advantage_options,  # type: ignore[arg-type]  # rehearsed before the start
    )
    advantages = torch.zeros(mask.shape, dtype=torch.float64)
    advantages[kept] = torch.where(mask[kept], found.advantages, 0.0)
    # A critic may learn from all tokens of a response: those that take no part keep its own
    # values, which teach it nothing.
    returns = scores.values.double().clone()
    returns[kept] = torch.where(mask[kept], found.returns, returns[kept])
    return Advantages(advantages, returns, token_rewards)
