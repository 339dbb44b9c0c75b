"""The column `tests` in its usual forms -> unit tests."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

FORMS = (
    'a list of {"input": text, "output": text} or of assert statements, or {"inputs": [...], '
    '"outputs": [...]}'
)


@dataclass(frozen=True, slots=True)
class Dialogue:
    """What a program is given on standard input, and what it must print."""

    given: str
    wanted: str


@dataclass(frozen=True, slots=True)
class Asserts:
    """Code that runs after the solution, and raises where the solution is wrong."""

    code: str


def read_tests(column: Any) -> list[Dialogue | Asserts]:
    """Return the unit tests of a row.

    Raises:
        ValueError: the column is of no known form; says what was found.

    >>> read_tests(["assert add(1, 2) == 3"])
    [Asserts(code='assert add(1, 2) == 3')]
    >>> read_tests({"inputs": ["1 2"], "outputs": ["3"]})
    [Dialogue(given='1 2', wanted='3')]
    """
    if isinstance(column, str):
        if not column.lstrip().startswith(("[", "{")):
            return [Asserts(column)]
        try:
            column = json.loads(column)
        except RecursionError as error:
            raise ValueError("tests: nested deeper than JSON is read") from error
    if isinstance(column, Mapping):
        inputs, outputs = (column.get(name, 0) for name in ("inputs", "outputs"))
        if not (_are_texts(inputs) and _are_texts(outputs) and len(inputs) == len(outputs)):
            raise ValueError(f"tests: expected {FORMS}, found keys {', '.join(column)}")
        column = [{"input": i, "output": o} for i, o in zip(inputs, outputs, strict=True)]
    if not isinstance(column, Sequence) or not column:
        raise ValueError(f"tests: expected {FORMS}, found {type(column).__name__}")
    return [_read(test, number) for number, test in enumerate(column, start=1)]


def _read(test: Any, number: int) -> Dialogue | Asserts:
    if isinstance(test, str):
        return Asserts(test)
    if isinstance(test, Mapping) and _are_texts([test.get("input"), test.get("output")]):
        return Dialogue(test["input"], test["output"])
    raise ValueError(f"tests: expected {FORMS}, found as number {number}: {str(test)[:80]}")


def _are_texts(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)
