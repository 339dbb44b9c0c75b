"""What is said of rollouts with an environment, by the names of `metrics.jsonl`."""

from __future__ import annotations

from collections.abc import Sequence

from rewardkit.environments.pool import FAULT
from rewardkit.types import UNDECIDED, Finish, Rollout


def turn_metrics(rollouts: Sequence[Rollout]) -> dict[str, float]:
    """Return means over rollouts of their turns, of what their environments wrote and did.

    `turns` of the model, `environment_tokens` (which no `length` or `tokens` counts),
    `tool_errors` that the model was told of, `out_of_turns`, the share that `sampling.turns` ended,
    and `environment_failed`, the share that is undecided since its environment raised, hung or
    died.

    >>> from rewardkit.types import Finish, Segment
    >>> parts = (Segment(True, "2*3", 2), Segment(False, "6", 1), Segment(True, "6", 1))
    >>> turn_metrics([Rollout("", (0,) * 4, (0.0,) * 4, Finish.STOP, parts)])["turns"]
    2.0
    """
    count = max(len(rollouts), 1)
    parts = [part for rollout in rollouts for part in rollout.segments]
    return {
        "turns": sum(part.written for part in parts) / count,
        "environment_tokens": sum(part.tokens for part in parts if not part.written) / count,
        "tool_errors": sum(rollout.tool_errors for rollout in rollouts) / count,
        "out_of_turns": sum(rollout.finish is Finish.TURNS for rollout in rollouts) / count,
        "environment_failed": sum(map(failed, rollouts)) / count,
    }


def failed(rollout: Rollout) -> bool:
    """Return whether a rollout is undecided since its environment failed."""
    found = rollout.verdict
    return found is not None and found.method == FAULT and found.outcome in UNDECIDED
