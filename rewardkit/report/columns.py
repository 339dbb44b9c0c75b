"""The columns of a run's lines: what is shown of each step, and what fits."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rewardkit.config import RunConfig
from rewardkit.sampling.settings import KeepConfig
from rewardkit.types import UNDECIDED

WIDTH = 7
"""The fewest characters of a column."""

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Column:
    """A number of a step's row; one that a backend does not record is a dash."""

    name: str
    value: Callable[[Row], float | str | None]
    form: str = ".2f"
    rank: int = 0
    """What has the highest rank leaves a narrow terminal first."""
    of: str = ""
    """Of which responses it is, where not all that are drawn are kept."""

    @property
    def width(self) -> int:
        """Characters in plain lines."""
        return max(WIDTH, len(self.name))

    def show(self, row: Row) -> str:
        """Return the cell's text."""
        value = self.value(row)
        if value is None or isinstance(value, str):
            return value or "-"
        return format(value, self.form)


def _key(key: str) -> Callable[[Row], float | None]:
    return lambda row: row.get(key)


def _clipped(row: Row) -> float | None:
    shares = [row[key] for key in ("clipped_low", "clipped_high") if row.get(key) is not None]
    return sum(shares) if shares else None


def _groups(row: Row) -> str | None:
    """Return how many groups of the batch carry signal, and how many were drawn for it."""
    if "groups_drawn" not in row or "groups_signal" not in row:
        return None
    return f"{row['groups_signal']}/{row['groups_drawn']}"


def undecided(row: Row) -> float:
    """Return the share of undecided verdicts."""
    return math.fsum(row.get(f"outcome/{outcome}", 0.0) for outcome in UNDECIDED)


DRAWN, KEPT = "drawn", "kept"
COLUMNS = (
    Column("step", _key("step"), "d"),
    Column("reward", _key("reward"), ".3f", of=KEPT),
    Column("right", _key("outcome/correct"), of=DRAWN),
    Column("wrong", _key("outcome/incorrect"), of=DRAWN),
    Column("none", _key("outcome/no_answer"), of=DRAWN),
    Column("undecided", undecided, of=DRAWN),
    Column("length", _key("length"), ".1f", rank=1, of=KEPT),
    Column("cut", _key("truncated"), rank=4, of=KEPT),
    Column("entropy", _key("entropy"), ".3f", rank=2, of=KEPT),
    Column("clip", _clipped, ".4f", rank=6),
    Column("KL", _key("kl"), ".4f", rank=7),
    Column("groups", _groups, rank=3, of=DRAWN),
    Column("judge", _key("judge/overturned"), rank=3),
    Column("tok/s", _key("tokens_per_s"), ".0f"),
    Column("sample", _key("sample_s"), ".1f", rank=1),
    Column("verify", _key("verify_s"), ".1f", rank=5),
    Column("update", _key("update_s"), ".1f", rank=1),
    Column("s", _key("step_s"), ".1f"),
)


def columns_of(config: RunConfig) -> list[Column]:
    """Return the columns of a run: what a judge overturned where one is asked."""
    judged = any(one.verifier.endswith("judge") for one in (config.task, *config.tasks))
    found = [column for column in COLUMNS if judged or column.name != "judge"]
    chosen = config.recipe.filter_groups or config.sampling.keep != KeepConfig()
    return found if chosen else [replace(column, of="") for column in found]


def fitting(width: int, columns: Sequence[Column] = COLUMNS) -> list[Column]:
    """Return the columns that fit into a terminal, the most telling ones first kept."""
    kept = list(columns)
    while sum(one.width + 1 for one in kept) > width and (most := max(one.rank for one in kept)):
        kept = [one for one in kept if one.rank != most]
    return kept
