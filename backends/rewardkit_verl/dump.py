"""A step's responses as rows of `rollouts.jsonl`, written by verl's trainer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rewardkit.types import Finish


def rollout_row(
    step: int,
    *,
    group: int,
    problem: Mapping[str, Any],
    gold: str,
    response: str,
    tokens: int,
    info: Mapping[str, Any],
    reward: float,
    advantage: float,
) -> dict[str, Any]:
    """Return one response in the form of `rewardkit.runs.rollout_rows`.

    Args:
        step: the training step.
        group: the number of the response's group in the step.
        problem: the row's `extra_info`, as `rewardkit_verl.data` wrote it.
        gold: the answer.
        response: the text.
        tokens: its length.
        info: the reward manager's `reward_extra_info`, with the terms of the group added.
        reward: the shaped reward.
        advantage: the mean over the response's tokens.
    """
    return {
        "step": step,
        "group": group,
        "problem": problem.get("id", ""),
        "question": problem.get("question", ""),
        "gold": gold,
        "response": response,
        "tokens": tokens,
        "finish": str(Finish.LENGTH if info["truncated"] else Finish.STOP),
        "outcome": info["outcome"],
        "extracted": info["extracted"] or None,
        "method": info["method"],
        "reason": info["reason"],
        "reward": reward,
        "components": {
            name.removeprefix("reward/"): value
            for name, value in info.items()
            if name.startswith("reward/")
        },
        "advantage": advantage,
    }


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write a .jsonl file that appears whole: the launcher may be looking already."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    part.replace(path)
