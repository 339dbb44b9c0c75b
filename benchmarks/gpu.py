"""The native backend on one GPU, without a network: is it right, how fast is it, what does it hold.

Weights are random, in the shapes of Qwen2.5-0.5B and 1.5B. What a card could do at best is measured
on it too: bytes a second of a copy, products a second of a large matrix.

    pytest -m gpu && python benchmarks/gpu.py     # on a GPU
    python benchmarks/gpu.py --small              # a tiny shape on the CPU: does the command work
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch
from gpu_runs import beside_trl, killed_and_resumed, learning, save_random, sides
from native_vs_trl import Setting

from rewardkit.config import config_from
from rewardkit.planning.model import parameters
from rewardkit.sampling import SamplingParams
from rewardkit_native.planning import simulation
from rewardkit_native.planning.simulation import Case, simulate
from rewardkit_native.sampling.choice import FastSampler

SHAPES = {
    "0.5B": (896, 4864, 24, 14, 2),
    "1.5B": (1536, 8960, 28, 12, 2),
    "tiny": (64, 128, 2, 4, 2),
}
"""Hidden size, that of the gated layer, layers, heads, heads of keys and values."""
PROMPT = 64


@dataclass(frozen=True)
class Size:
    """How much is asked."""

    shapes: tuple[str, ...]
    rows: int
    tokens: int
    trained_tokens: int
    learning_steps: int
    probe: int
    """Side of the matrix that says what the card can do."""


FULL = Size(("0.5B", "1.5B"), 256, 512, 256, 60, 16384)
SMALL = Size(("tiny",), 16, 8, 12, 3, 512)


@dataclass(frozen=True)
class Limits:
    """What the device reaches here: bytes and bfloat16 operations a second."""

    bandwidth: float
    flops: float


def shape(name: str) -> Any:
    """Return the configuration of a shape."""
    from transformers import Qwen2Config

    hidden, inner, layers, heads, kv_heads = SHAPES[name]
    return Qwen2Config(
        vocab_size=512 if name == "tiny" else 151936,
        hidden_size=hidden,
        intermediate_size=inner,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=kv_heads,
        tie_word_embeddings=True,
    )


def made(config: Any, device: str) -> Any:
    """Return a model of random weights that never ends a response."""
    from transformers import AutoModelForCausalLM

    torch.manual_seed(0)
    with torch.device(device):
        model = AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()
    model.generation_config.eos_token_id = config.vocab_size
    return model


def waited(device: str, work: Any) -> float:
    """Return the seconds that a piece of work takes, the device's own included."""
    start = time.perf_counter()
    work()
    if device == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - start


def limits(device: str, side: int) -> Limits:
    """Return what the device reaches in a copy and in a product, the best of ten each."""
    matrix = torch.ones(side, side, dtype=torch.bfloat16, device=device)
    other = torch.empty_like(matrix)
    copy = min(waited(device, lambda: other.copy_(matrix)) for _ in range(10))
    product = min(waited(device, lambda: torch.mm(matrix, matrix, out=other)) for _ in range(10))
    return Limits(2 * 2 * side**2 / copy, 2 * side**3 / product)


def most_tokens(config: Any, rows: int, tokens: int, bandwidth: float) -> float:
    """Return how many tokens a second may be drawn where a step reads what it must, and no more.

    That is all weights once, and each row's keys and values so far, both in bfloat16.
    """
    head = config.hidden_size // config.num_attention_heads
    token = 2 * 2 * config.num_hidden_layers * config.num_key_value_heads * head
    step = 2 * parameters(config) + rows * (PROMPT + tokens / 2) * token
    return rows * bandwidth / step


def operations(config: Any, rows: int, tokens: int) -> float:
    """Return the operations of an update: six a weight and token, and attention's."""
    attention = 12 * config.num_hidden_layers * config.hidden_size * (PROMPT + tokens / 2)
    return rows * tokens * (6 * parameters(config) + attention)


