"""A sampler of a user's own, `sampling.engine = "module:name"`: what it draws is looked at."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from rewardkit.errors import ConfigError
from rewardkit.registry import piece
from rewardkit.sampling import SamplingParams
from rewardkit.types import Rollout
from rewardkit_native.sampling.sampler import OnFinish, OnStep, Sampler

NONE: Mapping[str, Callable[..., Sampler]] = {}


class OwnSampler:
    """Stands before a sampler that rewardkit does not know: Sampler(model, tokenizer, dtype).

    Raises:
        ConfigError: it cannot be imported, or is no `Sampler`.
    """

    def __init__(self, name: str, model: Any, tokenizer: Any, dtype: torch.dtype) -> None:
        self.name = name
        self.sampler = piece("engine", name, NONE)(model, tokenizer, dtype)
        for part in ("sample", "refresh", "release"):
            if not hasattr(self.sampler, part):
                raise ConfigError(f"engine {name!r} has no {part}, as {Sampler.__module__} asks")
        self.refresh, self.release = self.sampler.refresh, self.sampler.release

    def sample(
        self,
        prompts: Sequence[Sequence[int]],
        seeds: Sequence[Sequence[int]],
        params: SamplingParams,
        progress: OnStep | None = None,
        on_finish: OnFinish | None = None,
    ) -> list[list[Rollout]]:
        """Return what it draws.

        Raises:
            ConfigError: a group or rollout is missing, or has no finite log-probability a token.
        """
        found = self.sampler.sample(prompts, seeds, params, progress, on_finish)
        if [len(group) for group in found] != [len(own) for own in seeds]:
            raise ConfigError(f"engine {self.name!r} drew other groups than it was asked for")
        for rollout in (rollout for group in found for rollout in group):
            known = all(map(math.isfinite, rollout.logprobs))
            if not known or len(rollout.logprobs) != len(rollout.tokens):
                raise ConfigError(
                    f"engine {self.name!r} drew a rollout of {len(rollout.tokens)} tokens with "
                    f"{len(rollout.logprobs)} log-probabilities, expected a finite one each"
                )
        return found
