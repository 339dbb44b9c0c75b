"""A policy with adapters (arXiv 2106.09685) as the plain model that it stands for, as natively."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from torch import Tensor

PREFIX = "base_model.model."
"""What peft puts before the names of a model that it wraps."""


def plain_names(names: Iterable[str]) -> dict[str, str]:
    """Return the names that weights have without adapters, each with the one that it has here.

    >>> plain_names([f"{PREFIX}up.base_layer.weight", f"{PREFIX}up.lora_A.default.weight"])
    {'up.weight': 'base_model.model.up.base_layer.weight'}
    """
    return {
        name.removeprefix(PREFIX).replace(".base_layer.", "."): name
        for name in names
        if ".lora_" not in name
    }


def merged(
    state: Mapping[str, Any], name: str, scale: float, whole: Callable[[Any], Tensor]
) -> Tensor:
    """Return a weight of the plain model, W + α/r · BA in W's place.

    Args:
        state: the weights as they are stored, adapters among them.
        name: the weight's in `state`.
        scale: α/r.
        whole: makes a tensor of a stored value; with shards a collective of all ranks.
    """
    layer, _, kind = name.rpartition(".base_layer.")
    value = whole(state[name])
    if kind != "weight" or f"{layer}.lora_A.default.weight" not in state:
        return value
    down, up = (whole(state[f"{layer}.lora_{which}.default.weight"]) for which in "AB")
    return value + scale * (up @ down)
