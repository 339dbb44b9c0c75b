"""Every error that rewardkit raises on purpose, in one tree.

    RewardkitError
    ├── ConfigError          a setting is unknown, missing or impossible
    │   └── UnknownNameError a task, recipe, verifier, model or backend that is not registered
    ├── DataError            a file or row cannot be used (names file, line and field)
    ├── ModelError           a model cannot be fetched, loaded, or cannot hold what is asked of it
    ├── MissingExtraError    an optional dependency is not installed (names the pip line)
    └── TrainingError        a run cannot go on
        ├── NoSignalError    no group carries any signal to learn from
        └── GuardError       a guard stopped it

A message says what was found, what was expected and what to type next. Every class can be
pickled, because errors cross process borders (verifier workers, Ray).
"""

from __future__ import annotations

import difflib
import os
import sysconfig
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Any

SELF_STOPPED = 4
"""The exit status of a run that its own measurements ended, with all that it has saved: a scheduler
that starts it again without a change would see it stop again."""


class RewardkitError(Exception):
    """Base of all errors that rewardkit raises on purpose."""

    status = 2
    """What a command that it ends exits with."""


class ConfigError(RewardkitError):
    """A setting is unknown, missing, of the wrong type, or cannot be combined with another."""


class UnknownNameError(ConfigError):
    """A name that no registry holds; the message lists those that are `known`, nearest first."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind = kind
        self.name = name
        self.known = sorted(known)
        super().__init__(f"unknown {kind} {name!r}{nearest_hint(name, self.known)}")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.kind, self.name, self.known)


class DataError(RewardkitError):
    """A file, or one row of it, cannot be used."""


class ModelError(RewardkitError):
    """A model cannot be fetched, cannot be loaded, or cannot hold what is asked of it."""


class MissingExtraError(RewardkitError):
    """An optional dependency is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        self.package = package
        self.extra = extra
        super().__init__(
            f"{package} is not installed; it comes with: pip install 'rewardkit[{extra}]'"
        )

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.package, self.extra)


class TrainingError(RewardkitError):
    """A training run cannot go on; what is already written stays intact."""


class NoSignalError(TrainingError):
    """No sampled group mixes right and wrong answers, so there is no gradient to follow.

    `groups` holds what was drawn in vain (each a `Group`), for the record.
    """

    status = SELF_STOPPED
    """4, that of a run which ended itself."""

    def __init__(self, message: str, groups: Iterable[Any] = ()) -> None:
        self.groups = tuple(groups)
        super().__init__(message)


class GuardError(TrainingError):
    """A guard of `guards.stop` ended a run; the model after its last step is saved."""

    status = SELF_STOPPED
    """4, that of a run which ended itself."""


CLOSE = 0.7
"""How alike two names must be (difflib's ratio) for one to be taken for a misspelling: `exact` is
no `text`, at .67."""


def nearest_hint(name: str, known: Iterable[str]) -> str:
    """Return the part of an error message that names the nearest and all known names.

    >>> nearest_hint("dapoo", ["dapo", "grpo"])
    '; did you mean dapo? Known: dapo, grpo'
    """
    known = sorted(known)
    close = difflib.get_close_matches(name, known, n=2, cutoff=CLOSE)
    did_you_mean = f"; did you mean {' or '.join(close)}?" if close else ";"
    return f"{did_you_mean} Known: {', '.join(known) or '(none)'}"


_MAX_REASON = 300
_OWN = f"{Path(__file__).parents[0]}{os.sep}"
_INSTALLED = (*{sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")}, "<frozen")
"""Where code lies that is not the user's."""


def described(error: BaseException) -> str:
    """Return an exception's type, message, and file and line of the user's code."""
    place = _place(error)
    return f"{type(error).__name__}: {error}"[: _MAX_REASON - len(place)] + place


def _place(error: BaseException) -> str:
    """Return the innermost code that is neither ours nor of an installed package."""
    frames = [(frame.f_code, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    outside = [(code, line) for code, line in frames if not code.co_filename.startswith(_OWN)]
    users = [(code, line) for code, line in outside if not code.co_filename.startswith(_INSTALLED)]
    if not outside:
        return ""
    code, line = users[-1] if users else outside[0]
    return f" ({code.co_filename[-_MAX_REASON // 2 :]}:{line}, in {code.co_name})"
