"""From a sampled batch to new weights: score it, follow the step's plan, pass by pass.

What an update learns from, and how much each sequence weighs in it, `rewardkit.training_step`
says; here are the passes and the optimiser.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import torch
from torch import Tensor

from rewardkit.config import OptimConfig
from rewardkit.errors import TrainingError
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
    plan_metrics,
    sampler_mismatch,
)
from rewardkit_native.distributed.sharding import full_tensor
from rewardkit_native.learning.batch import Batch
from rewardkit_native.learning.muon import muon
from rewardkit_native.learning.passes import Scorer, shared_casts
from rewardkit_native.learning.teachers import ServedTeacher, Teachers
from rewardkit_native.model import lora
from rewardkit_native.model.head import Head, linear_head
from rewardkit_native.model.logprobs import Compared, TokenScores


@dataclass(kw_only=True)
class Learner:
    """A model, and what follows the gradients that passes add up in it."""

    model: Any
    optimiser: torch.optim.Optimizer
    recipe: Recipe
    grad_clip: float
    scorer: Scorer
    whole: bool = True
    """Whether the weights are those after a whole step, and not from inside of one."""

    def follow_plan(
        self, batch: Batch, plan: StepPlan, epochs: int
    ) -> tuple[dict[str, float], int]:
        """Make the plan's updates; return what they measured, and how many they were."""
        sums, norms = MetricSums(), list[float]()
        for _ in range(epochs):
            for update in plan.updates:
                # Without any gradient AdamW's momentum would move the weights all the same.
                if len(self.rows(plan, update)):
                    self.accumulate(batch, plan, update, sums)
                    norms.append(self.follow())
        if self.scorer.ranks.size > 1:
            sums = MetricSums(*self.scorer.ranks.merge(sums.totals, sums.maxima))
        norm = sum(norms) / len(norms) if norms else 0.0
        return {**sums.means(), "grad_norm": norm}, len(norms)

    def rows(self, plan: StepPlan, update: Update) -> Tensor:
        """Return the rows of the batch that an update makes passes for."""
        raise NotImplementedError

    def accumulate(self, batch: Batch, plan: StepPlan, update: Update, sums: MetricSums) -> None:
        """Add the gradient of an update to the parameters', and what its passes measure to `sums`.

        Of several ranks each adds its share.
        """
        raise NotImplementedError

    def follow(self) -> float:
        """Clip the gradient that has been added up, follow it, and return its norm.

        Raises:
            TrainingError: the gradient is not finite; it was not followed.
        """
        groups = self.optimiser.param_groups
        found: Any = torch.nn.utils.clip_grad_norm_(
            [parameter for group in groups for parameter in group["params"]], self.grad_clip
        )
        norm = float(found.full_tensor() if hasattr(found, "full_tensor") else found)
        if norm != norm or norm == float("inf"):
            self.optimiser.zero_grad(set_to_none=True)
            raise TrainingError(
                f"the gradient is not finite (norm {norm}) and was not followed. Lower optim.lr, "
                "or use model.dtype = 'float32'"
            )
        self.whole = False
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        return norm


