"""From a row to a problem: which column is the question, which the answer, and what is kept."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from rewardkit.data.rows import Row
from rewardkit.errors import ConfigError, DataError
from rewardkit.types import Problem

DEFAULTS: Mapping[str, tuple[str, ...]] = {
    "question": ("problem", "question"),
    "answer": ("answer", "gold"),
    "id": ("id",),
    "source": ("source",),
}
"""Where each field of a problem is looked for unless a mapping says otherwise."""
USUAL: Mapping[str, tuple[str, ...]] = {
    "question": ("prompt", "messages", "query", "instruction", "input", "Problem", "Question"),
    "answer": (
        "reward_model.ground_truth",
        "ground_truth",
        "final_answer",
        "target",
        "label",
        "solution",
        "Answer",
    ),
}
"""What other data sets call them: proposed in an error, and never taken unasked."""
CHAT = "question_turns"
"""The column of a problem's info that holds its chat, where the question was one. A column of data
is never taken for it: `messages` beside a question often ends with the answer."""
FIELDS = tuple(DEFAULTS)
ROLES = ("system", "user", "assistant", "tool", "developer")
MISSING: Any = object()

Where = Callable[[], str]
"""Says where a row stands."""


@dataclass(frozen=True)
class RowMapping:
    """Which column each field of a problem comes from, by dotted name.

    `columns` maps `question`, `answer`, `id` and `source` to columns; any other name in it is a
    column of the problem's `info`, taken from there. All other columns of a row go to `info` as
    they are. A question that is a chat is kept as `info["question_turns"]`, and its last turn is
    the problem's question.

    Raises:
        ConfigError: a column's name is no text.

    >>> row = {"prompt": "1+1?", "reward_model": {"ground_truth": 2}}
    >>> mapping = RowMapping({"question": "prompt", "answer": "reward_model.ground_truth"})
    >>> found = mapping.problem(row, lambda: "rows.jsonl:1", "1")
    >>> found.id, found.question, found.answer, found.info["reward_model"]
    ('1', '1+1?', '2', {'ground_truth': 2})
    """

    columns: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, column in self.columns.items():
            if not isinstance(column, str) or not column:
                raise ConfigError(
                    f"columns.{name} is the name of a column, found {column!r}; for example "
                    f'columns = {{ question = "prompt", answer = "reward_model.ground_truth" }}'
                )

    def names(self, name: str) -> tuple[str, ...]:
        """Return the columns in which a field of a problem is looked for."""
        return (self.columns[name],) if name in self.columns else DEFAULTS[name]

    @property
    def text_columns(self) -> list[str]:
        """The columns that are text, whatever they look like in a file without types."""
        return [column for name in FIELDS for column in self.names(name)]

    def problem(self, row: Row, where: Where, number: str) -> Problem:
        """Return the problem of a row; `number` is its id where no column says one.

        Raises:
            DataError: names the place of the row, the column, what was found there, and what to
                type.
        """
        used, question = self._first(row, "question", where)
        taken, answer = self._first(row, "answer", where)
        named, identity = self._optional(row, "id", where)
        of, source = self._optional(row, "source", where)
        info = {name: value for name, value in row.items() if name not in (used, taken, named, of)}
        for name, column in self.columns.items():
            if name not in FIELDS:
                if (value := lookup(row, column)) is MISSING:
                    raise _no_column(row, name, (column,), where)
                info[name] = value
        info.pop(CHAT, None)
        if isinstance(question, list):
            info[CHAT] = check_chat(question, lambda: f"{where()}: column {used!r}")
            question = question[-1]["content"]
        fields = {
            "id": _text(identity, named, where) if named else number,
            "question": _text(question, used, where),
            "answer": _text(answer, taken, where),
            "source": _text(source, of, where) if of and source else "",
        }
        try:
            return Problem(**fields, info=info)
        except DataError as error:  # a column that JSON does not hold
            raise DataError(f"{where()}: {error}") from error

    def _first(self, row: Row, name: str, where: Where) -> tuple[str, Any]:
        for column in self.names(name):
            if (value := lookup(row, column)) is not MISSING:
                return column, value
        raise _no_column(row, name, self.names(name), where)

    def _optional(self, row: Row, name: str, where: Where) -> tuple[str, Any]:
        """Return what `_first` does; nothing where only the default names are not there."""
        if name in self.columns or any(column in row for column in self.names(name)):
            return self._first(row, name, where)
        return "", None


def lookup(row: Row, column: str) -> Any:
    """Return the value of a column, `MISSING` where there is none; a dot leads into a table.

    >>> lookup({"a.b": 1, "c": {"d": 2}}, "a.b"), lookup({"c": {"d": 2}}, "c.d")
    (1, 2)
    """
    if column in row:
        return row[column]
    head, dot, rest = column.partition(".")
    inner = row.get(head)
    return lookup(inner, rest) if dot and isinstance(inner, Mapping) else MISSING


def check_chat(turns: Any, where: Where) -> list[dict[str, str]]:
    """Return a chat if its form is right: turns with `role` and `content`, the last the user's.

    Raises:
        DataError: it is not; names the turn and what was found.
    """
    wanted = 'a list of {"role": ..., "content": text}'
    if not isinstance(turns, list | tuple) or not turns:
        raise DataError(f"{where()}: expected {wanted}, found {_shown(turns)}")
    for number, turn in enumerate(turns, start=1):
        if not isinstance(turn, Mapping) or not {"role", "content"} <= turn.keys():
            raise DataError(f"{where()}: turn {number}: expected {wanted}, found {_shown(turn)}")
        if turn["role"] not in ROLES:
            roles, found = ", ".join(ROLES), turn["role"]
            raise DataError(f"{where()}: turn {number}: role is one of {roles}, found {found!r}")
        if not isinstance(turn["content"], str):
            found = _shown(turn["content"])
            raise DataError(f"{where()}: turn {number}: content is text, found {found}")
        _refuse_halves(turn["content"], partial(_turn, where, number))
    if turns[-1]["role"] != "user":
        raise DataError(
            f"{where()}: the last turn is the {turns[-1]['role']}'s; it must be the user's, which "
            "the model is to answer"
        )
    return [dict(turn) for turn in turns]


def _no_column(row: Row, name: str, wanted: Sequence[str], where: Where) -> DataError:
    tried = " or ".join(map(repr, wanted))
    held = ", ".join(row) or "(none)"
    guess = next((c for c in USUAL.get(name, ()) if lookup(row, c) is not MISSING), "COLUMN")
    return DataError(
        f"{where()}: no field {tried}; the fields are {held}. Say which it is: "
        f"--set task.columns.{name}={guess}"
    )


def _text(value: Any, column: str, where: Where) -> str:
    """Return a value as text; a number counts, a truth value does not."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        kind = type(value).__name__
        raise DataError(f"{where()}: field {column!r} must be text or a number, found {kind}")
    if isinstance(value, float) and not math.isfinite(value):  # how tables write what is missing
        raise DataError(
            f"{where()}: field {column!r} must be text or a finite number, found {value}"
        )
    text = str(value).strip()
    if not text:
        raise DataError(f"{where()}: field {column!r} is empty")
    _refuse_halves(text, lambda: f"{where()}: field {column!r}")
    return text


def _turn(where: Where, number: int) -> str:
    return f"{where()}: turn {number}"


def _refuse_halves(text: str, where: Where) -> None:
    """Refuse half of a surrogate pair, which JSON can write and no tokenizer or file takes."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise DataError(
            f"{where()} holds half of a character ({text[error.start]!a}), where a text in "
            "UTF-16 was cut; take it out"
        ) from error


def _shown(value: Any, most: int = 60) -> str:
    text = repr(value)
    return text if len(text) <= most else text[:most] + "..."
