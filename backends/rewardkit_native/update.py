"""From graded groups to a gradient step: batch, advantages, loss, optimiser.

The normaliser is one weight per sequence, computed over the whole batch of one optimiser step
(`rewardkit.losses.sequence_weights`). Micro-batches only add up, so neither their number nor
their width changes the gradient.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from rewardkit.advantages import AdvantageInputs, estimate, required_inputs
from rewardkit.config import OptimConfig, RunConfig
from rewardkit.errors import ConfigError, TrainingError
from rewardkit.losses import (
    LossInputs,
    entropy_threshold,
    kl_reward,
    policy_loss,
    sequence_weights,
)
from rewardkit.recipes import Recipe
from rewardkit_native import lora
from rewardkit_native.batch import Batch, micro_batches, minibatches
from rewardkit_native.logprobs import TokenScores, packed_scores, padded_scores
from rewardkit_native.model import autocast, casts_kept, checkpointing
from rewardkit_native.parallel import Ranks
from rewardkit_native.sharding import through, whole


@dataclass
class Updater:
    """Holds what a gradient step needs; `run` makes all updates of one batch."""

    model: Any
    reference: Any | None
    optimiser: torch.optim.Optimizer
    schedule: torch.optim.lr_scheduler.LRScheduler
    recipe: Recipe
    optim: OptimConfig
    dtype: str
    temperature: float
    ranks: Ranks = field(default_factory=Ranks)

    def run(self, batch: Batch) -> dict[str, float]:
        """Update the model on a batch, `recipe.epochs` times `recipe.minibatches`.

        Returns metrics as means over the tokens of all updates.

        Raises:
            TrainingError: the gradient is not finite; it was not followed.
        """
        if needs_old_scores(self.recipe):
            batch.old = self._score_all(self.model, batch)
        if self.reference is not None:
            with lora.disabled(self.reference):
                batch.reference = self._score_all(self.reference, batch)
        batch.advantages = self._advantages(batch)
        totals: dict[str, float] = defaultdict(float)
        peaks: dict[str, float] = {}
        norms: list[float] = []
        lr = float(self.optimiser.param_groups[0]["lr"])
        for _ in range(self.recipe.epochs):
            for rows in minibatches(batch, self.recipe.minibatches):
                if not len(self._pulling(batch, rows)):
                    continue  # AdamW's momentum would move the weights without any gradient
                self._accumulate(batch, rows, totals, peaks)
                norms.append(self._step())
                lr = self.optimiser.param_groups[0]["lr"]
                self.schedule.step()
        totals, peaks = self.ranks.merge(totals, peaks)
        tokens = max(totals.pop("tokens", 0.0), 1.0)
        metrics = {name: total / tokens for name, total in totals.items()}
        norm = sum(norms) / len(norms) if norms else 0.0
        return {**metrics, **peaks, "grad_norm": norm, "updates": len(norms), "lr": lr}

    def _advantages(self, batch: Batch) -> Tensor:
        recipe = self.recipe
        counted = None
        if recipe.mask_truncated and not recipe.truncated_in_statistics:
            counted = ~batch.truncated
        token_rewards = None
        if recipe.kl is not None and recipe.kl_in == "reward" and batch.reference is not None:
            assert batch.old is not None
            token_rewards = kl_reward(
                recipe.kl,
                batch.old.logprobs,
                batch.reference.logprobs,
                batch.mask,
                recipe.kl_coef,
            )
        inputs = AdvantageInputs(
            rewards=batch.rewards,
            groups=batch.groups,
            mask=batch.mask,
            correct=batch.correct,
            entropies=batch.old.entropies if batch.old else None,
            token_rewards=token_rewards,
            counted=counted,
        )
        return estimate(recipe.advantage, inputs, **recipe.advantage_options)

    def _pulling(self, batch: Batch, rows: Tensor) -> Tensor:
        """Return those of `rows` that have a gradient, or whose group has one.

        A group of equal rewards has none, and neither has a response that is masked whole: they
        count in the normaliser, and are spared the passes.
        """
        assert batch.advantages is not None
        live = rows[batch.mask[rows].any(1)]
        if pulls_to_reference(self.recipe):
            return live
        advantages = batch.advantages[live]
        pull = advantages.any(1) if advantages.dim() == 2 else advantages != 0
        return live[torch.isin(batch.groups[live], batch.groups[live[pull]])]

    def _accumulate(
        self, batch: Batch, rows: Tensor, totals: dict[str, float], peaks: dict[str, float]
    ) -> None:
        """Add up the gradient of one minibatch, micro-batch by micro-batch."""
        weights = sequence_weights(
            self.recipe.aggregation,
            batch.mask[rows].sum(1),
            batch.groups[rows],
            constant=self.recipe.constant,
        )
        weight_of = dict(zip(rows.tolist(), weights, strict=True))
        threshold = None
        if self.recipe.high_entropy is not None:
            assert batch.old is not None
            threshold = entropy_threshold(
                batch.old.entropies[rows], batch.mask[rows], self.recipe.high_entropy
            )
        with casts_kept(self.model):
            for micro in self._passes(batch, self._pulling(batch, rows)):
                if not micro:
                    (0 * self._score(self.model, batch, micro).logprobs.sum()).backward()
                    continue
                micro_weights = torch.stack([weight_of[i] for i in micro])
                scores = self._score(self.model, batch, micro)
                inputs = self._loss_inputs(batch, micro, scores, micro_weights, threshold)
                output = policy_loss(self.recipe, inputs)
                output.loss.backward()
                gather_metrics(output.metrics, totals, peaks)
                totals["entropy"] += float(scores.entropies[inputs.mask].sum())
                assert inputs.sampler_logp is not None
                # Of the policy that sampled, whatever updates of this batch came since.
                mismatch = (inputs.old_logp - inputs.sampler_logp).abs()[inputs.mask]
                totals["sampler_mismatch"] += float(mismatch.sum())
                if mismatch.numel():
                    worst = float(mismatch.max())
                    peaks["max_sampler_mismatch"] = max(
                        peaks.get("max_sampler_mismatch", 0.0), worst
                    )

    def _loss_inputs(
        self,
        batch: Batch,
        micro: list[int],
        scores: TokenScores,
        weights: Tensor,
        threshold: Tensor | None,
    ) -> LossInputs:
        assert batch.advantages is not None
        width, device = scores.logprobs.shape[1], scores.logprobs.device

        def cut(values: Tensor) -> Tensor:
            picked = values[micro]
            return (picked[:, :width] if picked.dim() == 2 else picked).to(device)

        return LossInputs(
            logp=scores.logprobs,
            # One update a batch: the policy is still the one that was there, so the ratio is 1
            # and only its gradient matters; a second pass would compute the same numbers.
            old_logp=cut(batch.old.logprobs) if batch.old else scores.logprobs.detach(),
            advantages=cut(batch.advantages),
            mask=cut(batch.mask),
            weights=weights.to(device),
            ref_logp=cut(batch.reference.logprobs) if batch.reference else None,
            sampler_logp=cut(batch.sampler_logprobs),
            entropies=scores.entropies,
            entropy_threshold=threshold,
        )

    def _step(self) -> float:
        parameters = [p for group in self.optimiser.param_groups for p in group["params"]]
        norm = float(whole(torch.nn.utils.clip_grad_norm_(parameters, self.optim.grad_clip)))
        if norm != norm or norm == float("inf"):
            self.optimiser.zero_grad(set_to_none=True)
            raise TrainingError(
                f"the gradient is not finite (norm {norm}) and was not followed. Lower optim.lr, "
                "or use model.dtype = 'float32'"
            )
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        return norm

    @torch.no_grad()
    def _score_all(self, model: Any, batch: Batch) -> TokenScores:
        width = batch.mask.shape[1]
        logprobs = torch.zeros(len(batch), width)
        entropies = torch.zeros(len(batch), width)
        for micro in self._passes(batch, torch.arange(len(batch))):
            scores = self._score(model, batch, micro)
            if not micro:
                continue
            logprobs[micro, : scores.logprobs.shape[1]] = scores.logprobs.cpu()
            entropies[micro, : scores.entropies.shape[1]] = scores.entropies.cpu()
        self.ranks.add(logprobs, entropies)
        return TokenScores(logprobs, entropies)

    def _passes(self, batch: Batch, rows: Tensor) -> list[list[int]]:
        """Return the micro-batches of this rank's groups, and empty ones to keep in step."""
        tokens = [len(batch.responses[i]) for i in rows.tolist()]
        mine = self.ranks.own_groups(batch.groups[rows].tolist(), tokens)
        own = rows[torch.isin(batch.groups[rows], torch.tensor(mine))]
        return self.ranks.in_step(micro_batches(batch, own, self.optim, self.model.device.type))

    def _score(self, model: Any, batch: Batch, micro: list[int]) -> TokenScores:
        """Score some rows; without any, a single token takes the pass that other ranks make."""
        prompts = [batch.prompts[i] for i in micro] or [[0]]
        responses = [batch.responses[i] for i in micro] or [[0]]
        score = packed_scores if self.optim.layout == "packed" else padded_scores
        block = self.optim.tokens_per_head_block
        again = self.optim.activation_checkpointing and torch.is_grad_enabled()
        with autocast(model, self.dtype), checkpointing(model, again):
            return through(model, lambda: score(model, prompts, responses, self.temperature, block))


