"""PPO's critic: it says what each state is worth, and learns what came of it.

It is the policy's model with one number a token in the place of its head; it is sharded, stepped
and saved like the policy, and reads the same batch in the same minibatches.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from torch.nn import functional

from rewardkit.config import OptimConfig
from rewardkit.losses import value_loss
from rewardkit.recipes import Recipe
from rewardkit.training_step import MetricSums, StepPlan, Update
from rewardkit_native.distributed.sharding import copy_full, full_tensor
from rewardkit_native.learning.batch import Batch
from rewardkit_native.learning.passes import Scorer, shared_casts
from rewardkit_native.learning.update import Learner, make_optimiser
from rewardkit_native.model.logprobs import response_states, right_pad

FILE = "critic.safetensors"
"""The critic's weights in a checkpoint, beside the policy's."""


@dataclass(kw_only=True)
class Critic(Learner):
    """A value function and its optimiser."""

    @torch.no_grad()
    def score(self, batch: Batch) -> Tensor:
        """Return V of the state before each response token, [B, T]; all ranks get all of it."""
        found = torch.zeros(batch.response.shape)
        for micro in self.scorer.passes(self.model, batch, torch.arange(len(batch))):
            values = self.values(batch, micro)
            if micro:
                found[micro, : values.shape[1]] = values.cpu().float()
        self.scorer.ranks.all_reduce(found)
        return found

    def values(self, batch: Batch, micro: list[int]) -> Tensor:
        """Return the values of some rows, [b, T], likewise."""
        work = partial(response_values, self.scorer.optim.layout, self.model)
        return self.scorer.make(self.model, batch, micro, work)

    def run(self, batch: Batch, plan: StepPlan) -> dict[str, float]:
        """Learn the plan's returns, in its updates, and return what was measured."""
        found, _ = self.follow_plan(batch, plan, self.recipe.epochs)
        return {**found, "critic_grad_norm": found.pop("grad_norm"), **explained(plan)}

    def rows(self, plan: StepPlan, update: Update) -> Tensor:
        """Return those that have a token in the loss, whatever their advantage."""
        return update.rows[plan.mask[update.rows].any(1)]

    def accumulate(self, batch: Batch, plan: StepPlan, update: Update, sums: MetricSums) -> None:
        """Add the gradient of a mean over the update's tokens.

        Whatever the policy's aggregation: each token's value is one prediction.
        """
        assert plan.returns is not None
        assert plan.scores.values is not None
        with shared_casts(self.model):
            for micro in self.scorer.passes(self.model, batch, self.rows(plan, update)):
                found = self.values(batch, micro)
                if not micro:
                    (0 * found.sum()).backward()
                    continue
                mask, values, returns = (
                    table[micro, : found.shape[1]].to(found.device)
                    for table in (plan.mask, plan.scores.values, plan.returns)
                )
                weights = found.new_full((len(micro),), 1 / update.tokens)
                loss = value_loss(
                    *(found, values, returns.to(found.dtype), mask, weights),
                    clip=self.recipe.value_clip,
                )
                loss.backward()
                sums.add({"tokens": mask.sum(), "value_loss": loss.detach() * update.tokens})

    def weights(self, *, keep: bool) -> dict[str, Tensor]:
        """Return whole weights by name, in main memory; a collective of all ranks."""
        found = {}
        for name, value in self.model.named_parameters():
            whole = full_tensor(value.detach())
            if keep:
                found[name] = whole.cpu().contiguous()
        return found

    def load(self, folder: Path) -> None:
        """Put back the weights that a checkpoint holds."""
        read = load_file(folder / FILE)
        for name, parameter in self.model.named_parameters():
            copy_full(read[name], parameter)


def write_critic(folder: Path, weights: Mapping[str, Tensor]) -> None:
    """Write what `Critic.weights` returned into a checkpoint."""
    save_file(dict(weights), folder / FILE)


def make_critic(model: Any, recipe: Recipe, optim: OptimConfig, scorer: Scorer) -> Critic:
    """Return the critic that a value model becomes with AdamW around it."""
    optimiser = make_optimiser(model, optim, optim.critic_lr)
    return Critic(
        model=model, optimiser=optimiser, recipe=recipe, grad_clip=optim.grad_clip, scorer=scorer
    )


def value_model(policy: Any) -> Any:
    """Return a copy of `policy` whose head is a linear layer to one number, 0 everywhere at first.

    A critic that knows nothing yet predicts nothing; a random head would begin with noise in every
    advantage. The body is the policy's, and learns from the first update on that moves the head.
    """
    critic = copy.deepcopy(policy)
    old = critic.get_output_embeddings()
    head = torch.nn.Linear(old.in_features, 1, device=old.weight.device, dtype=old.weight.dtype)
    torch.nn.init.zeros_(head.weight)
    torch.nn.init.zeros_(head.bias)
    critic.set_output_embeddings(head)
    critic.config.tie_word_embeddings = False
    return critic


def response_values(
    layout: str, model: Any, prompts: Sequence[Sequence[int]], responses: Sequence[Sequence[int]]
) -> Tensor:
    """Return V of the state before each response token, [B, T], 0 beyond a response's end.

    Computed in the head's own precision, whatever the pass has: under bfloat16 a value near 1
    would have two digits, and its advantage none.
    """
    hidden = response_states(layout, model, prompts, responses)
    head = model.get_output_embeddings()
    with torch.autocast(hidden.device.type, enabled=False):
        values = functional.linear(hidden.to(head.weight.dtype), head.weight, head.bias)
    return right_pad(values[:, 0], responses)


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
