"""What the best of several checkpoints is worth, corrected for having been picked.

The best of 20 equal checkpoints looks 1.9 standard errors better by luck alone. Picking on one
half of the samples and scoring on the other takes that luck out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean

from rewardkit.errors import ConfigError

SPLITS = 200
"""Halvings of the samples, over which the score of a pick is averaged."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The best checkpoint by all samples, and what such a pick scores on samples it did not see."""

    best: int
    """Which checkpoint, from 0."""
    naive: float
    """Its accuracy over all samples, luck included."""
    corrected: float
    """What picks score on the half that they were not made by."""
    picked_share: float
    """Share of the splits in which the same checkpoint was the best."""


def split_half(rates: Sequence[Sequence[Sequence[bool]]], seed: int = 0) -> Selection:
    """Correct the pick of the best checkpoint by split halves.

    `rates[checkpoint][problem]` are the outcomes of that problem's samples. In each of 200 seeded
    splits the samples of every problem are halved, the best checkpoint on one half is picked, and
    its score on the other is taken; the mean over splits has no luck of the pick in it, though
    a pick on half of the samples is a little worse than one on all.

    Raises:
        ConfigError: no checkpoint, or a problem with fewer than two samples.

    >>> found = split_half([[[True, True], [True, True]], [[False, False], [True, False]]])
    >>> found.best, found.corrected
    (0, 1.0)
    """
    if not rates or any(len(samples) < 2 for problems in rates for samples in problems):
        raise ConfigError("picking the best checkpoint needs at least 2 samples of each problem")
    scores = [_score(problems) for problems in rates]
    best = max(range(len(scores)), key=scores.__getitem__)
    random = Random(seed)
    held_out, same = [], 0
    for _ in range(SPLITS):
        halves = [_halves(problems, random) for problems in rates]
        picked = max(range(len(halves)), key=lambda i: halves[i][0])
        held_out.append(halves[picked][1])
        same += picked == best
    return Selection(best, scores[best], fmean(held_out), same / SPLITS)


def _score(problems: Sequence[Sequence[bool]]) -> float:
    return fmean(fmean(samples) for samples in problems)


def _halves(problems: Sequence[Sequence[bool]], random: Random) -> tuple[float, float]:
    first, second = [], []
    for samples in problems:
        shuffled = random.sample(samples, len(samples))
        middle = len(shuffled) // 2
        first.append(fmean(shuffled[:middle]))
        second.append(fmean(shuffled[middle:]))
    return fmean(first), fmean(second)
