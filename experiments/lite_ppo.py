"""LitePPO's two techniques: the deviation of the batch, and the mean over tokens.

The task of `length_bias` (an answer, then filler that may stop where it knows whether it is wrong),
with prompts from hopeless to solved, where a group's own deviation is small and its inverse large.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from experiments import length_bias
from experiments.common import Table, apart, band, save_plot, spread
from rewardkit.recipes import LITE_PPO, Recipe

GROUP_STD = replace(LITE_PPO, advantage_options={})
ARMS: dict[str, Recipe] = {
    "neither (GRPO)": replace(GROUP_STD, aggregation="seq-mean-token-mean"),
    "deviation of the batch": replace(LITE_PPO, aggregation="seq-mean-token-mean"),
    "mean over tokens": GROUP_STD,
    "both (LitePPO)": LITE_PPO,
}


def train(recipe: Recipe, seed: int, steps: int) -> dict[str, list[float]]:
    """Return lengths and accuracy before each step, from prompts of wide difficulty."""
    return length_bias.train(recipe, seed, steps, difficulty=2.0)


def run(seeds: int, steps: int, folder: Path | None) -> Table:
    """Train every arm on every seed."""
    found = {name: [train(arm, s, steps) for s in range(seeds)] for name, arm in ARMS.items()}
    accuracy = {name: [r["accuracy"][-1] for r in runs] for name, runs in found.items()}
    drift = {name: [r["wrong"][-1] - r["wrong"][0] for r in runs] for name, runs in found.items()}
    plain, deviation, tokens, both = ARMS
    rows = [
        (
            name,
            spread(accuracy[name], 3),
            apart(accuracy[name], accuracy[plain], 3),
            spread(drift[name], 1),
        )
        for name in ARMS
    ]
    if folder is not None:

        def draw(axes: Any) -> None:
            for name, runs in found.items():
                band(axes, [run["accuracy"] for run in runs], name)
            axes.set(xlabel="step", ylabel="accuracy")
            axes.legend(fontsize=8)

        save_plot(folder / "lite_ppo.png", draw)
    header = ("arm", "accuracy", "less neither", "wrong answers grow by, tokens")
    ahead = {name: apart(accuracy[name], accuracy[plain], 3) for name in ARMS}
    verdict = (
        f"Accuracy against neither: the batch's deviation {ahead[deviation]}, the mean over tokens "
        f"{ahead[tokens]}, both {ahead[both]}. Growth of wrong answers, both less neither: "
        f"{apart(drift[both], drift[plain], 1)} tokens."
    )
    return Table("LitePPO's two techniques", header, tuple(rows), verdict)
