"""Length bias: dividing each response by its own length teaches wrong answers to be long.

Tabular: 16 prompts; a response is one answer token (right or wrong), then up to 32 filler tokens,
each of which stops with a probability that depends on the prompt and on whether the answer was
right. So the policy can see at every stop whether it is wrong, which is what the effect needs.
Length is exact, from the stop probabilities. Sampled by the policy itself, one update a batch.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from experiments.common import Samples, Table, band, save_plot, spread, update
from rewardkit.recipes import DR_GRPO, GRPO, Recipe

PROMPTS, GROUP, TAIL = 16, 8, 32

STEP = 10.0
ARMS: dict[str, tuple[Recipe, float]] = {
    "GRPO": (replace(GRPO, kl=None, kl_coef=0.0), STEP),
    "GRPO without std": (replace(GRPO, kl=None, kl_coef=0.0, advantage="dr_grpo"), STEP),
    "token-mean": (replace(GRPO, kl=None, kl_coef=0.0, aggregation="token-mean"), STEP),
    "Dr. GRPO": (replace(DR_GRPO, constant=TAIL + 1), STEP),
    "Dr. GRPO, 6 × the step": (replace(DR_GRPO, constant=TAIL + 1), 6 * STEP),
}
"""Name -> (recipe, step size); the last arm makes up for the constant's smaller steps."""


def train(
    recipe: Recipe, seed: int, steps: int, lr: float = STEP, difficulty: float = 0.5
) -> dict[str, list[float]]:
    """Return expected lengths of wrong and right answers, and accuracy, before each step.

    `difficulty` is the deviation of the prompts' first log odds.
    """
    draw = torch.Generator().manual_seed(seed)
    answer = (difficulty * torch.randn(PROMPTS, generator=draw)).requires_grad_()
    stop = torch.full((PROMPTS, 2), -2.25).requires_grad_()
    optimizer = torch.optim.SGD([answer, stop], lr=lr)
    history: dict[str, list[float]] = {"wrong": [], "right": [], "accuracy": []}
    for _ in range(steps + 1):
        with torch.no_grad():
            go = 1 - stop.sigmoid()
            length = (go[..., None] ** torch.arange(TAIL)).sum(-1)
            history["wrong"].append(float(length[:, 0].mean()))
            history["right"].append(float(length[:, 1].mean()))
            history["accuracy"].append(float(answer.sigmoid().mean()))
        update(recipe, sample(answer, stop, draw), optimizer, draw)
    return history


def sample(answer: Tensor, stop: Tensor, draw: torch.Generator) -> Samples:
    """Sample GROUP responses to each prompt."""
    prompt = torch.arange(PROMPTS).repeat_interleave(GROUP)
    with torch.no_grad():
        right = torch.rand(len(prompt), generator=draw) < answer.sigmoid()[prompt]
        halt = stop.sigmoid()[prompt, right.long()]
        stopped = torch.rand(len(prompt), TAIL, generator=draw) < halt[:, None]
    # A filler token exists while nothing before it stopped.
    alive = torch.cat([torch.ones(len(prompt), 1), (~stopped[:, :-1]).cumprod(1)], 1).bool()

    def logp() -> Tensor:
        first = torch.where(right, 1.0, -1.0) * answer[prompt]
        each = torch.where(stopped, 1.0, -1.0) * stop[prompt, right.long()][:, None]
        return torch.nn.functional.logsigmoid(torch.cat([first[:, None], each], 1))

    mask = torch.cat([torch.ones(len(prompt), 1, dtype=torch.bool), alive], 1)
    return Samples(logp, right.float(), prompt, mask)


def run(seeds: int, steps: int, folder: Path | None) -> Table:
    """Train every arm on every seed."""
    found = {
        name: [train(arm, s, steps, lr) for s in range(seeds)] for name, (arm, lr) in ARMS.items()
    }
    rows, drift = [], {}
    for name, runs in found.items():
        drift[name] = [r["wrong"][-1] - r["wrong"][0] for r in runs]
        rows.append(
            (
                name,
                f"{runs[0]['wrong'][0]:.1f} → {spread([r['wrong'][-1] for r in runs], 1)}",
                f"{runs[0]['right'][0]:.1f} → {spread([r['right'][-1] for r in runs], 1)}",
                spread([r["accuracy"][-1] for r in runs]),
            )
        )
    if folder is not None:

        def draw(axes: Any) -> None:
            for name, runs in found.items():
                band(axes, [r["wrong"] for r in runs], name)
            axes.set(xlabel="step", ylabel="expected length of wrong answers")
            axes.legend(fontsize=8)

        save_plot(folder / "length_bias.png", draw)
    grpo, constant = drift["GRPO"], drift["Dr. GRPO, 6 × the step"]
    longer = sum(a > b for a, b in zip(grpo, constant, strict=True))
    verdict = (
        f"Wrong answers end longer under GRPO than under Dr. GRPO with 6 × the step in {longer} of "
        f"{seeds} seeds (change in length: {spread(grpo, 1)} against {spread(constant, 1)} tokens; "
        f"token-mean {spread(drift['token-mean'], 1)})."
    )
    header = ("arm", "length of wrong answers", "length of right answers", "final accuracy")
    return Table("Length bias, tabular", header, tuple(rows), verdict)
