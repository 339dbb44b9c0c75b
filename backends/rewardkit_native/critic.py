"""PPO's critic: it says what each state is worth, and learns what came of it.

It is sharded, stepped and saved like the policy, and reads the same batch in the same minibatches.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from rewardkit.config import OptimConfig
from rewardkit.losses import value_loss
from rewardkit.recipes import Recipe
from rewardkit.training_step import MetricSums, StepPlan
from rewardkit_native.batch import Batch
from rewardkit_native.distributed.sharding import copy_full, full_tensor
from rewardkit_native.model.loading import shared_casts
from rewardkit_native.optimise import follow, make_optimiser
from rewardkit_native.scoring import Scorer

FILE = "critic.safetensors"
"""The critic's weights in a checkpoint, beside the policy's."""


@dataclass
class Critic:
    """A value function and its optimiser."""

    model: Any
    optimiser: torch.optim.Optimizer
    recipe: Recipe
    grad_clip: float
    scorer: Scorer

    def score(self, batch: Batch) -> Tensor:
        """Return V of the state before each response token, [B, T]; all ranks get all of it."""
        return self.scorer.all_values(self.model, batch)

    def run(self, batch: Batch, plan: StepPlan) -> dict[str, float]:
        """Learn the plan's returns, in its updates, and return what was measured.

        Raises:
            TrainingError: the gradient is not finite; it was not followed.
        """
        sums, norms = MetricSums(), list[float]()
        for _ in range(self.recipe.epochs):
            for update in plan.updates:
                rows = update.rows[plan.mask[update.rows].any(1)]
                if not len(rows):
                    continue
                self.accumulate(batch, plan, rows, update.tokens, sums)
                norms.append(follow(self.optimiser, self.grad_clip))
        merged = MetricSums(*self.scorer.ranks.merge(sums.totals, sums.maxima))
        norm = sum(norms) / len(norms) if norms else 0.0
        return {**merged.means(), "critic_grad_norm": norm, **explained(plan)}

    def accumulate(
        self, batch: Batch, plan: StepPlan, rows: Tensor, tokens: int, sums: MetricSums
    ) -> None:
        """Add the gradient of one update, a mean over its `tokens`; of several ranks each a share.

        A mean over tokens whatever the policy's aggregation: each token's value is one prediction.
        """
        assert plan.returns is not None
        assert plan.scores.values is not None
        with shared_casts(self.model):
            for micro in self.scorer.passes(self.model, batch, rows):
                found = self.scorer.values(self.model, batch, micro)
                if not micro:
                    (0 * found.sum()).backward()
                    continue

                def cut(table: Tensor, micro: list[int] = micro, like: Tensor = found) -> Tensor:
                    return table[micro, : like.shape[1]].to(like.device)

                mask = cut(plan.mask)
                loss = value_loss(
                    found,
                    cut(plan.scores.values),
                    cut(plan.returns).to(found.dtype),
                    mask,
                    torch.full((len(micro),), 1 / tokens, device=found.device, dtype=found.dtype),
                    clip=self.recipe.value_clip,
                )
                loss.backward()
                sums.add({"tokens": mask.sum(), "value_loss": loss.detach() * tokens})

    def weights(self, *, keep: bool) -> dict[str, Tensor]:
        """Return whole weights by name, in main memory; a collective of all ranks."""
        found = {}
        for name, value in self.model.named_parameters():
            whole = full_tensor(value.detach())
            if keep:
                found[name] = whole.cpu().contiguous()
        return found

    def load(self, folder: Path) -> None:
        """Put back the weights that a checkpoint holds.

        Raises:
            OSError: it holds none.
            KeyError: they are of another model.
        """
        read = load_file(folder / FILE)
        for name, parameter in self.model.named_parameters():
            copy_full(read[name], parameter)


def write_critic(folder: Path, weights: Mapping[str, Tensor]) -> None:
    """Write what `Critic.weights` returned into a checkpoint."""
    save_file(dict(weights), folder / FILE)


def make_critic(model: Any, recipe: Recipe, optim: OptimConfig, scorer: Scorer) -> Critic:
    """Return the critic that a value model becomes with AdamW around it."""
    optimiser = make_optimiser(model, optim, optim.critic_lr)
    return Critic(model, optimiser, recipe, optim.grad_clip, scorer)


def explained(plan: StepPlan) -> dict[str, float]:
    """Return 1 − Var(R − V)/Var(R) of a batch's tokens, before it is learned from.

    0 is a critic that knows nothing, 1 one that knows all; there is none where no return differs.
    """
    assert plan.returns is not None
    assert plan.scores.values is not None
    returns, values = plan.returns[plan.mask], plan.scores.values.double()[plan.mask]
    spread = float(returns.var(unbiased=False)) if len(returns) else 0.0
    if spread <= 1e-12:
        return {}
    return {"explained_variance": 1 - float((returns - values).var(unbiased=False)) / spread}
