"""What a card holds beside tensors, and what a step holds at the very least."""

from __future__ import annotations

from typing import NamedTuple

GB = 10**9
STATE = 16
"""Bytes of a trained float32 number: itself, its gradient and two moments."""
CONTEXT = 1_500_000_000
"""Bytes that CUDA, NCCL and the libraries' workspaces take on a card: an assumption."""
FRAGMENTS = 0.05
"""Of what is held, so much more is lost between the allocator's blocks: an assumption."""


def with_allowance(held: int) -> int:
    """Return the bytes of a card that so many bytes of tensors take."""
    return int(held * (1 + FRAGMENTS)) + CONTEXT


class Least(NamedTuple):
    """Bytes of a GPU that a step needs in any case."""

    state: int
    """Weights, gradients and the optimiser's moments, of this rank."""
    kept: int
    """What one full micro-batch keeps for its backward pass."""

    @property
    def total(self) -> int:
        """Both, which are there together."""
        return self.state + self.kept
