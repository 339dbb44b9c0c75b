"""Passes over a batch: log-probabilities and entropies of responses under a model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import torch
from torch import Tensor

from rewardkit.config import OptimConfig
from rewardkit_native.batch import Batch, micro_batches
from rewardkit_native.distributed.parallel import Ranks
from rewardkit_native.distributed.sharding import in_forward
from rewardkit_native.model.loading import autocast, checkpointing
from rewardkit_native.model.logprobs import (
    TokenScores,
    packed_scores,
    padded_scores,
    scores_and_squares,
)
from rewardkit_native.model.memory import pass_memory
from rewardkit_native.model.values import response_values

R = TypeVar("R")


@dataclass(frozen=True)
class Scorer:
    """How passes are made: their layout and size, their precision, and which rank makes which."""

    optim: OptimConfig
    dtype: str
    temperature: float
    ranks: Ranks = field(default_factory=Ranks)

    def passes(self, model: Any, batch: Batch, rows: Tensor) -> list[list[int]]:
        """Return the micro-batches of this rank's groups, and empty ones to keep in step."""
        tokens = [len(batch.responses[i]) for i in rows.tolist()]
        mine = self.ranks.own_groups(batch.groups[rows].tolist(), tokens)
        own = rows[torch.isin(batch.groups[rows], torch.tensor(mine))]
        device = model.device.type
        memory = pass_memory(model.config, self.dtype, device)
        return self.ranks.equal_passes(micro_batches(batch, own, self.optim, device, memory))

    def score(self, model: Any, batch: Batch, micro: list[int]) -> TokenScores:
        """Score some rows; without any, a single token takes the pass that other ranks make."""
        score = packed_scores if self.optim.layout == "packed" else padded_scores
        block = self.optim.tokens_per_head_block
        return self._pass(
            model, batch, micro, lambda p, r: score(model, p, r, self.temperature, block)
        )

    def values(self, critic: Any, batch: Batch, micro: list[int]) -> Tensor:
        """Return a critic's values of some rows, [b, T], likewise."""
        layout = self.optim.layout
        return self._pass(critic, batch, micro, lambda p, r: response_values(critic, p, r, layout))

    def _pass(self, model: Any, batch: Batch, micro: list[int], work: Callable[..., R]) -> R:
        prompts = [batch.prompts[i] for i in micro] or [[0]]
        responses = [batch.responses[i] for i in micro] or [[0]]
        again = self.optim.activation_checkpointing and torch.is_grad_enabled()
        with autocast(model, self.dtype), checkpointing(model, again):
            return in_forward(model, lambda: work(prompts, responses))

    @torch.no_grad()
    def all_values(self, critic: Any, batch: Batch) -> Tensor:
        """Return a critic's values of every row of a batch, on the CPU; all ranks get them all."""
        found = torch.zeros(batch.response.shape)
        for micro in self.passes(critic, batch, torch.arange(len(batch))):
            values = self.values(critic, batch, micro)
            if micro:
                found[micro, : values.shape[1]] = values.cpu().float()
        self.ranks.all_reduce(found)
        return found

    @torch.no_grad()
    def score_all(self, model: Any, batch: Batch, *, squares: bool = False) -> TokenScores:
        """Score every row of a batch, on the CPU; all ranks get all of it; Σ π² if asked for."""
        found = [torch.zeros(batch.response.shape) for _ in range(3 if squares else 2)]
        score = self._with_squares if squares else self.score
        for micro in self.passes(model, batch, torch.arange(len(batch))):
            scores = [part for part in score(model, batch, micro) if part is not None]
            if not micro:
                continue
            for whole, part in zip(found, scores, strict=True):
                whole[micro, : part.shape[1]] = part.cpu()
        self.ranks.all_reduce(*found)
        return TokenScores(*found)

    def _with_squares(self, model: Any, batch: Batch, micro: list[int]) -> TokenScores:
        layout, block = self.optim.layout, self.optim.tokens_per_head_block
        return self._pass(
            model,
            batch,
            micro,
            lambda p, r: scores_and_squares(model, p, r, layout, self.temperature, block),
        )
