"""A run's responses -> lengths by outcome, and as many of them as fit into a page.

They may be larger than memory. They are read once from end to end for its numbers and sizes,
and then only those lines again that the page will hold: whole groups, of evenly spaced steps.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rewardkit.pages import json_block, shorten
from rewardkit.report.reading import number
from rewardkit.runs.records import Place, PlacedLines, Row
from rewardkit.runs.rollouts import placed_rollouts

LONGEST_TEXT = 20_000
"""Characters of one response or question in the page."""
FEWEST_STEPS = 8
"""Before fewer steps than these are shown, fewer groups of each are."""


@dataclass
class GroupPlace:
    """Where a group's lines are, and how many bytes of the page they would take."""

    lines: list[Place] = field(default_factory=list)
    size: int = 0


@dataclass
class StepIndex:
    """What a step's rollouts come to, without their texts."""

    groups: dict[Any, GroupPlace] = field(default_factory=dict)
    tokens: dict[bool, list[int]] = field(default_factory=lambda: {True: [], False: []})
    """Response lengths, of right and of wrong answers."""

    @property
    def size(self) -> int:
        """Bytes of the page that all its groups would take."""
        return sum(group.size for group in self.groups.values())


Index = dict[int, StepIndex]


def read_index(folder: Path, damage: list[str]) -> Index:
    """Return what each step's rollouts come to; lines that cannot be read are noted."""
    index: Index = {}
    for row, place in placed_rollouts(folder, damage):
        step = index.setdefault(row["step"], StepIndex())
        outcome = str(row.get("outcome", "unknown"))
        group = step.groups.setdefault(_group_key(row), GroupPlace())
        if not group.lines:
            group.size += len(json_block(_problem(row)).encode(errors="replace"))
        group.lines.append(place)
        group.size += len(json_block(_response(row)).encode(errors="replace")) + 1
        tokens = row.get("tokens")
        if isinstance(tokens, int) and outcome in ("correct", "incorrect", "no_answer"):
            step.tokens[outcome == "correct"].append(tokens)
    return dict(sorted(index.items()))


def mean_lengths(index: Index) -> dict[int, dict[str, float]]:
    """Return by step the mean length of right and of wrong answers, where there are any.

    An answer that was not given counts as wrong; undecided verdicts count as neither.
    """
    return {
        step: {
            name: sum(lengths) / len(lengths)
            for name, right in (("length/right", True), ("length/wrong", False))
            if (lengths := found.tokens[right])
        }
        for step, found in index.items()
    }


@dataclass(frozen=True)
class RolloutSelection:
    """The groups of each step that a page holds, and what that leaves out."""

    groups: dict[int, list[Any]]
    left_out: str
    """A sentence for the page; empty if nothing is left out."""


def select(index: Index, budget: int) -> RolloutSelection:
    """Choose evenly spaced steps; where those would be too few, evenly spaced groups of them.

    Args:
        index: what there is.
        budget: bytes that the texts may take. One group is chosen whatever its size.
    """
    if not index:
        return RolloutSelection({}, "")
    steps = list(index)

    def choice(step_count: int, group_count: int) -> dict[int, list[Any]]:
        return {
            steps[i]: evenly_of(list(index[steps[i]].groups), group_count)
            for i in evenly(len(steps), step_count)
        }

    def fits(groups: dict[int, list[Any]]) -> bool:
        return sum(index[s].groups[g].size for s, keys in groups.items() for g in keys) <= budget

    widest = max(len(step.groups) for step in index.values())
    few = min(FEWEST_STEPS, len(steps))
    step_count = most(len(steps), lambda k: k <= few or fits(choice(k, widest)))
    group_count = most(widest, lambda k: fits(choice(step_count, k)))
    if group_count == 1:
        step_count = most(step_count, lambda k: fits(choice(k, 1)))
    groups = choice(step_count, group_count)
    return RolloutSelection(groups, _left_out(index, groups))


def most(limit: int, fits: Callable[[int], bool]) -> int:
    """Return a large k in 1..limit that fits, found by halving; 1 if none does.

    >>> most(100, lambda k: k <= 37)
    37
    """
    if fits(limit):
        return limit
    low, high = 1, limit
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def evenly(n: int, k: int) -> list[int]:
    """Return k places of 0..n-1, evenly spaced, the last one always among them.

    >>> evenly(10, 4), evenly(10, 1), evenly(3, 3)
    ([0, 3, 6, 9], [9], [0, 1, 2])
    """
    if k == 1:
        return [n - 1]
    return [round(i * (n - 1) / (k - 1)) for i in range(k)]


def evenly_of(keys: Sequence[Any], k: int) -> list[Any]:
    """Return k of the keys, evenly spaced, or all of them where there are fewer."""
    return [keys[i] for i in evenly(len(keys), min(k, len(keys)))]


def size_of(index: Index) -> int:
    """Return how many bytes of the page all rollouts would take."""
    return sum(step.size for step in index.values())