def decoding(name: str, device: str, size: Size, best: Limits) -> str:
    """Say how many tokens a second the decoder draws beside transformers' `generate`."""
    rows, tokens = size.rows, size.tokens
    model = made(shape(name), device)
    size = model.config.vocab_size
    words = SimpleNamespace(
        decode=lambda *_, **__: "", eos_token_id=size, get_vocab=lambda: {"last": size - 1}
    )
    sampler = FastSampler(model, words, torch.bfloat16)
    prompts, seeds = [[5] * PROMPT] * (rows // 8), [list(range(8))] * (rows // 8)
    params = SamplingParams(tokens)
    sampler.sample(prompts, seeds, SamplingParams(4))  # the first one also compiles and captures
    ours = rows * tokens / waited(device, lambda: sampler.sample(prompts, seeds, params))
    sampler.release()
    ids = torch.full((rows, PROMPT), 5, device=device)
    model = model.to(torch.bfloat16)

    def generate() -> None:
        mask = torch.ones_like(ids)
        settings = {"min_new_tokens": tokens, "max_new_tokens": tokens, "pad_token_id": 0}
        model.generate(ids, attention_mask=mask, do_sample=True, **settings)

    theirs = rows * tokens / waited(device, generate)
    limit = most_tokens(model.config, rows, tokens, best.bandwidth)
    return (
        f"{name} decoding {rows} x {tokens}: {ours:.0f} tokens/s, generate {theirs:.0f}, "
        f"bandwidth's limit {limit:.0f} ({ours / limit:.0%} of it)"
    )


def memory(name: str, device: str, tokens: int) -> str:
    """Say what an update holds beside what is planned."""
    settings = {
        "folder": "x",
        "steps": 1,
        "recipe": {"name": "grpo", "kl_coef": 0.0, "minibatches": 1},
        "model": {"device": device},
        "sampling": {"problems": 2, "group_size": 8, "max_tokens": tokens},
    }
    case = Case(config_from(settings), shape(name), device, 1, prompt_tokens=PROMPT)
    said = f"{name} update of 16 x {tokens}: {parameters(case.model) / 1e6:.1f} M weights, "
    said += f"planned {simulate(case)['update'].total / 1e9:.3f} GB"
    if device == "cuda":
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
    simulation.once(case)
    if device == "cuda":
        said += f", held {torch.cuda.max_memory_allocated() / 1e9:.3f} GB"
    return said


def steps(name: str, device: str, size: Size, best: Limits, scratch: Path) -> Iterator[str]:
    """Say what a whole step takes, and holds, beside TRL's."""
    folder = save_random(made(shape(name), "cpu"), scratch / name)
    if device == "cuda":
        torch.cuda.empty_cache()  # the steps are made by processes beside this one
    tokens = size.trained_tokens
    setting = Setting(
        *("bfloat16", 3, folder),
        task="gpu_runs:coin",
        device=device,
        tokens=tokens,
        micro_batch=8,
    )
    rows = setting.problems * setting.group
    limit = operations(shape(name), rows, tokens) / best.flops
    for side, found in beside_trl(setting, scratch).items():
        if isinstance(found, str):
            yield f"{name} step of {side}: failed, {found}"
            continue
        update = found["forward"] + found["backward and step"]
        yield (
            f"{name} step of {rows} x {tokens}, {side}: {found['sample'] + update:.2f} s "
            f"({found['sample']:.2f} sampling, {update:.2f} update; its operations alone "
            f"{limit:.2f}), peak {found['peak'] / 1e9:.2f} GB, {found['tokens']:.0f} tokens"
        )
    if "trl" not in sides():
        yield "TRL is not installed here: no step of its is measured"


def lines(device: str, size: Size) -> Iterator[str]:
    """Measure, a line each."""
    best = limits(device, size.probe)
    yield (
        f"{'CPU' if device == 'cpu' else torch.cuda.get_device_name()}, torch {torch.__version__}: "
        f"{best.bandwidth / 1e9:.0f} GB/s, {best.flops / 1e12:.2f} TFLOP/s"
    )
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        for name in size.shapes:
            yield decoding(name, device, size, best)
            yield memory(name, device, 16 if device == "cpu" else 1024)
            yield from steps(name, device, size, best, scratch)
        shares = learning(scratch / "learning", device, size.learning_steps)
        third = max(1, len(shares) // 3)
        first, last = (sum(part) / third for part in (shares[:third], shares[-third:]))
        yield f"tiny model, {len(shares)} steps: right answers {first:.0%}, at the end {last:.0%}"
        apart = killed_and_resumed(scratch, device)
        yield "killed and resumed: " + (
            "the same bits" if not apart else f"weights {apart:.1e} off"
        )


def main() -> None:
    """Print a line for each measurement."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--small", action="store_true", help="a tiny shape on the CPU")
    small = parser.parse_args().small
    if not small and not torch.cuda.is_available():
        raise SystemExit("there is no GPU; python benchmarks/gpu.py --small tries the command")
    start = time.perf_counter()
    for line in lines(*(("cpu", SMALL) if small else ("cuda", FULL))):
        print(line, flush=True)
    print(f"took {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
