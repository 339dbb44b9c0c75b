"""Finding and loading a model, and checking that it can do what is asked of it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple
from unittest.mock import patch

import torch
from torch import nn

from rewardkit.config import ModelConfig
from rewardkit.errors import ConfigError, ModelError
from rewardkit.evaluation.models import resolve_model
from rewardkit_native.model.quiet import quiet_transformers
from rewardkit_native.model.unreadable import UNREADABLE, unreadable


class Loaded(NamedTuple):
    """A model with float32 weights, and its tokenizer."""

    model: Any
    tokenizer: Any


Where = Literal["device", "host", "nowhere"]


def load(config: ModelConfig, where: Where = "device") -> Loaded:
    """Load a causal language model and its tokenizer.

    `where` its weights are to be: on the configured device, in main memory, or nowhere ("meta"),
    for a rank that gets its slices from another.

    Raises:
        ModelError: it cannot be found or read, or has no chat template.
    """
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

    quiet_transformers()
    if config.threads:
        torch.set_num_threads(config.threads)
    source = resolve_model(config.name)
    try:
        tokenizer = AutoTokenizer.from_pretrained(source)
        if where == "nowhere":
            settings = AutoConfig.from_pretrained(source)
            with without_storage():
                model = AutoModelForCausalLM.from_config(settings, dtype=torch.float32).eval()
        else:
            model = AutoModelForCausalLM.from_pretrained(source, dtype=torch.float32)
    except UNREADABLE as error:
        raise unreadable(config.name, source, error) from error
    if tokenizer.chat_template is None:
        raise ModelError(
            f"{config.name} has no chat template; set one on its tokenizer "
            "(tokenizer.chat_template = ...), save it to a folder and give that folder"
        )
    if where != "device":
        return Loaded(model, tokenizer)
    device = device_of(config)
    try:
        return Loaded(model.to(device), tokenizer)
    except (RuntimeError, AssertionError) as error:
        raise ModelError(f"model.device = {device!r} cannot be used: {error}") from error


def device_of(config: ModelConfig) -> str:
    """Return the device that is asked for."""
    if config.device != "auto":
        return config.device
    return "cuda" if torch.cuda.is_available() else "cpu"


@contextlib.contextmanager
def without_storage() -> Iterator[None]:
    """Make modules whose parameters have no storage; buffers, which are computed, have theirs."""
    plain = nn.Module.register_parameter

    def register(module: nn.Module, name: str, parameter: nn.Parameter | None) -> None:
        if parameter is not None and not parameter.is_meta:  # a tied one comes twice
            parameter = nn.Parameter(parameter.to("meta"), parameter.requires_grad)
        plain(module, name, parameter)

    with patch.object(nn.Module, "register_parameter", register):
        yield


def spare_positions(
    model: Any, prompt: Sequence[int], max_tokens: int, longest: int | None = None
) -> int:
    """Return how many positions a prompt and a response leave free; below 0 they do not fit.

    `longest` is the longest prompt that the sampler takes, where it has a limit of its own.
    """
    context = getattr(model.config, "max_position_embeddings", None)
    left = max_tokens if context is None else context - len(prompt) - max_tokens
    return left if longest is None else min(left, longest - len(prompt))


def check_length(
    model: Any,
    prompt: Sequence[int],
    max_tokens: int,
    what: str = "a prompt",
    longest: int | None = None,
) -> None:
    """Raise a ModelError unless prompt and response fit the model's context and the sampler.

    Raises:
        ModelError: they do not; names the largest response limit that would.
    """
    if longest is not None and len(prompt) > longest:
        raise ModelError(
            f"{what} has {len(prompt)} tokens, and vLLM is made for prompts of {longest}; type "
            f"--set sampling.vllm.max_prompt_tokens={len(prompt)}"
        )
    left = spare_positions(model, prompt, max_tokens)
    if left < 0:
        most = max_tokens + left
        advice = (
            f"set sampling.max_tokens to at most {most}"
            if most > 0
            else "the prompt alone fills them: shorten or leave out that problem"
        )
        raise ModelError(
            f"{what} of {len(prompt)} tokens and a response limit of {max_tokens} do not fit "
            f"the model's {model.config.max_position_embeddings} positions; {advice}"
        )


def autocast(model: Any, dtype: str) -> contextlib.AbstractContextManager[Any]:
    """Return the context in which passes through the float32 model run in `dtype`."""
    if dtype == "float32":
        return contextlib.nullcontext()
    return torch.autocast(model.device.type, torch.bfloat16)


@contextlib.contextmanager
def checkpointing(model: Any, wanted: bool) -> Iterator[None]:
    """Run forward passes in which each layer keeps no more than its input, if that is wanted.

    Only for the length of the pass, and with no other effect of a training mode: sampling goes
    through the same layers, and needs the cache that transformers forbids them meanwhile.

    Raises:
        ConfigError: transformers cannot do so for this model.
    """
    if not wanted:
        yield
        return
    from torch.utils.checkpoint import checkpoint
    from transformers.modeling_layers import GradientCheckpointingLayer

    layers = [
        module for module in model.modules() if isinstance(module, GradientCheckpointingLayer)
    ]
    if not layers:
        raise ConfigError(
            "optim.activation_checkpointing does not work with this model, whose layers "
            "transformers cannot run again; turn it off"
        )
    before = [layer.training for layer in layers]
    for layer in layers:
        layer.training = layer.gradient_checkpointing = True
        layer._gradient_checkpointing_func = partial(checkpoint, use_reentrant=False)
    try:
        yield
    finally:
        for layer, mode in zip(layers, before, strict=True):
            layer.training, layer.gradient_checkpointing = mode, False


def shared_casts(model: Any) -> contextlib.AbstractContextManager[Any]:
    """Return a context in which the passes of `autocast` share their casts of the weights.

    Autocast forgets them at the end of its outermost context. This one is outermost, and off: what
    is computed between the passes stays as it is. A sharded model's weights come and go.
    """
    if hasattr(model, "passing"):
        return contextlib.nullcontext()
    return torch.autocast(model.device.type, enabled=False)
