"""Peak memory of log-probabilities and their gradient over a large vocabulary.

    python benchmarks/head_memory.py
    python benchmarks/head_memory.py --divergence forward_kl

Each way runs in a process of its own, forward and backward over the states of 1024 response tokens
and a head of 151,936 x 896 weights (that of Qwen2.5-0.5B): all logits at once, as PyTorch's own
functions do it, and `rewardkit_native.model.head` with blocks of several sizes. Printed is the
largest resident size, less what the process held before (weights, states, libraries). With
`--divergence` it is that from a teacher of the same shape, over the states of 4096 tokens.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from types import SimpleNamespace
from typing import Any

TOKENS, SIZE, VOCABULARY = 1024, 896, 151_936
COMPARED = 4096
"""Tokens that a divergence is taken over."""
BLOCKS = (0, 1024, 256, 64)
"""Tokens a block; 0 is all logits at once, without `rewardkit_native.model.head`."""


def measure(block: int, dtype: str) -> str:
    """Run one way once; return its peak and its time."""
    import torch

    from rewardkit_native.model.head import token_scores

    head = torch.nn.Linear(SIZE, VOCABULARY, bias=False)
    hidden = torch.randn(TOKENS, SIZE, requires_grad=True)
    targets = torch.randint(VOCABULARY, (TOKENS,))
    model: Any = SimpleNamespace(get_output_embeddings=lambda: head)

    def plain() -> Any:
        logprobs = head(hidden).float().log_softmax(-1)
        with torch.no_grad():
            entropies = -(logprobs.exp() * logprobs).sum(-1)
        return logprobs.gather(-1, targets[:, None])[:, 0], entropies

    before, start = peak(), time.process_time()
    with torch.autocast("cpu", torch.bfloat16, enabled=dtype == "bfloat16"):
        logprobs, _ = token_scores(model, hidden, targets, 1.0, block) if block else plain()
    logprobs.sum().backward()
    what = f"blocks of {block}" if block else "all logits"
    grown = (peak() - before) / 2**30
    return f"{dtype:<10}{what:<16}{grown:6.2f} GiB{time.process_time() - start:8.1f} CPU-s"


def measure_divergence(block: int, dtype: str, kind: str) -> str:
    """Run one way to a divergence once; return its peak and its time."""
    import torch

    from rewardkit_native.model.head import Head, token_divergences

    head, teacher = (torch.nn.Linear(SIZE, VOCABULARY, bias=False) for _ in range(2))
    hidden, states = torch.randn(COMPARED, SIZE, requires_grad=True), torch.randn(COMPARED, SIZE)
    model: Any = SimpleNamespace(get_output_embeddings=lambda: head)

    def plain() -> Any:
        log_p = head(hidden).float().log_softmax(-1)
        with torch.no_grad():
            log_q = teacher(states).float().log_softmax(-1)
        if kind == "forward_kl":
            return (log_q.exp() * (log_q - log_p)).sum(-1)
        return (log_p.exp() * (log_p - log_q)).sum(-1)

    before, start = peak(), time.process_time()
    with torch.autocast("cpu", torch.bfloat16, enabled=dtype == "bfloat16"):
        said = Head(states, teacher.weight.detach(), None)
        found = token_divergences(model, hidden, said, 1.0, block, kind, {}) if block else plain()
    found.sum().backward()
    what = f"blocks of {block}" if block else "all logits"
    grown = (peak() - before) / 2**30
    return f"{dtype:<10}{what:<16}{grown:6.2f} GiB{time.process_time() - start:8.1f} CPU-s"


def peak() -> int:
    """Return the largest resident size so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main() -> None:
    """Measure one way, or start a process for each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--way", nargs=2, help=argparse.SUPPRESS)  # of the processes it starts
    parser.add_argument("--divergence", choices=("reverse_kl", "forward_kl"))
    arguments = parser.parse_args()
    if way := arguments.way:
        kind, settings = arguments.divergence, (int(way[0]), way[1])
        print(measure_divergence(*settings, kind) if kind else measure(*settings))
        return
    command = [sys.executable, __file__]
    if arguments.divergence:
        command += ["--divergence", arguments.divergence]
    for dtype in ("bfloat16", "float32"):
        for block in BLOCKS:
            subprocess.run([*command, "--way", str(block), dtype], check=True)


if __name__ == "__main__":
    main()
