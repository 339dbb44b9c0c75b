"""Length terms: what they save, and whether it is where thinking is not needed.

A table: 8 prompts that a few tokens solve and 8 that need many. A response thinks for a number of
tokens, then answers; each further token raises the odds of a right answer up to what the prompt
needs. The policy learns when to stop, by position (in eighths of the limit) and prompt. The terms
are those of training (`rewardkit.shaping`); `DLER` is its truncation, a limit that is not passed.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from experiments.common import Samples, Table, apart, save_plot, spread, update
from rewardkit.recipes import GRPO, Recipe, Term
from rewardkit.shaping import shape_group
from rewardkit.types import Finish, Outcome, Rollout, Verdict

EASY, HARD = 4, 24
NEEDS = torch.tensor([EASY] * 8 + [HARD] * 8)
GROUP, LIMIT, PARTS = 8, 32, 8
BASE = replace(GRPO, kl=None, kl_coef=0.0, aggregation="token-mean")
L1 = Term("length_target", 1.0, {"target": 16, "alpha": 0.02, "at_most": True})
ARMS: dict[str, tuple[Recipe, int]] = {
    "none": (BASE, LIMIT),
    "ALP .3": (replace(BASE, shaping=(Term("alp", 0.3),)), LIMIT),
    "L1-Max, 16": (replace(BASE, shaping=(L1,)), LIMIT),
    "Kimi .3": (replace(BASE, shaping=(Term("kimi_length", 0.3),)), LIMIT),
    "DLER, limit 16": (replace(BASE, advantage_options={"scale": "batch"}), 16),
}


def chance(length: Tensor, needs: Tensor) -> Tensor:
    """Return how likely a right answer is after so many tokens."""
    return 0.05 + 0.9 * (length / needs).clamp(max=1)


def train(recipe: Recipe, limit: int, seed: int, steps: int) -> dict[str, list[float]]:
    """Return mean lengths and accuracies of easy and of hard prompts over the last ten steps."""
    draw = torch.Generator().manual_seed(seed)
    stop = torch.full((len(NEEDS), PARTS), -2.5).requires_grad_()
    optimizer = torch.optim.Adam([stop], lr=0.1)
    prompt = torch.arange(len(NEEDS)).repeat_interleave(GROUP)
    part = torch.arange(LIMIT) * PARTS // LIMIT
    history: list[Tensor] = []
    for _ in range(steps):
        with torch.no_grad():
            halt = stop.sigmoid()[prompt][:, part]
            stopped = torch.rand(halt.shape, generator=draw) < halt
        stopped[:, limit - 1 :] = True
        length = stopped.int().argmax(1) + 1
        cut = (length == limit) & (limit < LIMIT)
        right = torch.rand(len(prompt), generator=draw) < chance(length, NEEDS[prompt])
        right &= ~cut  # what is cut off has not answered
        history.append(torch.stack([length.double(), right.double()]))
        mask = torch.arange(LIMIT) < length[:, None]

        def logp(stopped: Tensor = stopped, length: Tensor = length) -> Tensor:
            last = torch.arange(LIMIT) == length[:, None] - 1
            sign = torch.where(last, 1.0, -1.0)
            found = torch.nn.functional.logsigmoid(sign * stop[prompt][:, part])
            # At the limit nothing is decided.
            return torch.where(torch.arange(LIMIT) == limit - 1, 0.0, found)

        rewards = shaped(recipe, length.tolist(), right.tolist())
        update(recipe, Samples(logp, rewards, prompt, mask), optimizer, draw)
    means = torch.stack(history[-10:]).mean(0).view(2, 2, -1).mean(-1)
    names = ("length, easy", "length, hard", "accuracy, easy", "accuracy, hard")
    return {name: [float(v)] for name, v in zip(names, means.flatten(), strict=True)}


def shaped(recipe: Recipe, lengths: list[int], right: list[bool]) -> Tensor:
    """Return the rewards of a batch, group by group."""
    found = []
    for start in range(0, len(lengths), GROUP):
        rows = range(start, start + GROUP)
        verdicts = [Verdict(Outcome.CORRECT if right[i] else Outcome.INCORRECT) for i in rows]
        rollouts = [Rollout("", (0,) * lengths[i], (), Finish.STOP) for i in rows]
        shaping = shape_group(verdicts, rollouts, recipe.shaping, limit=LIMIT)
        found += [reward.total for reward in shaping]
    return torch.tensor(found)


def run(seeds: int, steps: int, folder: Path | None) -> Table:
    """Train every arm on every seed."""
    found = {
        name: [train(recipe, limit, s, steps) for s in range(seeds)]
        for name, (recipe, limit) in ARMS.items()
    }
    ends = {
        name: {key: [run[key][0] for run in runs] for key in runs[0]}
        for name, runs in found.items()
    }
    rows = [
        (name, *(spread(values, 1 if "length" in key else 2) for key, values in end.items()))
        for name, end in ends.items()
    ]
    if folder is not None:

        def draw(axes: Any) -> None:
            for name, end in ends.items():
                axes.scatter(end["length, easy"], end["accuracy, easy"], marker="o", label=name)
            axes.set_prop_cycle(None)
            for end in ends.values():
                axes.scatter(end["length, hard"], end["accuracy, hard"], marker="x")
            axes.set(xlabel="tokens (o easy, x hard)", ylabel="accuracy")
            axes.legend(fontsize=8)

        save_plot(folder / "length_terms.png", draw)
    none = ends["none"]
    verdict = " ".join(
        [
            f"{name} against none: "
            f"{apart(end['length, easy'], none['length, easy'], 1)} tokens on easy prompts, "
            f"{apart(end['length, hard'], none['length, hard'], 1)} on hard ones, accuracy there "
            f"{apart(end['accuracy, hard'], none['accuracy, hard'])}."
            for name, end in ends.items()
            if name != "none"
        ]
    )
    header = ("arm", "tokens, easy", "tokens, hard", "accuracy, easy", "accuracy, hard")
    return Table("Length terms", header, tuple(rows), verdict)
