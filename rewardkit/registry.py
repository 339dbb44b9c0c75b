"""Names -> tasks, verifiers, models and backends.

A name is looked up in this order: what the running program registered with a decorator, what
rewardkit ships (the literal tables below, greppable), what installed packages offer through the
entry-point groups `rewardkit.tasks`, `.verifiers`, `.models` and `.backends`; and
`package.module:attribute` names any importable object directly. Nothing is imported before it is
asked for, so that listing names never loads torch. What a folder or a table names, and no person
typed, is looked up under `named_by`: there is no code to import there.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from importlib.metadata import entry_points
from typing import Any, TypeVar

from rewardkit.errors import (
    ConfigError,
    MissingExtraError,
    RewardkitError,
    UnknownNameError,
    described,
)

T = TypeVar("T")

OF_BACKENDS = ("numpy", "torch", "transformers", "tokenizers", "safetensors", "jaxtyping")
"""What backends import and the core does without."""
ACTS = frozenset({"code", "mbpp", "python", "judge", "reward_model", "rubric"})
"""Tasks and verifiers that run programs, or send what they are given and a key to a server."""
_named_by: ContextVar[tuple[str, Collection[str]]] = ContextVar("named_by", default=("", ()))


@contextmanager
def named_by(data: str, typed: Collection[str] = ()) -> Iterator[None]:
    """Take names for those of `data`: what a module holds, and what acts, is refused.

    Names that a person `typed` as well, and those that the program itself registered, are not.

    >>> with named_by("a/prompts.json"):
    ...     VERIFIERS.get("shutil:copyfile")
    Traceback (most recent call last):
    rewardkit.errors.ConfigError: a/prompts.json names the verifier 'shutil:copyfile', which ...
    """
    token = _named_by.set((data, typed))
    try:
        yield
    finally:
        _named_by.reset(token)


class Registry:
    """A table from names to objects that are imported on first use.

    >>> colours = Registry("colour", "rewardkit.colours", {})
    >>> @colours.register("red")
    ... def red(): return "#f00"
    >>> colours.get("red")()
    '#f00'
    """

    def __init__(
        self,
        kind: str,
        entry_point_group: str,
        shipped: dict[str, str],
        families: Mapping[str, str] = {},
    ) -> None:
        self.kind = kind
        self._families = families
        self._group = entry_point_group
        self._shipped = shipped
        self._registered: dict[str, Any] = {}

    def register(self, name: str) -> Callable[[T], T]:
        """Return a decorator that registers its target under `name`; a taken name is an error."""
        if ":" in name:
            raise ConfigError(f"a {self.kind} name cannot hold a colon: {name!r}")

        def add(target: T) -> T:
            if name in self._shipped or name in self._registered:
                raise ConfigError(
                    f"{self.kind} {name!r} is already registered; choose another name"
                )
            self._registered[name] = target
            return target

        return add

    def names(self) -> list[str]:
        """Return all known names, sorted."""
        offered = {entry.name for entry in entry_points(group=self._group)}
        return sorted({*self._registered, *self._shipped, *offered})

    def get(self, name: str) -> Any:
        """Return the object behind a registered name or `package.module:attribute`.

        Raises:
            UnknownNameError: no such name; lists the known ones, nearest first.
            ConfigError: the module or its attribute cannot be imported, or data may not name it.
            MissingExtraError: it is of a backend whose packages are not installed.
        """
        if name in self._registered:
            return self._registered[name]
        refuse_named(self.kind, name)
        if name in self._shipped:
            return import_object(self._shipped[name], self.kind)
        family, _, member = name.partition(":")
        if member and family in self._families:
            return import_object(self._families[family], self.kind)(family, member)
        if ":" in name:
            return import_object(name, self.kind)
        for entry in entry_points(group=self._group):
            if entry.name == name:
                return import_object(entry.value, self.kind)
        families = [f"{family}:NAME" for family in self._families]
        raise UnknownNameError(self.kind, name, [*self.names(), *families])


def refuse_named(kind: str, name: str) -> None:
    """Raise a ConfigError where data name what they may not, see `named_by`."""
    data, typed = _named_by.get()
    if data and (":" in name or name.rpartition("+")[2] in ACTS) and name not in typed:
        does = "imports code" if ":" in name else "runs programs or asks a server"
        raise ConfigError(
            f"{data} names the {kind} {name!r}, which {does}. Where you know whose it is, "
            "say --trust, or type that name yourself (--verifier, --task)"
        )


def piece(kind: str, name: str, known: Mapping[str, T]) -> T:
    """Return what a table has under a name, or a user's own that `package.module:attribute` names.

    Raises:
        UnknownNameError: the table has no such name; lists those it has.
        ConfigError: the module or its attribute cannot be imported, or data may not name it.

    >>> piece("shape", "round", {"round": 0})
    0
    """
    if name in known:
        return known[name]
    if ":" not in name:
        raise UnknownNameError(kind, name, [*known, "module:name"])
    refuse_named(kind, name)
    try:
        found: T = import_object(name, kind)
    except RewardkitError:
        raise
    except Exception as error:
        raise ConfigError(f"{kind} {name!r} cannot be imported: {described(error)}") from error
    return found


def import_object(path: str, kind: str) -> Any:
    """Return the object that `package.module:attribute` names.

    Raises:
        ConfigError: the module or its attribute is not there.
        MissingExtraError: it is of a backend whose packages are not installed.
    """
    module_name, _, attribute = path.partition(":")
    if not module_name or module_name.startswith(".") or not attribute:
        raise ConfigError(f"{kind} {path!r} is not of the form package.module:attribute")
    try:
        found: Any = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name in OF_BACKENDS and module_name.startswith("rewardkit_"):
            extra = "verl" if module_name.startswith("rewardkit_verl") else "native"
            raise MissingExtraError(error.name, extra) from error
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise  # the module exists; what it imports is missing, and that message is the better
        raise ConfigError(
            f"{kind} {path!r}: no module named {module_name!r} on the import path"
        ) from error
    for part in attribute.split("."):
        try:
            found = getattr(found, part)
        except AttributeError as error:
            raise ConfigError(f"{kind} {path!r}: {module_name} has no {attribute!r}") from error
    return found


POLYMATH_LANGUAGES = (
    "ar", "bn", "de", "en", "es", "fr", "id", "it", "ja", "ko", "ms", "pt", "ru", "sw", "te", "th",
    "vi", "zh",
)  # fmt: skip
"""In which PolyMath's problems are asked, each a set `polymath_LANGUAGE`."""

