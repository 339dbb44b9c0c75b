"""The configuration of a run beside what it would have been: the recipe's own, and the defaults."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rewardkit.config import RunConfig, plain
from rewardkit.recipes import RECIPES

UNKNOWN = "unknown to this version"
DESCRIPTION = frozenset({"recipe.name", "recipe.paper", "recipe.equation"})
"""What says which recipe it is, and is no setting of it."""


@dataclass(frozen=True)
class Setting:
    """One key of config.toml as text, and what it would have been."""

    key: str
    value: str
    usual: str
    """Empty for what every run has to be given."""
    differs: bool


def settings(config: Mapping[str, Any]) -> list[Setting]:
    """Return every key of a configuration, sections in order.

    The recipe's fields are compared with the recipe that it names, all others with the defaults.

    >>> found = settings({"steps": 3, "recipe": {"name": "dapo", "clip_high": 0.3}})
    >>> [(s.key, s.value, s.usual) for s in found if s.differs]
    [('recipe.clip_high', '0.3', '0.28')]
    """
    usual = dict(leaves(_defaults(config)))
    rows = []
    for key, value in leaves(config):
        if key in DESCRIPTION:
            continue
        if key in ("folder", "steps"):
            rows.append(Setting(key, show(value), "", differs=False))
        elif key not in usual:
            rows.append(Setting(key, show(value), UNKNOWN, differs=True))
        else:
            rows.append(Setting(key, show(value), show(usual[key]), value != usual[key]))
    return rows


@dataclass(frozen=True)
class SettingDifference:
    """One key that several runs do not share; a value a run, "" where a run lacks it."""

    key: str
    values: tuple[str, ...]


def differences(configs: Sequence[Mapping[str, Any]]) -> list[SettingDifference]:
    """Return the keys in which runs differ, their folders aside.

    >>> differences([{"seed": 0, "steps": 3}, {"seed": 1, "steps": 3}])
    [SettingDifference(key='seed', values=('0', '1'))]
    """
    flat = [dict(leaves(config)) for config in configs]
    keys = dict.fromkeys(key for one in flat for key in one)
    found = []
    for key in keys:
        values = tuple(show(one[key]) if key in one else "" for one in flat)
        if key != "folder" and len(set(values)) > 1:
            found.append(SettingDifference(key, values))
    return found


def show(value: Any) -> str:
    """Return a value as one would type it.

    >>> show(1e-05), show({"a": 1}), show("none"), show([])
    ('1e-05', '{"a": 1}', 'none', '[]')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return f"{value:g}"
    return json.dumps(value, ensure_ascii=False, default=str)


def _defaults(config: Mapping[str, Any]) -> dict[str, Any]:
    given = config.get("recipe")
    named = RECIPES.get(str(given.get("name"))) if isinstance(given, Mapping) else None
    found: dict[str, Any] = plain(asdict(RunConfig(folder="", steps=1)))
    return {**found, "recipe": plain(asdict(named)) if named else {}}


OPEN_TABLES = (
    "args", "columns", "chat_template_kwargs", "verifier_options",
    "options", "advantage_options", "surrogate_options", "correction_options",
)  # fmt: skip
"""Tables whose keys are not ours: shown as one value."""


def leaves(table: Mapping[str, Any], where: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the settings of nested tables by their dotted keys; a table of others' keys is one."""
    for key, value in table.items():
        if isinstance(value, Mapping) and key not in OPEN_TABLES:
            yield from leaves(value, f"{where}{key}.")
        else:
            yield f"{where}{key}", value


def plain_config(config: RunConfig) -> dict[str, Any]:
    """Return the configuration as nested tables of plain values."""
    found: dict[str, Any] = plain(asdict(config))
    return found


def flat(config: RunConfig) -> dict[str, bool | float | str]:
    """Return the configuration as one table, `optim.lr` and so on, of what TensorBoard can show."""
    return {
        key: value if isinstance(value, bool | int | float) else show(value)
        for key, value in leaves(plain_config(config))
    }
