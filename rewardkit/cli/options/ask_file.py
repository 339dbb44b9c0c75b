"""`--ask FILE.toml`: the options of the group that says how a model is asked, from a file."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from rewardkit.cli.options.asking import NESTED, Ask
from rewardkit.config import build
from rewardkit.errors import ConfigError, nearest_hint

FLAG = "--ask"
RENAMED = {"timeout": "timeout_s"}
"""Where a flag is called otherwise than its field."""


def asked_in(arguments: Sequence[str], usual: Ask) -> Ask:
    """Return the defaults that a command line's `--ask FILE` puts in the place of the `usual` ones.

    Raises:
        ConfigError: the file cannot be read, is not TOML, or holds what is no such option.
    """
    for place, word in enumerate(arguments):
        name, equals, value = word.partition("=")
        if name == FLAG:
            return _laid_over(usual, Path(value if equals else "".join(arguments[place + 1 :][:1])))
    return usual


def _laid_over(usual: Ask, file: Path) -> Ask:
    try:
        given = tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"--ask {file}: cannot be read as TOML ({error})") from error
    homes = {name: "" for name in _names(Ask) if name not in (*NESTED, "ask")}
    homes |= {name: part for part, of in NESTED.items() for name in _names(of)}
    parts: dict[str, dict[str, Any]] = {part: {} for part in ("", *NESTED)}
    for key, value in given.items():
        name = RENAMED.get(key, key.replace("-", "_"))
        if name not in homes:
            raise ConfigError(f"--ask {file}: no option {key!r}{nearest_hint(key, homes)}")
        parts[homes[name]][name] = _as_typed(name, value)
    nested: dict[str, Any] = {
        part: build(of, parts[part], f"--ask {file}") for part, of in NESTED.items()
    }
    whole = build(Ask, parts[""], f"--ask {file}")
    return replace(usual, **{name: getattr(whole, name) for name in parts[""]}, **nested)


def _names(of: type) -> list[str]:
    hidden = ("max_tokens", "extra_body", "marks", "limits") if of is NESTED["decoding"] else ()
    return [one.name for one in fields(of) if one.name not in hidden]


def _as_typed(name: str, value: Any) -> Any:
    """Return a value as the command line has it: a table as pairs, an only text as a list of it."""
    if isinstance(value, Mapping):
        return [f"{key}={json.dumps(one, ensure_ascii=False)}" for key, one in value.items()]
    if name == "chat_template":
        return Path(value)
    if name == "max_tokens":
        return str(value)
    lists = ("set", "answer_in", "stop", "chat_template_kwargs", "extra_body", "engine_args")
    return [value] if name in lists and isinstance(value, str) else value
