"""The reference decoder: transformers' own forward pass and key-value cache."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import signature
from typing import Any

import torch
from torch import Tensor

from rewardkit.errors import ConfigError
from rewardkit_native.model.weights import sampling_copy


class TransformersDecoder:
    """Decodes through a causal language model of transformers whose cache consists of rows.

    Raises:
        ConfigError: rows of the model's cache cannot be copied and dropped.
    """

    def __init__(self, model: Any, dtype: torch.dtype) -> None:
        # A copy in the sampling dtype: casting 135 M weights anew for each token would cost more
        # than the token. In the master's own dtype the master itself serves.
        same = next(model.parameters()).dtype == dtype
        self.model = model if same else sampling_copy(model, dtype)
        self.model.eval()
        self.device: torch.device = self.model.device
        self._try()

    @torch.no_grad()
    def _try(self) -> None:
        """Decode two tokens: some families have no cache, or one that holds more than rows."""
        try:
            decoding = self.start([[1, 2], [3]], [2, 1])
            decoding.keep([2, 0, 1])  # more than prompts: what was left as it was does not fit
            decoding.step(torch.tensor([1, 2, 3], device=self.device))
        except Exception as error:
            raise ConfigError(
                f"a model of the kind {type(self.model).__name__} cannot be sampled in batches, "
                f"since rows of its cache cannot be copied and dropped "
                f"({type(error).__name__}: {error}); choose a model whose layers are all attention"
            ) from error

    @torch.no_grad()
    def refresh(self, model: Any | Mapping[str, Tensor]) -> None:
        """Copy the weights of `model` into the sampling copy."""
        if self.model is model:
            return
        weights = model if isinstance(model, Mapping) else model.state_dict()
        for name, ours in self.model.named_parameters():
            ours.copy_(weights[name])

    def release(self) -> None:
        """Keep the sampling copy, which `refresh` only overwrites."""

    def start(self, prompts: Sequence[Sequence[int]], copies: Sequence[int]) -> _Decoding:
        """Read each prompt once, all padded on the left."""
        return _Decoding(self.model, prompts, copies)


class _Decoding:
    def __init__(self, model: Any, prompts: Sequence[Sequence[int]], copies: Sequence[int]) -> None:
        self.model = model
        # Newer ones of transformers call it `cache`.
        takes = signature(model.forward).parameters
        self.name = "cache" if "cache" in takes else "past_key_values"
        ids, mask = left_pad(prompts, 0, model.device)
        output = model(
            input_ids=ids,
            attention_mask=mask,
            position_ids=(mask.cumsum(1) - 1).clamp(min=0),
            use_cache=True,
            logits_to_keep=1,
        )
        counts = torch.tensor(copies, device=model.device)
        spread = torch.arange(len(prompts), device=model.device).repeat_interleave(counts)
        self.cache = output[self.name]
        self.cache.batch_select_indices(spread)
        self.logits: Tensor = output.logits[spread, -1]
        self.mask = mask[spread]

    def keep(self, rows: Sequence[int]) -> None:
        chosen = torch.tensor(rows, device=self.mask.device)
        self.cache.batch_select_indices(chosen)
        self.mask = self.mask[chosen]

    def step(self, tokens: Tensor, live: Tensor | None = None) -> None:
        seen = self.mask.new_ones(len(tokens), 1) if live is None else live[:, None].to(self.mask)
        self.mask = torch.cat([self.mask, seen], dim=1)
        output = self.model(
            input_ids=tokens[:, None],
            attention_mask=self.mask,
            position_ids=self.mask.sum(1, keepdim=True) - 1,
            use_cache=True,
            **{self.name: self.cache},
        )
        self.cache, self.logits = output[self.name], output.logits[:, -1]


def left_pad(
    prompts: Sequence[Sequence[int]], pad: int, device: torch.device
) -> tuple[Tensor, Tensor]:
    """Return (ids, mask), both [N, longest]: padding on the left, so that all rows end alike."""
    longest = max(map(len, prompts))
    ids = torch.full((len(prompts), longest), pad, dtype=torch.long)
    mask = torch.zeros(len(prompts), longest, dtype=torch.long)
    for row, prompt in enumerate(prompts):
        ids[row, longest - len(prompt) :] = torch.tensor(prompt)
        mask[row, longest - len(prompt) :] = 1
    return ids.to(device), mask.to(device)