CONTESTS = (
    "aime24", "aime25", "aime26", "aime1983_2023", "amc23", "hmmt_feb_2025", "hmmt_nov_2025",
    "hmmt_feb_2026", "brumo_2025", "cmimc_2025", "smt_2025", "apex_2025", "apex_shortlist",
    "math500", "minerva", "olympiadbench", "beyond_aime", "imo_answerbench", "amo_bench",
    "hle_math",
    *(f"olymmath_{part}" for part in ("en_easy", "en_hard", "zh_easy", "zh_hard")),
    *(f"arxivmath_{month}" for month in ("1225", "0126", "0226", "0326", "0426", "0526", "0626")),
    *(f"polymath_{language}" for language in POLYMATH_LANGUAGES),
)  # fmt: skip
"""Sets to evaluate on, each defined in `rewardkit_tasks.contests.sets`."""

TASKS = Registry(
    "task",
    "rewardkit.tasks",
    {
        "arithmetic": "rewardkit_tasks.arithmetic:arithmetic",
        "sums": "rewardkit_tasks.sums:sums",
        "gsm8k": "rewardkit_tasks.gsm8k:gsm8k",
        "dapo_math": "rewardkit_tasks.dapo_math:dapo_math",
        "generated": "rewardkit_tasks.generated:generated",
        **{
            name: f"rewardkit_tasks.sets.training:{name}"
            for name in ("math", "deepscaler", "big_math", "orz_math", "skywork_math", "polaris")
        },
        "gpqa": "rewardkit_tasks.sets.choices:gpqa",
        "mmlu_pro": "rewardkit_tasks.sets.choices:mmlu_pro",
        "ifeval": "rewardkit_tasks.instructions.task:ifeval",
        "code": "rewardkit_tasks.code.task:code",
        "mbpp": "rewardkit_tasks.code.task:mbpp",
        "countdown": "rewardkit_tasks.countdown:countdown",
        "game24": "rewardkit_tasks.countdown:game24",
        "guess_number": "rewardkit_tasks.guess_number:guess_number",
        "archives": "rewardkit_tasks.archives:archives",
        **{name: f"rewardkit_tasks.contests.sets:{name}" for name in CONTESTS},
    },
)
"""Factories: keyword arguments from the configuration -> `Task`."""

