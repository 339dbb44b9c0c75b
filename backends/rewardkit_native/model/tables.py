"""Packed attention on padded tables, with a mask: what is quickest on a CPU, whose rows are short.

The tokens of a packed row are laid out as tables for it, a row a prompt and a row a response, and
cut again behind it, so that its cost grows with Σ T (P + T) over the responses, and not with the
square of the packed row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from rewardkit_native.model.fused import share

SHORT = 384
"""Up to so many keys, attention on a CPU in bfloat16 is quicker written out than through torch's
fused kernel (whose backward takes three times as long at 114 keys, and less from 500 on)."""


@dataclass(frozen=True)
class Rows:
    """How M tokens in a row lie in a table of `shape` [rows, width] that is padded on the right."""

    shape: tuple[int, int]
    cells: Tensor  # [M]: where in the flattened table each token lies

    @classmethod
    def of_lengths(cls, lengths: Tensor) -> Rows:
        """Return the table whose row i holds `lengths[i]` tokens."""
        width = int(lengths.max())
        filled = torch.arange(width, device=lengths.device) < lengths[:, None]
        return cls((len(lengths), width), filled.flatten().nonzero()[:, 0])

    def pad(self, flat: Tensor) -> Tensor:
        """Return [rows, width, ...], zero where there is no token, from [M, ...]."""
        table: Tensor = _Pad.apply(flat, self.cells, self.shape[0] * self.shape[1])  # type: ignore[no-untyped-call]
        return table.view(*self.shape, *flat.shape[1:])

    def cut(self, table: Tensor) -> Tensor:
        """Return [M, ...] from [rows, width, ...]."""
        flat: Tensor = _Cut.apply(table.flatten(0, 1), self.cells)  # type: ignore[no-untyped-call]
        return flat


class _Pad(torch.autograd.Function):
    """Scatter to places that are all different: the gradient is a pick, and needs no sums."""

    @staticmethod
    def forward(ctx: Any, flat: Tensor, cells: Tensor, size: int) -> Tensor:
        ctx.save_for_backward(cells)
        return _scatter(flat, cells, size)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None, None]:
        return gradients[0].index_select(0, ctx.saved_tensors[0]), None, None


class _Cut(torch.autograd.Function):
    """Pick from places that are all different: the gradient is a scatter."""

    @staticmethod
    def forward(ctx: Any, table: Tensor, cells: Tensor) -> Tensor:
        ctx.save_for_backward(cells)
        ctx.size = len(table)
        return table.index_select(0, cells)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        return _scatter(gradients[0], ctx.saved_tensors[0], ctx.size), None


def _scatter(flat: Tensor, cells: Tensor, size: int) -> Tensor:
    table = flat.new_zeros(size, *flat.shape[1:])
    table[cells] = flat
    return table


@dataclass(frozen=True)
class Tables:
    """Where the tokens of a packed row lie in its tables, and what each of them sees."""

    prompts: Rows  # [G, P]
    responses: Rows  # [R, T]
    owner: Tensor  # [R]: each response's prompt
    prompt_sees: Tensor  # [1, P, P] bool
    response_sees: Tensor  # [R, T, P + T] bool: of its prompt, then of itself
    biases: dict[Any, Tensor] = field(default_factory=dict, repr=False, compare=False)
    """One for all layers: each keeps its own for the backward pass."""

    @classmethod
    def of_lengths(
        cls, prompts: Sequence[int], responses: Sequence[int], owner: Sequence[int]
    ) -> Tables:
        """Return the tables for prompts and responses of these lengths."""
        prompt_lengths, lengths = torch.tensor(prompts), torch.tensor(responses)
        owners = torch.tensor(owner)
        in_prompt, in_response = Rows.of_lengths(prompt_lengths), Rows.of_lengths(lengths)
        width, longest = in_response.shape[1], in_prompt.shape[1]
        own = torch.ones(width, width, dtype=torch.bool).tril()
        of_prompt = torch.arange(longest) < prompt_lengths[owners][:, None]
        sees = torch.cat(
            [
                of_prompt[:, None].expand(-1, width, -1),
                own[None].expand(len(lengths), -1, -1),
            ],
            dim=2,
        )
        triangle = torch.ones(1, longest, longest, dtype=torch.bool).tril()
        return cls(in_prompt, in_response, owners, triangle, sees)

    def __call__(self, q: Tensor, k: Tensor, v: Tensor, scaling: float) -> Tensor:
        """Return [N, H, E] of queries [N, H, D], keys [N, K, D] and values [N, K, E]."""
        split, prompts, responses = len(self.prompts.cells), self.prompts, self.responses
        repeats = q.shape[1] // k.shape[1]
        prompt_k, prompt_v = prompts.pad(k[:split]), prompts.pad(v[:split])
        of_prompts = attend(
            prompts.pad(q[:split]),
            prompt_k,
            prompt_v,
            self._bias(self.prompt_sees, q.dtype, repeats),
            scaling,
        )
        of_responses = attend(
            responses.pad(q[split:]),
            torch.cat([share(prompt_k, self.owner), responses.pad(k[split:])], 1),
            torch.cat([share(prompt_v, self.owner), responses.pad(v[split:])], 1),
            self._bias(self.response_sees, q.dtype, repeats),
            scaling,
        )
        return torch.cat([prompts.cut(of_prompts), responses.cut(of_responses)])

    def _bias(self, sees: Tensor, dtype: torch.dtype, repeats: int) -> Tensor:
        key = (sees is self.prompt_sees, dtype, repeats)
        if key not in self.biases:
            self.biases[key] = bias_of(sees, dtype, repeats)
        return self.biases[key]


def bias_of(sees: Tensor, dtype: torch.dtype, repeats: int) -> Tensor:
    """Return what is added to scores, [B, 1, repeats · S, L], for `sees` [B, S, L]."""
    bias = torch.zeros(sees.shape, dtype=dtype, device=sees.device)
    return bias.masked_fill_(~sees, -torch.inf)[:, None].repeat(1, 1, repeats, 1)


def attend(q: Tensor, k: Tensor, v: Tensor, bias: Tensor, scaling: float) -> Tensor:
    """Return softmax(q kᵀ · scaling + bias) v.

    Shapes: q [B, S, H, D]; k [B, L, K, D] and v [B, L, K, E], with H a multiple of K;
    bias [B or 1, 1, S · H / K, L]; result [B, S, H, E]. The H / K query heads that share keys are
    put one below the other, so that keys and values are never copied for them.
    """
    batch, length, heads, size = q.shape
    shared = k.shape[2]
    folded = (
        q.view(batch, length, shared, heads // shared, size)
        .permute(0, 2, 3, 1, 4)
        .reshape(batch, shared, -1, size)
    )
    keys, values = k.transpose(1, 2), v.transpose(1, 2)
    if q.device.type == "cpu" and q.dtype is torch.bfloat16 and k.shape[1] <= SHORT:
        scores = (folded * scaling) @ keys.transpose(2, 3) + bias
        found = scores.softmax(-1) @ values
    else:
        found = F.scaled_dot_product_attention(folded, keys, values, bias, scale=scaling)
    return (
        found.view(batch, shared, heads // shared, length, v.shape[-1])
        .permute(0, 3, 1, 2, 4)
        .reshape(batch, length, heads, v.shape[-1])
    )
