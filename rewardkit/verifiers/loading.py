"""Verifiers by name, and the decorator that gives one a name."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from rewardkit.errors import ConfigError, UnknownNameError, nearest_hint
from rewardkit.registry import VERIFIERS, import_object, refuse_named
from rewardkit.types import Verifier
from rewardkit.verifiers.functions import as_verifier

OF_FUNCTIONS = "correct_from"
"""The one option that every function takes, see `as_verifier`."""

BEHIND_RULES = "+judge"

REMOVED = {
    "boxes": 'of several boxes the last one counts; where only a box does: answer_in = "box"',
    "correction": "the last mark counts, whatever words stand behind it",
    "echo": "the last mark counts, wherever it stands",
}
"""Options of `math` that older files name, and what holds in their place."""


def register_verifier(name: str) -> Callable[[Any], Any]:
    """Return a decorator that registers a verifier class or function under `name`.

    A function may return a `Verdict`, or a bool or a score in [0, 1] that is turned into one.

    >>> @register_verifier("shouting")
    ... def shouting(response, answer):
    ...     return response == answer.upper()
    >>> load_verifier("shouting")("YES", "yes").outcome
    <Outcome.CORRECT: 'correct'>
    """
    return VERIFIERS.register(name)


def load_verifier(name: str, **options: Any) -> Verifier:
    """Return the verifier behind a registered name, `package.module:attribute`, or `RULES+judge`.

    The last one asks a `Judge` where rules cannot tell; options are those of either. A class is
    called with `options`; an instance or a function is itself the verifier and takes none but
    `correct_from`, the score from which on it is CORRECT.

    Raises:
        UnknownNameError: no such name; lists the known ones.
        ConfigError: the options do not fit, or what was found is no verifier.
    """
    if name.endswith(BEHIND_RULES):
        refuse_named("verifier", name)
        made = import_object("rewardkit.judging:behind_rules", "verifier")
        return as_verifier(made(name.removesuffix(BEHIND_RULES), **options))
    try:
        found = VERIFIERS.get(name)
    except UnknownNameError as error:
        error.add_note(
            "A verifier that a script registers is known to that script alone. Elsewhere, from the "
            f"script's folder, it is MODULE:NAME, such as {name}:grade if {name}.py holds its "
            "function `grade`."
        )
        raise
    if isinstance(found, type):
        try:
            inspect.signature(found).bind(**options)
        except TypeError as error:
            raise ConfigError(f"verifier {name!r}: {_unfit(found, options, error)}") from error
        made = found(**options)
        return as_verifier(made)
    if others := sorted(set(options) - {OF_FUNCTIONS}):
        raise ConfigError(
            f"verifier {name!r} is a function and takes no options but {OF_FUNCTIONS}, got {others}"
        )
    return as_verifier(found, **options)


def _unfit(found: type, options: Mapping[str, Any], error: TypeError) -> str:
    """Say which option a class does not take, and which it does."""
    known = list(inspect.signature(found).parameters)
    unknown = next((option for option in options if option not in known), None)
    if unknown is None:
        return str(error)
    hint = f": {REMOVED[unknown]}" if unknown in REMOVED else nearest_hint(unknown, known)
    return f"it has no option {unknown!r}{hint}"
