"""Time advantages and losses side by side with verl's functions and with plain expressions.

    python benchmarks/algorithms.py

One process, one thread, alternating repeats, the median of CPU times; ratios are what counts.
verl is used when it is installed. Memory is what autograd and the operators hold at once, counted
from PyTorch's own allocation records.
"""

from __future__ import annotations

import argparse
import statistics
import time
import warnings
from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor
from torch.profiler import ProfilerActivity, profile

from rewardkit.advantages import dr_grpo, grpo, opo, rloo
from rewardkit.losses import LossInputs, policy_loss, sequence_weights
from rewardkit.recipes import DAPO

REPEATS = 15
Functions = dict[str, Callable[[], object]]


def cpu_times(functions: Functions, repeats: int = REPEATS) -> dict[str, float]:
    """Return the median CPU milliseconds of each, taking turns so that noise falls on all alike."""
    spent: dict[str, list[float]] = {name: [] for name in functions}
    for function in functions.values():
        function()
    for _ in range(repeats):
        for name, function in functions.items():
            start = time.process_time()
            function()
            spent[name].append(1e3 * (time.process_time() - start))
    return {name: statistics.median(times) for name, times in spent.items()}


def peak_bytes(function: Callable[[], object]) -> int:
    """Return the most bytes that were allocated at once while the function ran."""
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as recorded:
        function()
    held = most = 0
    events = recorded.profiler.kineto_results.events()
    for event in sorted(events, key=lambda e: e.start_ns()):
        if event.name() == "[memory]":
            held += event.nbytes()
            most = max(most, held)
    return most


def advantages() -> None:
    """Compare with verl's loops on 8,192 responses in groups of 16."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            from verl.trainer.ppo import core_algos
        except ImportError:
            print("verl is not installed: advantages are not compared")
            return
    size, group, width = 8192, 16, 1
    rewards = torch.randint(0, 2, (size,)).float()
    groups = torch.arange(size) // group
    mask = torch.ones(size, width, dtype=torch.bool)
    table, index = rewards[:, None], groups.numpy().astype(str).astype(object)
    ours: dict[str, Callable[[], Tensor]] = {
        "grpo": lambda: grpo(rewards, groups),
        "dr_grpo": lambda: dr_grpo(rewards, groups),
        "rloo": lambda: rloo(rewards, groups),
        "opo": lambda: opo(rewards, groups, mask),
    }
    ours_from_names = {
        "grpo from string ids": lambda: grpo(
            rewards, torch.from_numpy(np.unique(index, return_inverse=True)[1])
        )
    }
    float_mask = mask.float()
    core = core_algos

    def theirs(name: str) -> Callable[[], object]:
        options = {"norm_adv_by_std_in_grpo": False} if name == "dr_grpo" else {}
        function = core.get_adv_estimator_fn("grpo" if name == "dr_grpo" else name)
        return lambda: function(
            token_level_rewards=table, response_mask=float_mask, index=index, **options
        )

    print(f"\nadvantages, {size} responses in groups of {group}: CPU ms, median of {REPEATS}")
    for name, function in {**ours, **ours_from_names}.items():
        pair = cpu_times({"ours": function, "verl": theirs(name.split()[0])})
        ratio = pair["verl"] / pair["ours"]
        print(f"  {name:<22} ours {pair['ours']:7.2f}   verl {pair['verl']:8.2f}   {ratio:6.1f}x")


def handwritten(logp: Tensor, old: Tensor, advantages: Tensor, mask: Tensor) -> Tensor:
    """Return PPO's clipped loss, token mean, as one writes it down."""
    ratio = torch.exp(logp - old)
    a = advantages[:, None]
    losses = torch.max(-a * ratio, -a * ratio.clamp(0.8, 1.28))
    return (losses * mask).sum() / mask.sum()


def losses(rows: int = 64, width: int = 4096) -> None:
    """Compare loss and backward with the plain PPO expression, in time and memory."""
    draw = torch.Generator().manual_seed(0)
    old = -torch.rand(rows, width, generator=draw)
    noise = 0.1 * torch.randn(rows, width, generator=draw)
    logp = (old + noise).requires_grad_()
    scores = torch.randn(rows, generator=draw)
    estimated = scores.double()  # as the estimators return them
    lengths = torch.randint(width // 2, width + 1, (rows,), generator=draw)
    mask = torch.arange(width) < lengths[:, None]
    weights = sequence_weights("token-mean", lengths)

    def ours() -> None:
        policy_loss(DAPO, LossInputs(logp, old, estimated, mask, weights)).loss.backward()
        logp.grad = None

    def plain() -> None:
        handwritten(logp, old, scores, mask).backward()
        logp.grad = None

    functions: Functions = {"ours": ours, "handwritten": plain}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            from verl.trainer.ppo import core_algos
            from verl.workers.config import ActorConfig
        except ImportError:
            pass
        else:
            config = ActorConfig(
                strategy="fsdp", rollout_n=16, ppo_micro_batch_size_per_gpu=1, clip_ratio_high=0.28
            )
            loss = core_algos.get_policy_loss_fn("vanilla")
            table, float_mask = scores[:, None] * mask, mask.float()

            def theirs() -> None:
                loss(old, logp, table, float_mask, "token-mean", config)[0].backward()
                logp.grad = None

            functions["verl"] = theirs
    print(f"\nloss + backward on [{rows}, {width}], float32: CPU ms, median of {4 * REPEATS}")
    times = cpu_times(functions, 4 * REPEATS)
    peaks = {name: peak_bytes(function) / 2**20 for name, function in functions.items()}
    for name in functions:
        ratio = times[name] / times["handwritten"]
        print(f"  {name:<12} {times[name]:7.2f} ms  {ratio:5.2f}x   peak {peaks[name]:6.2f} MiB")


def main() -> None:
    """Print both comparisons."""
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    torch.set_num_threads(1)
    print(f"torch {torch.__version__}, 1 thread")
    advantages()
    losses()


if __name__ == "__main__":
    main()
