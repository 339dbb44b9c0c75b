"""What was drawn for a step: the groups that it trains on, and those that were not kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rewardkit.sampling import carries_signal
from rewardkit.types import UNDECIDED, Outcome, Verdict

Info = Mapping[str, Any]
"""The reward manager's `reward_extra_info` of one response."""


def drawn_metrics(
    kept: Sequence[Sequence[Info]], dropped: Sequence[Sequence[Info]]
) -> dict[str, float]:
    """Return the metrics of the native backend that are of all that was drawn, by its names.

    Args:
        kept: the groups that the step trains on, a member a response.
        dropped: the groups that were drawn for it and evicted, or not needed.
    """
    groups = [*kept, *dropped]
    infos = [info for group in groups for info in group]
    count = max(len(infos), 1)
    kinds = Counter(_kind(group) for group in groups)
    outcomes = Counter(Outcome(info["outcome"]) for info in infos)
    return {
        "groups_drawn": len(groups),
        "groups_kept": len(kept),
        "groups_all_right": kinds["all_right"],
        "groups_all_wrong": kinds["all_wrong"],
        "groups_undecided": kinds["undecided"],
        "group_size": max(map(len, groups), default=0),
        "truncated_drawn": sum(bool(info["truncated"]) for info in infos) / count,
        **{f"outcome/{outcome}": outcomes[outcome] / count for outcome in Outcome},
    }


def _kind(group: Sequence[Info]) -> str:
    """Return "mixed", or why a group carries no signal, as `GroupTally` tells them apart."""
    outcomes = [Outcome(info["outcome"]) for info in group]
    if carries_signal([Verdict(outcome) for outcome in outcomes]):
        return "mixed"
    if any(outcome in UNDECIDED for outcome in outcomes):
        return "undecided"
    return "all_right" if Outcome.CORRECT in outcomes else "all_wrong"
