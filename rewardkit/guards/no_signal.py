"""Why nothing was learned from what was drawn, and what may help."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rewardkit.sampling import DropReason, GroupTally

Row = Mapping[str, Any]


def nothing_learned(rows: Sequence[Row]) -> str:
    """Return what to say at the end of a run no step of which had a gradient of any reward.

    >>> counts = {"groups_drawn": 4, "groups_all_right": 0, "groups_all_wrong": 4, "group_size": 8}
    >>> step = {"groups_signal": 0, "groups_undecided": 0, **counts}
    >>> nothing_learned([step, step])[:90]
    'no group of any step carried signal: no reward has changed the model. In the last step, no'
    >>> nothing_learned([step, step | {"groups_signal": 1}])
    ''
    """
    if not rows or any(row.get("groups_signal") != 0 for row in rows):
        return ""
    told = "no group of any step carried signal: no reward has changed the model. In the last step,"
    return f"{told} {why_no_gradient(rows[-1])}"


def no_signal_message(tally: GroupTally, group_size: int) -> str:
    """Say why nothing could be learned from what was drawn, and what may help."""
    right, wrong, undecided = (tally.without_signal[reason] for reason in DropReason)
    return _why(tally.drawn, right, wrong, undecided, group_size)


def why_no_gradient(row: Row) -> str:
    """Say why nothing could be learned from a step, by its row of metrics."""
    drawn, all_right, all_wrong, undecided = (
        int(row[f"groups_{name}"]) for name in ("drawn", *DropReason)
    )
    if drawn > all_right + all_wrong + undecided:
        return (
            "some groups mix right and wrong answers, and yet no response has a gradient: with "
            "recipe.mask_truncated, raise sampling.max_tokens if responses end at the limit"
        )
    return _why(drawn, all_right, all_wrong, undecided, int(row["group_size"]))


def _why(drawn: int, all_right: int, all_wrong: int, undecided: int, group_size: int) -> str:
    what = (
        f"none of {drawn} groups of {group_size} mixes right and wrong answers: {all_right} all "
        f"right, {all_wrong} all wrong, {undecided} with undecided verdicts. "
    )
    if undecided > drawn / 2:
        return what + (
            "Look at the verdicts in rollouts.jsonl: golds, an environment or the verifier are at "
            "fault."
        )
    if all_right > all_wrong:
        return what + "The task has become too easy: take harder problems, or stop here."
    return what + (
        "The task is too hard or its format too strange: show a worked example in the prompt, "
        "take easier problems, raise sampling.group_size, or raise sampling.max_tokens if "
        "responses end at the limit."
    )