def fair_shares(sizes: Sequence[int], budget: int) -> list[int]:
    """Return a budget for each of several runs; what the small ones leave goes to the others.

    >>> fair_shares([10, 100, 300], 90)
    [10, 40, 40]
    """
    shares = [0] * len(sizes)
    for left, i in zip(
        range(len(sizes), 0, -1), sorted(range(len(sizes)), key=sizes.__getitem__), strict=True
    ):
        shares[i] = min(sizes[i], budget // left)
        budget -= shares[i]
    return shares


def load_step(step: StepIndex, keys: Sequence[Any]) -> list[dict[str, Any]]:
    """Return the chosen groups of a step as the page holds them."""
    groups, lines = [], PlacedLines()
    for key in keys:
        found = [lines.row(place) for place in step.groups[key].lines]
        rows = [row for row in found if row is not None]  # a run may have been rewound since
        if rows:
            groups.append({**_problem(rows[0]), "responses": [_response(r) for r in rows]})
    return groups


def share_recorded(index: Index, metrics: Sequence[Row]) -> tuple[int, int]:
    """Return how many responses are recorded, and how many were trained on in the same run.

    Both are of the steps that have metrics, and 0 where those do not say how many there were.
    """
    trained = {row["step"]: _responses(row) for row in metrics}
    recorded = {
        step: sum(len(group.lines) for group in found.groups.values())
        for step, found in index.items()
        if step in trained
    }
    if not all(trained.values()):
        return 0, 0
    return sum(recorded.values()), sum(trained.values())


def unrecorded(index: Index, metrics: Sequence[Row]) -> str:
    """Return a sentence on the responses that a run was told not to keep; empty if it kept all."""
    recorded, trained = share_recorded(index, metrics)
    if recorded >= trained:
        return ""
    steps = sum(row["step"] in index for row in metrics)
    return (
        f"The run recorded {recorded:,} of the {trained:,} responses that it trained on, in "
        f"{steps:,} of {len(metrics):,} steps (its settings under records): what is said here of "
        "responses, and the lengths of right and wrong ones, are of those."
    )


def _responses(row: Row) -> int:
    groups, size = row.get("groups_kept"), row.get("group_size")
    return groups * size if isinstance(groups, int) and isinstance(size, int) else 0


def _left_out(index: Index, groups: dict[int, list[Any]]) -> str:
    chosen = sum(len(index[s].groups[g].lines) for s, keys in groups.items() for g in keys)
    there = sum(len(group.lines) for step in index.values() for group in step.groups.values())
    if chosen == there:
        return ""
    whole = all(len(keys) == len(index[step].groups) for step, keys in groups.items())
    some = "all their groups" if whole else "an even choice of their groups"
    return (
        f"{chosen:,} of {there:,} rollouts are on this page: {len(groups)} of {len(index)} steps, "
        f"evenly spaced, with {some}. The run folder has all of them; --max-mb shows more."
    )


def _group_key(row: Row) -> Any:
    """Return what a step's rollouts of one group have in common."""
    group = row.get("group")
    return group if isinstance(group, int | str) else str(row.get("problem"))


def _problem(row: Row) -> dict[str, Any]:
    columns = _columns(row.get("info"))
    return {
        "problem": str(row.get("problem", "")),
        "question": shorten(str(row.get("question", "")), LONGEST_TEXT, WHOLE),
        "gold": str(row.get("gold", "")),
        **({"columns": columns} if columns else {}),
    }


def _columns(info: Any) -> dict[str, str]:
    """Return a problem's columns as texts; runs of earlier versions recorded none."""
    if not isinstance(info, dict):
        return {}
    return {
        name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for name, value in info.items()
    }


def _response(row: Row) -> dict[str, Any]:
    """Return what the page shows of a rollout; what the backend did not record is left out."""
    components = row.get("components")
    found = {
        "text": shorten(str(row.get("response", "")), LONGEST_TEXT, WHOLE),
        "outcome": str(row.get("outcome", "unknown")),
        "score": number(row.get("score")),
        "tokens": number(row.get("tokens")),
        "finish": _text(row.get("finish")),
        "extracted": _text(row.get("extracted")),
        "method": _text(row.get("method")),
        "reason": _text(row.get("reason")),
        "reward": number(row.get("reward")),
        "advantage": number(row.get("advantage")),
        "steps": _steps(row),
        "segments": _segments(row),
        "components": {str(k): number(v) for k, v in components.items()}
        if isinstance(components, dict)
        else None,
    }
    return {key: value for key, value in found.items() if value is not None}


def _steps(row: Row) -> Any:
    """Return where steps end and what they score; a text that is shortened has none."""
    whole = len(str(row.get("response", ""))) <= LONGEST_TEXT
    return row.get("steps") if whole else None


def _segments(row: Row) -> list[list[Any]] | None:
    """Return (whether the model wrote it, text) of a rollout with an environment."""
    found = row.get("segments")
    if not isinstance(found, list) or not all(
        isinstance(one, list) and len(one) > 1 for one in found
    ):
        return None
    return [[bool(one[0]), shorten(str(one[1]), LONGEST_TEXT, WHOLE)] for one in found]


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


WHOLE = "the run folder has them"
