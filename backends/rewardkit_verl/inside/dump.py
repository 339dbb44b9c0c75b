"""A step's responses as rows of `rollouts.jsonl`, written by verl's trainer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rewardkit.files import json_lines, write_text


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


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write a .jsonl file that appears whole: the launcher may be looking already."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, json_lines(rows).decode())
