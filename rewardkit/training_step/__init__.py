"""One training step: what was sampled -> what its updates learn from, and what is said of it.

Pure functions on tensors, the same for every backend. A backend samples a `SampledBatch`, lets its
models say what they think of it (`Scores`), has `plan_step` turn both into a `StepPlan`, follows
the plan with passes and an optimiser of its own, and records `step_metrics`.
"""

from rewardkit.training_step.advantages import Advantages, batch_advantages
from rewardkit.training_step.batch import (
    SampledBatch,
    Scores,
    loss_mask,
    needs_old_scores,
    needs_sum_pi_squared,
)
from rewardkit.training_step.entropy import EntropyWeight, entropy_weight
from rewardkit.training_step.metrics import (
    COUNTS,
    MetricSums,
    is_maximum,
    sampler_mismatch,
    step_metrics,
)
from rewardkit.training_step.plan import (
    LossTable,
    StepPlan,
    Update,
    has_gradient,
    loss_inputs,
    loss_table,
    mean_advantages,
    plan_metrics,
    plan_step,
)
from rewardkit.training_step.process_rewards import StepTensors, step_tensors

__all__ = [
    "COUNTS",
    "Advantages",
    "EntropyWeight",
    "LossTable",
    "MetricSums",
    "SampledBatch",
    "Scores",
    "StepPlan",
    "StepTensors",
    "Update",
    "batch_advantages",
    "entropy_weight",
    "has_gradient",
    "is_maximum",
    "loss_inputs",
    "loss_mask",
    "loss_table",
    "mean_advantages",
    "needs_old_scores",
    "needs_sum_pi_squared",
    "plan_metrics",
    "plan_step",
    "sampler_mismatch",
    "step_metrics",
    "step_tensors",
]
