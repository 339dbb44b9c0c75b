"""One table from file to file: units that are left, progress, and the whole at the end."""

from __future__ import annotations

import shutil
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rewardkit.errors import ConfigError, DataError, UnknownNameError, nearest_hint
from rewardkit.evaluation.statistics.distributions import clopper_pearson
from rewardkit.files import make_folder, read_json, write_json
from rewardkit.runs.graded_rows import VERDICT
from rewardkit.runs.misfits import misfit
from rewardkit.tables.engines import ENGINES
from rewardkit.tables.grade import GradeSettings, counts_file, grader_of
from rewardkit.tables.kinds import Unit
from rewardkit.tables.opening import Table, open_table
from rewardkit.types import UNDECIDED, Outcome
from rewardkit.verifiers.signature import asked_by, lacking

STAMP = "settings.json"


@dataclass
class Progress:
    """How far a job is; sizes are rows or bytes, as the table counts."""

    total: int
    size: int = 0
    rows: int = 0
    resumed: int = 0
    """Of the size, what an earlier call had done."""
    begun: float = field(default_factory=time.monotonic)
    outcomes: Counter[str] = field(default_factory=Counter)

    @property
    def share(self) -> float:
        """How much of the table is done."""
        return min(1.0, self.size / self.total) if self.total else 1.0

    @property
    def none_graded(self) -> bool:
        """Whether there are rows, and each is undecided: an error, a timeout or a broken gold."""
        return bool(self.outcomes) and self.accuracy is None

    @property
    def seconds(self) -> float:
        """Since this call began."""
        return time.monotonic() - self.begun

    @property
    def left_s(self) -> float | None:
        """Seconds that are left at this rate, if it is known."""
        done = self.size - self.resumed
        return self.seconds * (self.total - self.size) / done if done > 0 else None

    def line(self) -> str:
        """Return it for a person.

        >>> Progress(total=100).line()
        '0 rows, 0.0 %'
        """
        said = f"{self.rows:,} rows, {100 * self.share:.1f} %"
        if self.rows and self.seconds:
            said += f", {self.rows / self.seconds:,.0f}/s"
        if self.left_s is not None and self.share < 1:
            minutes, seconds = divmod(round(self.left_s), 60)
            said += f", {minutes}:{seconds:02d} left"
        return said

    @property
    def accuracy(self) -> tuple[float, tuple[float, float]] | None:
        """The share of decided rows that are right and its 95 % interval, or None without a row.

        The interval is the one for these problems, sampled again, at its widest: rows that share a
        problem vary less. For problems like these one would have to know which rows do.
        """
        decided = sum(n for name, n in self.outcomes.items() if Outcome(name) not in UNDECIDED)
        if not decided:
            return None
        right = self.outcomes[Outcome.CORRECT.value]
        return right / decided, clopper_pearson(right, decided)

    def summary(self) -> str:
        """Return the outcomes for a person.

        >>> Progress(total=4, outcomes=Counter(correct=3, incorrect=1, timeout=2)).summary()
        '75.00 % correct (these problems 19.41 to 99.37): correct 3, timeout 2, incorrect 1'
        """
        share = "none decided"
        if (accuracy := self.accuracy) is not None:
            value, (low, high) = accuracy
            share = (
                f"{100 * value:.2f} % correct (these problems {100 * low:.2f} to {100 * high:.2f})"
            )
        found = ", ".join(f"{name} {count:,}" for name, count in self.outcomes.most_common())
        return f"{share}: {found}"


