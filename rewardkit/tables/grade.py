"""The verdict columns of one unit of a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rewardkit.errors import DataError
from rewardkit.files import write_json
from rewardkit.integrations.grading import Grader, row_problem, verifier_of
from rewardkit.runs.graded_rows import (
    VERDICT,
    gold_text,
    lacking,
    lost_gold,
    no_gold,
    response_text,
)
from rewardkit.tables.kinds import Batch, Columns, Unit
from rewardkit.tables.opening import Table, open_table
from rewardkit.types import Problem, Verdict, Verifier
from rewardkit.verifiers.loading import load_verifier
from rewardkit.verifiers.signature import OWN, WHOLE, asked_by

OnRows = Callable[[int, int], None]
"""Called with (rows graded, their size) after each batch."""


@dataclass(frozen=True)
class GradeSettings:
    """What is graded, by what, into which columns."""

    path: str
    response: str
    gold: str
    verifier: str
    prefix: str = ""
    deadline_s: float = 10.0
    options: Mapping[str, Any] = field(default_factory=dict)
    """What a verifier that takes options is made with."""

    def made(self) -> Verifier:
        """Return the verifier.

        Raises:
            UnknownNameError: no verifier or task of that name.
            ConfigError: it can be no verifier, or takes no such options.
        """
        if self.options:
            return load_verifier(self.verifier, **self.options)
        return verifier_of(self.verifier)

    def wanted(self) -> list[str] | None:
        """Return the columns that have to be read where there are such; None are all."""
        asked = asked_by(self.made())
        names = (self.response, self.gold, *asked.needed, *asked.optional, *(OWN if asked else ()))
        return None if WHOLE in names else list(dict.fromkeys(names))


def grade_unit(
    settings: GradeSettings, grader: Grader, unit: Unit, part: Path, on_rows: OnRows
) -> Counter[str]:
    """Write a unit with its verdict columns to `part`, and count the outcomes.

    Beside the part its counts are written, last of all: where they are, the unit is done.

    Raises:
        DataError: a row that cannot be read.
    """
    table = open_table(Path(settings.path))
    wanted = settings.wanted()
    outcomes: Counter[str] = Counter()

    def rows() -> Iterator[tuple[Batch, Columns]]:
        for batch in table.batches(unit, wanted):
            verdicts = _verdicts(table, batch, settings, grader)
            outcomes.update(verdict.outcome.value for verdict in verdicts)
            on_rows(len(verdicts), batch.size)
            yield batch, _columns(verdicts, settings.prefix)

    staged = part.with_name(f".{part.name}.part")
    table.write(staged, rows())
    if staged.exists():  # a stretch of bytes in which no line begins has no rows
        staged.replace(part)
    write_json(counts_file(part), outcomes)
    return outcomes


def counts_file(part: Path) -> Path:
    """Return where the outcomes of a part are counted."""
    return part.with_suffix(".counts")


def grader_of(settings: GradeSettings) -> Grader:
    """Return what grades in one process: one worker for what is not quick."""
    return Grader(settings.made(), gold=settings.gold, workers=1, deadline_s=settings.deadline_s)


def _verdicts(table: Table, batch: Batch, settings: GradeSettings, grader: Grader) -> list[Verdict]:
    """Return the verdict of each row; one without a gold is a BAD_GOLD that names it."""
    pairs = _pairs(table, batch, settings, grader)
    why = [no_gold(value, settings.gold) for value in batch.columns[settings.gold]]
    found = grader.pool.verify(pair for pair, lost in zip(pairs, why, strict=True) if not lost)
    return [
        lost_gold(table.where(place), lost) if lost else next(found)
        for place, lost in zip(batch.places, why, strict=True)
    ]


def _pairs(
    table: Table, batch: Batch, settings: GradeSettings, grader: Grader
) -> list[tuple[str, Any]]:
    responses = _texts(response_text, "response", settings.response, table, batch)
    golds = _texts(gold_text, "gold", settings.gold, table, batch)
    if not grader.pool.asked:
        return list(zip(responses, golds, strict=True))
    columns = {**batch.columns, settings.gold: golds}
    names = list(columns)
    rows = (dict(zip(names, values, strict=True)) for values in zip(*columns.values(), strict=True))
    problems: list[Problem] = [row_problem(row, settings.gold, grader.pool.asked) for row in rows]
    return list(zip(responses, problems, strict=True))


def _texts(
    read: Callable[[Any, str], str], flag: str, name: str, table: Table, batch: Batch
) -> list[str]:
    """Return a column as texts."""
    found: list[str] = []
    for i, value in enumerate(batch.columns[name]):
        try:
            fields = table.fields(batch, i) if value is None else ()
            if value is None and not {name, name.partition(".")[0]} & {*fields}:
                raise DataError(lacking(name, fields, flag))
            found.append(value if isinstance(value, str) else read(value, name))
        except DataError as error:
            raise DataError(f"{table.where(batch.places[i])}: {error}") from error
    return found


def _columns(verdicts: Sequence[Verdict], prefix: str) -> Columns:
    found = {prefix + name: [getattr(v, name) for v in verdicts] for name in VERDICT}
    found[f"{prefix}outcome"] = [verdict.outcome.value for verdict in verdicts]
    return found
