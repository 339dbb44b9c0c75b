"""A band of solve rates: groups with a signal that are nearly all right, or nearly all wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from rewardkit.types import UNDECIDED, Verdict


class BandReason(StrEnum):
    """Why a group that carries a signal is left out all the same."""

    TOO_HARD = "too_hard"
    """Its solve rate lies below the band."""
    TOO_EASY = "too_easy"
    """It lies above."""


@dataclass(frozen=True)
class Band:
    """The solve rates that are trained on, both bounds included.

    >>> from rewardkit.types import Outcome
    >>> right, wrong = Verdict(Outcome.CORRECT), Verdict(Outcome.INCORRECT)
    >>> Band(0.2, 0.8).outside([right] * 9 + [wrong]), Band(0.2, 0.8).outside([right, wrong])
    (<BandReason.TOO_EASY: 'too_easy'>, None)
    """

    low: float = 0.0
    high: float = 1.0

    def outside(self, verdicts: Sequence[Verdict]) -> BandReason | None:
        """Return on which side a group lies outside; None where it is inside, or undecided."""
        decided = [verdict for verdict in verdicts if verdict.outcome not in UNDECIDED]
        if not decided:
            return None
        rate = sum(verdict.correct for verdict in decided) / len(decided)
        if rate < self.low:
            return BandReason.TOO_HARD
        return BandReason.TOO_EASY if rate > self.high else None
