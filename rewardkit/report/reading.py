"""Reads a run folder as it is: finished, still written to, or killed in the middle of a line.

Only what is there is read, and nothing is made up: a metric that a backend does not write is
missing, not 0, and a line that cannot be read is counted.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rewardkit.errors import ConfigError, DataError
from rewardkit.evaluation.models import run_of, shown
from rewardkit.files import read_json, read_toml
from rewardkit.runs.records import Row, placed_rows
from rewardkit.runs.results import RESULTS_FILE, Evaluations, evaluations_in
from rewardkit.runs.rollouts import any_rollouts


@dataclass
class RunRecord:
    """What a run folder says, apart from its rollouts."""

    path: Path
    config: dict[str, Any]
    """config.toml, as it stands there: another version's keys included."""
    metrics: list[Row]
    """A row a step, in order of steps."""
    results: Evaluations
    manifest: dict[str, Any]
    events: list[Row]
    """What happened: rows of step, kind and message."""
    damage: list[str] = field(default_factory=list)
    """What could not be read, a sentence a file."""

    @property
    def name(self) -> str:
        """The folder's own name."""
        return self.path.resolve().name or str(self.path)

    @property
    def steps(self) -> int:
        """The last step that was recorded."""
        return self.metrics[-1]["step"] if self.metrics else 0

    @property
    def planned(self) -> int | None:
        """How many steps the run is to have."""
        steps = self.config.get("steps")
        return steps if isinstance(steps, int) else None


def read_run(path: Path) -> RunRecord:
    """Return what a run folder says.

    Raises:
        ConfigError: there is no run there, or one that has not recorded anything yet.
        DataError: its configuration cannot be read.
    """
    refuse_other_folder(path)
    damage: list[str] = []
    metrics = by_step(good_rows(path / "metrics.jsonl", damage))
    results = _read_results(path / RESULTS_FILE, damage)
    if not metrics and not results and not any_rollouts(path):
        raise ConfigError(
            f"{path} holds a run that has not recorded anything yet: no line in metrics.jsonl or "
            "rollouts.jsonl and no results.json. Try again after its first step"
        )
    return RunRecord(
        path=path,
        config=read_toml(path / "config.toml"),
        metrics=metrics,
        results=results,
        manifest=_read_json(path / "manifest.json", damage),
        events=list(good_rows(path / "events.jsonl", damage)),
        damage=damage,
    )


def refuse_other_folder(path: Path) -> None:
    """Raise a ConfigError if `path` is not a run folder, naming what it is instead."""
    if not path.exists():
        raise ConfigError(f"there is no folder {path}")
    if not path.is_dir():
        raise ConfigError(f"{path} is a file; give the run folder, which holds config.toml")
    if (path / "config.toml").exists():
        return
    if (path / "samples.jsonl").exists():
        raise ConfigError(
            f"{path} is an evaluation, not a training run; its report is written by\n"
            f"  rewardkit eval regrade {path}"
        )
    around = run_of(str(path))
    meant = [around] if around else sorted(one.parent for one in path.glob("*/config.toml"))
    hint = f"; did you mean {shown(meant[0])}?" if meant else ""
    raise ConfigError(f"{path} is not a run folder: it holds no config.toml{hint}")


def good_rows(path: Path, damage: list[str]) -> Iterator[Row]:
    """Yield the rows of a record that can be read; what cannot be is noted in `damage`.

    The last line may be torn by a kill or still be in writing: that is no damage.
    """
    return (row for row, _ in placed_rows(path, damage))


def by_step(rows: Iterator[Row]) -> list[Row]:
    """Return the rows in order of steps; of a step written twice, the later row."""
    found = {row["step"]: row for row in rows}
    return [found[step] for step in sorted(found)]


def number(value: Any) -> float | None:
    """Return a finite number, shortened to six digits; None for anything else.

    >>> number(1 / 3), number(float("nan")), number("3"), number(True), number(10**400)
    (0.333333, None, None, None, None)
    """
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not abs(value) <= sys.float_info.max
    ):
        return None
    short = float(f"{value:.6g}")
    return int(short) if short == int(short) else short


def _read_json(path: Path, damage: list[str]) -> dict[str, Any]:
    if not path.exists():
        return {}
    try:
        found = read_json(path)
    except DataError as error:
        damage.append(f"{path.name} could not be read: {error}")
        return {}
    return found if isinstance(found, dict) else {}


def _read_results(path: Path, damage: list[str]) -> Evaluations:
    try:
        return evaluations_in(_read_json(path, damage), path.name)
    except DataError as error:
        damage.append(str(error))
        return {}


def section(config: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return a table of the configuration; an empty one where there is none."""
    found = config.get(name)
    return found if isinstance(found, Mapping) else {}
