"""What the engines that load a model themselves have in common."""

from __future__ import annotations

from typing import Any

from rewardkit.errors import ModelError
from rewardkit.evaluation.engines.base import (
    DecodingSettings,
    EngineOptions,
    first_set,
    read_template,
)
from rewardkit.evaluation.models import trained_dtype

LONGEST_DEFAULT = 32_768
"""Tokens of a response where neither the user nor the model says, if the context has room."""


def dtype_of(asked: str, path: str, device: str) -> str:
    """Return the type to evaluate in: what is asked for, or what a run of ours trained in.

    For other models it is bfloat16 on a GPU and float32 elsewhere, in each of these engines.

    >>> dtype_of("auto", "owner/model", "cpu"), dtype_of("bfloat16", "owner/model", "cpu")
    ('float32', 'bfloat16')
    """
    if asked != "auto":
        return asked
    return trained_dtype(path) or ("float32" if device == "cpu" else "bfloat16")


def give_template(tokenizer: Any, options: EngineOptions, model: str) -> str:
    """Give a tokenizer the chat template of the options, if there is one, and return what it has.

    Raises:
        ModelError: it has none.
        ConfigError: the file cannot be read.
    """
    template = read_template(options.chat_template)
    if template is not None:
        tokenizer.chat_template = template
    if not tokenizer.chat_template:
        raise ModelError(
            f"{model}: has no chat template; give one with --chat-template FILE (a Jinja file)"
        )
    found: str = tokenizer.chat_template
    return found


def with_defaults(asked: DecodingSettings, configured: Any, context: int) -> DecodingSettings:
    """Fill what is not asked for from a model's generation_config, else with plain sampling."""
    return DecodingSettings(
        max_tokens=first_set(
            asked.max_tokens, configured.max_new_tokens, min(LONGEST_DEFAULT, context)
        ),
        temperature=first_set(asked.temperature, configured.temperature, 1.0),
        top_p=first_set(asked.top_p, configured.top_p, 1.0),
        top_k=first_set(asked.top_k, configured.top_k, 0),
        stop=asked.stop,
        marks=asked.marks,
        limits=asked.limits,
    )
