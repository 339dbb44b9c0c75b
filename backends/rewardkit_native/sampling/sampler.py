"""What the loop needs of a sampler: prompts -> groups of rollouts, each token with its log-prob.

A rollout is a function of (weights, prompt, seed) alone: each has random numbers of its own, so
that neither the batch around it nor a resumed run changes what is sampled (up to float arithmetic).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from rewardkit.sampling import SamplingParams
from rewardkit.types import Rollout

__all__ = ["OnFinish", "OnStep", "Sampler"]

OnStep = Callable[[int, int], None]
"""Called with (finished rollouts, tokens so far) after each decoding step."""

OnFinish = Callable[[int, int, Rollout], None]
"""Called with (group, member, rollout) as soon as a rollout has ended, while others go on."""


class Sampler(Protocol):
    """Draws a group of responses for each prompt."""

    def sample(
        self,
        prompts: Sequence[Sequence[int]],
        seeds: Sequence[Sequence[int]],
        params: SamplingParams,
        progress: OnStep | None = None,
        on_finish: OnFinish | None = None,
    ) -> list[list[Rollout]]:
        """Return `len(seeds[i])` rollouts of `prompts[i]`, in order."""
        ...

    def refresh(self, model: Any) -> None:
        """Sample from the current weights of `model` from now on.

        `model` may also be a mapping from the names of its state dict to tensors.
        """
        ...

    def release(self) -> None:
        """Give up the memory that only sampling needs, until the next `refresh`."""
        ...
