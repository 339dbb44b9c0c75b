"""Every setting of a run with its type, default and meaning, read from the classes themselves.

`rewardkit config` and the documentation print these, so neither can say what the code does not.
"""

from __future__ import annotations

import dataclasses
import difflib
import inspect
import json
import re
import typing
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from rewardkit.config.loading import plain
from rewardkit.config.run import RunConfig
from rewardkit.config.sections import TaskConfig
from rewardkit.errors import CLOSE, ConfigError

ADVANCED = {
    "recipe": "paper equation advantage_options surrogate_options correction_options constant "
    "kl_schedule kl_weighted kl_options teacher_is teacher_sees bypass high_entropy entropy_target "
    "entropy_step entropy_most nll_coef truncated_in_statistics value_clip critic_warmup",
    "model": "threads",
    "task": "chat_template_kwargs verifier_options reference",
    "sampling": "top_k stop rounds",
    "sampling.curriculum": "steer decay candidates explore weights bounds return_after prior "
    "prior_strength drift kind",
    "sampling.sizes": "rounds enough screen least most",
    "sampling.keep": "members size statistics",
    "sampling.refill": "leftovers max_age",
    "sampling.vllm": "max_prompt_tokens args",
    "optim": "critic_lr betas eps layout activation_checkpointing tokens_per_head_block",
    "lora": "targets",
    "verify": "memory_mb",
    "judge": "api_key_env max_tokens retries timeout_s concurrency decoys share requests "
    "requests_per_minute tokens_per_minute",
    "records": "groups",
    "guards": "kl_old mismatch undecided fallen hacked parted teacher_entropy "
    "overturned talked_over patience",
    "track": "project",
    "verl": "address rollout silence_s",
}
"""By section: settings that a first year does without, which stand behind all others."""


@dataclass(frozen=True)
class Setting:
    """One key of a configuration file."""

    key: str
    """Its dotted name, as `--set` takes it."""
    type: str
    default: str
    """As TOML writes it; empty where a value must be given."""
    meaning: str

    @property
    def advanced(self) -> bool:
        """Whether it stands behind the others."""
        section, _, name = self.key.rpartition(".")
        return name in ADVANCED.get(section, "").split()


@dataclass(frozen=True)
class Section:
    """One table of a configuration file, or the keys above all tables, whose name is empty."""

    name: str
    """As in `[model]`; `tasks.N` is the table that stands N times, as in `[[tasks]]`."""
    meaning: str
    settings: tuple[Setting, ...]


def sections() -> list[Section]:
    """Return every section, in the order of `RunConfig`.

    >>> [section.name for section in sections()][:4]
    ['', 'recipe', 'recipe.shaping.N', 'model']
    """
    return list(_sections(RunConfig, ""))


def of_run(config: RunConfig) -> Iterator[tuple[Setting, str]]:
    """Yield each setting with its value in a run, as TOML writes it; a list of tables is one line.

    >>> from rewardkit.config import config_from
    >>> run = config_from({"folder": "runs/x", "steps": 3})
    >>> [value for setting, value in of_run(run) if setting.key == "steps"]
    ['3']
    """
    for section in sections():
        rows = section.name.endswith(".N")
        path = section.name.removesuffix(".N")
        place: Any = config
        for part in filter(None, path.split(".")):
            place = getattr(place, part)
        if rows:
            yield Setting(path, "list of tables", "[]", section.meaning), written(place)
            continue
        for setting in section.settings:
            yield setting, written(getattr(place, _last(setting.key)))


def look_up(key: str) -> list[Section]:
    """Return the section of that name with those inside it, or settings within their sections.

    Both go by their dotted names or by a last part of them.

    Raises:
        ConfigError: no section or setting has that name.

    >>> [found.settings[0].key for found in look_up("clip_high")]
    ['recipe.clip_high']
    >>> [found.name for found in look_up("shaping")]
    ['recipe.shaping.N']
    """
    known = sections()
    key = re.sub(r"\.\d+(?=\.|$)", ".N", key)  # of the first table or of any, the same is said
    found = [section for section in known if f".{key}." in f".{section.name}."]
    for section in known:
        settings = tuple(one for one in section.settings if key in (one.key, _last(one.key)))
        if settings and section not in found:
            found.append(dataclasses.replace(section, settings=settings))
    if not found:
        keys = [one.key for section in known for one in section.settings]
        spellings = {**{_last(one): one for one in keys}, **{one: one for one in keys}}
        close = [
            spellings[one] for one in difflib.get_close_matches(key, spellings, n=2, cutoff=CLOSE)
        ]
        close = close or _meant(key, known)
        hint = f"; did you mean {' or '.join(dict.fromkeys(close))}?"
        raise ConfigError(
            f"there is no setting {key!r}{hint if close else ';'} "
            "`rewardkit config` lists the sections"
        )
    return found


