"""LoRA through peft: small trained matrices beside frozen weights (arXiv 2106.09685).

The adapters are injected into the model's own layers, so that everything that reads the model's
structure goes on working. With their scale at 0 the model is the one that the run started from:
the reference of the KL term costs no second copy.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

import torch
from torch import Tensor, nn

from rewardkit.config import LoraConfig
from rewardkit.errors import ConfigError, MissingExtraError
from rewardkit_native.distributed.sharding import full_tensor

NAME = "default"


def inject(model: Any, config: LoraConfig) -> None:
    """Freeze a model and put trainable adapters beside its linear layers; the model changes.

    Raises:
        MissingExtraError: peft is not installed.
        ConfigError: no layer has such a name, or one that has is the head or an embedding.
    """
    if find_spec("peft") is None:
        raise MissingExtraError("peft", "lora")
    import peft

    if config.rank > (width := model.config.get_text_config().hidden_size):
        raise ConfigError(
            f"lora.rank = {config.rank} is more than the model's width of {width}, where adapters "
            "are larger than the weights; set a lower rank, or 0 to train all weights"
        )
    settings = peft.LoraConfig(
        r=config.rank,
        lora_alpha=config.alpha,
        lora_dropout=0.0,  # the policy that is trained must be the one that sampled
        target_modules=list(config.targets) or "all-linear",
        task_type="CAUSAL_LM",
        base_model_name_or_path=model.config._name_or_path,
    )
    try:
        peft.inject_adapter_in_model(settings, model, NAME)
    except ValueError as error:
        raise ConfigError(f"lora.targets = {list(config.targets)}: {error}") from error
    head = model.get_output_embeddings()
    for name, layer in layers(model):
        if layer is head or isinstance(layer.base_layer, nn.Embedding):
            raise ConfigError(
                f"lora.targets = {list(config.targets)}: {name} is the head or an embedding, which "
                "cannot have an adapter here; name linear layers between them"
            )
    model.lora_settings = settings


def layers(model: Any) -> Iterator[tuple[str, Any]]:
    """Yield names and modules of the layers that carry an adapter."""
    for name, module in model.named_modules():
        if hasattr(module, "lora_A"):
            yield name, module


def adapters(model: Any) -> Iterator[tuple[str, Tensor]]:
    """Yield the trained parameters, under the names that peft's own files give them."""
    for name, parameter in model.named_parameters():
        if ".lora_" in name:
            yield name.replace(f".{NAME}.", "."), parameter


def settings_of(model: Any) -> Any:
    """Return peft's configuration of a model's adapters."""
    return model.lora_settings


@contextmanager
def disabled(model: Any) -> Iterator[None]:
    """Within, the model is the one without adapters; a model that has none is as it was."""
    found = [module for _, module in layers(model)]
    for module in found:
        module.set_scale(NAME, 0.0)
    try:
        yield
    finally:
        for module in found:
            module.set_scale(NAME, 1.0)


def plain_names(model: Any) -> Iterator[str]:
    """Yield the names that the model's weights have without adapters."""
    for name, _ in model.named_parameters():
        if ".lora_" not in name:
            yield name.replace(".base_layer.", ".")


@torch.no_grad()
def merged(model: Any, name: str) -> Tensor:
    """Return a whole weight of the model without adapters, W + α/r · BA in W's place.

    A collective of all ranks where the model is sharded.

    Raises:
        KeyError: the model has no such weight.
    """
    owner, _, kind = name.rpartition(".")
    try:
        layer = model.get_submodule(owner)
        adapted = hasattr(layer, "lora_A")
        parameter = getattr(layer.base_layer if adapted else layer, kind)
    except AttributeError:
        raise KeyError(name) from None
    if not isinstance(parameter, Tensor):
        raise KeyError(name)  # such as the bias of a layer that has none
    value = full_tensor(parameter.detach())
    if not adapted or kind != "weight":
        return value
    down, up = (full_tensor(m[NAME].weight) for m in (layer.lora_A, layer.lora_B))
    delta = layer.scaling[NAME] * (up @ down)
    joined: Tensor = value + (delta.T if layer.fan_in_fan_out else delta)
    return joined
