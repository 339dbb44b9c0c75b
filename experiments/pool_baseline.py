"""Reinforce-Ada and PODS: draw more than is trained on; whose statistics, and what is it worth?

A table of softmax policies, 256 prompts of 8 answers of which one is right, of very different
difficulty; 16 prompts a step. Every arm trains on at most 8 responses a prompt, chosen by the same
rules as in training (`rewardkit.sampling.members`), and is compared after equal steps and after
equal samples drawn.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from experiments.common import Samples, Table, apart, band, save_plot, spread, update
from rewardkit.recipes import GRPO
from rewardkit.sampling.members import Member, choose

PROMPTS, BATCH, KEEP, ANSWERS = 256, 16, 8, 8
RECIPE = replace(GRPO, kl=None, kl_coef=0.0)


@dataclass(frozen=True)
class Arm:
    """How many are drawn, which are kept, and whose mean and deviation count."""

    rule: str
    drawn: int = KEEP
    rounds: int = 1
    pool: bool = False


ARMS = {
    "GRPO, 8 of 8": Arm("all"),
    "GRPO, 32 of 32": Arm("all", drawn=32),
    "PODS, 8 of 32": Arm("variance", drawn=32),
    "PODS, statistics of all 32": Arm("variance", drawn=32, pool=True),
    "Ada, statistics of the kept": Arm("balanced", rounds=4),
    "Ada, statistics of the pool": Arm("balanced", rounds=4, pool=True),
}


def train(arm: Arm, seed: int, steps: int, lr: float = 20.0) -> dict[str, list[float]]:
    """Return accuracy before each step and the samples drawn until then."""
    draw = torch.Generator().manual_seed(seed)
    logits = torch.randn(PROMPTS, ANSWERS, generator=draw)
    logits[:, 0] += 3 * torch.randn(PROMPTS, generator=draw) - 1  # answer 0 is right
    logits.requires_grad_()
    optimizer = torch.optim.SGD([logits], lr=lr)
    history: dict[str, list[float]] = {"accuracy": [], "samples": []}
    samples = 0
    for _ in range(steps + 1):
        with torch.no_grad():
            history["accuracy"].append(float(logits.softmax(-1)[:, 0].mean()))
        history["samples"].append(float(samples))
        prompt, action, kept = collect(arm, logits.detach(), draw)
        samples += len(prompt)

        def taken(prompt: Tensor = prompt, action: Tensor = action) -> Tensor:
            return logits.log_softmax(-1)[prompt, action][:, None]

        if not arm.pool:
            prompt, action, kept = prompt[kept], action[kept], torch.ones(int(kept.sum())).bool()
        mask = torch.ones(len(prompt), 1, dtype=torch.bool)
        rewards = (action == 0).float()
        logp = taken if arm.pool else lambda p=prompt, a=action: taken(p, a)
        update(RECIPE, Samples(logp, rewards, prompt, mask, trained=kept), optimizer, draw)
    return history


def collect(arm: Arm, logits: Tensor, draw: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Return prompt and answer of all that was drawn, and which of them are trained on."""
    prompts, actions, kept = [], [], []
    for prompt in torch.randperm(PROMPTS, generator=draw)[:BATCH].tolist():
        answers = torch.empty(0, dtype=torch.int64)
        for _ in range(arm.rounds):
            one = torch.multinomial(
                logits[prompt].softmax(-1), arm.drawn, replacement=True, generator=draw
            )
            answers = torch.cat([answers, one])
            right = int((answers == 0).sum())
            if min(right, len(answers) - right) >= KEEP // 2:
                break
        members = [Member(float(a == 0), 1, bool(a == 0)) for a in answers.tolist()]
        most = len(members) if arm.rule == "all" else KEEP
        chosen = torch.zeros(len(members), dtype=torch.bool)
        chosen[list(choose(arm.rule, members, most))] = True
        prompts.append(torch.full((len(members),), prompt))
        actions.append(answers)
        kept.append(chosen)
    return torch.cat(prompts), torch.cat(actions), torch.cat(kept)


def at_samples(history: dict[str, list[float]], budget: float) -> float:
    """Return the accuracy when so many samples had been drawn."""
    pairs = zip(history["samples"], history["accuracy"], strict=True)
    return [accuracy for drawn, accuracy in pairs if drawn <= budget][-1]


def run(seeds: int, steps: int, folder: Path | None) -> Table:
    """Train every arm on every seed."""
    found = {name: [train(arm, s, steps) for s in range(seeds)] for name, arm in ARMS.items()}
    budget = found["GRPO, 8 of 8"][0]["samples"][-1]
    steps_equal = {name: [r["accuracy"][-1] for r in runs] for name, runs in found.items()}
    samples_equal = {name: [at_samples(r, budget) for r in runs] for name, runs in found.items()}
    rows = [
        (
            name,
            spread([run["samples"][-1] / 1000 for run in runs], 1),
            spread(steps_equal[name], 3),
            spread(samples_equal[name], 3),
        )
        for name, runs in found.items()
    ]
    if folder is not None:

        def draw(axes: Any) -> None:
            for name, runs in found.items():
                band(axes, [run["accuracy"] for run in runs], name)
            axes.set(xlabel="step", ylabel="accuracy")
            axes.legend(fontsize=8)

        save_plot(folder / "pool_baseline.png", draw)
    plain, whole, pods, pods_pool, kept, pool = ARMS
    verdict = (
        f"Accuracy after equal steps: Reinforce-Ada's pool less the statistics of the kept "
        f"{apart(steps_equal[pool], steps_equal[kept], 3)}; PODS less GRPO of 8 "
        f"{apart(steps_equal[pods], steps_equal[plain], 3)}, less GRPO of all 32 "
        f"{apart(steps_equal[pods], steps_equal[whole], 3)}, and with the statistics of all 32 "
        f"{apart(steps_equal[pods_pool], steps_equal[pods], 3)}. After equal samples: "
        f"Reinforce-Ada's pool less GRPO of 8 {apart(samples_equal[pool], samples_equal[plain], 3)}"
        f", PODS less GRPO of 8 {apart(samples_equal[pods], samples_equal[plain], 3)}."
    )
    header = ("arm", "samples (thousands)", "accuracy, equal steps", "accuracy, equal samples")
    return Table("Reinforce-Ada's pool and PODS", header, tuple(rows), verdict)
