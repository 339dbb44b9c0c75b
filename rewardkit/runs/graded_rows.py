"""A graded row: a response with its gold, maybe a label, maybe a verdict, in one spelling.

`COLUMNS` is what every command writes that writes verdicts by row, and every command that reads
rows reads it, from a `samples.jsonl`, a `rollouts.jsonl`, labelled cases or somebody else's file.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rewardkit.data.mapping import MISSING, lookup
from rewardkit.data.messages import said
from rewardkit.data.opening import MAPPED, open_rows
from rewardkit.errors import ConfigError, DataError
from rewardkit.files import json_lines, objects_in, write_text
from rewardkit.golds import as_text
from rewardkit.types import Outcome, Problem, Verdict

VERDICT = ("outcome", "score", "extracted", "method", "reason")
"""The columns that a verdict fills."""
COLUMNS = ("problem", "gold", "response", "label", *VERDICT)
"""All columns that have a meaning; what else stands in a row is kept."""
OLDER: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"problem": ("problem_id",), "response": ("pred",), "label": ("correct", "expected")}
)
"""Column -> what else it is called in files; read, and never written."""
_NOT_INFO = {*COLUMNS, "info", "question", "source", "kind", *sum(OLDER.values(), ())}


@dataclass(frozen=True, slots=True)
class GradedRow:
    """One response: `label` is what somebody says of it, `verdict` what a verifier said, if any.

    `problem` names the problem among others; `rest` is what else stood in the row, `where` its
    place in a file.
    """

    gold: str
    """The gold answer as text."""
    response: str
    """The text that is graded."""
    label: bool | None = None
    problem: str = ""
    verdict: Verdict | None = None
    rest: Mapping[str, Any] = field(default_factory=dict)
    where: str = ""
    no_gold: str = ""
    """Why there is nothing to grade against, where there is nothing."""

    def graded(self, verdict: Verdict) -> GradedRow:
        """Return the row under another verdict."""
        return replace(self, verdict=verdict)

    def as_problem(self) -> Problem:
        """Return what a verifier that asks for columns is given in place of the gold."""
        info = {name: value for name, value in self.rest.items() if name not in _NOT_INFO}
        columns = self.rest.get("info")
        return Problem(
            self.problem,
            str(self.rest.get("question", "")),
            self.gold,
            str(self.rest.get("source", "")),
            {**info, **columns} if isinstance(columns, Mapping) else info,
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the row as it is written: `COLUMNS`, without those that say nothing."""
        row = {"problem": self.problem or None, "gold": self.gold, "response": self.response}
        said = {"label": self.label, **verdict_columns(self.verdict)}
        return {name: value for name, value in {**row, **said}.items() if value is not None}


def verdict_columns(verdict: Verdict | None) -> dict[str, Any]:
    """Return a verdict as columns of plain values.

    >>> verdict_columns(Verdict(Outcome.CORRECT, "12", method="exact"))
    {'outcome': 'correct', 'score': 1.0, 'extracted': '12', 'method': 'exact', 'reason': ''}
    """
    if verdict is None:
        return {}
    record = verdict.to_record()
    return {name: record[name] for name in VERDICT}


def read_rows(path: Path, gold: str = "gold", response: str = "response") -> Iterator[GradedRow]:
    """Yield the rows of a .jsonl, .json, .csv, .parquet or .arrow file, one at a time in memory.

    `gold` is the column of gold answers, `response` that of responses, texts or chats; both are
    kept besides. A dot leads into a table, `reward_model.ground_truth`. A row without a gold answer
    is one that says so (`no_gold`).

    Raises:
        DataError: the file cannot be read, holds no row, or one that cannot be used; names file,
            line and field.
        MissingExtraError: it is a table of another form than JSON, and `datasets` is missing.
    """
    empty = True
    for where, row in _table(path, gold, response) if path.suffix in MAPPED else objects_in(path):
        empty = False
        held = _name(row, response) if lookup(row, response) is MISSING else response
        given, said_there = lookup(row, gold), lookup(row, held)
        for name, value, flag in ((gold, given, "gold"), (response, said_there, "response")):
            if value is MISSING:
                raise DataError(f"{where}: {lacking(name, row, flag)}")
        try:
            found, text = gold_text(given, gold), response_text(said_there, held)
        except DataError as error:
            raise DataError(f"{where}: {error}") from error
        named = {held if response == "response" else "response": text}
        one = row_from({**row, "gold": found, **named}, where)
        yield replace(one, no_gold=no_gold(given, gold))
    if empty:
        raise DataError(f"{path}: holds no row")


def write_rows(path: Path, rows: Iterable[GradedRow]) -> None:
    """Write rows as JSONL, whole or not at all, each with what else stood in it.

    Raises:
        ConfigError: the file cannot be written.
    """
    text = json_lines({**row.rest, **row.as_dict()} for row in rows).decode("utf-8")
    try:
        write_text(path, text)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written ({error.strerror or error})") from error


def row_from(row: Mapping[str, Any], where: str = "row") -> GradedRow:
    r"""Return the graded row that a mapping from columns to values is, whatever wrote it.

    Raises:
        DataError: gold or response are missing, or a column holds what it cannot.

    >>> row_from({"gold": 12, "pred": "12", "expected": True, "kind": "answer"}).response
    '\\boxed{12}'
    """
    label = _named(row, "label")
    if label is not None and label not in (0, 1):
        raise DataError(
            f"{where}: field {_name(row, 'label')!r} must be true or false, or 1 or 0, found "
            f"{label!r}"
        )
    problem = _named(row, "problem")
    return GradedRow(
        gold=_text(row, "gold", where),
        response=_response(row, where),
        label=None if label is None else bool(label),
        problem="" if problem is None else _text(row, "problem", where),
        verdict=_verdict(row, where),
        rest={name: value for name, value in row.items() if name not in COLUMNS},
        where=where,
    )


