"""How long a step is at best, from what its card can do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rewardkit.config import RunConfig
from rewardkit.planning.cards import Card
from rewardkit.planning.model import parameters, token_cache

OF_FLOPS, OF_BANDWIDTH = 0.4, 0.6
"""Shares of a card's limits that well-kept code usually reaches: an assumption."""


@dataclass(frozen=True)
class Seconds:
    """How long the phases of a step are at best: what the card's limits allow at usual shares."""

    sample: float
    score: float
    update: float


def seconds(
    config: RunConfig,
    model: Any,
    card: Card,
    *,
    gpus: int,
    prompt_tokens: int,
    slots: int = 0,
    always_scores: bool = False,
) -> Seconds:
    """Return roughly how long a step is, each response as long as it may be.

    Args:
        config: the run's.
        model: the model's configuration, as transformers reads it.
        card: what it runs on.
        gpus: so many of them.
        prompt_tokens: of each prompt.
        slots: how many rows are drawn at once; 0: all.
        always_scores: whether the policy's log-probabilities are computed before every update.
    """
    size = parameters(model)
    length = config.sampling.max_tokens
    rows = -(-config.sampling.problems // gpus) * config.sampling.group_size
    middle = prompt_tokens + length / 2
    rounds = -(-rows // (slots or rows))
    read = rounds * 2 * size + rows * middle * token_cache(model)
    sample = length * read / (OF_BANDWIDTH * card.bandwidth)
    tokens = rows * length
    attention = 4 * model.num_hidden_layers * model.hidden_size * middle
    forward = tokens * (2 * size + attention) / (OF_FLOPS * card.flops)
    recipe = config.recipe
    passes = int(recipe.needs_reference) + int(
        always_scores or recipe.epochs * recipe.minibatches > 1
    )
    update = (4 if config.optim.activation_checkpointing else 3) * forward * recipe.epochs
    return Seconds(sample, passes * forward, update)
