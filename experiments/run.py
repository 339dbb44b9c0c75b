"""Run the experiments: `python experiments/run.py`.

Writes a plot each and `results.md` into `experiments/results/` (or `--out`).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from experiments import (
    clip_higher,
    entropy_bonus,
    float_noise,
    length_bias,
    length_terms,
    lite_ppo,
    pool_baseline,
    zero_variance,
)
from experiments.common import Table

EXPERIMENTS: dict[str, tuple[Callable[[int, int, Path | None], Table], int, int]] = {
    "length_bias": (length_bias.run, 10, 150),
    "clip_higher": (clip_higher.run, 8, 150),
    "zero_variance": (zero_variance.run, 5, 80),
    "float_noise": (float_noise.run, 5, 50),
    "entropy_bonus": (entropy_bonus.run, 8, 60),
    "pool_baseline": (pool_baseline.run, 8, 80),
    "lite_ppo": (lite_ppo.run, 10, 150),
    "length_terms": (length_terms.run, 8, 150),
}
"""Name -> (function, seeds, steps)."""


def main() -> None:
    """Run what is asked for, print it, and write it down."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=EXPERIMENTS, help="run one experiment")
    parser.add_argument("--seeds", type=int, help="instead of each one's own number")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    parts = []
    for name, (function, seeds, steps) in EXPERIMENTS.items():
        if given.only in (None, name):
            start = time.process_time()
            table = function(given.seeds or seeds, steps, given.out)
            print(table.markdown())
            spent = time.process_time() - start
            print(f"({given.seeds or seeds} seeds, {steps} steps, {spent:.0f} CPU-seconds)\n")
            parts.append(f"{table.markdown()}\n![{name}]({name}.png)\n")
    if given.only is None:
        (given.out / "results.md").write_text("# Results\n\n" + "\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
