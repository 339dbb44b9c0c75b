"""The recipe's loss inside verl's actor workers.

verl calls `loss_function(model_output, data, dp_group)` once a micro-batch, adds up the gradients
of a minibatch, and averages them over data-parallel ranks. `actor_loss` is that function: verl's
own `ppo_loss`, which cuts responses out of jagged tensors and then calls the policy loss that is
registered here, with beside it what `ppo_loss` does not pass on (sequence weights, reference and
sampler log-probabilities, entropies). The weights are those of the whole minibatch, computed in
the trainer, and times the number of ranks; so the gradient is the same for any split.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor
from verl.trainer.ppo.core_algos import register_policy_loss
from verl.utils.metric import AggregationType, Metric
from verl.workers.utils.losses import ppo_loss
from verl.workers.utils.padding import no_padding_2_padding

from rewardkit.losses import BatchTotals, policy_loss, sequence_weights
from rewardkit.recipes import Recipe
from rewardkit.training_step import LossTable, is_maximum, loss_inputs, sampler_mismatch
from rewardkit_verl.names import METRICS, POLICY_LOSS
from rewardkit_verl.settings import run_config

TABLE = "rewardkit_loss_table"
"""The field of a batch that holds a `LossTable`, [B, 5]."""


@dataclass
class _Micro:
    """What the registered loss reads of a micro-batch beyond verl's own arguments."""

    recipe: Recipe
    table: LossTable
    reference: Tensor | None  # [b, T]
    sampler: Tensor | None  # [b, T]
    entropies: Tensor | None  # [b, T], with gradient
    sums: dict[str, Tensor] = field(default_factory=dict)


_MICRO: ContextVar[_Micro | None] = ContextVar("rewardkit_micro_batch", default=None)


def actor_loss(
    config: Any, recipe: Recipe, model_output: Any, data: Any, dp_group: Any = None
) -> tuple[Tensor, dict[str, Any]]:
    """Return the loss of one micro-batch, and metrics; `config` is verl's actor configuration.

    Losses and metrics of the micro-batches of one update add up. Those under "rewardkit/" are
    means over the tokens of the update.
    """
    micro = _micro_batch(recipe, model_output, data)
    with _handing_over(micro):
        loss, metrics = ppo_loss(config, model_output, data, dp_group)
    tokens = micro.table.tokens[0].clamp(min=1) / data["dp_size"]
    for name, value in micro.sums.items():
        if is_maximum(name):
            metrics[METRICS + name] = Metric(AggregationType.MAX, float(value))
        elif name != "tokens":
            metrics[METRICS + name] = Metric(AggregationType.SUM, float(value / tokens))
    return loss, metrics


def _micro_batch(recipe: Recipe, model_output: Any, data: Any) -> _Micro:
    def padded(name: str) -> Tensor | None:
        return data[name].to_padded_tensor(0.0) if name in data else None

    entropies = model_output.get("entropy")
    table = padded(TABLE)  # rows of equal length, and jagged like all that verl sends
    assert table is not None, "the batch does not come from rewardkit's trainer"
    return _Micro(
        recipe=recipe,
        table=LossTable(*table.unbind(1)),
        reference=padded("ref_log_prob"),
        sampler=padded("rollout_log_probs"),
        entropies=None if entropies is None else no_padding_2_padding(entropies, data),
    )


@contextmanager
def _handing_over(micro: _Micro) -> Iterator[None]:
    token = _MICRO.set(micro)
    try:
        yield
    finally:
        _MICRO.reset(token)


@register_policy_loss(POLICY_LOSS)
def rewardkit_policy_loss(
    old_log_prob: Tensor,
    log_prob: Tensor,
    advantages: Tensor,
    response_mask: Tensor,
    loss_agg_mode: str = "",
    config: Any = None,
    rollout_is_weights: Tensor | None = None,
) -> tuple[Tensor, dict[str, Any]]:
    """Return the recipe's loss in the form that verl calls; all tensors [b, T].

    Called through `actor_loss` it has all that any recipe needs. Called by verl's own trainers it
    takes the normaliser from `config.global_batch_info`, and a recipe that needs more (a KL in the
    loss, whole groups) is refused by name.
    """
    micro = _MICRO.get()
    info = config.global_batch_info
    mask = response_mask.bool()
    if micro is None:
        recipe = run_config().recipe
        micro = _Micro(recipe, _table_of(recipe, mask, info), None, None, None)
        handed_over = False
    else:
        handed_over = True
    inputs = loss_inputs(
        LossTable(*(column.to(log_prob.device) for column in micro.table)),
        logp=log_prob,
        old_logp=old_log_prob,
        advantages=advantages,
        mask=mask,
        ref_logp=micro.reference,
        sampler_logp=micro.sampler,
        entropies=micro.entropies,
        token_scale=rollout_is_weights,
    )
    output = policy_loss(micro.recipe, inputs)
    micro.sums = {**output.metrics, **sampler_mismatch(micro.recipe, inputs)}
    # verl's data-parallel gradients are averaged over ranks; the weights are of the whole batch.
    loss = output.loss * info["dp_size"]
    if handed_over:
        return loss, {}
    tokens = output.metrics["tokens"].clamp(min=1)
    return loss, {METRICS + name: float(v / tokens) for name, v in output.metrics.items()}


def _table_of(recipe: Recipe, mask: Tensor, info: Any) -> LossTable:
    lengths = mask.sum(1)
    totals = BatchTotals(
        sequences=info["global_batch_size"] or len(mask),
        tokens=info["batch_num_tokens"] or int(lengths.sum()),
        groups=0,
    )
    weights = sequence_weights(
        recipe.aggregation, lengths.cpu(), constant=recipe.constant, totals=totals
    )
    return LossTable(weights, *(torch.zeros_like(weights) for _ in LossTable._fields[1:]))
