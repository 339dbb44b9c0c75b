"""From what verl's trainer holds of a batch to advantages and loss weights, in rewardkit's terms.

Everything here is a pure function of padded tensors, so that it can be tested without Ray. B rows
are responses (all of them, masked or not) and T is the longest response.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from rewardkit.advantages import AdvantageInputs, estimate, gae
from rewardkit.losses import entropy_threshold, kl_reward, sequence_weights
from rewardkit.recipes import Recipe


@dataclass(frozen=True)
class StepBatch:
    """All responses of one training step."""

    groups: Tensor  # [B] ids, equal for responses to one prompt
    rewards: Tensor  # [B] float64, shaped
    correct: Tensor  # [B] bool
    truncated: Tensor  # [B] bool: cut off by the response limit
    decided: Tensor  # [B] bool: a response whose verdict says something; never a padding row
    response: Tensor  # [B, T] bool: the tokens that the policy wrote
    old: Tensor | None = None  # [B, T] log-probabilities before the first update
    entropies: Tensor | None = None  # [B, T] of the same policy
    reference: Tensor | None = None  # [B, T] log-probabilities
    values: Tensor | None = None  # [B, T] of the critic

    def mask(self, recipe: Recipe) -> Tensor:
        """Return [B, T]: the tokens that take part in the loss."""
        mask = self.response & self.decided[:, None]
        if recipe.mask_truncated:
            mask &= ~self.truncated[:, None]
        return mask


class Advantages(NamedTuple):
    """[B, T] each, float32: what verl's actor and critic read."""

    advantages: Tensor
    returns: Tensor


def step_advantages(recipe: Recipe, batch: StepBatch) -> Advantages:
    """Return the advantages by the recipe's estimator, and the returns that a critic learns.

    Responses without a decided verdict take no part: their advantages are 0, and their returns
    are the critic's own values.
    """
    mask = batch.mask(recipe)
    counted = batch.decided
    if recipe.mask_truncated and not recipe.truncated_in_statistics:
        counted = counted & ~batch.truncated
    token_rewards = kl_in_reward(recipe, batch)
    if recipe.advantage == "gae":
        return _with_critic(recipe, batch, mask, token_rewards)
    inputs = AdvantageInputs(
        rewards=batch.rewards,
        groups=batch.groups,
        mask=mask,
        correct=batch.correct,
        entropies=batch.entropies,
        values=batch.values,
        token_rewards=token_rewards,
        counted=counted,
    )
    found = estimate(recipe.advantage, inputs, **recipe.advantage_options)
    spread = found if found.dim() == 2 else found[:, None].expand(mask.shape)
    advantages = torch.where(mask, spread, 0).float()
    return Advantages(advantages, advantages)


def kl_in_reward(recipe: Recipe, batch: StepBatch) -> Tensor | None:
    """Return −β·KL a token, [B, T], where the recipe takes it off the reward."""
    if recipe.kl is None or recipe.kl_in != "reward" or batch.reference is None:
        return None
    assert batch.old is not None
    return kl_reward(recipe.kl, batch.old, batch.reference, batch.mask(recipe), recipe.kl_coef)


def _with_critic(
    recipe: Recipe, batch: StepBatch, mask: Tensor, token_rewards: Tensor | None
) -> Advantages:
    assert batch.values is not None
    kept = batch.decided
    found = gae(
        batch.rewards[kept],
        batch.values[kept],
        mask[kept],
        None if token_rewards is None else token_rewards[kept],
        **recipe.advantage_options,  # type: ignore[arg-type]  # rehearsed before the start
    )
    advantages = torch.zeros(mask.shape)
    advantages[kept] = torch.where(mask[kept], found.advantages, 0).float()
    returns = batch.values.float().clone()
    # verl's critic learns from all tokens of a response: the masked ones keep their values.
    returns[kept] = torch.where(mask[kept], found.returns.float(), returns[kept])
    return Advantages(advantages, returns)


COLUMNS = ("weight", "tokens", "entropy_threshold")
"""What `loss_table` says of each response."""


def loss_table(recipe: Recipe, batch: StepBatch, updates: Sequence[Tensor]) -> Tensor:
    """Return [B, 3] float64, a row a response: what its loss needs to know of its whole update.

    The columns are the weight w_i of `rewardkit.losses.sequence_weights`, the number of tokens in
    the update, and its entropy threshold. A response that takes no part has weight 0.

    Args:
        recipe: names the aggregation.
        batch: all responses.
        updates: for each optimiser update, the rows it learns from.
    """
    mask = batch.mask(recipe)
    table = torch.zeros(len(mask), len(COLUMNS), dtype=torch.float64)
    for rows in updates:
        kept = rows[batch.decided[rows]]
        lengths = mask[kept].sum(1)
        table[kept, 0] = sequence_weights(
            recipe.aggregation, lengths, batch.groups[kept], constant=recipe.constant
        )
        table[rows, 1] = float(lengths.sum())
        if recipe.high_entropy is not None:
            assert batch.entropies is not None
            table[rows, 2] = entropy_threshold(
                batch.entropies[kept], mask[kept], recipe.high_entropy
            ).double()
    return table


def pulls(recipe: Recipe, advantages: Tensor, table: Tensor) -> bool:
    """Return whether any response has a gradient, from its advantage or towards the reference."""
    live = table[:, 0] > 0
    towards_reference = recipe.kl is not None and recipe.kl_coef > 0 and recipe.kl_in == "loss"
    return bool(live.any()) and (towards_reference or bool(advantages[live].any()))


def update_rows(rows: int, ranks: int, updates: int) -> list[Tensor]:
    """Return which rows each optimiser update of a batch learns from, over all ranks.

    verl gives each data-parallel rank one block of rows, and each rank cuts its block into as
    many equal parts as there are updates.

    >>> [part.tolist() for part in update_rows(8, ranks=2, updates=2)]
    [[0, 1, 4, 5], [2, 3, 6, 7]]
    """
    blocks = torch.arange(rows).view(ranks, updates, rows // (ranks * updates))
    return [blocks[:, step].reshape(-1) for step in range(updates)]


def arrange(workloads: Sequence[float], ranks: int, updates: int) -> list[int]:
    """Return an order of rows in which `update_rows` takes them as they came, part by part.

    Rows that come one after the other (whole groups) fall into the same update; within an update
    the ranks get equally many rows and about equal work.

    >>> arrange([1, 9, 9, 1, 5, 5, 1, 1], ranks=2, updates=2)
    [1, 0, 4, 6, 2, 3, 5, 7]
    """
    size = len(workloads) // updates
    parts: list[list[list[int]]] = []
    for start in range(0, size * updates, size):
        heaviest = sorted(range(start, start + size), key=lambda i: -workloads[i])
        shares: list[list[int]] = [[] for _ in range(ranks)]
        for row in heaviest:
            open_shares = [share for share in shares if len(share) < size // ranks]
            min(open_shares, key=lambda share: sum(workloads[i] for i in share)).append(row)
        parts.append(shares)
    return [row for rank in range(ranks) for shares in parts for row in shares[rank]]
