"""A row a response: what was asked and said, the verdict and why, reward and advantage.

Which responses a run keeps, and in which form, is its section `records`.
"""

from __future__ import annotations

import hashlib
import heapq
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rewardkit.config import RecordsConfig, RunConfig
from rewardkit.runs.folder import RunFolder
from rewardkit.runs.records import Place, Row, placed_rows, zstd
from rewardkit.types import Group, Problem, Reward, Rollout, Verdict

ROLLOUTS = ("rollouts.jsonl", "rollouts.jsonl.zst")
"""The plain and the compressed form; a run that changed its mind on resuming has both."""

BYTES_A_TOKEN = 4
BYTES_A_ROW = 600
"""Question, verdict and names of fields, beside the response."""
COMPRESSED_SHARE = 0.25
"""What zstd leaves of responses, in the worst case that was met; an eighth is usual."""
LONGEST_COLUMN = 2000
"""Characters of a column in a row; test cases of a megabyte would stand in each of its rows."""
ROOM = 0.5
"""The share of the free space that a remark leaves to responses: checkpoints need the rest."""


def rollout_rows(
    step: int, groups: Iterable[Group], advantages: Iterable[float]
) -> list[dict[str, Any]]:
    """Return a row a rollout: what was asked and said, the verdict and why, reward, advantage."""
    remaining = iter(advantages)
    return [
        rollout_row(step, number, group.problem, *graded, next(remaining))
        for number, group in enumerate(groups)
        for graded in zip(group.rollouts, group.verdicts, group.rewards, strict=True)
    ]


def rollout_row(
    step: int,
    group: int,
    problem: Problem,
    rollout: Rollout,
    verdict: Verdict,
    reward: Reward,
    advantage: float,
) -> dict[str, Any]:
    """Return the row of one response; `group` is the number of its group in the step."""
    found = verdict.to_record()
    return {
        "step": step,
        "group": group,
        "problem": problem.id,
        "question": problem.question,
        "gold": problem.answer,
        "info": recorded_columns(problem.info),
        "response": rollout.text,
        "tokens": len(rollout.own_tokens),
        "finish": rollout.finish,
        **{name: found[name] for name in ("outcome", "score", "extracted", "method", "reason")},
        "reward": reward.total,
        "components": dict(reward.components),
        "advantage": advantage,
        **{name: found[name] for name in ("steps", "judged") if found[name]},
        **({"segments": [list(one) for one in rollout.segments]} if rollout.segments else {}),
    }


def recorded_columns(info: Mapping[str, Any]) -> dict[str, Any]:
    """Return a problem's columns as a row holds them: a long one only begins.

    >>> recorded_columns({"target": 24, "cases": "1" * 5000})["cases"][-51:]
    '111... (5,002 characters; the problem has them all)'
    """
    return {name: _shortened(value) for name, value in info.items()}


def _shortened(value: Any) -> Any:
    text = json.dumps(value, ensure_ascii=False)
    if len(text) <= LONGEST_COLUMN:
        return value
    return f"{text[: LONGEST_COLUMN // 2]}... ({len(text):,} characters; the problem has them all)"


def kept_groups(records: RecordsConfig, seed: int, step: int, groups: int) -> list[int]:
    """Return which of a step's groups are recorded: the same in every process, and on resuming.

    A group's rank follows from seed, step and its number, so a step that has fewer groups keeps
    of those that it has.

    >>> kept_groups(RecordsConfig(every=5, groups=2), seed=0, step=10, groups=64)
    [23, 58]
    >>> kept_groups(RecordsConfig(every=5), seed=0, step=11, groups=64)
    []
    """
    if step % records.every:
        return []

    def rank(group: int) -> bytes:
        return hashlib.sha256(f"records {seed} {step} {group}".encode()).digest()

    kept = sorted(range(groups), key=rank)[: records.groups or groups]
    return sorted(kept)


def record_rollouts(
    folder: RunFolder, config: RunConfig, step: int, rows: Sequence[Row]
) -> list[Row]:
    """Append those rows of a step that the run's settings keep, and return them."""
    groups = max((row["group"] for row in rows), default=-1) + 1
    kept = set(kept_groups(config.records, config.seed, step, groups))
    found = [row for row in rows if row["group"] in kept]
    folder.append(ROLLOUTS[config.records.compress], found)
    return found


def refuse_missing_zstd(records: RecordsConfig) -> None:
    """Raise a MissingExtraError if records are to be compressed, and nothing here can do it."""
    if records.compress:
        zstd()


def read_rollouts(folder: Path, damage: list[str] | None = None) -> Iterator[Row]:
    """Yield the rows of a run's responses in order of steps, whatever form they are in.

    Args:
        folder: the run.
        damage: is told what cannot be read, which is then left out.

    Raises:
        DataError: something cannot be read, and there is no `damage`.
        MissingExtraError: they are compressed, and nothing here can read that.
    """
    return (row for row, _ in placed_rollouts(folder, damage))


def placed_rollouts(folder: Path, damage: list[str] | None = None) -> Iterator[tuple[Row, Place]]:
    """Yield (row, where it is), as `read_rollouts` does."""
    forms = [placed_rows(folder / name, damage) for name in ROLLOUTS]
    return heapq.merge(*forms, key=lambda found: found[0]["step"])


def any_rollouts(folder: Path) -> bool:
    """Whether a run has recorded any response."""
    return any((folder / name).exists() and (folder / name).stat().st_size for name in ROLLOUTS)


def outgrowing(config: RunConfig, step: int, free: int | None = None) -> list[str]:
    """Return what to say where the responses of the steps after `step` may not fit on the disk.

    Args:
        config: the run.
        step: the step that it goes on from.
        free: bytes of room; by default what the run folder's disk has.
    """
    records = config.records
    steps = config.steps // records.every - step // records.every
    groups = min(records.groups or config.sampling.problems, config.sampling.problems)
    responses = groups * config.sampling.group_size
    plain = steps * responses * (BYTES_A_ROW + BYTES_A_TOKEN * config.sampling.max_tokens)
    need = plain * (COMPRESSED_SHARE if records.compress else 1)
    room = shutil.disk_usage(config.folder).free if free is None else free
    if need <= room:
        return []
    least = plain * COMPRESSED_SHARE
    settings = [] if records.compress else ["--set records.compress=true"]
    if least > ROOM * room:
        factor = -int(-least // max(ROOM * room, 1))
        settings.append(f"--set records.every={records.every * factor}")
        least /= factor
    return [
        f"the responses of {steps:,} steps ({responses} of each, up to {config.sampling.max_tokens}"
        f" tokens) may take {_size(need)}, and {config.folder} has {_size(room)} left; with "
        f"{' '.join(settings)} they take about {_size(least)} at most"
    ]


def _size(count: float) -> str:
    """Return bytes as a person says them.

    >>> _size(164e9), _size(2.5e6)
    ('164 GB', '2 MB')
    """
    return f"{count / 1e9:,.0f} GB" if count >= 1e9 else f"{count / 1e6:,.0f} MB"
