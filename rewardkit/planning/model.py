"""What a model's configuration says of its size; nothing is loaded."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rewardkit.client.settings import is_address
from rewardkit.config import RunConfig
from rewardkit.errors import ConfigError, ModelError
from rewardkit.evaluation.models import resolve_model
from rewardkit.planning.ledger import Peak, deeper

DEPTHS = (2, 3)
"""Layers of the two models that are simulated; all others are as the third."""


def model_config(name: str) -> Any:
    """Return a model's configuration; a folder needs no more than its config.json.

    Raises:
        ModelError: it cannot be found.
    """
    from transformers import AutoConfig

    here = (Path(name) / "config.json").exists()
    try:
        return AutoConfig.from_pretrained(name if here else resolve_model(name))
    except (OSError, ValueError) as error:
        raise ModelError(
            f"no configuration of {name!r}: {error}\nWithout a network, give a folder with the "
            "model's config.json: --set model.name=FOLDER"
        ) from error


def teacher_config(config: RunConfig) -> Any | None:
    """Return the configuration of a run's teacher in memory, the largest where it has several."""
    found = [model_config(name) for name in config.teachers if not is_address(name)]
    for one in found:
        refuse_unknown_depth(one)
    return max(found, key=parameters, default=None)


def refuse_unknown_depth(model: Any) -> None:
    """Raise a ConfigError for a configuration that does not say how deep and wide it is."""
    for name in ("num_hidden_layers", "hidden_size", "num_attention_heads"):
        if not isinstance(getattr(model, name, None), int):
            raise ConfigError(
                f"--plan reads {name} of the model's configuration, and this one has none "
                "(a model of text alone is needed)"
            )


def parameters(model: Any) -> int:
    """Return how many numbers a model has."""
    import torch
    from transformers import AutoModelForCausalLM

    with torch.device("meta"):
        made = AutoModelForCausalLM.from_config(model)
    return sum(parameter.numel() for parameter in made.parameters())


def token_cache(model: Any) -> int:
    """Return the bytes of one token's keys and values in all layers, in bfloat16."""
    heads = getattr(model, "num_key_value_heads", None) or model.num_attention_heads
    head = getattr(model, "head_dim", None) or model.hidden_size // model.num_attention_heads
    found: int = 4 * model.num_hidden_layers * heads * head
    return found


def whole_depth(simulate: Callable[[Any], dict[str, Peak]], model: Any) -> dict[str, Peak]:
    """Return a model's peaks by phase, from two shallow ones of the same width.

    `simulate` says those of a model of this configuration.
    """
    layers = model.num_hidden_layers
    if layers <= DEPTHS[1]:
        return simulate(model)
    shallow, deep = (simulate(cut(model, depth)) for depth in DEPTHS)
    steps = (layers - DEPTHS[1]) / (DEPTHS[1] - DEPTHS[0])
    return {name: deeper(shallow[name], deep[name], steps) for name in deep}


def cut(model: Any, layers: int) -> Any:
    """Return a model's configuration with so many layers."""
    found = copy.deepcopy(model)
    found.num_hidden_layers = layers
    if getattr(found, "layer_types", None):
        found.layer_types = found.layer_types[:layers]
    return found