def grade_table(
    settings: GradeSettings,
    out: Path,
    *,
    engine: str = "processes",
    workers: int | None = None,
    progress: Callable[[Progress], None] = lambda progress: None,
) -> Progress:
    """Write a table with verdict columns to `out`; units that an earlier call did are kept.

    Parts lie in `OUT.parts` until the file is whole.

    Raises:
        ConfigError: `out` is there already, or its parts are of other settings.
        DataError: the table cannot be read, or lacks a column.
        UnknownNameError: no such engine.
    """
    if engine not in ENGINES:
        raise UnknownNameError("engine", engine, ENGINES)
    if workers is not None and workers < 1:
        raise ConfigError(f"workers must be at least 1, found {workers}")
    grader_of(settings).pool.close()  # what a process could not begin with is said here
    path = Path(settings.path)
    table = open_table(path)
    _check(table, settings, out)
    parts = parts_of(out)
    _stamp(settings, path, parts)
    units = table.units()
    files = {unit: parts / f"{unit.number:06d}{out.suffix}" for unit in units}
    done = Progress(total=sum(unit.size for unit in units))
    left = [(unit, file) for unit, file in files.items() if not _kept(unit, file, done)]
    for rows, size, outcomes in ENGINES[engine](settings, left, workers):
        done.rows, done.size = done.rows + rows, done.size + size
        done.outcomes += outcomes
        progress(done)
    done.size = done.total  # empty lines are of no row
    whole = [files[unit] for unit in units if files[unit].exists()]
    staged = out.with_name(f".{out.name}.part")
    table.join(whole, staged)
    staged.replace(out)
    shutil.rmtree(parts)
    return done


def parts_of(out: Path) -> Path:
    """Return the folder of the pieces that a table is graded in, until it is whole."""
    return out.with_name(f"{out.name}.parts")


def why_none_was_graded(out: Path, prefix: str = "") -> str:
    """Return the most common reason in the first unit of a written table without a graded row."""
    table, name = open_table(out), f"{prefix}reason"
    reasons: Counter[str] = Counter()
    for batch in table.batches(table.units()[0], [name]):
        reasons.update(reason for reason in batch.columns[name] if reason)
    return reasons.most_common(1)[0][0] if reasons else "no reason was given"


def _kept(unit: Unit, part: Path, done: Progress) -> bool:
    """Whether an earlier call did the unit; what it found is counted."""
    try:
        counts = _left(counts_file(part), dict[str, int])
    except FileNotFoundError:
        return False
    done.outcomes += Counter({name: count or 0 for name, count in counts.items()})
    done.size += unit.size
    done.resumed += unit.size
    return True


def _left(file: Path, kind: Any) -> Any:
    """Return what an earlier call left in the folder of parts."""
    found = read_json(file) or {}
    if wrong := misfit(found, kind):
        raise DataError(f"{file}: {wrong}. Remove {file.parent} to begin anew")
    return found


def _check(table: Table, settings: GradeSettings, out: Path) -> None:
    """Refuse what could not end well, before anything is begun."""
    if out.exists():
        raise ConfigError(f"{out} is there already; name another file, or remove it")
    if out.suffix != Path(settings.path).suffix:
        kind = Path(settings.path).suffix
        raise ConfigError(
            f"--out {out}: the table is {kind}, and is not made another kind of file; write "
            f"--out {out.with_suffix(kind)}"
        )
    for flag, column in (("--response", settings.response), ("--gold", settings.gold)):
        if not {column, column.partition(".")[0]} & {*table.columns}:
            raise DataError(
                f"{settings.path}: no column {column!r}{nearest_hint(column, table.columns)}. "
                f"Name it: {flag} COLUMN"
            )
    if missing := lacking(asked_by(settings.made()), table.columns):
        raise DataError(
            f"{settings.path}: no column {missing[0]!r}, which the verifier {settings.verifier} "
            f"asks for{nearest_hint(missing[0], table.columns)}. Add the column, or give the "
            f"verifier's parameter a default, {missing[0]}=None"
        )
    new = [settings.prefix + name for name in VERDICT]
    if taken := [name for name in new if name in table.columns]:
        raise ConfigError(
            f"{settings.path} has a column {taken[0]!r} already; --prefix verdict_ keeps them apart"
        )


def _stamp(settings: GradeSettings, path: Path, parts: Path) -> None:
    """Say whose parts these are, or find that they are another job's."""
    state = path.stat()
    mine = {**asdict(settings), "path": str(path.resolve()), "bytes": state.st_size}
    mine["changed"] = state.st_mtime_ns
    file = parts / STAMP
    if not file.exists():
        make_folder(parts)
        write_json(file, mine)
        return
    theirs = _left(file, dict[str, Any])
    if other := [name for name in mine if theirs.get(name) != mine[name]]:
        raise ConfigError(
            f"{parts} holds parts of another call: {other[0]} was {theirs.get(other[0])!r} and is "
            f"{mine[other[0]]!r}. Remove the folder to begin anew"
        )
