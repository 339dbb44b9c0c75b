"""Terms of a user's own, by `module:attribute`."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import cache
from typing import Any

from rewardkit.errors import ConfigError
from rewardkit.registry import piece
from rewardkit.shaping.group import Scope, ShapingTerm

NONE: Mapping[str, Any] = {}
FORMS = (
    "def term(rollout, verdict, *, options...) -> float for one response, or "
    "def term(group, *, options...) -> list of floats, one a response"
)


@cache
def own_term(path: str) -> ShapingTerm:
    """Return the term that `module:attribute` names: a function, or a `ShapingTerm`.

    A function of (rollout, verdict) gives one response its value; one of (group) gives all of a
    group theirs and sees no text. What else it takes, by keyword, are its options.

    Raises:
        ConfigError: it cannot be imported, or has another form.
    """
    found = piece("shaping term", path, NONE)
    if isinstance(found, ShapingTerm):
        return found
    if not callable(found):
        raise ConfigError(f"shaping term {path!r} is {found!r}, and not a function: {FORMS}")
    try:
        parameters = inspect.signature(found).parameters.values()
    except ValueError as error:  # of a builtin, which has none
        raise ConfigError(f"shaping term {path!r} has no signature to read: {FORMS}") from error
    places = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if len(places) not in (1, 2):
        raise ConfigError(
            f"shaping term {path!r} takes ({', '.join(places)}) by place, expected one or two: "
            f"{FORMS}; options come after a *"
        )
    each = len(places) == 2
    return ShapingTerm(found, Scope.RESPONSE if each else Scope.GROUP, each)
