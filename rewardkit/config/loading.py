"""From TOML and `--set a.b=c` to a configuration, and back.

The loader is strict. An unknown key names the nearest known one, and a value of the wrong type
says what was found and what was expected. A recipe in the file starts from the named recipe and
overrides its fields, so that `config.toml` in the run folder shows all that was resolved.
"""

from __future__ import annotations

import dataclasses
import json
import re
import shlex
import sys
import tomllib
import types
import typing
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

import tomli_w

from rewardkit.config.run import RunConfig
from rewardkit.config.sections import SamplingConfig
from rewardkit.errors import ConfigError, UnknownNameError, nearest_hint
from rewardkit.recipes import RECIPES, Recipe

T = TypeVar("T")
LARGEST = 1 << 63
"""TOML's own limit of whole numbers, which Python's reader does not keep; nor would torch."""


def load_config(path: str | Path, overrides: Sequence[str] = ()) -> RunConfig:
    """Return the configuration in a TOML file, with `a.b=value` overrides laid over it.

    Raises:
        ConfigError: the file is missing or not TOML, or a key or value cannot be used.
    """
    try:
        # Some editors put a byte order mark before the first line, which TOML does not know.
        data = tomllib.loads(Path(path).read_text(encoding="utf-8-sig"))
    except FileNotFoundError as error:
        raise ConfigError(f"no configuration file {str(path)!r}") from error
    except IsADirectoryError as error:
        raise ConfigError(
            f"{str(path)!r} is a folder, not a configuration file; a run in it goes on with "
            f"--resume {shlex.quote(str(path))}"
        ) from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8, as TOML must be: {error}") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error
    return config_from(data, overrides)


def config_from(data: Mapping[str, Any], overrides: Sequence[str] = ()) -> RunConfig:
    """Return the configuration in a nested mapping, as `load_config` does for a file.

    Where a recipe's own number of updates is more than the batch has groups, and nobody asks for
    it, a batch is one update.

    >>> config_from({"folder": "runs/x", "steps": 3}, ["optim.lr=1e-5"]).optim.lr
    1e-05
    >>> config_from({"folder": "x", "steps": 3, "recipe": {"name": "dapo"}}).recipe.minibatches
    1
    """
    return build(RunConfig, overridden(data, overrides))


def overridden(data: Mapping[str, Any], overrides: Sequence[str]) -> dict[str, Any]:
    """Return a nested mapping with `a.b=value` laid over it; a number leads into a list.

    Raises:
        ConfigError: an override is not of this form, or leads nowhere.

    >>> overridden({"tasks": [{"name": "gsm8k"}]}, ["tasks.0.weight=2"])
    {'tasks': [{'name': 'gsm8k', 'weight': 2}]}
    """
    merged: dict[str, Any] = _copy(data)
    for override in overrides:
        _apply(merged, override)
    return merged


def config_to_toml(config: RunConfig) -> str:
    """Return the configuration as TOML that `load_config` reads back to an equal one."""
    return tomli_w.dumps(plain(dataclasses.asdict(config)))


def build(cls: type[T], data: Mapping[str, Any], where: str = "") -> T:
    """Return a dataclass from a mapping, checking every key and type; `where` prefixes messages."""
    if cls is Recipe:
        return typing.cast(T, _build_recipe(data, where))
    values = _checked_fields(cls, data, where)
    missing = [
        f.name
        for f in dataclasses.fields(cls)  # type: ignore[arg-type]
        if f.name not in values
        and f.default is dataclasses.MISSING
        and f.default_factory is dataclasses.MISSING
    ]
    if missing:
        names = ", ".join(_join(where, name) for name in missing)
        typed = re.sub(r"\[(\d+)\]", r".\1", _join(where, missing[0]))
        raise ConfigError(f"missing {names}; add it to the file or give --set {typed}=...")
    if cls is RunConfig and "minibatches" not in data.get("recipe", ()):
        values |= _one_update(**values)
    return cls(**values)


def _one_update(
    recipe: Recipe | None = None, sampling: SamplingConfig | None = None, **_: Any
) -> dict[str, Recipe]:
    problems = (sampling or SamplingConfig()).problems
    if recipe is None or recipe.minibatches <= problems:
        return {}
    return {"recipe": dataclasses.replace(recipe, minibatches=1)}


def _build_recipe(data: Mapping[str, Any], where: str) -> Recipe:
    if "name" not in data:
        raise ConfigError(f'{where} needs a name, for example name = "dapo"')
    name = _convert(str, data["name"], _join(where, "name"))
    if name not in RECIPES:
        raise UnknownNameError("recipe", name, RECIPES)
    return dataclasses.replace(RECIPES[name], **_checked_fields(Recipe, data, where))


