"""The package itself: which puzzles it has, generators of them, and scorers that evaluate no text.

Some of its scorers call `eval` or sympy's parser, which calls it, on the text of a model or of a
row. Here the former read Python literals only, and the latter get no text but plain mathematics.
"""

from __future__ import annotations

import ast
import dataclasses
import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from rewardkit.errors import (
    ConfigError,
    DataError,
    MissingExtraError,
    UnknownNameError,
    nearest_hint,
)

OWN_MIXTURE = "composite"
"""Its own mixture of the others, which is no puzzle; here that is `[[tasks]]`."""
OF_SETS = (
    "codeio",
    "isomorphic_strings",
    "knight_swap",
    "polynomial_multiplication",
    "ransom_note",
    "word_ladder",
)
"""These draw from Python sets of texts, whose order differs from process to process."""
SIZE = 20_000
"""Puzzles of one generator; one of them makes no more."""
SIZE_OF = {"acre": 1_000}
"""Fewer where all of them are made at once."""
_EVALUATE = ("string_insertion", "spiral_matrix", "binary_matrix", "n_queens", "number_sorting")
_PARSE = (
    "simple_integration",
    "intermediate_integration",
    "polynomial_multiplication",
    "puzzle24",
    "countdown",
)
_GRIDS = ("arc_agi", "rearc")
"""Their scorers compare with tuples, and JSON has lists."""
_FUNCTION = "a?(?:sin|cos|tan|sec|csc|cot)h?|log|ln|exp|sqrt|Abs|Rational|pi|oo"
_PLAIN = re.compile(
    rf"(?:\s|[0-9]+(?:\.[0-9]*)?(?![A-Za-z_.])|[-+*/(),]"
    rf"|(?:[A-Za-z][0-9]*|{_FUNCTION})(?![A-Za-z0-9_.]))*"
)
"""Numbers, signs, variables of one letter, and functions: nothing that sympy could run."""
_UNREADABLE = "("
_OF_ROW = {
    "simple_integration": ("integrand", _PLAIN),
    "intermediate_integration": ("integrand", _PLAIN),
    "polynomial_multiplication": ("answer", _PLAIN),
    "bitwise_arithmetic": ("problem", re.compile(r"[\s0-9a-fA-Fx()+*<>-]*")),
}
"""Puzzle -> what its scorer evaluates of a row, and of what it may consist."""


@cache
def library() -> Any:
    """Return the package, with its scorers kept from evaluating what a model wrote.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        import reasoning_gym
        from reasoning_gym import factory
    except ModuleNotFoundError as error:
        raise MissingExtraError("reasoning-gym", "reasoning-gym") from error
    for name in _EVALUATE:
        vars(sys.modules[factory.DATASETS[name][0].__module__])["eval"] = ast.literal_eval
    for name, module in list(sys.modules.items()):
        if name.startswith("reasoning_gym."):
            vars(module)["print"] = _quietly  # some say on standard output how they search
    return reasoning_gym


def _quietly(*_: object, **__: object) -> None:
    """Print nothing."""


def names() -> list[str]:
    """Return the names of all puzzles.

    Raises:
        MissingExtraError: the package is not installed.
    """
    library()
    from reasoning_gym.factory import DATASETS

    return sorted(set(DATASETS) - {OWN_MIXTURE})


def generator(name: str, seed: int, config: Mapping[str, Any], size: int = 0) -> Any:
    """Return the puzzles of one name and seed; always the same object, since some load much.

    Args:
        name: of the puzzle.
        seed: of the first; the next has the next one.
        config: the puzzle's own settings.
        size: how many; 0 takes `size_of(name)`.

    Raises:
        UnknownNameError: no such puzzle.
        ConfigError: the puzzle has no such setting, or a value that it refuses.
    """
    return _generator(name, seed, json.dumps(config, sort_keys=True), size or size_of(name))


@cache
def _generator(name: str, seed: int, config: str, size: int) -> Any:
    if name not in names():
        raise UnknownNameError("puzzle of reasoning_gym", name, names())
    from reasoning_gym.factory import DATASETS

    settings: dict[str, Any] = json.loads(config)
    fields = {field.name for field in dataclasses.fields(DATASETS[name][1])} - {"seed", "size"}
    for key in settings:
        if key not in fields:
            raise ConfigError(
                f"reasoning_gym:{name} has no setting {key!r}{nearest_hint(key, fields)}"
            )
    try:
        return library().create_dataset(name, seed=seed, size=size, **settings)
    except (AssertionError, ValueError, TypeError) as error:
        raise ConfigError(f"reasoning_gym:{name} refuses {settings}: {error}") from error


def size_of(name: str) -> int:
    """Return how many puzzles a generator makes."""
    return SIZE_OF.get(name, SIZE)


def check_order_of_sets(name: str) -> None:
    """Refuse a puzzle that would be another in the next process.

    Raises:
        ConfigError: says what to type.
    """
    if name in OF_SETS and not os.environ.get("PYTHONHASHSEED", "").isdigit():
        raise ConfigError(
            f"reasoning_gym:{name} draws from Python sets, whose order differs from process to "
            "process, and with it the problems; start with it fixed: PYTHONHASHSEED=0 rewardkit ..."
        )


def entry_as_json(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return what scoring needs of a puzzle but its question, as JSON."""
    found: dict[str, Any] = json.loads(
        json.dumps({"answer": entry["answer"], "metadata": entry["metadata"]})
    )
    return found


def score(
    name: str, config: Mapping[str, Any], entry: Mapping[str, Any], question: str, text: str
) -> float:
    """Return the score that the package gives a text, by an entry of `entry_as_json`.

    Raises:
        DataError: the entry holds what would be evaluated, and is no plain mathematics.
    """
    metadata = entry["metadata"]
    if name in _OF_ROW:
        field, plain = _OF_ROW[name]
        if not plain.fullmatch(str({**metadata, "answer": entry["answer"]}.get(field))):
            raise DataError(f"a row of {name} holds an {field} that is no plain mathematics")
    if name in _GRIDS:
        metadata = {**metadata, "output": _as_tuples(metadata["output"])}
    if name in _PARSE and not _PLAIN.fullmatch(text):
        text = _UNREADABLE
    whole = {"question": question, "answer": entry["answer"], "metadata": metadata}
    return float(scorer(name, config).score_answer(text, whole))


def scorer(name: str, config: Mapping[str, Any]) -> Any:
    """Return the puzzles of a name with as few made as can be.

    Raises:
        UnknownNameError: no such puzzle.
        ConfigError: the puzzle has no such setting, or a value that it refuses.
    """
    return generator(name, 0, config, size=1)


def _as_tuples(grid: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(map(tuple, grid))
