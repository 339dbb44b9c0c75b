"""The random generators that a run shares with the code it calls, as one value to keep.

Sampling and losses draw from seeds of their own and need none of this; a task, a verifier or a
layer written by a user may draw from the global generators.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch


def seed_generators(seed: int) -> None:
    """Start all global generators from one seed."""
    torch.manual_seed(seed)
    random.seed(seed)
    if numpy := sys.modules.get("numpy"):
        numpy.random.seed(seed % 2**32)


def generator_states() -> dict[str, Any]:
    """Return the state of all global generators, as tensors, numbers and strings alone."""
    states: dict[str, Any] = {"torch": torch.get_rng_state(), "python": random.getstate()}
    if torch.cuda.is_available():
        states["cuda"] = torch.cuda.get_rng_state_all()
    if numpy := sys.modules.get("numpy"):
        name, keys, *rest = numpy.random.get_state()
        states["numpy"] = [name, keys.tolist(), *rest]
    return states


def set_generator_states(states: dict[str, Any]) -> None:
    """Put back what `generator_states` returned."""
    torch.set_rng_state(states["torch"].cpu())
    random.setstate(states["python"])
    if "cuda" in states and len(states["cuda"]) == torch.cuda.device_count():
        torch.cuda.set_rng_state_all([state.cpu() for state in states["cuda"]])
    if "numpy" in states:
        import numpy

        numpy.random.set_state(tuple(states["numpy"]))


@contextmanager
def generators_untouched() -> Iterator[None]:
    """Leave the global generators as they were, whatever is drawn inside."""
    before = generator_states()
    try:
        yield
    finally:
        set_generator_states(before)