@dataclass(kw_only=True)
class Updater(Learner):
    """Holds what a gradient step needs: `score` a batch, and `run` all updates of its plan."""

    reference: Any | None
    teachers: Teachers | None = None
    """Where each task has its own, which takes the place of `reference` in turn."""
    critic: Any = None
    """A `rewardkit_native.learning.critic.Critic`, where the recipe has one."""
    progress: Callable[[int, int], None] | None = None
    """Told how many of an update's passes are made."""

    @property
    def trained(self) -> list[Learner]:
        """What has weights and an optimiser to be saved: the policy, and any critic."""
        return [self, self.critic] if self.critic else [self]

    @property
    def optimisers(self) -> list[torch.optim.Optimizer]:
        """Those of all that is trained."""
        return [one.optimiser for one in self.trained]

    def score(self, batch: Batch) -> Scores:
        """Return what the recipe reads of the models before the batch's first update."""
        old = None
        if needs_old_scores(self.recipe):
            squares = needs_sum_pi_squared(self.recipe)
            old = self.scorer.score_all(self.model, batch, squares=squares)
        said = entropies = None
        if self.recipe.needs_reference and not self.recipe.compares_distributions:
            said, entropies = self._said_by_reference(as_its_teacher(batch))
        sampler = batch.sampler_logprobs if self.recipe.bypass else None
        return Scores(
            old=old.logprobs if old else sampler,
            entropies=old.entropies if old else None,
            reference=said,
            reference_entropies=entropies,
            values=self.critic.score(batch) if self.critic else None,
            sum_pi_squared=old.sum_pi_squared if old else None,
            sampler=batch.sampler_logprobs if self.recipe.second_moment is not None else None,
        )

    def _said_by_reference(self, batch: Batch) -> tuple[Tensor, Tensor | None]:
        """Return log-probabilities, and the entropies where no server was asked, [B, T] each."""
        logprobs, entropies = (torch.zeros(batch.response.shape) for _ in range(2))
        served = False
        for rows in self.by_reference(batch, torch.arange(len(batch))):
            if isinstance(self.reference, ServedTeacher):
                told = partial(self.reference.score, batch, rows)
                logprobs += self.scorer.ranks.on_first(told)
                served = True
                continue
            with self.as_reference(), at_hand(self.reference, self.model.device):
                found = self.scorer.score_all(self.reference, batch, rows)
            logprobs += found.logprobs  # 0 in all other rows
            entropies += found.entropies
        return logprobs, None if served else entropies

    def by_reference(self, batch: Batch, rows: Tensor) -> Iterator[Tensor]:
        """Yield rows that are compared with one model, having it as `reference`.

        In the order of names, whichever is in memory: in another one a resumed run would add up
        gradients to other bits.
        """
        if self.teachers is None:
            yield rows
            return
        asked = [self.teachers.names[batch.sources[row]] for row in rows.tolist()]
        for name in sorted(set(asked)):
            if name != self.teachers.present:
                self.teachers.present, self.reference = "", None  # gone before the next one comes
                self.reference = self.teachers.load(name)
                self.teachers.present = name
            yield rows[torch.tensor([name == one for one in asked])]

    def set_rate(self, optim: OptimConfig, factor: float) -> None:
        """Set the learning rates of the step to come."""
        for one, rate in zip(self.optimisers, (optim.lr, optim.critic_lr), strict=False):
            for group in one.param_groups:
                group["lr"] = rate * factor

    def run(self, batch: Batch, plan: StepPlan, *, policy: bool = True) -> dict[str, float]:
        """Make the plan's updates, `recipe.epochs` times, and return what they measured.

        Without `policy` the critic learns alone.
        """
        of_critic = self.critic.run(batch, plan) if self.critic else {}
        found, updates = self.follow_plan(batch, plan, self.recipe.epochs if policy else 0)
        counts: dict[str, float] = {"updates": updates, **plan_metrics(self.recipe, plan)}
        counts["lr"] = self.optimiser.param_groups[0]["lr"]
        if batch.taught is not None:
            counts["taught"] = float(batch.taught.double().mean())
        return {**found, **counts, **of_critic}

    def rows(self, plan: StepPlan, update: Update) -> Tensor:
        """Return those that have a gradient."""
        return update.live

    def accumulate(self, batch: Batch, plan: StepPlan, update: Update, sums: MetricSums) -> None:
        """Add the gradient of the recipe's loss."""
        compares = self.recipe.compares_distributions
        for rows in self.by_reference(batch, update.live) if compares else [update.live]:
            self._accumulate(batch, plan, rows, sums)

    def _accumulate(self, batch: Batch, plan: StepPlan, rows: Tensor, sums: MetricSums) -> None:
        table = loss_table(plan)
        with shared_casts(self.model), self.comparing(batch) as compare:
            passes = self.scorer.passes(self.model, batch, rows)
            for done, micro in enumerate(passes):
                if self.progress:
                    self.progress(done, len(passes))
                found = self.scorer.score(self.model, batch, micro, compared=compare(micro))
                if not micro:
                    (0 * found.logprobs.sum()).backward()
                    continue
                inputs = inputs_of(batch, plan, table, micro, found)
                output = policy_loss(self.recipe, inputs)
                output.loss.backward()
                sums.add(output.metrics)
                sums.add({"entropy": found.entropies.detach()[inputs.mask].sum()})
                sums.add(sampler_mismatch(self.recipe, inputs))

    def as_reference(self) -> AbstractContextManager[Any]:
        """Have the reference as it is meant: a policy with its adapters off is what it began as."""
        itself = self.recipe.teacher_is == "policy"
        return nullcontext() if itself else lora.disabled(self.reference)

    @contextmanager
    def comparing(self, batch: Batch) -> Iterator[Callable[[list[int]], Compared | None]]:
        """Have within what says of some rows what the reference does; collectives of all ranks."""
        recipe, reference = self.recipe, self.reference
        if not recipe.compares_distributions:
            yield lambda micro: None
            return

        def compare(micro: list[int]) -> Compared:
            with self.as_reference():
                hidden = self.scorer.states(reference, as_its_teacher(batch), micro)
            return Head(hidden, *head), str(recipe.kl), recipe.kl_options

        with at_hand(reference, self.model.device):
            linear = linear_head(reference)
            # Whole: a sharded model's is out of reach where the policy's own pass needs it.
            head = [
                p if p is None else full_tensor(p.detach()) for p in (linear.weight, linear.bias)
            ]
            yield compare


