"""What the steps of responses are worth, as an estimator reads it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from rewardkit.recipes import Recipe
from rewardkit.shaping.response_steps import TokenStep
from rewardkit.types import Reward


class StepTensors(NamedTuple):
    """Two fields of a `SampledBatch`."""

    step_rewards: Float[Tensor, "B T"]
    """At the token that ends a step, what it is worth; else 0."""
    step_ends: Bool[Tensor, "B T"]
    """Which tokens end a step."""


def step_tensors(
    recipe: Recipe,
    steps: Sequence[Sequence[TokenStep]],
    rewards: Sequence[Reward],
    response: Bool[Tensor, "B T"],
) -> StepTensors:
    """Return the rewards of steps at their last tokens.

    A step's reward is its score by the weight of `correct`. The last one also gets what the other
    shaping terms add to the response's reward. A response without steps is one step, whose reward
    is the response's own.

    Args:
        recipe: names the shaping terms.
        steps: of each response, by `rewardkit.shaping.response_steps.token_steps`.
        rewards: of each response.
        response: the tokens that the policy wrote.

    >>> from rewardkit.recipes import GRPO_PROCESS
    >>> rewards = [Reward(1.0, {"correct": 1.0}), Reward(0.0, {"correct": 0.0})]
    >>> steps = [[], [TokenStep(0, 1.0), TokenStep(2, 0.0)]]
    >>> response = torch.tensor([[True, True, False], [True, True, True]])
    >>> found = step_tensors(GRPO_PROCESS, steps, rewards, response)
    >>> found.step_rewards.tolist(), found.step_ends.int().tolist()
    ([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]], [[0, 1, 0], [1, 0, 1]])
    """
    weight = next((term.weight for term in recipe.shaping if term.name == "correct"), 1.0)
    values = torch.zeros(response.shape, dtype=torch.float64)
    ends = torch.zeros(response.shape, dtype=torch.bool)
    for row, (own, reward) in enumerate(zip(steps, rewards, strict=True)):
        written = response[row].nonzero()
        if not len(written):
            continue
        for token, score in own:
            values[row, token] = weight * score
            ends[row, token] = True
        beyond = reward.total - weight * reward.components.get("correct", 0.0)
        values[row, written[-1]] += beyond if own else reward.total
        ends[row, written[-1]] = True
    return StepTensors(values, ends)
