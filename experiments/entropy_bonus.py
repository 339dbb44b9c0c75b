"""An entropy bonus against clip-higher: both keep entropy; what is it worth on a reward?

A table of softmax policies, 64 prompts of 32 actions of which one is right and begins rare, 16
samples a prompt, 4 minibatches x 2 epochs. A prompt is found when its right action
has more than half of the probability.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from experiments.common import Samples, Table, apart, band, save_plot, spread, update
from rewardkit.recipes import DAPO, Recipe

PROMPTS, GROUP, ACTIONS = 64, 16, 32
PLAIN = replace(DAPO, shaping=(), filter_groups=False, epochs=2, minibatches=4, clip_high=0.2)
ARMS: dict[str, Recipe] = {
    "neither": PLAIN,
    "clip-higher .28": replace(PLAIN, clip_high=0.28),
    "clip-higher .5": replace(PLAIN, clip_high=0.5),
    "bonus .01": replace(PLAIN, entropy_coef=0.01),
    "bonus .1": replace(PLAIN, entropy_coef=0.1),
}


def train(recipe: Recipe, seed: int, steps: int, lr: float = 0.1) -> dict[str, list[float]]:
    """Return entropy, accuracy and the share of prompts found, before each step and at the end."""
    draw = torch.Generator().manual_seed(seed)
    logits = torch.randn(PROMPTS, ACTIONS, generator=draw)
    logits[:, 0] -= 3  # the right one: one draw in a thousand
    logits.requires_grad_()
    optimizer = torch.optim.Adam([logits], lr=lr)
    prompt = torch.arange(PROMPTS).repeat_interleave(GROUP)
    history: dict[str, list[float]] = {"entropy": [], "accuracy": [], "found": []}
    for step in range(steps + 1):
        with torch.no_grad():
            logp = logits.log_softmax(-1)
            right = logp[:, 0].exp()
            history["entropy"].append(float(-(logp.exp() * logp).sum(-1).mean()))
            history["accuracy"].append(float(right.mean()))
            history["found"].append(float((right > 0.5).double().mean()))
            action = torch.multinomial(logp.exp(), GROUP, replacement=True, generator=draw)
        if step == steps:
            break
        action = action.flatten()

        def taken(action: Tensor = action) -> Tensor:
            return logits.log_softmax(-1)[prompt, action][:, None]

        def entropies() -> Tensor:
            logp = logits.log_softmax(-1)
            return -(logp.exp() * logp).sum(-1)[prompt][:, None]

        mask = torch.ones(len(prompt), 1, dtype=torch.bool)
        batch = Samples(taken, (action == 0).float(), prompt, mask, entropies)
        update(recipe, batch, optimizer, draw)
    return history


def run(seeds: int, steps: int, folder: Path | None) -> Table:
    """Train every arm on every seed."""
    found = {name: [train(arm, s, steps) for s in range(seeds)] for name, arm in ARMS.items()}
    last = {
        name: {key: [run[key][-1] for run in runs] for key in runs[0]}
        for name, runs in found.items()
    }
    rows = [
        (
            name,
            spread(end["entropy"]),
            spread(end["accuracy"], 3),
            spread(end["found"], 3),
            apart(end["accuracy"], last["neither"]["accuracy"], 3),
        )
        for name, end in last.items()
    ]
    if folder is not None:

        def draw(axes: Any) -> None:
            for name, runs in found.items():
                band(axes, [run["entropy"] for run in runs], name)
            axes.set(xlabel="step", ylabel="entropy (nats)")
            axes.legend(fontsize=8)

        save_plot(folder / "entropy_bonus.png", draw)
    header = ("arm", "entropy at the end", "accuracy", "prompts found", "accuracy less neither")
    wide, bonus = last["clip-higher .28"], last["bonus .01"]
    verdict = (
        "The bonus of .01 less clip-higher .28: "
        f"{apart(bonus['entropy'], wide['entropy'])} nats, accuracy "
        f"{apart(bonus['accuracy'], wide['accuracy'], 3)}; a bonus of .1 differs from none by "
        f"{apart(last['bonus .1']['accuracy'], last['neither']['accuracy'], 3)}."
    )
    return Table("Entropy bonus against clip-higher", header, tuple(rows), verdict)
