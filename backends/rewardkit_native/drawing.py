"""From logits to tokens: inverse-CDF sampling with each row's own uniform numbers."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional

from rewardkit.sampling import SamplingParams

BLOCK = 128
"""Tokens whose probabilities are summed together before one of them is looked for."""

LIKELY = 512
"""Of so many tokens the likeliest are looked for before all are sorted, at several times the
cost."""


def draw(logits: Tensor, uniform: Tensor, params: SamplingParams) -> tuple[Tensor, Tensor]:
    """Return one token a row, and its log-probability, by inverse-CDF sampling.

    Shapes: logits [N, V]; uniform [N] in [0, 1); both results [N]. The vocabulary keeps its own
    order, so equal logits and equal uniforms give equal tokens. The log-probability is of the
    distribution at the given temperature before top-k and top-p cut it, which is what the
    trainer computes.

    >>> import torch
    >>> tokens, logprobs = draw(
    ...     torch.tensor([[0.2, 0.5, 0.3]]).log(), torch.tensor([0.6]), SamplingParams(1)
    ... )
    >>> tokens.item(), round(logprobs.exp().item(), 3)
    (1, 0.5)
    """
    if params.temperature not in (0.0, 1.0):
        logits = logits.float() / params.temperature
    probabilities = logits.softmax(-1, dtype=torch.float32)
    if params.temperature == 0:
        tokens = logits.argmax(-1)
    else:
        tokens = _invert(_keep_likeliest(probabilities, params), uniform)
    return tokens, probabilities.gather(-1, tokens[:, None])[:, 0].log()


def uniforms(seeds: Sequence[int], length: int) -> Tensor:
    """Return [len(seeds), length] numbers in [0, 1), each row from its own seed."""
    rows = torch.empty(len(seeds), length)
    for row, seed in zip(rows, seeds, strict=True):
        row.uniform_(generator=torch.Generator().manual_seed(seed))
    return rows


def _invert(weights: Tensor, uniform: Tensor) -> Tensor:
    """Return the token at which the cumulative weight passes `uniform` of the total: [N].

    Block by block, then inside one block: a cumulative sum over a whole vocabulary costs more
    than the layer before it, and all but one block of it would be thrown away.
    """
    blocks = functional.pad(weights, (0, -weights.shape[-1] % BLOCK)).unflatten(-1, (-1, BLOCK))
    cumulative = blocks.sum(-1).cumsum(-1)
    target = uniform[:, None].to(cumulative) * cumulative[:, -1:]
    block = _first_beyond(cumulative, target)
    before = cumulative.gather(-1, (block - 1).clamp(min=0)).masked_fill(block == 0, 0.0)
    inside = blocks.take_along_dim(block[:, :, None], dim=1)[:, 0].cumsum(-1)
    token = _first_beyond(inside, (target - before).clamp(min=0))
    return (block * BLOCK + token)[:, 0]


def _first_beyond(cumulative: Tensor, target: Tensor) -> Tensor:
    """Return the first place where `cumulative` exceeds `target`: [N, 1].

    A target next to the total can round up to it; the place is then the last that has weight.
    """
    place = torch.searchsorted(cumulative, target, right=True)
    return torch.minimum(place, cumulative.argmax(-1, keepdim=True))


def _keep_likeliest(probabilities: Tensor, params: SamplingParams) -> Tensor:
    if params.top_k:
        least = probabilities.topk(min(params.top_k, probabilities.shape[-1])).values[:, -1:]
        probabilities = probabilities.masked_fill(probabilities < least, 0.0)
    if params.top_p < 1:
        probabilities = _nucleus(probabilities, params.top_p)
    return probabilities


def _nucleus(probabilities: Tensor, top_p: float) -> Tensor:
    """Keep the likeliest tokens up to the first with which they reach `top_p` of the total."""
    total = probabilities.sum(-1, keepdim=True)
    ordered, order = probabilities.topk(min(LIKELY, probabilities.shape[-1]))
    if bool((ordered.sum(-1, keepdim=True) < top_p * total).any()):
        ordered, order = probabilities.sort(dim=-1, descending=True)
    before = ordered.cumsum(-1) - ordered
    kept = ordered.masked_fill(before >= top_p * total, 0.0)
    return torch.zeros_like(probabilities).scatter_(-1, order, kept)
