"""The weight of an entropy bonus, adapted from batch to batch."""

from __future__ import annotations

from typing import NamedTuple

from jaxtyping import Bool, Float
from torch import Tensor

from rewardkit.errors import ConfigError
from rewardkit.recipes import Recipe
from rewardkit.training_step.batch import Scores


class EntropyWeight(NamedTuple):
    """The weight of the bonus in a batch's loss, and what the next batch begins with."""

    applied: float
    """The weight in this step's loss."""
    following: float
    """The weight of the next step."""


def entropy_weight(
    recipe: Recipe, carried: float | None, scores: Scores, mask: Bool[Tensor, "B T"]
) -> EntropyWeight:
    """Return α_k = c_k · [e_k ≤ target] and c_(k+1) = c_k ± step: Skywork-OR1, 2505.22312.

    e_k is the mean entropy of the batch's tokens before its first update, and c grows while it is
    at the target or below. Without a target the weight is the recipe's own, always.

    Args:
        recipe: its `entropy_coef`, `entropy_target`, `entropy_step` and `entropy_most`.
        carried: c_k, as the batch before left it; None at the start of a run.
        scores: of which `entropies` are read.
        mask: the tokens that count.

    Raises:
        ConfigError: there is a target and no `entropies`.

    >>> import torch
    >>> from rewardkit.recipes import DAPO
    >>> from dataclasses import replace
    >>> recipe = replace(DAPO, entropy_target=0.2)
    >>> low = Scores(entropies=torch.tensor([[0.1, 0.2, 9.0]]))
    >>> entropy_weight(recipe, 0.01, low, torch.tensor([[True, True, False]]))
    EntropyWeight(applied=0.01, following=0.015)
    """
    coef = recipe.entropy_coef if carried is None else carried
    if recipe.entropy_target is None:
        return EntropyWeight(recipe.entropy_coef, recipe.entropy_coef)
    if scores.entropies is None:
        raise ConfigError(f"recipe {recipe.name} has entropy_target and needs `entropies`")
    low = mean_entropy(scores.entropies, mask) <= recipe.entropy_target
    moved = coef + recipe.entropy_step if low else coef - recipe.entropy_step
    return EntropyWeight(coef if low else 0.0, min(max(moved, 0.0), recipe.entropy_most))


def mean_entropy(entropies: Float[Tensor, "B T"], mask: Bool[Tensor, "B T"]) -> float:
    """Return the mean over the tokens that count, 0 where none does."""
    return float(entropies.double()[mask].sum()) / max(int(mask.sum()), 1)
