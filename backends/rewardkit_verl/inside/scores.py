"""What verl's models said of a batch, as the scores that a step's plan reads."""

from __future__ import annotations

from typing import Any

from torch import Tensor
from verl.workers.utils.padding import response_from_nested

from rewardkit.training_step import Scores

SCORED = (
    "old_log_probs",
    "entropy",
    "ref_log_prob",
    "values",
    "sum_pi_squared",
    "rollout_log_probs",
)
"""The fields of a batch that `scores` reads; those that a run lacks are not there."""


def scores(data: Any) -> Scores:
    """Return what verl's models say of a batch, as padded tensors."""

    def padded(name: str) -> Tensor | None:
        return data[name].to_padded_tensor(0.0) if name in data.keys() else None  # noqa: SIM118

    if "sum_pi_squared" in data.keys():  # noqa: SIM118
        # The engine says it of whole rows; the other fields verl has cut to responses itself.
        found = response_from_nested(data["sum_pi_squared"], data["response_mask"])
        data = {**data, "sum_pi_squared": found}
    return Scores(
        old=padded("old_log_probs"),
        entropies=padded("entropy"),
        reference=padded("ref_log_prob"),
        values=padded("values"),
        sum_pi_squared=padded("sum_pi_squared"),
        sampler=padded("rollout_log_probs"),
    )