def _meant(key: str, known: Iterable[Section]) -> list[str]:
    """Return the setting whose meaning has, early on, the words of a name that nothing is like."""
    words, section = _last(key).replace("_", " ").lower(), key.rpartition(".")[0]
    found = [
        (one.key.rpartition(".")[0] != section, one.meaning.lower().index(words), one.key)
        for part in known
        for one in part.settings
        if words in one.meaning.lower()
    ]
    return [key for _, _, key in sorted(found)[:1]]


def _last(key: str) -> str:
    return key.rpartition(".")[2]


def _sections(cls: type, name: str) -> Iterator[Section]:
    import docstring_parser

    said: dict[str, str] = {}
    for base in reversed(cls.__mro__[:-1]):
        for one in docstring_parser.parse_from_object(base).params:
            said[one.arg_name] = " ".join((one.description or "").split())
    types = typing.get_type_hints(cls)
    prefix = f"{name}." if name else ""
    settings, inner = [], []
    outer = {f.name for f in dataclasses.fields(TaskConfig) if TaskConfig in cls.__mro__[1:]}
    for f in dataclasses.fields(cls):
        if f.name in outer:
            continue  # [[tasks]] has all that [task] has, which is said there
        hint = types[f.name]
        [row] = typing.get_args(hint)[:1] or [None]
        if isinstance(hint, type) and dataclasses.is_dataclass(hint):
            inner.append((hint, prefix + f.name))
        elif isinstance(row, type) and dataclasses.is_dataclass(row):
            inner.append((row, f"{prefix}{f.name}.N"))
        else:
            text = said.get(f.name, "")
            settings.append(Setting(prefix + f.name, _type(types[f.name]), _default(f), text))
    meaning = inspect.getdoc(cls) or ""
    yield Section(name, " ".join(meaning.partition("\n\n")[0].split()), tuple(settings))
    for section_type, section_name in inner:
        yield from _sections(section_type, section_name)


def _type(hint: Any) -> str:
    """Return a type in the words of a configuration file."""
    if hint is Any:
        return "any"
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        return " | ".join(json.dumps(one) for one in inside)
    if origin is tuple:
        return f"list of {_type(inside[0])}"
    if isinstance(origin, type) and issubclass(origin, typing.Mapping):
        return "table"
    if inside:  # a union
        words = " | ".join(_type(one) for one in inside)
        own = typing.get_origin(inside[0]) is typing.Literal
        return words.replace("| text", '| "module:name"') if own else words
    return {str: "text", int: "whole number", float: "number", bool: "true | false"}.get(
        hint, '"none"'
    )


def _default(f: dataclasses.Field[Any]) -> str:
    if f.default_factory is not dataclasses.MISSING:
        value: Any = f.default_factory()
    elif f.default is dataclasses.MISSING:
        return ""
    else:
        value = f.default
    return written(value)


def written(value: Any) -> str:
    """Return a value as TOML writes it within a line.

    >>> written([{"name": "mine:calls", "weight": 0.5, "options": {"most": 2}}])
    '[{ name = "mine:calls", weight = 0.5, options = { most = 2 } }]'
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = dataclasses.asdict(value)
    if isinstance(value, dict):
        inside = ", ".join(f"{_key(name)} = {written(one)}" for name, one in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(written(one) for one in value)}]"
    return repr(value) if isinstance(value, float) else json.dumps(plain(value), ensure_ascii=False)


def _key(name: str) -> str:
    bare = name.replace("-", "_").isidentifier() and name.isascii()
    return name if bare else json.dumps(name, ensure_ascii=False)
