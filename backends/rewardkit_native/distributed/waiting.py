"""A model that a part of a step needs waits for it in main memory.

A reference takes part in nothing but the scoring: while rollouts are drawn, and in an update, its
bytes on a GPU would be bytes of the cache, or of activations.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch


@contextmanager
def at_hand(model: Any, device: torch.device) -> Iterator[None]:
    """Have a model on `device` within, and back where it waits after it; slices move as well."""
    waits = model.device
    if waits == device:
        yield
        return
    model.to(device)
    try:
        yield
    finally:
        model.to(waits)
