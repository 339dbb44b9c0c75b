"""A step's responses as rows of `rollouts.jsonl`, written by verl's trainer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rewardkit.runs.files import json_lines, write_text
from rewardkit.runs.rollouts import recorded_columns, recorded_steps
from rewardkit.types import Finish, Problem, Reward
from rewardkit_verl.graded import verdict_of
from rewardkit_verl.names import SCORE_KEY


def group_numbers(keys: Sequence[str], tags: Sequence[Mapping[str, Any]]) -> list[int | None]:
    """Return the number of each row's group in the step; None for padding rows.

    A row's key is its prompt's, its number in the group, and its turn.

    >>> group_numbers(["b_0_0", "a_0_0", "b_1_0", "a_1_0"], [{}, {}, {}, {"is_padding": True}])
    [0, 1, 0, None]
    """
    numbers: dict[str, int] = {}
    return [
        None
        if tag.get("is_padding", False)
        else numbers.setdefault(key.split("_")[0], len(numbers))
        for key, tag in zip(keys, tags, strict=True)
    ]


def rollout_row(
    step: int,
    *,
    group: int,
    problem: Problem,
    response: str,
    tokens: int,
    info: Mapping[str, Any],
    reward: Reward,
    advantage: float,
) -> dict[str, Any]:
    """Return one response in the form of `rewardkit.runs.rollout_rows`.

    Args:
        step: the training step.
        group: the number of the response's group in the step.
        problem: what was asked.
        response: the text.
        tokens: its length.
        info: the reward manager's `reward_extra_info`.
        reward: the shaped reward, with the terms of the group.
        advantage: the mean over the response's tokens.
    """
    return {
        "step": step,
        "group": group,
        "problem": problem.id,
        "question": problem.question,
        "gold": problem.answer,
        "info": recorded_columns(problem.info),
        "response": response,
        "tokens": tokens,
        "finish": str(Finish.LENGTH if info["truncated"] else Finish.STOP),
        "outcome": info["outcome"],
        "score": info[SCORE_KEY],
        "extracted": info["extracted"] or None,
        "method": info["method"],
        "reason": info["reason"],
        "reward": reward.total,
        "components": dict(reward.components),
        "advantage": advantage,
        **recorded_steps(verdict_of(info)),
    }


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write a .jsonl file that appears whole: the launcher may be looking already."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, json_lines(rows).decode())