PROVIDED = frozenset({"rewards", "groups", "mask", "correct", "entropies"})


REWRITTEN_LOGITS = ("final_logit_softcapping", "logit_scale", "logits_scaling")
"""Settings of models whose logits are more than the head's output, which the scores would miss."""


def refuse_what_cannot_run(config: RunConfig, model: Any) -> None:
    """Raise a ConfigError for a recipe or model that this backend would train wrongly."""
    recipe = config.recipe
    missing = required_inputs(recipe.advantage) - PROVIDED
    if missing:
        raise ConfigError(
            f"recipe {recipe.name}: the native backend has no {', '.join(sorted(missing))} for "
            f"the estimator {recipe.advantage!r}; choose another recipe.advantage (it has all "
            "that grpo, dr_grpo, rloo, gtpo, grpo_s, maxrl and reinforce_pp need)"
        )
    if config.sampling.temperature <= 0:
        raise ConfigError("training samples need sampling.temperature above 0")
    rewritten = [name for name in REWRITTEN_LOGITS if getattr(model.config, name, None)]
    if rewritten:
        raise ConfigError(
            f"model {config.model.name} changes its logits ({rewritten[0]}), which the native "
            "backend does not do; choose a model without it"
        )
    kinds = set(getattr(model.config, "layer_types", None) or ["full_attention"])
    windowed = getattr(model.config, "sliding_window", None) or kinds != {"full_attention"}
    if config.optim.layout == "packed" and windowed:
        raise ConfigError(
            f"optim.layout = 'packed' needs layers that see everything before them, and "
            f"{config.model.name} has others; use --set optim.layout=padded"
        )
    attention = getattr(model.config, "_attn_implementation", None)
    if config.optim.layout == "packed" and attention != "sdpa":
        raise ConfigError(
            f"optim.layout = 'packed' needs sdpa attention, and this model runs with "
            f"{attention!r}; use --set optim.layout=padded"
        )


def needs_old_scores(recipe: Recipe) -> bool:
    """Whether the policy must be scored before the first update of a batch.

    With one update a batch it need not: the policy is still the one that sampled.
    """
    several_updates = recipe.epochs * recipe.minibatches > 1
    reads_entropies = "entropies" in required_inputs(recipe.advantage) or recipe.high_entropy
    kl_in_reward = bool(recipe.kl_coef) and recipe.kl_in == "reward"
    return several_updates or bool(reads_entropies) or kl_in_reward


def pulls_to_reference(recipe: Recipe) -> bool:
    """Whether a KL term in the loss moves the weights even where every advantage is 0."""
    return recipe.kl is not None and recipe.kl_coef > 0 and recipe.kl_in == "loss"


def gather_metrics(
    metrics: dict[str, Tensor], totals: dict[str, float], peaks: dict[str, float]
) -> None:
    """Add a micro-batch's sums to the totals, and keep the largest of what is a maximum."""
    for name, value in metrics.items():
        if name.startswith("max_"):
            peaks[name] = max(peaks.get(name, float("-inf")), float(value))
        else:
            totals[name] += float(value)
