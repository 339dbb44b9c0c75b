"""From logits to tokens, with random numbers that are a function of (seed, step) alone.

A token is drawn by a race: token i arrives after E_i / p_i with E_i exponential, and the first to
arrive is i with probability p_i. Inverting the cumulative distribution would need one random
number instead of many, but a rounding error moves all borders behind it: two correct float32
implementations of the same model then part ways about every 500 tokens. In a race they do so only
where two tokens arrive at the same time. To need few random numbers the race is run twice: between
blocks of the vocabulary, then within the block that won.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from rewardkit.sampling import SamplingParams

BLOCK = 256
"""Tokens whose probabilities are summed together before one of them is looked for."""
LIKELY = 512
"""Of so many tokens the likeliest are looked for before all are sorted, at several times the
cost."""


def draw(
    logits: Tensor,
    seeds: Tensor,
    step: int | Tensor,
    params: SamplingParams,
    known: int | None = None,
) -> tuple[Tensor, Tensor]:
    """Return one token a row, and its log-probability.

    Shapes: logits [N, V]; seeds [N] int64; both results [N]. `step` is the place of the token in
    its response, of all rows or of each, [N]. The log-probability is of the distribution at the
    given temperature before top-k and top-p cut it, which is what the trainer computes. Ids from
    `known` on, rows that pad a head beyond its tokenizer, are never drawn.

    >>> import torch
    >>> logits = torch.tensor([[0.2, 0.5, 0.3]]).log().expand(1000, 3)
    >>> tokens, logprobs = draw(logits, torch.arange(1000), 0, SamplingParams(1))
    >>> round((tokens == 1).float().mean().item(), 1)
    0.5
    """
    if params.temperature not in (0.0, 1.0):
        logits = logits.float() / params.temperature
    probabilities = logits.softmax(-1, dtype=torch.float32)
    if params.temperature == 0:
        tokens = logits[:, :known].argmax(-1)
    else:
        tokens = _race(_keep_likeliest(probabilities[:, :known], params), seeds, step)
    return tokens, probabilities.gather(-1, tokens[:, None])[:, 0].log()


def exponentials(seeds: Tensor, step: int | Tensor, count: int) -> Tensor:
    """Return [N, count] exponential random numbers of mean 1, a function of seed, step and place.

    The numbers of splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
    generators", 2014) at places (step, 0), (step, 1), ... of each seed's stream, on any device.
    """
    first = step << 32 if isinstance(step, int) else (step << 32)[:, None]
    places = torch.arange(count, device=seeds.device) + first
    bits = _mix(_mix(seeds)[:, None] + places * _GOLDEN)
    # 53 bits, and half a step off 0 and 1, where the logarithm would be infinite or 0.
    uniform = ((_shift(bits, 11)).double() + 0.5) * 2.0**-53
    return -uniform.log().float()


_GOLDEN = 0x9E3779B97F4A7C15 - (1 << 64)


def _mix(bits: Tensor) -> Tensor:
    bits = (bits ^ _shift(bits, 30)) * (0xBF58476D1CE4E5B9 - (1 << 64))
    bits = (bits ^ _shift(bits, 27)) * (0x94D049BB133111EB - (1 << 64))
    return bits ^ _shift(bits, 31)


def _shift(bits: Tensor, by: int) -> Tensor:
    """Shift right and fill with zeros; torch's own shift of signed numbers copies the sign."""
    return (bits >> by) & ((1 << (64 - by)) - 1)


def _race(weights: Tensor, seeds: Tensor, step: int | Tensor) -> Tensor:
    """Return the winner a row, [N], of weights [N, V] that need not add up to 1."""
    blocks = functional.pad(weights, (0, -weights.shape[-1] % BLOCK)).unflatten(-1, (-1, BLOCK))
    count = blocks.shape[1]
    noise = exponentials(seeds, step, count + BLOCK)
    block = (blocks.sum(-1) / noise[:, :count]).argmax(-1)
    inside = blocks[torch.arange(len(blocks), device=blocks.device), block]
    token: Tensor = block * BLOCK + (inside / noise[:, count:]).argmax(-1)
    return token


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
    ordered = probabilities.topk(min(LIKELY, probabilities.shape[-1])).values
    # A GPU sorts all at once: to ask it whether these suffice would be to wait for it.
    on_cpu = probabilities.device.type == "cpu"
    if not on_cpu or bool((ordered.sum(-1, keepdim=True) < top_p * total).any()):
        ordered = probabilities.sort(dim=-1, descending=True).values
    before = ordered.cumsum(-1) - ordered
    least = ordered.masked_fill(before >= top_p * total, torch.inf).amin(-1, keepdim=True)
    # By value, not by place: equal ones are ordered by chance, and by what else is in the batch.
    return probabilities.masked_fill(probabilities < least, 0.0)
