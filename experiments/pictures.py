"""Four pictures that explain, from our own functions: `python experiments/pictures.py`.

Clip-higher, dynamic sampling, overlong shaping and Dr. GRPO's constant, as SVG in `docs/assets/`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from rewardkit.losses import sequence_weights
from rewardkit.losses.surrogates import ppo_clip
from rewardkit.recipes import Term
from rewardkit.shaping import shape_group
from rewardkit.types import Finish, Outcome, Rollout, Verdict


def clip_higher(axes: Any) -> None:
    """The most that a token's probability may rise in one batch, over the one that it had."""
    old = torch.linspace(0.005, 0.75, 150)
    for high in (0.2, 0.28):
        # What is reached where the gradient ends: the largest probability that is not clipped.
        new = torch.linspace(0.0005, 1, 2000)
        logp, old_logp = (x.log() for x in torch.broadcast_tensors(new[None], old[:, None]))
        ones = torch.ones_like(logp, dtype=torch.bool)
        found = ppo_clip(logp, old_logp, torch.ones(len(old)), ones, clip_high=high)
        reached = torch.where(found.clipped_high, 0.0, logp.exp()).amax(1)
        axes.plot(old, reached - old, label=f"ε_high = {high}")
    axes.set(xlabel="probability before the batch", ylabel="most that it may rise by")
    axes.legend()


def dynamic_sampling(axes: Any) -> None:
    """How many groups mix right and wrong answers, and so teach something."""
    rate = torch.linspace(0, 1, 200)
    for size in (4, 8, 16):
        axes.plot(rate, 1 - rate**size - (1 - rate) ** size, label=f"groups of {size}")
    axes.set(xlabel="solve rate of the problem", ylabel="groups with signal")
    axes.legend()


def overlong(axes: Any) -> None:
    """What soft overlong shaping takes off, by length; right answers."""
    limit = 100
    lengths = range(limit + 1)
    for share in (0.2, 0.5):
        term = Term("soft_overlong", 1.0, {"cache_share": share})
        rewards = [
            shape_group(
                [Verdict(Outcome.CORRECT)], [Rollout("", (0,) * n, (), Finish.STOP)], [term],
                limit=limit,
            )[0].total
            for n in lengths
        ]  # fmt: skip
        axes.plot(lengths, rewards, label=f"cache {share:g} of the limit")
    axes.set(xlabel="length, % of the limit", ylabel="reward of a right answer")
    axes.legend()


def constant(axes: Any) -> None:
    """What one token weighs, by the length of its response, beside one of 100 tokens."""
    lengths = torch.arange(10, 401)
    for name, label in (
        ("seq-mean-token-mean", "GRPO: by its own length"),
        ("token-mean", "DAPO: by all tokens"),
        ("constant", "Dr. GRPO: by a constant"),
    ):
        found = [
            float(sequence_weights(name, torch.tensor([n, 100]), torch.arange(2), constant=200)[0])
            for n in lengths.tolist()
        ]
        axes.plot(lengths, found, label=label)
    axes.set(xlabel="tokens of the response", ylabel="weight of one of its tokens", yscale="log")
    axes.legend()


ROOT = Path(__file__).resolve().parent.parent
PICTURES: dict[str, Callable[[Any], None]] = {
    "clip-higher": clip_higher,
    "dynamic-sampling": dynamic_sampling,
    "overlong": overlong,
    "dr-grpo-constant": constant,
}


def save(path: Path, draw: Callable[[Any], None]) -> None:
    """Draw one picture; the same bytes each time."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    mpl.rcParams |= {"svg.hashsalt": path.stem, "svg.fonttype": "none"}
    figure, axes = plt.subplots(figsize=(4.4, 2.8), layout="constrained")
    draw(axes)
    axes.grid(alpha=0.25)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def main() -> None:
    """Draw them all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "assets")
    given = parser.parse_args()
    for name, draw in PICTURES.items():
        save(given.out / f"{name}.svg", draw)


if __name__ == "__main__":
    main()