def inputs_of(
    batch: Batch, plan: StepPlan, table: LossTable, micro: list[int], found: TokenScores
) -> LossInputs:
    """Return what the loss of the rows `micro` reads, on the device of the scores just `found`."""
    width, device = found.logprobs.shape[1], found.logprobs.device

    def cut(values: Tensor) -> Tensor:
        picked = values[micro]
        return (picked[:, :width] if picked.dim() == 2 else picked).to(device)

    old, reference, divergence = plan.scores.old, plan.scores.reference, found.divergence
    if divergence is not None and batch.taught is not None:
        divergence = torch.where(cut(batch.taught)[:, None], divergence, 0.0)
    return loss_inputs(
        LossTable(*map(cut, table)),
        logp=found.logprobs,
        old_logp=None if old is None else cut(old),
        advantages=cut(plan.advantages),
        mask=cut(plan.mask),
        ref_logp=None if reference is None else cut(reference),
        sampler_logp=cut(batch.sampler_logprobs),
        entropies=found.entropies,
        divergence=divergence,
    )


def as_its_teacher(batch: Batch) -> Batch:
    """Return a batch with the prompts that its teacher reads."""
    return batch if batch.teacher_prompts is None else replace(batch, prompts=batch.teacher_prompts)


@contextmanager
def at_hand(model: Any, device: torch.device) -> Iterator[None]:
    """Have a model on `device` within, and back where it waits after it; slices move as well.

    A reference takes part in nothing but the scoring: while rollouts are drawn, and in an update,
    its bytes on a GPU would be bytes of the cache, or of activations.
    """
    waits = model.device
    if waits != device:
        model.to(device)
    try:
        yield
    finally:
        if waits != device:
            model.to(waits)


def make_optimiser(model: Any, optim: OptimConfig, lr: float) -> torch.optim.Optimizer:
    """Return what follows the gradients of all that a model trains, as `optim.optimizer` says."""
    if optim.optimizer == "muon":
        return muon(model, optim, lr)
    return torch.optim.AdamW(
        [parameter for parameter in model.parameters() if parameter.requires_grad],
        lr=lr,
        betas=(optim.betas[0], optim.betas[1]),
        eps=optim.eps,
        weight_decay=optim.weight_decay,
        fused=True,
    )
