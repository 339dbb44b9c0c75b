"""A model learns to call the calculator on products of two-digit numbers, natively.

    python benchmarks/calculator.py --model tiny --seeds 3 --steps 40 --plot docs/calculator.svg
    python benchmarks/calculator.py --model smollm2-135m --seeds 3 --steps 14

Trained and tested on products that share no pair of operands. The tiny model knows neither
products nor calls, so it is first shown both ways to answer, imitating transcripts on training
problems: a call of the calculator, and a number in a box that is made up. How likely the first
token is to begin a call is held at `CALLS`: the form is there, the choice is not. Losses of that
imitation are of what the model is to write, and not of what the calculator says.

Prints what was measured of each seed as JSON, and a table in Markdown.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from rewardkit.checks import encode_problem
from rewardkit.config import config_from
from rewardkit.environments import ToolEnvironment
from rewardkit.runs import RunFolder
from rewardkit.runs.rollouts import read_rollouts
from rewardkit.tasks import load_task
from rewardkit.types import Problem, Task
from rewardkit_native.loop import train
from rewardkit_native.model.logprobs import packed_scores
from rewardkit_native.model.tiny import make_tiny
from rewardkit_tasks.tools.calculator import calculator

CALLS = 0.05
"""How likely the tiny model is to begin a call before it has learned."""
PRODUCTS = {"operations": ["*"], "digits": [2, 2]}
ROWS = 64
TRAINED: dict[str, dict[str, Any]] = {
    "tiny": {
        "task": {"name": "calculator:bare"},
        "sampling": {"problems": 8, "max_tokens": 96},
        "lr": 3e-4,
        "eval": {"samples": 2, "problems": 64, "every": 4},
    },
    "smollm2-135m": {
        "task": {
            "name": "arithmetic+calculator", "args": PRODUCTS, "tools": {"format": "tags"}
        },
        "sampling": {"problems": 4, "max_tokens": 64},
        "lr": 2e-5,
        "eval": {"samples": 1, "problems": 48},
    },
}  # fmt: skip


def question(problem: Problem) -> list[dict[str, str]]:
    """Return the bare question: the tiny model reads few words."""
    return [{"role": "user", "content": problem.question}]


def bare() -> Task:
    """Return products with a calculator, asked without a word on it."""
    found = load_task("arithmetic", **PRODUCTS)
    tools = ToolEnvironment((replace(calculator(), name="calc", example=()),), "tags")
    return replace(found, messages=question, suites={}, environment=tools)


def main() -> None:
    """Train every seed, print what came of it, and draw it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--model", choices=TRAINED, default="tiny")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--warm-up", type=int, default=900)
    parser.add_argument("--plot", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        model = given.model
        if model == "tiny":
            model = str(shown_both_ways(Path(folder) / "model", given.warm_up))
        curves = [run(given, model, Path(folder), seed) for seed in range(given.seeds)]
    print("| seed | held out, before | after | calls a rollout, first step | last |")
    print("|---|---|---|---|---|")
    for seed, found in enumerate(curves):
        first, last = found["curve"][0][1], found["curve"][-1][1]
        calls = found["calls"]
        print(f"| {seed} | {first:.3f} | {last:.3f} | {calls[0]:.2f} | {calls[-1]:.2f} |")
    if given.plot:
        draw(curves, given.plot)


def run(given: argparse.Namespace, model: str, folder: Path, seed: int) -> dict[str, Any]:
    """Train one seed; return (step, held-out accuracy), and by step what was right and called."""
    settings = TRAINED[given.model]
    config = config_from(
        {
            "folder": str(folder / f"seed-{seed}"),
            "steps": given.steps,
            "seed": seed,
            "model": {"name": model, "threads": 1},
            "task": settings["task"],
            "recipe": {"name": "grpo", "kl_coef": 0.0},
            "sampling": {"group_size": 8, "turns": 3, **settings["sampling"]},
            "optim": {"lr": settings["lr"]},
            "eval": settings["eval"],
            "checkpoint": {"every": 0},
        },
        [],
    )
    started = time.monotonic()
    path = train(config)
    found = RunFolder.open(path).evaluations()
    curve = {one["step"]: one["sets"]["test"]["accuracy"] for one in found.values()}
    calls: dict[int, list[int]] = {}
    right: dict[int, list[bool]] = {}
    for row in read_rollouts(path):
        calls.setdefault(row["step"], []).append(sum(not part[0] for part in row["segments"]))
        right.setdefault(row["step"], []).append(row["outcome"] == "correct")
    measured = {
        "curve": sorted(curve.items()),
        "right": [sum(step) / len(step) for step in right.values()],
        "calls": [sum(step) / len(step) for step in calls.values()],
        "seconds": round(time.monotonic() - started),
    }
    print(json.dumps(measured), flush=True)
    return measured


def shown_both_ways(folder: Path, steps: int) -> Path:
    """Make the tiny model, and let it imitate calls and guesses on training problems."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder.mkdir()
    make_tiny(folder)
    model = AutoModelForCausalLM.from_pretrained(folder)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    task, rng = bare(), random.Random(0)
    optimiser = torch.optim.AdamW(model.parameters(), lr=2e-3, betas=(0.9, 0.95), weight_decay=0.0)
    for step in range(steps):
        problems = [task.train[rng.randrange(len(task.train))] for _ in range(ROWS)]
        prompts = [encode_problem(tokenizer, task, problem) for problem in problems]
        rows = [
            lesson(tokenizer, problem, rng, call=i % 2 == 0) for i, problem in enumerate(problems)
        ]
        logprobs = packed_scores(model, prompts, [tokens for tokens, _ in rows]).logprobs
        weights = torch.nn.utils.rnn.pad_sequence(
            [torch.tensor(own) for _, own in rows], batch_first=True
        )
        for group in optimiser.param_groups:
            group["lr"] = 2e-3 * min((step + 1) / 50, 1 - step / steps)
        (-(logprobs * weights).sum() / weights.sum()).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad()
    model.save_pretrained(folder)
    return folder


def lesson(
    tokenizer: Any, problem: Problem, rng: random.Random, *, call: bool
) -> tuple[list[int], list[float]]:
    """Return a transcript's tokens, and how much each counts: none of the calculator's does."""
    asked = problem.question.removeprefix("What is ").rstrip("?")
    made_up = rng.randint(121, 9801)
    parts = [(f"\\boxed{{{made_up}}}", 1.0)]
    if call:
        parts = [
            (f"<calc>{asked}</calc>", 1.0),
            (f"<output>{problem.answer}</output>", 0.0),
            (f"\\boxed{{{problem.answer}}}", 1.0),
        ]
    tokens: list[int] = []
    own: list[float] = []
    for text, weight in parts:
        ids = tokenizer.encode(text, add_special_tokens=False)
        tokens += ids
        own += [weight] * len(ids)
    own[0] = 2 * CALLS if call else 2 * (1 - CALLS)
    return [*tokens, tokenizer.eos_token_id], [*own, 1.0]


def draw(curves: Sequence[dict[str, Any]], path: Path) -> None:
    """Draw held-out accuracy and calls by step, a line a seed."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "rewardkit"
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 3.4), layout="constrained")
    for seed, found in enumerate(curves):
        steps, values = zip(*found["curve"], strict=True)
        (line,) = axes.plot(steps, values, "o", markersize=5, label=f"seed {seed}")
        drawn = range(1, len(found["right"]) + 1)
        axes.plot(drawn, found["right"], color=line.get_color(), linewidth=1)
        axes.plot(drawn, found["calls"], color=line.get_color(), linewidth=1, alpha=0.3)
    axes.axhline(0.6, color="grey", linewidth=0.8, linestyle=":")
    axes.set(xlabel="step", ylabel="right (dots: held out)\npale: calls a rollout", ylim=(0, 1.05))
    axes.legend(fontsize=8)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


if __name__ == "__main__":
    main()
