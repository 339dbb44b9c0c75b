"""What the experiments share: seeds, mean ± SD, an update by a recipe, and how results are kept."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from rewardkit.advantages import AdvantageInputs, estimate
from rewardkit.evaluation.statistics.distributions import t_quantile
from rewardkit.losses import LossInputs, policy_loss, sequence_weights
from rewardkit.recipes import Recipe


@dataclass(frozen=True)
class Table:
    """One experiment's result: a title, a header, and rows of text."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    verdict: str
    """What was and was not seen, computed from the numbers themselves."""

    def markdown(self) -> str:
        """Return the table with its verdict below."""
        lines = [f"## {self.title}", "", "| " + " | ".join(self.header) + " |"]
        lines.append("|" + "---|" * len(self.header))
        lines += ["| " + " | ".join(row) + " |" for row in self.rows]
        return "\n".join([*lines, "", self.verdict, ""])


def spread(values: Sequence[float], digits: int = 2) -> str:
    """Return mean ± SD over seeds, or the value alone for one seed."""
    mean = f"{statistics.mean(values):.{digits}f}"
    return f"{mean} ± {statistics.stdev(values):.{digits}f}" if len(values) > 1 else mean


@dataclass(frozen=True)
class Samples:
    """A sampled batch: log-probabilities can be recomputed from the parameters at any time."""

    logp: Callable[[], Tensor]
    rewards: Tensor
    groups: Tensor
    mask: Tensor
    entropies: Callable[[], Tensor] | None = None
    """Of the policy at each token, with gradient, for an entropy bonus."""
    trained: Tensor | None = None
    """Which responses are learned from; the others are in the statistics alone."""


def interval(values: Sequence[float], digits: int = 2) -> str:
    """Return mean and 95 % interval over seeds (Student's t).

    >>> interval([1.0, 2.0, 3.0])
    '+2.00 [-0.48, +4.48]'
    """
    mean, wide = statistics.mean(values), 0.0
    if len(values) > 1:
        error = statistics.stdev(values) / len(values) ** 0.5
        wide = t_quantile(0.975, len(values) - 1) * error
    return f"{mean:+.{digits}f} [{mean - wide:+.{digits}f}, {mean + wide:+.{digits}f}]"


def apart(left: Sequence[float], right: Sequence[float], digits: int = 2) -> str:
    """Return the difference left − right, paired by seed, with its interval."""
    return interval([a - b for a, b in zip(left, right, strict=True)], digits)


def update(
    recipe: Recipe, batch: Samples, optimizer: torch.optim.Optimizer, draw: torch.Generator
) -> dict[str, float]:
    """Train on a batch as a recipe says; returns metrics as means over tokens and updates."""
    with torch.no_grad():
        old = batch.logp()
    given = AdvantageInputs(rewards=batch.rewards, groups=batch.groups, mask=batch.mask)
    advantages = estimate(recipe.advantage, given, **recipe.advantage_options).to(old)
    sums: dict[str, float] = {}
    for _ in range(recipe.epochs):
        order = torch.randperm(len(old), generator=draw)
        if batch.trained is not None:
            order = order[batch.trained[order]]
        for rows in order.tensor_split(recipe.minibatches):
            mask = batch.mask[rows]
            weights = sequence_weights(
                recipe.aggregation, mask.sum(-1), batch.groups[rows], constant=recipe.constant
            )
            inputs = LossInputs(
                batch.logp()[rows], old[rows], advantages[rows], mask, weights,
                entropies=batch.entropies()[rows] if batch.entropies else None,
            )  # fmt: skip
            found = policy_loss(recipe, inputs)
            optimizer.zero_grad()
            found.loss.backward()
            optimizer.step()
            for name, value in found.metrics.items():
                sums[name] = sums.get(name, 0.0) + float(value)
    return {name: value / max(sums["tokens"], 1) for name, value in sums.items()}


def save_plot(path: Path, draw: Callable[[Any], None]) -> None:
    """Let `draw` fill a pair of axes and save the figure."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 3.6), layout="constrained")
    draw(axes)
    figure.savefig(path, dpi=110)
    plt.close(figure)


def band(axes: Any, runs: Sequence[Sequence[float]], label: str) -> None:
    """Draw the mean over seeds with a band of one SD."""
    table = torch.tensor(runs, dtype=torch.float64)
    mean = table.mean(0)
    sd = table.std(0) if len(runs) > 1 else torch.zeros_like(mean)
    (line,) = axes.plot(mean, label=label)
    axes.fill_between(
        range(len(mean)), mean - sd, mean + sd, alpha=0.2, color=line.get_color(), linewidth=0
    )
