"""The matrix products of an update: how many operations, and how fast `torch.mm` makes them."""

from __future__ import annotations

import statistics
import time
from typing import Any

import torch

from rewardkit.planning.model import model_config


def shapes(config: Any) -> list[tuple[int, int]]:
    """Return inner and outer sizes of a layer's products."""
    hidden, size = config.hidden_size, config.hidden_size // config.num_attention_heads
    keys = 2 * config.num_key_value_heads * size
    inner = config.intermediate_size
    return [(hidden, hidden + keys), (hidden, hidden), (hidden, 2 * inner), (inner, hidden)]


def products(config: Any, batch: Any, micro: list[int]) -> int:
    """Return the FLOPs of the products of a pass over some rows, forward and backward."""
    said = sum(len(batch.responses[i]) for i in micro)
    asked = sum(map(len, {tuple(batch.prompts[i]) for i in micro}))
    layers = config.num_hidden_layers * sum(a * b for a, b in shapes(config))
    found: int = 6 * ((said + asked) * layers + said * config.hidden_size * config.vocab_size)
    return found


def rate_of_products(model: str, dtype: str, rows: int = 512) -> float:
    """Return the FLOP/s of `torch.mm` at the shapes of a pass over so many tokens, three ways."""
    config = model_config(model)
    of = [(*shape, config.num_hidden_layers) for shape in shapes(config)]
    of.append((config.hidden_size, config.vocab_size, 1))
    seconds = flops = 0.0
    for inner, outer, layers in of:
        given, weight, back = (
            torch.randn(*size).to(getattr(torch, dtype))
            for size in ((rows, inner), (outer, inner), (rows, outer))
        )
        for left, right in ((given, weight.T), (back, weight), (back.T, given)):
            looks = []
            for _ in range(7):
                start = time.perf_counter()
                torch.mm(left, right)
                looks.append(time.perf_counter() - start)
            seconds += layers * statistics.median(looks)
            flops += layers * 2 * rows * inner * outer
    return flops / seconds
