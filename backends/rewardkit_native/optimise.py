"""The optimiser of the policy or of its critic, and one step of it."""

from __future__ import annotations

from typing import Any

import torch

from rewardkit.config import OptimConfig
from rewardkit.errors import TrainingError
from rewardkit_native.distributed.sharding import full_tensor


def make_optimiser(model: Any, optim: OptimConfig, lr: float) -> torch.optim.Optimizer:
    """Return AdamW over what a model trains."""
    return torch.optim.AdamW(
        [parameter for parameter in model.parameters() if parameter.requires_grad],
        lr=lr,
        betas=(optim.betas[0], optim.betas[1]),
        eps=optim.eps,
        weight_decay=optim.weight_decay,
        fused=True,
    )


def follow(optimiser: torch.optim.Optimizer, grad_clip: float) -> float:
    """Clip the gradient that has been added up, follow it, and return its norm.

    Raises:
        TrainingError: the gradient is not finite; it was not followed.
    """
    parameters = [p for group in optimiser.param_groups for p in group["params"]]
    norm = float(full_tensor(torch.nn.utils.clip_grad_norm_(parameters, grad_clip)))
    if norm != norm or norm == float("inf"):
        optimiser.zero_grad(set_to_none=True)
        raise TrainingError(
            f"the gradient is not finite (norm {norm}) and was not followed. Lower optim.lr, "
            "or use model.dtype = 'float32'"
        )
    optimiser.step()
    optimiser.zero_grad(set_to_none=True)
    return norm
