"""What verl's workers need at the very least: known in an instant, and refused where too much."""

from __future__ import annotations

from typing import Any

import torch

from rewardkit.config import RunConfig
from rewardkit.errors import ConfigError
from rewardkit.planning.memory import GB, STATE, Least
from rewardkit.planning.model import model_config, parameters, token_cache
from rewardkit_verl.planning.settings import Settings, settings_of


def check_this_machine(config: RunConfig, gpus: int) -> None:
    """Raise a ConfigError where this machine's GPUs, so many a node, are too small for any step."""
    memory = torch.cuda.get_device_properties(0).total_memory
    # Problems are not read yet: a prompt has one token at least.
    settings = settings_of(config, gpus * config.verl.nodes, prompt_tokens=1)
    refuse_what_cannot_fit(config, model_config(config.model.name), settings, memory=memory)


def least(config: RunConfig, model: Any, settings: Settings) -> Least:
    """Return what an update holds at least on one GPU, wherever it waits between two."""
    width = 4 if config.model.dtype == "float32" else 2
    tokens = min(settings.tokens, settings.rows * settings.room)
    hidden, heads = model.hidden_size, model.num_attention_heads
    size = getattr(model, "head_dim", None) or hidden // heads
    # Inputs of the products, queries and attention's result; what norms keep is left out.
    layer = 2 * hidden + 2 * heads * size + 3 * model.intermediate_size
    if settings.recomputes:
        layer = hidden
    kept = width * tokens * (model.num_hidden_layers * layer + model.vocab_size)
    state = 4 if config.lora.rank else STATE
    return Least(state * parameters(model) // settings.gpus, kept)


def refuse_what_cannot_fit(
    config: RunConfig, model: Any, settings: Settings, *, memory: int
) -> None:
    """Raise a ConfigError where a GPU of `memory` bytes is too small for any step on verl."""
    _refuse_update(config, least(config, model, settings), settings, memory)
    _refuse_engine(config, model, settings, memory)


def _refuse_update(config: RunConfig, found: Least, settings: Settings, memory: int) -> None:
    if found.total <= memory:
        return
    if found.state > 0.9 * memory:
        line = f"more GPUs than {settings.gpus} (verl.gpus, verl.nodes)"
    elif not settings.recomputes:
        line = "--set optim.activation_checkpointing=true"
    elif settings.tokens > settings.room:
        line = f"--set optim.tokens_per_micro_batch={settings.room}"
    else:
        line = f"--set sampling.max_tokens={config.sampling.max_tokens // 2}"
    raise ConfigError(
        f"{config.model.name} does not fit: on each of {settings.gpus} GPUs an update of verl's "
        f"holds at least {found.state / GB:.0f} GB of weights, gradients and moments and "
        f"{found.kept / GB:.0f} GB of what a micro-batch keeps, and a GPU has {memory / GB:.0f} "
        f"GB. Use {line}; `rewardkit train CONFIG --plan --backend verl` says what each would give"
    )


def _refuse_engine(config: RunConfig, model: Any, settings: Settings, memory: int) -> None:
    width = 4 if config.model.dtype == "float32" else 2
    weights = width * parameters(model) // settings.tensor_parallel
    cache = settings.room * token_cache(model) * width // 2 // settings.tensor_parallel
    share = int(settings.share * memory)
    if weights + cache <= share:
        return
    wanted = (weights + cache) / memory
    line = f"--set verl.gpu_memory={wanted + 0.1:.1f}"
    if wanted > 0.8:
        line = f"--set verl.tensor_parallel={2 * settings.tensor_parallel}"
    raise ConfigError(
        f"{config.model.name} cannot sample: vLLM needs {weights / GB:.0f} GB for weights and "
        f"{cache / GB:.1f} GB for one response of {settings.room} tokens with its prompt, and "
        f"verl.gpu_memory gives it {share / GB:.0f} of {memory / GB:.0f} GB. Use {line}"
    )
