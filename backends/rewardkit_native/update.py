"""From a sampled batch to new weights: score it, follow the step's plan, pass by pass.

What an update learns from, and how much each sequence weighs in it, `rewardkit.training_step`
says; here are the passes and the optimiser.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from rewardkit.config import OptimConfig
from rewardkit.losses import LossInputs, policy_loss
from rewardkit.recipes import Recipe
from rewardkit.training_step import (
    LossTable,
    MetricSums,
    Scores,
    StepPlan,
    Update,
    loss_inputs,
    loss_table,
    needs_old_scores,
    needs_sum_pi_squared,
    sampler_mismatch,
)
from rewardkit_native.batch import Batch
from rewardkit_native.critic import Critic
from rewardkit_native.distributed.waiting import at_hand
from rewardkit_native.model import lora
from rewardkit_native.model.loading import shared_casts
from rewardkit_native.model.logprobs import TokenScores
from rewardkit_native.optimise import follow
from rewardkit_native.scoring import Scorer


@dataclass
class Updater:
    """Holds what a gradient step needs: `score` a batch, and `run` all updates of its plan."""

    model: Any
    reference: Any | None
    optimiser: torch.optim.Optimizer
    recipe: Recipe
    grad_clip: float
    scorer: Scorer
    critic: Critic | None = None
    progress: Callable[[int, int], None] = lambda done, passes: None
    """Told how many of an update's passes are made."""

    @property
    def trained(self) -> list[Updater | Critic]:
        """What has weights and an optimiser to be saved: the policy, and any critic."""
        return [self, *([self.critic] if self.critic else [])]

    @property
    def optimisers(self) -> list[torch.optim.Optimizer]:
        """Those of all that is trained."""
        return [one.optimiser for one in self.trained]

    def score(self, batch: Batch) -> Scores:
        """Return what the recipe reads of the models before the batch's first update."""
        old = reference = None
        if needs_old_scores(self.recipe):
            squares = needs_sum_pi_squared(self.recipe)
            old = self.scorer.score_all(self.model, batch, squares=squares)
        if self.reference is not None:
            with lora.disabled(self.reference), at_hand(self.reference, self.model.device):
                reference = self.scorer.score_all(self.reference, batch)
        sampler = batch.sampler_logprobs if self.recipe.bypass else None
        return Scores(
            old=old.logprobs if old else sampler,
            entropies=old.entropies if old else None,
            reference=reference.logprobs if reference else None,
            values=self.critic.score(batch) if self.critic else None,
            sum_pi_squared=old.sum_pi_squared if old else None,
        )

    def set_rate(self, optim: OptimConfig, factor: float) -> None:
        """Set the learning rates of the step to come."""
        for one, rate in zip(self.optimisers, (optim.lr, optim.critic_lr), strict=False):
            for group in one.param_groups:
                group["lr"] = rate * factor

    def run(self, batch: Batch, plan: StepPlan, *, policy: bool = True) -> dict[str, float]:
        """Make the plan's updates, `recipe.epochs` times, and return what they measured.

        Without `policy` the critic learns alone.

        Raises:
            TrainingError: the gradient is not finite; it was not followed.
        """
        sums, norms = MetricSums(), list[float]()
        of_critic = self.critic.run(batch, plan) if self.critic else {}
        for _ in range(self.recipe.epochs if policy else 0):
            for update in plan.updates:
                if not len(update.live):
                    continue  # AdamW's momentum would move the weights without any gradient
                self.accumulate(batch, plan, update, sums)
                norms.append(follow(self.optimiser, self.grad_clip))
        merged = MetricSums(*self.scorer.ranks.merge(sums.totals, sums.maxima))
        norm = sum(norms) / len(norms) if norms else 0.0
        counts: dict[str, float] = {"updates": len(norms), "groups_signal": plan.signal}
        counts["lr"] = self.optimiser.param_groups[0]["lr"]
        if self.recipe.entropy_bonus:
            counts["entropy_coef"] = plan.entropy_coef
        return {**merged.means(), "grad_norm": norm, **counts, **of_critic}

    def accumulate(self, batch: Batch, plan: StepPlan, update: Update, sums: MetricSums) -> None:
        """Add the gradient of one update to the parameters', and what its passes measure to `sums`.

        Of several ranks each adds its share.
        """
        table = loss_table(plan)
        with shared_casts(self.model):
            passes = self.scorer.passes(self.model, batch, update.live)
            for done, micro in enumerate(passes):
                self.progress(done, len(passes))
                found = self.scorer.score(self.model, batch, micro)
                if not micro:
                    (0 * found.logprobs.sum()).backward()
                    continue
                inputs = inputs_of(batch, plan, table, micro, found)
                output = policy_loss(self.recipe, inputs)
                output.loss.backward()
                sums.add(output.metrics)
                sums.add({"entropy": found.entropies.detach()[inputs.mask].sum()})
                sums.add(sampler_mismatch(self.recipe, inputs))


def inputs_of(
    batch: Batch, plan: StepPlan, table: LossTable, micro: list[int], found: TokenScores
) -> LossInputs:
    """Return what the loss of the rows `micro` reads, on the device of the scores just `found`."""
    width, device = found.logprobs.shape[1], found.logprobs.device

    def cut(values: Tensor) -> Tensor:
        picked = values[micro]
        return (picked[:, :width] if picked.dim() == 2 else picked).to(device)

    old, reference = plan.scores.old, plan.scores.reference
    return loss_inputs(
        LossTable(*map(cut, table)),
        logp=found.logprobs,
        old_logp=None if old is None else cut(old),
        advantages=cut(plan.advantages),
        mask=cut(plan.mask),
        ref_logp=None if reference is None else cut(reference),
        sampler_logp=cut(batch.sampler_logprobs),
        entropies=found.entropies,
    )
