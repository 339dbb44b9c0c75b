"""Finding and loading a model, and checking that it can do what is asked of it."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple
from unittest.mock import patch

import torch
from safetensors import SafetensorError
from torch import nn

from rewardkit.config import ModelConfig
from rewardkit.errors import ModelError
from rewardkit.evaluation.models import resolve_model
from rewardkit.runs.seal import SEAL, check

UNREADABLE = (OSError, ValueError, RuntimeError, SafetensorError)
"""What transformers raises for a folder or name that it cannot make a model of."""
IGNORED = "Ignoring clean_up_tokenization_spaces"
"""Said at the first decoding of many a model, of a setting that is not used: what is ignored would
have changed the text, so that all is as it should be."""


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


def unreadable(name: str, source: str, error: Exception) -> ModelError:
    """Return the error for a model that cannot be read from `source`, a folder or a hub's id.

    >>> print(unreadable("owner/name", "owner/name", OSError("no such repository")))
    could not load 'owner/name': no such repository
    Without a network, give a local folder, or a model that `rewardkit fetch` lists.
    """
    folder = Path(source)
    if not folder.is_dir():
        return ModelError(
            f"could not load {name!r}: {error}\nWithout a network, give a local folder, or a model "
            "that `rewardkit fetch` lists."
        )
    if (folder / SEAL).exists():
        try:
            check(folder)
        except ModelError as damage:
            return ModelError(f"{damage}. Give another checkpoint of the run, or train it anew")
    return ModelError(
        f"could not load {name!r}: {error}\nThe folder is incomplete or damaged, or of no model "
        "that transformers knows; copy it again, or give another."
    )


def quiet_transformers() -> None:
    """Switch off progress bars of loading, and that one warning."""
    from transformers.utils import logging as theirs

    theirs.disable_progress_bar()
    logging.getLogger("transformers.tokenization_utils_tokenizers").addFilter(is_news)


def is_news(record: logging.LogRecord) -> bool:
    """Return whether a record is anything else than that warning."""
    return not record.getMessage().startswith(IGNORED)
