"""Tokens a second of every way to sample, side by side: the samplers, and `generate`.

    python benchmarks/samplers.py                     # both OpenMP policies, one after the other
    python benchmarks/samplers.py --policy active --repetitions 5

Each way draws the same work: 8 prompts of the arithmetic task, 8 responses each, of exactly 64
tokens (nothing ends a response early), with SmolLM2-135M in bfloat16. In every repetition all of
them run one after another in one process, so that what slows the machine slows them alike.
vLLM takes part where it can be imported. `generate` returns tokens alone; the samplers also the
log-probability of each.
"""

from __future__ import annotations

import argparse
import copy
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec

PROMPTS, MEMBERS, TOKENS = 8, 8, 64
BASE = "generate (sdpa)"


def main() -> None:
    """Measure under one OpenMP policy, or start a process for each."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--model", default="smollm2-135m")
    parser.add_argument("--dtype", default="bfloat16", choices=["bfloat16", "float32"])
    parser.add_argument("--policy", default="both", choices=["both", "active", "passive"])
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--without", nargs="*", default=[], help="ways to leave out, by name")
    arguments = parser.parse_args()
    if arguments.policy != "both" and os.environ.get("OMP_WAIT_POLICY") == arguments.policy:
        measure(arguments)
        return
    policies = ["active", "passive"] if arguments.policy == "both" else [arguments.policy]
    for policy in policies:
        # OpenMP reads its policy once, at the start of a process.
        environment = os.environ | {"OMP_WAIT_POLICY": policy}
        again = [sys.executable, *sys.argv, "--policy", policy]
        subprocess.run(again, env=environment, check=True)


def measure(arguments: argparse.Namespace) -> None:
    """Time all ways in turn, as often as asked, and print a table."""
    import torch

    ways = {k: v for k, v in make_ways(arguments).items() if k not in arguments.without}
    rates: dict[str, list[float]] = {name: [] for name in ways}
    for repetition in range(arguments.repetitions + 1):
        for name, way in ways.items():
            started = time.perf_counter()
            drawn = way()
            seconds = time.perf_counter() - started
            assert drawn == PROMPTS * MEMBERS * TOKENS, (name, drawn)
            if repetition:  # the first is a warm-up
                rates[name].append(drawn / seconds)
    print(
        f"\n{arguments.model}, {arguments.dtype}, {PROMPTS} x {MEMBERS} x {TOKENS} tokens, "
        f"OMP_WAIT_POLICY={arguments.policy}, {torch.get_num_threads()} threads, "
        f"torch {torch.__version__}, {arguments.repetitions} repetitions after a warm-up"
    )
    print(f"{'tokens/s':24}{'min':>8}{'median':>8}{'max':>8}   ratio to {BASE}: min, median, max")
    for name, values in rates.items():
        ratios = [a / b for a, b in zip(values, rates.get(BASE, values), strict=True)]
        columns = "".join(f"{number:8.0f}" for number in spread(values))
        print(f"{name:24}{columns}   " + ", ".join(f"{number:.2f}" for number in spread(ratios)))


def spread(values: list[float]) -> tuple[float, float, float]:
    """Return least, median and most."""
    return min(values), statistics.median(values), max(values)


def make_ways(arguments: argparse.Namespace) -> dict[str, Callable[[], int]]:
    """Return name -> a function that draws everything and returns how many tokens that were."""
    import torch

    from rewardkit.checks import encode
    from rewardkit.config import ModelConfig
    from rewardkit.evaluation.models import resolve_model
    from rewardkit.sampling import SamplingParams
    from rewardkit.tasks import load_task
    from rewardkit_native.model.loading import load
    from rewardkit_native.sampling.choice import FastSampler, TransformersSampler
    from rewardkit_native.sampling.sampler import Sampler

    dtype = getattr(torch, arguments.dtype)
    model, tokenizer = load(ModelConfig(name=arguments.model, device="cpu"))
    task = load_task("arithmetic")
    prompts = [encode(tokenizer, task.messages(task.train[i])) for i in range(PROMPTS)]
    seeds = [range(i * MEMBERS, (i + 1) * MEMBERS) for i in range(PROMPTS)]
    params = SamplingParams(TOKENS)

    def through(sampler: Sampler) -> Callable[[], int]:
        def draw() -> int:
            groups = sampler.sample(prompts, seeds, params)
            return sum(len(rollout.tokens) for group in groups for rollout in group)

        return draw

    ways: dict[str, Callable[[], int]] = {}
    for name, kind in (("fast", FastSampler), ("transformers", TransformersSampler)):
        sampler = kind(model, tokenizer, dtype)
        sampler.end_tokens = frozenset()
        ways[name] = through(sampler)
    ways[BASE] = generate(copy.deepcopy(model).to(dtype), prompts)
    if find_spec("vllm") and "vllm" not in arguments.without:
        from rewardkit_native.sampling.vllm_sampler import VLLMSampler

        path = resolve_model(arguments.model)
        ways["vllm"] = through(VLLMSampler(path, model, tokenizer, dtype, [], params))
    return ways


def generate(model: object, prompts: list[list[int]]) -> Callable[[], int]:
    """Return what draws through transformers' own `generate`."""
    import torch

    from rewardkit_native.sampling.reference_decoder import left_pad

    repeated = [prompt for prompt in prompts for _ in range(MEMBERS)]
    ids, mask = left_pad(repeated, 0, torch.device("cpu"))

    def draw() -> int:
        output = model.generate(
            input_ids=ids,
            attention_mask=mask,
            do_sample=True,
            temperature=1.0,
            top_k=0,
            top_p=1.0,
            max_new_tokens=TOKENS,
            min_new_tokens=TOKENS,
            pad_token_id=0,
        )
        return (output.shape[1] - ids.shape[1]) * len(output)

    return draw


if __name__ == "__main__":
    main()