def _checked_fields(cls: type[Any], data: Mapping[str, Any], where: str) -> dict[str, Any]:
    hints = typing.get_type_hints(cls)
    known = [f.name for f in dataclasses.fields(cls)]
    values: dict[str, Any] = {}
    for key, value in data.items():
        if key not in known:
            section = f"[{where}]" if where else "the configuration"
            raise ConfigError(f"unknown key {key!r} in {section}{nearest_hint(key, known)}")
        values[key] = _convert(hints[key], value, _join(where, key))
    return values


def _convert(hint: Any, value: Any, where: str) -> Any:
    """Return `value` as `hint` asks for, or raise a ConfigError that names `where`."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if dataclasses.is_dataclass(hint) and isinstance(value, Mapping):
        return build(typing.cast(type[Any], hint), value, where)
    if origin in (typing.Union, types.UnionType):
        options = [option for option in arguments if option is not types.NoneType]
        if typing.get_origin(options[0]) is Literal:  # or module:name, of a user's own
            own = isinstance(value, str) and ":" in value
            return value if own else _convert(options[0], value, where)
        if bool in options:
            return _convert(str if isinstance(value, str) else bool, value, where)
        listed = isinstance(value, list | tuple)
        fit = (option for option in options if (typing.get_origin(option) is tuple) == listed)
        return None if value in (None, "none") else _convert(next(fit, options[0]), value, where)
    if origin is Literal and value in arguments:
        return value
    if origin is tuple and isinstance(value, list | tuple):
        return tuple(_convert(arguments[0], v, f"{where}[{i}]") for i, v in enumerate(value))
    if isinstance(origin, type) and issubclass(origin, Mapping) and isinstance(value, Mapping):
        return dict(value)
    if hint is float and isinstance(value, int | float) and not isinstance(value, bool):
        if not abs(value) <= sys.float_info.max:
            raise ConfigError(f"{where} must be a finite number, found {value}")
        return float(value)
    # bool is an int in Python, but `steps = true` is a mistake.
    mistaken = isinstance(value, bool) and hint is not bool
    if isinstance(hint, type) and isinstance(value, hint) and not mistaken:
        if isinstance(value, int) and not -LARGEST <= value < LARGEST:
            raise ConfigError(f"{where} must be a whole number of 64 bits, found {value}")
        return value
    told = f"{where} must be {_describe(hint)}, found {value!r}"
    if origin is tuple and arguments[0] is str and isinstance(value, str):
        items = [item.strip() for item in value.strip("[]").split(",")]
        typed = shlex.quote(f"{where}={json.dumps(items, ensure_ascii=False)}")
        told += f". Quoted, so that a shell leaves the quotes there: --set {typed}"
    raise ConfigError(told)


def _describe(hint: Any) -> str:
    if typing.get_origin(hint) is Literal:
        return "one of " + ", ".join(map(repr, typing.get_args(hint)))
    names = {str: "a string", int: "a whole number", float: "a number", bool: "true or false"}
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple:
        plurals = {str: "strings", int: "whole numbers", float: "numbers"}
        return f"a list of {plurals.get(arguments[0], 'tables')}"
    if dataclasses.is_dataclass(hint) or (isinstance(origin, type) and issubclass(origin, Mapping)):
        return "a table"
    return names.get(hint, str(hint).replace("typing.", "").replace("collections.abc.", ""))


def _apply(data: dict[str, Any], override: str) -> None:
    path, equals, text = override.partition("=")
    if not equals or not path.strip():
        raise ConfigError(f"--set takes key=value (for example optim.lr=1e-5), found {override!r}")
    *parents, last = path.strip().split(".")
    for parent in parents:
        found: Any = data.setdefault(parent, {}) if isinstance(data, dict) else _item(data, parent)
        if not isinstance(found, dict | list):
            raise ConfigError(f"--set {override}: {parent} is not a table")
        data = found  # type: ignore[assignment]
    if not isinstance(data, dict):
        raise ConfigError(f"--set {override}: {parents[-1]} is a list; name a setting of one of it")
    try:
        data[last] = tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        # An unquoted string, as one types it in a shell, which takes the quotes of "a\nb" away.
        data[last] = _LINE_BREAK.sub("\n", text)


_LINE_BREAK = re.compile(
    r"(?<!\\)\\n(?!(?:abla|atural|cong|e|earrow|eg|eq|ewline|exists|geq|gtr|i|leq|less|mid|olimits|"
    r"onumber|ot|otin|parallel|sim|subseteq|u|warrow)(?![a-zA-Z]))"
)
"""A backslash and an n that begin no command of LaTeX, such as the one for unequal."""


def _item(found: list[Any], number: str) -> Any:
    return found[int(number)] if number.isdigit() and int(number) < len(found) else None


def _copy(data: Any) -> Any:
    if isinstance(data, Mapping):
        return {key: _copy(value) for key, value in data.items()}
    return [_copy(value) for value in data] if isinstance(data, list) else data


def plain(value: Any) -> Any:
    """Say in TOML what it has no word for: None is "none", a tuple is a list."""
    if value is None:
        return "none"
    if isinstance(value, Mapping):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    return value


def _join(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key
