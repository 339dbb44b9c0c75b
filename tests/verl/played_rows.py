"""What a run of `playing_task` leaves in its folder, whichever backend and engine played it."""

from pathlib import Path

import pytest

from rewardkit.runs import RunFolder, read_rollouts

TASKS = Path(__file__).parents[1] / "native"
"""Where `playing_task` lies, which processes of a run import."""


def assert_turns(folder):
    """Rows of both sides' turns that agree with the metrics; returns metrics and rollouts."""
    metrics = list(RunFolder.open(folder).rows("metrics.jsonl"))
    rows = list(read_rollouts(folder))
    several = [row for row in rows if len(row["segments"]) > 1]
    assert several
    for row in several:
        (first, text, _), (environment, said, count), *_ = row["segments"]
        assert (first, environment, said.strip()) == (True, False, "1 + 1 = 2")
        assert count > 0
        assert row["response"].startswith(text + "\n")
        assert row["tokens"] == sum(part[2] for part in row["segments"] if part[0])
    for row in metrics:
        own = [one for one in rows if one["step"] == row["step"]]
        assert row["tokens"] == sum(one["tokens"] for one in own)
        assert row["turns"] == pytest.approx(
            sum(part[0] for one in own for part in one["segments"]) / len(own)
        )
        assert row["environment_tokens"] > 0
    assert {"tool_errors", "environment_failed"} <= metrics[0].keys()
    return metrics, rows