FAMILIES = {
    "reasoning_gym": "rewardkit_tasks.reasoning_gym:reasoning_gym",
    "verifiers": "rewardkit_tasks.verifiers_taskset:verifiers",
    "gym": "rewardkit_tasks.servers.gym:gym",
    "openenv": "rewardkit_tasks.servers.openenv:openenv",
}
"""Tasks that go by a name of two parts, `reasoning_gym:NAME`: (NAME, **arguments) -> `Task`."""

VERIFIERS = Registry(
    "verifier",
    "rewardkit.verifiers",
    {
        "math": "rewardkit.verifiers:MathVerifier",
        "math_verify": "rewardkit.verifiers:MathVerify",
        "integer": "rewardkit.verifiers:IntegerVerifier",
        "choice": "rewardkit.verifiers:ChoiceVerifier",
        "numeric": "rewardkit.verifiers:NumericVerifier",
        "text": "rewardkit.verifiers:TextVerifier",
        "format": "rewardkit.verifiers:FormatVerifier",
        "agreement": "rewardkit.verifiers:Agreement",
        "judge": "rewardkit.judging:Judge",
        "reward_model": "rewardkit.judging:RewardModel",
        "rubric": "rewardkit.judging:Rubric",
        "countdown": "rewardkit_tasks.countdown:CountdownVerifier",
        "reasoning_gym": "rewardkit_tasks.reasoning_gym:ReasoningGymVerifier",
        "instructions": "rewardkit_tasks.instructions:InstructionVerifier",
        "code": "rewardkit_tasks.code:CodeVerifier",
        "options": "rewardkit_tasks.sets.choices:OptionsVerifier",
    },
    dict.fromkeys(
        ("verl", "trl", "lighteval", "inspect", "openrlhf"), "rewardkit.audit.peers:Peer"
    ),
)
"""Factories: keyword options -> `Verifier`, or plain functions (response, answer) -> Verdict; and
other projects' graders, PROJECT:NAME."""

MODELS = Registry(
    "model",
    "rewardkit.models",
    {
        "smollm2-135m": "rewardkit_native.model.fetch:smollm2_135m",
        "tiny": "rewardkit_native.model.tiny:tiny",
    },
)
"""Functions: () -> the folder of a model, fetched or made on first use."""

BACKENDS = Registry(
    "backend",
    "rewardkit.backends",
    {"native": "rewardkit_native:train", "verl": "rewardkit_verl.backend:train"},
)
"""Functions: (RunConfig, *, resume, overwrite) -> the run folder."""

PLANS = Registry("plan", "rewardkit.plans", {"verl": "rewardkit_verl.dry_run:plan"})
"""Functions: (RunConfig, *, explain) -> what a backend that passes a run on would pass on."""

FORECASTS = Registry(
    "forecast",
    "rewardkit.forecasts",
    {
        "native": "rewardkit_native.plan:page",
        "verl": "rewardkit_verl.planning.forecast:page",
    },
)
"""Functions: (RunConfig, *, gpus, memory, prompt_tokens) -> what a step holds, as text."""

SETTINGS = Registry(
    "settings", "rewardkit.settings", {"verl": "rewardkit_verl.keys.reference:becomes"}
)
"""Functions: () -> {setting: what becomes of it} in a backend that passes settings on."""
