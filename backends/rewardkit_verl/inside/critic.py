"""The critic's loss inside verl's workers.

verl's own divides by all response tokens of a minibatch, those of undecided and of masked responses
too, and lets the critic learn from them; this one counts what the policy's loss counts, as the
native backend does. Where every response counts, both are the same.
"""

from __future__ import annotations

from typing import Any

from torch import Tensor
from verl.utils.metric import AggregationType, Metric
from verl.workers.utils.padding import no_padding_2_padding

from rewardkit.losses import value_loss
from rewardkit.recipes import Recipe
from rewardkit.training_step import LossTable
from rewardkit_verl.inside.losses import TABLE
from rewardkit_verl.names import METRICS


def critic_loss(
    recipe: Recipe, model_output: Any, data: Any, dp_group: Any = None
) -> tuple[Tensor, dict[str, Any]]:
    """Return the value loss of one micro-batch, and metrics, as verl's engine calls it.

    Losses of the micro-batches of one update add up.
    """
    values = no_padding_2_padding(model_output["values"], data)
    padded = data.select("values", "returns", "response_mask", TABLE).to_padded_tensor()
    table = LossTable(*padded[TABLE].to(values.device).unbind(1))
    counts = table.weight > 0
    loss = value_loss(
        values,
        padded["values"],
        padded["returns"].to(values.dtype),
        padded["response_mask"].bool() & counts[:, None],
        counts / table.tokens.clamp(min=1),
        clip=recipe.value_clip,
    )
    metrics = {METRICS + "value_loss": Metric(AggregationType.SUM, float(loss.detach()))}
    # verl's data-parallel gradients are averaged over ranks; the weights are of the whole batch.
    return loss * data["dp_size"], metrics
