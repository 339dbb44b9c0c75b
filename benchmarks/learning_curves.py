"""Whether the native backend learns as TRL's GRPOTrainer does: reward curves of the same seeds.

    python benchmarks/learning_curves.py --out OUT

Both sides train the tiny model on one-digit sums in float32: the same problems in the same order,
reward, loss and optimiser as in `native_vs_trl.py`, 100 steps of 16 problems x 8 responses with
learning rate 3e-4 (at 1e-3 runs of either side can collapse). Each run is a process of its own;
runs that OUT holds are not repeated. Only the random numbers of sampling differ, so the curves
should overlap and cannot be equal.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path

from native_vs_trl import SIDES, Setting, run_side

WINDOW = 10
"""Steps whose rewards are averaged."""
Band = tuple[float, float, float]
"""Lowest, mean and highest of the seeds."""


def setting(seed: int, steps: int) -> Setting:
    """Return a task that the tiny model can learn."""
    return Setting(
        dtype="float32",
        steps=steps,
        model="tiny",
        task_args={"operations": ["+"]},
        problems=16,
        tokens=12,
        lr=3e-4,
        seed=seed,
        micro_batch=128,
    )


def run_missing(arguments: argparse.Namespace) -> None:
    """Train each side with each seed, in a process of its own."""
    for seed in arguments.seeds:
        for side in SIDES:
            if result_file(arguments.out, side, seed).exists():
                continue
            command = [sys.executable, __file__, "--side", side, "--seeds", str(seed)]
            command += ["--steps", str(arguments.steps), "--out", str(arguments.out)]
            print(f"{side}, seed {seed} ...", flush=True)
            subprocess.run(command, check=True)


def run_one(arguments: argparse.Namespace) -> None:
    """Train one side with one seed, in this process."""
    (seed,) = arguments.seeds
    found = run_side(arguments.side, setting(seed, arguments.steps))
    arguments.out.mkdir(parents=True, exist_ok=True)
    result_file(arguments.out, arguments.side, seed).write_text(json.dumps(found, indent=1) + "\n")


def result_file(folder: Path, side: str, seed: int) -> Path:
    """Return where a run's measurements are kept."""
    return folder / f"learn-{side}-{seed}.json"


def bands(folder: Path, side: str, seeds: list[int]) -> list[Band]:
    """Return the band of all seeds in each window."""
    curves = []
    for seed in seeds:
        steps = json.loads(result_file(folder, side, seed).read_text())["steps"]
        rewards = [step["reward"] for step in steps]
        starts = range(0, len(rewards) - WINDOW + 1, WINDOW)
        curves.append([statistics.mean(rewards[start : start + WINDOW]) for start in starts])
    return [(min(at), statistics.mean(at), max(at)) for at in zip(*curves, strict=True)]


def show(found: dict[str, list[Band]]) -> None:
    """Print both sides' bands, and where they lie apart."""
    print(f"\n{'steps':<10}{'native: min mean max':^30}{'TRL: min mean max':^30}")
    overlapping = 0
    pairs = list(zip(found["native"], found["trl"], strict=True))
    for index, (ours, theirs) in enumerate(pairs):
        overlap = ours[0] <= theirs[2] and theirs[0] <= ours[2]
        overlapping += overlap
        columns = ("  ".join(f"{value:.3f}" for value in band) for band in (ours, theirs))
        steps = f"{index * WINDOW + 1}-{(index + 1) * WINDOW}"
        line = "".join(column.center(30) for column in columns)
        print(f"{steps:<10}{line}{'' if overlap else '  apart'}")
    print(f"the bands overlap in {overlapping} of {len(pairs)} windows")


def draw(found: dict[str, list[Band]], file: Path) -> None:
    """Draw each side's mean with the band from its lowest to its highest seed."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 3.5), layout="constrained")
    for side, band in found.items():
        steps = [(index + 0.5) * WINDOW for index in range(len(band))]
        low, mean, high = zip(*band, strict=True)
        axes.plot(steps, mean, label={"native": "rewardkit native", "trl": "TRL"}[side])
        axes.fill_between(steps, low, high, alpha=0.25)
    axes.set(xlabel="step", ylabel="mean reward", ylim=(0, 1))
    axes.legend()
    figure.savefig(file)
    print(f"drawn in {file}")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="folder of the measurements")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--side", choices=SIDES, help="one run in this process, with one seed")
    arguments = parser.parse_args()
    if arguments.side:
        run_one(arguments)
        return
    run_missing(arguments)
    found = {side: bands(arguments.out, side, arguments.seeds) for side in SIDES}
    show(found)
    draw(found, arguments.out / "learn.svg")


if __name__ == "__main__":
    main()
