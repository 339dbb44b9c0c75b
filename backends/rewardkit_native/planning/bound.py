"""What a step needs at the very least: known in an instant, and refused where no card has it."""

from __future__ import annotations

import os
from typing import Any

import torch

from rewardkit.config import RunConfig
from rewardkit.errors import ConfigError
from rewardkit.planning.memory import GB, STATE, Least
from rewardkit.planning.model import model_config, parameters
from rewardkit_native.learning.passes import micro_batch_tokens, pass_memory


def check_this_machine(config: RunConfig) -> None:
    """Raise a ConfigError where this machine's GPU is too small for any step."""
    device = torch.cuda.get_device_properties(int(os.environ.get("LOCAL_RANK", "0")))
    ranks = int(os.environ.get("WORLD_SIZE", "1"))
    model = model_config(config.model.name)
    refuse_what_cannot_fit(config, model, ranks=ranks, memory=device.total_memory)


def least(config: RunConfig, model: Any, ranks: int) -> Least:
    """Return what a step of a configuration holds at least on one of `ranks` GPUs."""
    size = parameters(model)
    state = (4 if config.lora.rank else STATE) * size // ranks
    longest = config.sampling.max_tokens * config.sampling.group_size
    tokens = min(micro_batch_tokens(config.optim, "cuda"), longest)
    kept = pass_memory(model, config.on_gpus().model.dtype, "cuda").per_token * tokens
    if config.optim.activation_checkpointing:
        kept = 4 * model.num_hidden_layers * model.hidden_size * tokens
    return Least(state, kept)


def refuse_what_cannot_fit(config: RunConfig, model: Any, *, ranks: int, memory: int) -> None:
    """Raise a ConfigError where a GPU of `memory` bytes is too small for any step.

    Raises:
        ConfigError: names what it needs at least, and the line that changes it.
    """
    found = least(config, model, ranks)
    if found.total <= memory:
        return
    if found.state > 0.9 * memory:
        more = next((n for n in (2, 4, 8) if found.state * ranks / n < 0.6 * memory), 8)
        line = f"torchrun --nproc-per-node {more}, or --set lora.rank=16"
    elif config.optim.activation_checkpointing:
        line = f"--set optim.tokens_per_micro_batch={micro_batch_tokens(config.optim, 'cuda') // 2}"
    else:
        line = "--set optim.activation_checkpointing=true"
    raise ConfigError(
        f"{config.model.name} does not fit: on each of {ranks} GPUs an update holds at least "
        f"{found.state / GB:.0f} GB of weights, gradients and moments and {found.kept / GB:.0f} GB "
        f"of what a micro-batch keeps, and a GPU has {memory / GB:.0f} GB. Use {line}; "
        "`rewardkit train CONFIG --plan` says what each would give"
    )
