"""Options that hold KEY=VALUE pairs, and lists of names."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from rewardkit.errors import ConfigError


def pairs_of(flag: str, pairs: Sequence[str]) -> dict[str, Any]:
    """Return KEY=VALUE settings; a value that reads as JSON (3, true) is taken as such.

    Raises:
        ConfigError: names the flag and what is no pair.

    >>> pairs_of("--extra-body", ["min_p=0.05", "guided=yes"])
    {'min_p': 0.05, 'guided': 'yes'}
    """
    found: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise ConfigError(f"{flag} takes KEY=VALUE, found {pair!r}")
        try:
            found[key] = json.loads(value)
        except ValueError:
            found[key] = value
    return found


def split_names(names: str) -> tuple[str, ...]:
    """Return the names in a comma-separated list.

    >>> split_names("aime24, file:a.jsonl")
    ('aime24', 'file:a.jsonl')
    """
    return tuple(name.strip() for name in names.split(",") if name.strip())
