"""What a shaping term is and takes, read from its function: its sentence, options and defaults."""

from __future__ import annotations

import inspect
import json
from dataclasses import dataclass

from rewardkit.shaping.terms import TERMS


@dataclass(frozen=True)
class Option:
    """One key of a term's `options`."""

    name: str
    default: str
    """As TOML writes it; empty where a value must be given."""
    meaning: str


@dataclass(frozen=True)
class Described:
    """One term."""

    name: str
    meaning: str
    """Its formula and paper, in a sentence."""
    options: tuple[Option, ...]


def described_terms() -> list[Described]:
    """Return what every shipped term is and takes.

    >>> [(one.name, one.default) for one in described_terms()[1].options]
    [('cache', 'left out'), ('cache_share', '0.2')]
    """
    import docstring_parser

    found = []
    for name, term in TERMS.items():
        said = docstring_parser.parse_from_object(term.function)
        meanings = {one.arg_name: " ".join((one.description or "").split()) for one in said.params}
        options = tuple(
            Option(one.name, _default(one.default), meanings[one.name])
            for one in inspect.signature(term.function).parameters.values()
            if one.kind is one.KEYWORD_ONLY
        )
        meaning = " ".join((said.short_description or "").split())
        found.append(Described(name, meaning.removeprefix("Return "), options))
    return found


def _default(value: object) -> str:
    if value is inspect.Parameter.empty:
        return ""
    return "left out" if value is None else json.dumps(value)
