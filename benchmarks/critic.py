"""PPO with its critic beside GRPO on the arithmetic task, at equal samples, several seeds.

    python benchmarks/critic.py MODEL --seeds 5

MODEL is a folder, such as the tiny model that `make_tiny` of `rewardkit_native.model.tiny` makes.
Both get the same problems, the same number of responses, and the same updates of each batch; a
row a recipe is printed, with means ± SD over seeds. Beside the explained variance stands how much
of the rewards' variance lies between problems: a critic that knew each problem's solve rate, and
could not check an answer, would explain so much.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import torch

from rewardkit.config import config_from
from rewardkit.runs import RunFolder
from rewardkit_native.loop import train

SAMPLES = {"problems": 8, "group_size": 8, "max_tokens": 8}
RECIPES: dict[str, dict[str, Any]] = {
    "grpo": {"name": "grpo", "kl_coef": 0.0, "minibatches": 2},
    "ppo": {
        "name": "ppo", "kl_coef": 0.0, "minibatches": 2,
        # what a critic learns is free of bias, as VC-PPO and VAPO have it
        "advantage_options": {"gamma": 1.0, "lam": 0.95, "lam_returns": 1.0},
    },
}  # fmt: skip
SHARE = 4
"""A quarter of the steps is a beginning, another one an end."""


def run(
    model: str,
    name: str,
    seed: int,
    steps: int,
    rates: tuple[float, float],
    operations: list[str],
) -> RunFolder:
    """Train once, in a folder that is left for the caller to read."""
    config = config_from(
        {
            "folder": str(Path(tempfile.mkdtemp()) / "run"),
            "steps": steps,
            "seed": seed,
            "model": {"name": model, "dtype": "float32", "threads": 1},
            "task": {"name": "arithmetic", "args": {"operations": operations}},
            "recipe": RECIPES[name],
            "sampling": SAMPLES,
            "optim": {"lr": rates[0], "critic_lr": rates[1]},
            "eval": {"samples": 0},
            "verify": {"workers": 1},
            "checkpoint": {"every": 0, "keep": 1},
            "guards": {"degenerate": "none"},
        }
    )
    return RunFolder.open(train(config))


def measured(folder: RunFolder) -> dict[str, float]:
    """Return what is sampled right, and what the critic could foretell, at both ends."""
    rows = folder.rows("metrics.jsonl")
    part = max(1, len(rows) // SHARE)
    first, last = rows[:part], rows[-part:]
    found = {
        "right, first quarter": _mean(first, "outcome/correct"),
        "right, last quarter": _mean(last, "outcome/correct"),
        "explained variance, first": _mean(first, "explained_variance"),
        "explained variance, last": _mean(last, "explained_variance"),
        "between problems, last": between(folder, len(rows) - part),
        "update, s": _mean(rows, "update_s"),
    }
    return found


def _mean(rows: list[dict[str, Any]], name: str) -> float:
    known = [row[name] for row in rows if name in row]
    return statistics.mean(known) if known else float("nan")


def between(folder: RunFolder, after: int) -> float:
    """Return the share of the scores' variance that lies between problems, after a step.

    The variance of the groups' means less what chance within groups adds to it.
    """
    groups: dict[tuple[int, int], list[float]] = {}
    for row in folder.rows("rollouts.jsonl"):
        if row["step"] > after:
            groups.setdefault((row["step"], row["group"]), []).append(row["score"])
    within = statistics.mean(statistics.variance(scores) for scores in groups.values())
    size = statistics.mean(len(scores) for scores in groups.values())
    means = statistics.variance(statistics.mean(scores) for scores in groups.values())
    apart = max(means - within / size, 0.0)
    return apart / (apart + within)


def spread(values: list[float]) -> str:
    """Return mean ± SD, or a sign that there is nothing to measure."""
    if any(value != value for value in values):
        return "–"
    mean = f"{statistics.mean(values):.3f}"
    return f"{mean} ± {statistics.stdev(values):.3f}" if len(values) > 1 else mean


def main() -> None:
    """Train with every recipe and seed, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--operations", nargs="+", default=["+", "*"])
    parser.add_argument("--lr", type=float, default=1e-4)
    parser.add_argument("--critic-lr", type=float, default=1e-3)
    given = parser.parse_args()
    torch.set_num_threads(1)
    begun = time.process_time()
    found: dict[str, list[dict[str, float]]] = {name: [] for name in RECIPES}
    rates = given.lr, given.critic_lr
    for seed in range(given.first_seed, given.first_seed + given.seeds):
        for name in RECIPES:
            folder = run(given.model, name, seed, given.steps, rates, given.operations)
            found[name].append(measured(folder))
            print(seed, name, {k: round(v, 3) for k, v in found[name][-1].items()}, flush=True)
    columns = list(found["grpo"][0])
    print("| recipe | " + " | ".join(columns) + " |\n|" + "---|" * (len(columns) + 1))
    for name, seeds in found.items():
        cells = [spread([one[column] for one in seeds]) for column in columns]
        print(f"| {name} | " + " | ".join(cells) + " |")
    for name in RECIPES:
        column = "right, last quarter"
        pairs = zip(found[name], found["grpo"], strict=True)
        ahead = [ours[column] - theirs[column] for ours, theirs in pairs]
        print(f"{name} less grpo, {column}, paired by seed: {spread(ahead)}")
    print(f"{time.process_time() - begun:.0f} CPU-seconds")


if __name__ == "__main__":
    main()
