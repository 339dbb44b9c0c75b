"""Between verl's padded tensors and rewardkit's plan of a step: which rows go where, and as what.

Everything here is a pure function of padded tensors, so that it can be tested without Ray. B rows
are responses (all of them, masked or not) and T is the longest response.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import torch
from torch import Tensor

from rewardkit.recipes import Recipe
from rewardkit.training_step import SampledBatch, StepPlan, step_tensors
from rewardkit.types import UNDECIDED, Outcome, Reward
from rewardkit_verl.rows import token_steps_of


def sampled_batch(
    groups: Tensor,
    response: Tensor,
    infos: Sequence[Mapping[str, Any]],
    rewards: Sequence[Reward],
    padding: Sequence[bool],
    recipe: Recipe | None = None,
) -> SampledBatch:
    """Return what a step begins with; padding rows count as undecided.

    Args:
        groups: [B] ids.
        response: [B, T] bool, the tokens that the policy wrote.
        infos: what the reward manager said of each row.
        rewards: of each row, whole.
        padding: which rows are there to make the batch divisible.
        recipe: one that reads steps gets what they are worth.
    """
    outcomes = [Outcome(info["outcome"]) for info in infos]
    decided = [
        outcome not in UNDECIDED and not pad for outcome, pad in zip(outcomes, padding, strict=True)
    ]
    batch = SampledBatch(
        groups=groups,
        rewards=torch.tensor([reward.total for reward in rewards], dtype=torch.float64),
        correct=torch.tensor([outcome is Outcome.CORRECT for outcome in outcomes]),
        truncated=torch.tensor([bool(info["truncated"]) for info in infos]),
        decided=torch.tensor(decided),
        response=response,
    )
    if recipe is None or not recipe.reads_steps:
        return batch
    return with_steps(batch, infos, rewards, recipe)


def with_steps(
    batch: SampledBatch,
    infos: Sequence[Mapping[str, Any]],
    rewards: Sequence[Reward],
    recipe: Recipe,
) -> SampledBatch:
    """Return the batch with what the steps of its responses are worth."""
    steps = [token_steps_of(info) for info in infos]
    return replace(batch, **step_tensors(recipe, steps, rewards, batch.response)._asdict())


class ActorFields(NamedTuple):
    """[B, T] each, float32: what verl's actor and critic read."""

    advantages: Tensor
    returns: Tensor


def actor_fields(plan: StepPlan) -> ActorFields:
    """Return a plan's advantages at every token, and the returns that a critic learns."""
    advantages = at_tokens(plan.advantages, plan.mask).float()
    returns = advantages if plan.returns is None else plan.returns.float()
    return ActorFields(advantages, returns)


def at_tokens(advantages: Tensor, mask: Tensor) -> Tensor:
    """Return advantages, [B] or [B, T], as [B, T] that is 0 where the mask is."""
    spread = advantages if advantages.dim() == 2 else advantages[:, None].expand(mask.shape)
    return torch.where(mask, spread, 0)


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
