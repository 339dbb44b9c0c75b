"""How fast this CPU computes, by type and by number of threads: tried, not read off its name.

A CPU may know bfloat16 and be slow in it, or emulate it at a fiftieth of float32's speed; and
beside other work two threads that wait for each other may be slower than one.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import torch

Work = Callable[[], object]

HOPELESS = 0.5
"""Where a small product in bfloat16 reaches less of float32's rate than this, no other is tried."""


def gain_of_bfloat16() -> float:
    """Return how many times as fast as float32 bfloat16 is, with the threads that torch has now."""
    small = {dtype: _layer(dtype, 64) for dtype in ("float32", "bfloat16")}
    gain = _gain(small)
    if gain < HOPELESS:  # a whole mixture would take many seconds
        return gain
    return _gain({dtype: _mixture(dtype) for dtype in small})


def rates(dtype: str, most: int) -> dict[int, float]:
    """Return rounds a second with `most` threads, with half of them, and so on down to one.

    Each is the median of three short looks, taken in turns: another process may wake in one.
    """
    before, one_round = torch.get_num_threads(), _mixture(dtype)
    counts = [most >> halved for halved in range(most.bit_length())]
    looks: dict[int, list[float]] = {count: [] for count in counts}
    for _ in range(3):
        for count in counts:
            torch.set_num_threads(count)
            looks[count].append(_rate(one_round, 0.1))
    torch.set_num_threads(before)
    return {count: statistics.median(found) for count, found in looks.items()}


def _gain(work: dict[str, Work]) -> float:
    """Return the median ratio of rates, both sides looked at in turns."""
    for run in work.values():
        run()
    looks = []
    for _ in range(5):
        looks.append(_rate(work["bfloat16"], 0.05) / _rate(work["float32"], 0.05))
        if looks[-1] < HOPELESS / 2:
            break
    return statistics.median(looks)


def _rate(run: Work, seconds: float) -> float:
    rounds, start = 0, time.perf_counter()
    while (passed := time.perf_counter() - start) < seconds:
        run()
        rounds += 1
    return rounds / passed


def _mixture(dtype: str) -> Work:
    """Return what decodes a token of a small model, about, and learns from it in one layer."""
    few, many = _layer(dtype, 64), _layer(dtype, 512)

    def one_round() -> None:
        for _ in range(30):
            few()
        many()

    return one_round


def _layer(dtype: str, rows: int) -> Work:
    """Return a layer's work; products alone would say nothing of the waits between operations."""
    own = torch.Generator().manual_seed(0)  # a run's generators stay where they are

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=own).to(getattr(torch, dtype))

    states, up, gate, down = map(normal, (rows, 1536, 1536, 576), (576, 576, 576, 1536))

    def run() -> torch.Tensor:
        scaled = states * torch.rsqrt(states.pow(2).mean(-1, keepdim=True) + 1e-6)
        inner = torch.nn.functional.silu(scaled @ gate.T) * (scaled @ up.T)
        return scaled + inner @ down.T

    return run
