"""Groups that carried a signal and found no place in their batch, kept for the next one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rewardkit.errors import DataError
from rewardkit.types import Finish, Group, Problem, Reward, Rollout, Verdict


@dataclass(frozen=True)
class Leftover:
    """A graded group, the prompt it answers, and the step whose policy drew it."""

    group: Group
    prompt: Sequence[int]
    problem: int
    """Its number among the training problems."""
    step: int


def young_enough(
    leftovers: Iterable[Leftover], step: int, max_age: int
) -> tuple[list[Leftover], int]:
    """Return those that may be trained on in `step`, and how many are too old.

    A group's age is the number of steps, and so of policies, since it was drawn.
    """
    found = list(leftovers)
    young = [left for left in found if step - left.step <= max_age]
    return young, len(found) - len(young)


def save_leftovers(path: Path, leftovers: Iterable[Leftover]) -> None:
    """Write groups as JSON; a float comes back as the same bits."""
    path.write_text(json.dumps([_row(left) for left in leftovers], allow_nan=False), "utf-8")


def load_leftovers(path: Path, problems: Sequence[Problem]) -> list[Leftover]:
    """Read what `save_leftovers` wrote, of the same problems.

    Raises:
        DataError: the file cannot be read as such; names it.
    """
    try:
        return [_leftover(row, problems) for row in json.loads(path.read_text("utf-8"))]
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        raise DataError(f"{path}: the groups left over cannot be read ({error})") from error


def _row(left: Leftover) -> dict[str, Any]:
    group = left.group
    return {
        "problem": left.problem,
        "step": left.step,
        "prompt": list(left.prompt),
        "rollouts": [asdict(rollout) for rollout in group.rollouts],
        "verdicts": [verdict.to_record() for verdict in group.verdicts],
        "rewards": [
            {"total": reward.total, "components": dict(reward.components)}
            for reward in group.rewards
        ],
    }


def _leftover(row: dict[str, Any], problems: Sequence[Problem]) -> Leftover:
    rollouts = tuple(
        Rollout(
            found["text"],
            tuple(found["tokens"]),
            tuple(found["logprobs"]),
            Finish(found["finish"]),
        )
        for found in row["rollouts"]
    )
    verdicts = tuple(map(Verdict.from_record, row["verdicts"]))
    rewards = tuple(Reward(found["total"], found["components"]) for found in row["rewards"])
    group = Group(problems[row["problem"]], rollouts, verdicts, rewards)
    return Leftover(group, row["prompt"], row["problem"], row["step"])
