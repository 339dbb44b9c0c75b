"""A model's weights by the names of its state dict, as samplers read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch import Tensor


def named_weights(model: Any | Mapping[str, Tensor]) -> Mapping[str, Tensor]:
    """Return the weights of a module, detached and not copied; a mapping is returned as it is."""
    if isinstance(model, Mapping):
        return model
    weights: Mapping[str, Tensor] = model.state_dict()
    return weights
