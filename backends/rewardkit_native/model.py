"""Finding and loading a model, and checking that it can do what is asked of it."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch

from rewardkit.config import ModelConfig
from rewardkit.errors import ModelError
from rewardkit.evaluation.models import resolve_model
from rewardkit.types import Message


class Loaded(NamedTuple):
    """A model with float32 weights on its device, and its tokenizer."""

    model: Any
    tokenizer: Any


def load(config: ModelConfig) -> Loaded:
    """Load a causal language model and its tokenizer.

    Raises:
        ModelError: it cannot be found or read, or has no chat template.
    """
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils import logging

    logging.disable_progress_bar()
    if config.threads:
        torch.set_num_threads(config.threads)
    source = resolve_model(config.name)
    try:
        tokenizer = AutoTokenizer.from_pretrained(source)
        model = AutoModelForCausalLM.from_pretrained(source, dtype=torch.float32)
    except (OSError, ValueError) as error:
        raise ModelError(
            f"could not load {config.name!r}: {error}\n"
            "Without a network, give a local folder, or a model that `rewardkit model` lists."
        ) from error
    if tokenizer.chat_template is None:
        raise ModelError(
            f"{config.name} has no chat template; set one on its tokenizer "
            "(tokenizer.chat_template = ...), save it to a folder and give that folder"
        )
    device = config.device
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        return Loaded(model.to(device), tokenizer)
    except (RuntimeError, AssertionError) as error:
        raise ModelError(f"model.device = {device!r} cannot be used: {error}") from error


def encode(tokenizer: Any, messages: Sequence[Message]) -> list[int]:
    """Return the prompt's tokens: the chat, and the header of the model's own turn."""
    encoded = tokenizer.apply_chat_template(
        [dict(message) for message in messages], add_generation_prompt=True, return_dict=True
    )
    return list(encoded["input_ids"])


def room(model: Any, prompt: Sequence[int], max_tokens: int) -> int:
    """Return how many positions a prompt and a response leave free; below 0 they do not fit."""
    context = getattr(model.config, "max_position_embeddings", None)
    return max_tokens if context is None else context - len(prompt) - max_tokens


def check_length(
    model: Any, prompt: Sequence[int], max_tokens: int, what: str = "a prompt"
) -> None:
    """Raise a ModelError unless prompt and response fit the model's context.

    Raises:
        ModelError: they do not; names the largest response limit that would.
    """
    left = room(model, prompt, max_tokens)
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
