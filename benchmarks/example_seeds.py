"""Whether an example learns whatever its seed: held-out accuracy before and after, seed by seed.

    python benchmarks/example_seeds.py examples/arithmetic_*.toml --out OUT

Each run is a process of its own, one after the other; runs that OUT holds are not repeated, and
their checkpoints are removed. Fails when a run ends below where it began. `--set` is handed on,
such as `--set model.threads=1` beside other work, and so is `--backend verl`.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from rewardkit.runs import RunFolder

EDGE = 3
"""Steps at either end of a run whose rewards are averaged."""


class Ends(NamedTuple):
    """Where a run began and where it ended."""

    accuracy: tuple[float, float]
    answered: tuple[float, float]
    reward: tuple[float, float]

    @property
    def worse(self) -> bool:
        """Whether it ended below where it began."""
        return self.accuracy[1] < self.accuracy[0] or self.reward[1] < self.reward[0]


def folder_of(out: Path, example: Path, seed: int) -> Path:
    """Return where a run's records are kept."""
    return out / f"{example.stem}-{seed}"


def run_missing(arguments: argparse.Namespace) -> None:
    """Train each example with each seed."""
    for seed in arguments.seeds:
        for example in arguments.examples:
            folder = folder_of(arguments.out, example, seed)
            if finished(folder):
                continue
            settings = [f"seed={seed}", f"folder={folder}", "checkpoint.every=0", *arguments.set]
            command = [sys.executable, "-m", "rewardkit", "train", str(example), "--overwrite"]
            command += ["--backend", arguments.backend]
            for setting in settings:
                command += ["--set", setting]
            print(f"{example.stem}, seed {seed} ...", flush=True)
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            shutil.rmtree(folder / "checkpoints")


def finished(folder: Path) -> bool:
    """Whether a run was measured at its end."""
    return "after" in RunFolder(folder).evaluations()


def ends(folder: Path) -> Ends:
    """Read both ends of a run."""
    recorded = RunFolder(folder)
    results = recorded.evaluations()
    rewards = [float(row["reward"]) for row in recorded.rows("metrics.jsonl")]

    def both(name: str) -> tuple[float, float]:
        before, after = (results[label]["sets"]["test"][name] for label in ("before", "after"))
        return before, after

    first, last = statistics.mean(rewards[:EDGE]), statistics.mean(rewards[-EDGE:])
    return Ends(both("accuracy"), both("answered_share"), (first, last))


def show(arguments: argparse.Namespace) -> int:
    """Print a row a run, and return how many ended worse than they began."""
    print("| example | seed | accuracy, held out | answered | reward |")
    print("|---|---|---|---|---|")
    worse = 0
    for example in arguments.examples:
        for seed in arguments.seeds:
            found = ends(folder_of(arguments.out, example, seed))
            columns = (f"{start:.3f} → {end:.3f}" for start, end in found)
            print(f"| {example.stem} | {seed} | {' | '.join(columns)} |")
            worse += found.worse
    print(f"\n{worse} of {len(arguments.examples) * len(arguments.seeds)} runs ended worse")
    return worse


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("examples", type=Path, nargs="+", help="configuration files")
    parser.add_argument("--out", type=Path, required=True, help="folder of the runs")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2, 3, 4])
    parser.add_argument("--backend", default="native", help="native or verl")
    parser.add_argument("--set", action="append", default=[], metavar="a.b=c")
    arguments = parser.parse_args()
    run_missing(arguments)
    sys.exit(show(arguments) > 0)


if __name__ == "__main__":
    main()