def gold_text(value: Any, column: str) -> str:
    """Return what a row holds as its gold answer as text, empty where `no_gold` says why.

    Raises:
        DataError: it is no gold answer.

    >>> gold_text([1, 2.5], "answer")
    '1, 2.5'
    """
    try:
        return as_text(value)
    except TypeError as error:
        raise DataError(
            f"field {column!r} must be text, a number or a list of these, found {_kind(value)}"
        ) from error


def no_gold(value: Any, column: str) -> str:
    """Return why there is nothing to grade against in what a row holds; empty where there is.

    >>> no_gold(float("nan"), "answer"), no_gold("", "answer")
    ("field 'answer' is NaN", '')
    """
    if isinstance(value, str) or as_text(value):
        return ""
    what = {type(None): "null", float: "NaN"}.get(type(value), "empty")
    return f"field {column!r} is {what}"


def verdicts_on(
    rows: Sequence[GradedRow], grade: Callable[[list[tuple[str, Problem]]], Iterable[Verdict]]
) -> list[Verdict]:
    """Return the verdicts of `grade`, and BAD_GOLD with its place for a row without a gold."""
    found = iter(grade([(one.response, one.as_problem()) for one in rows if not one.no_gold]))
    return [lost_gold(one.where, one.no_gold) if one.no_gold else next(found) for one in rows]


def lost_gold(where: str, why: str) -> Verdict:
    """Return the verdict on a row without a gold answer."""
    return Verdict(Outcome.BAD_GOLD, gold="", method="row", reason=f"{where}: {why}")


def response_text(value: Any, column: str) -> str:
    """Return what a row holds as its response as text: of a chat, the model's last turn.

    Null is a response that answers nothing.

    Raises:
        DataError: it is neither text nor a chat.

    >>> response_text([{"role": "assistant", "content": "so 12"}], "completion")
    'so 12'
    """
    if value is None:
        return ""
    try:
        return said(value)
    except DataError as error:
        raise DataError(
            f"field {column!r} must be text or a chat (a list of messages), found "
            f"{_kind(value)}; if another column holds the responses, --response COLUMN"
        ) from error


def _kind(value: Any) -> str:
    return "binary data: decode it" if isinstance(value, bytes) else type(value).__name__


def lacking(column: str, fields: Iterable[str], flag: str) -> str:
    """Return what is said of a row without the column that a flag names."""
    there = ", ".join(map(repr, fields)) or "(none)"
    what = {"gold": "gold answer"}.get(flag, flag)
    return (
        f"no field {column!r}; the fields are {there}. Name the one that holds the {what}: "
        f"--{flag} COLUMN"
    )


def _table(path: Path, gold: str, response: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    texts = [gold, response, *OLDER["response"]]
    rows = open_rows(str(path), "train", texts)
    for name in getattr(rows, "left_out", ()):
        if name in (gold.partition(".")[0], response.partition(".")[0]):
            raise DataError(f"{path}: column {name!r} is binary, expected text: decode it")
    for number, row in enumerate(rows.each()):
        yield rows.where(number), row


def _response(row: Mapping[str, Any], where: str) -> str:
    """Return the text of a response; a bare answer is put where a model would put it."""
    name = _name(row, "response")
    try:
        text = response_text(_held(row, "response", where), name)
    except DataError as error:
        raise DataError(f"{where}: {error}") from error
    if name != "pred" or str(row.get("kind") or "").startswith("response"):
        return text
    return f"\\boxed{{{text}}}" if text.strip() else ""


def _verdict(row: Mapping[str, Any], where: str) -> Verdict | None:
    if row.get("outcome") is None:
        return None
    try:
        score = row.get("score")
        return Verdict(
            Outcome(row["outcome"]),
            row.get("extracted"),
            method=row.get("method") or "",
            reason=row.get("reason") or "",
            score=math.nan if score is None else float(score),
        )
    except (TypeError, ValueError, OverflowError, ConfigError) as error:
        known = ", ".join(Outcome)
        raise DataError(
            f"{where}: not a verdict ({error}); 'outcome' is one of {known}, 'score' a number"
        ) from error


def _text(row: Mapping[str, Any], column: str, where: str) -> str:
    """Return a column as text; a number or a list of them is read as it prints."""
    value = _held(row, column, where)
    if value is not None:
        with suppress(TypeError):
            return as_text(value)
    raise DataError(
        f"{where}: field {_name(row, column)!r} must be text, a number or a list of these, found "
        f"{type(value).__name__}"
    )


def _held(row: Mapping[str, Any], column: str, where: str) -> Any:
    name = _name(row, column)
    if name not in row:
        there = ", ".join(map(repr, row)) or "(none)"
        raise DataError(f"{where}: no field {column!r}; the fields are {there}")
    return row[name]


def _name(row: Mapping[str, Any], column: str) -> str:
    """Return what a row calls a column."""
    return next((name for name in (column, *OLDER.get(column, ())) if name in row), column)


def _named(row: Mapping[str, Any], column: str) -> Any:
    return row.get(_name(row, column))
