"""A run's configuration: frozen dataclasses, filled from a TOML file and `--set a.b=c`.

The loader is strict. An unknown key names the nearest known one, and a value of the wrong type
says what was found and what was expected. A recipe in the file starts from the named recipe and
overrides its fields, so that `config.toml` in the run folder shows all that was resolved.
"""

from __future__ import annotations

import dataclasses
import math
import tomllib
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar

import tomli_w

from rewardkit.errors import ConfigError, UnknownNameError, nearest_hint
from rewardkit.guards import GuardsConfig
from rewardkit.recipes import RECIPES, Recipe, validate
from rewardkit.sampling import SamplingParams

T = TypeVar("T")


@dataclass(frozen=True)
class ModelConfig:
    """Which model to train, where, and in which arithmetic."""

    name: str = "smollm2-135m"
    """A fetched model's name, a local folder, or a Hugging Face id."""
    device: str = "auto"
    """`cpu`, `cuda`, `cuda:1`; `auto` takes a GPU if there is one."""
    dtype: Literal["float32", "bfloat16"] = "bfloat16"
    """Arithmetic of forward and backward passes; the trained weights are float32 either way."""
    threads: int = 0
    """CPU threads; 0 leaves torch's own choice."""


@dataclass(frozen=True)
class TaskConfig:
    """Which task to learn; `args` goes to the task's factory."""

    name: str = "arithmetic"
    args: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class SamplingConfig:
    """How a batch of rollouts is drawn."""

    engine: Literal["fast", "transformers", "vllm"] = "fast"
    """`fast` knows the Llama, Qwen2 and Qwen3 families and gives way to `transformers` for any
    other model; `vllm` needs that package."""
    problems: int = 8
    """Groups in one batch."""
    group_size: int = 8
    """Rollouts of each problem."""
    max_tokens: int = 256
    """Response limit, in tokens; also the length that overlong terms refer to."""
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0
    stop: tuple[str, ...] = ()
    rounds: int = 4
    """With group filtering: how often a batch is topped up before the run stops for want of
    signal or trains on what it has."""

    @property
    def params(self) -> SamplingParams:
        """The part that the sampler needs."""
        return SamplingParams(self.max_tokens, self.temperature, self.top_p, self.top_k, self.stop)


@dataclass(frozen=True)
class OptimConfig:
    """AdamW and how a batch is cut into micro-batches."""

    lr: float = 1e-6
    betas: tuple[float, ...] = (0.9, 0.95)
    weight_decay: float = 0.0
    grad_clip: float = 1.0
    warmup_steps: int = 0
    """Linear warm-up of the learning rate, in optimiser steps."""
    tokens_per_micro_batch: int = 0
    """Most tokens in one forward pass (or a single response); the loss does not depend on it, and
    memory grows with it. 0 is the backend's choice: native 640 on a CPU and 8192 on a GPU, verl
    4096."""
    layout: Literal["packed", "padded"] = "packed"
    """`packed` reads a prompt once for its whole group; `padded` works with any attention."""
    activation_checkpointing: bool = False
    """Keep only each layer's input for the backward pass and compute the rest again: about a third
    more work for a fraction of the memory that grows with `tokens_per_micro_batch`."""
    tokens_per_head_block: int = 1024
    """Response tokens whose logits over the vocabulary are in memory at one time; a micro-batch of
    more computes them again in its backward pass."""


@dataclass(frozen=True)
class LoraConfig:
    """Low-rank adapters: train small matrices beside frozen weights."""

    rank: int = 0
    """Rank of the adapters; 0 trains all weights."""
    alpha: int = 32
    """The adapters' output is scaled by alpha / rank."""
    targets: tuple[str, ...] = ()
    """Names of the linear layers that get one, such as q_proj; by default all but the head."""


@dataclass(frozen=True)
class VerifyConfig:
    """The pool of verifier processes."""

    workers: int = 2
    deadline_s: float = 10.0
    memory_mb: int = 2048


@dataclass(frozen=True)
class EvalConfig:
    """Evaluation before, after and during training, on the task's held-out problems."""

    samples: int = 4
    """Responses per problem; 0 turns evaluation off."""
    problems: int = 64
    """At most so many problems of each held-out set."""
    every: int = 0
    """Also evaluate after every so many steps; 0 evaluates before and after only."""


@dataclass(frozen=True)
class CheckpointConfig:
    """When to save, and how many checkpoints to keep."""

    every: int = 10
    """Save after every so many steps; 0 saves at the end only, and what a kill costs is all."""
    keep: int = 2
    """Keep the last so many, and the best one besides."""


@dataclass(frozen=True)
class TrackConfig:
    """Where a run's numbers go besides metrics.jsonl."""

    tensorboard: bool = False
    """Write event files into the run folder's tensorboard/."""
    wandb: Literal["", "offline", "online"] = ""
    """Weights & Biases: `online`, or `offline` for a later `wandb sync`."""
    project: str = "rewardkit"
    """The project there."""


@dataclass(frozen=True)
class VerlConfig:
    """What only the verl backend reads: machines, engines, and keys of verl's own."""

    nodes: int = 1
    gpus: int = 0
    """GPUs of each node; 0 takes all that this machine has."""
    address: str = ""
    """A running Ray cluster (`auto` or host:port); empty starts Ray on this machine."""
    rollout: Literal["auto", "vllm", "sglang", "transformers"] = "auto"
    """What samples; `auto` is vllm on GPUs and transformers on a CPU."""
    tensor_parallel: int = 1
    """GPUs that share one copy of the sampling model."""
    gpu_memory: float = 0.5
    """Share of a GPU's memory for the sampling engine."""
    offload: bool = False
    """Move weights and optimiser state to host memory while they are not needed."""
    max_prompt_tokens: int = 0
    """Prompt limit; 0 measures the longest prompt of the data."""
    silence_s: float = 1800.0
    """Without any output for so long, the run is reported as possibly hanging."""
    overrides: tuple[str, ...] = ()
    """Further overrides in Hydra's words, of keys that no setting decides."""


@dataclass(frozen=True)
class RunConfig:
    """Everything that a run depends on."""

    folder: str
    """The run folder."""
    steps: int
    """Batches to train on."""
    seed: int = 0
    recipe: Recipe = RECIPES["grpo"]
    model: ModelConfig = field(default_factory=ModelConfig)
    task: TaskConfig = field(default_factory=TaskConfig)
    sampling: SamplingConfig = field(default_factory=SamplingConfig)
    optim: OptimConfig = field(default_factory=OptimConfig)
    lora: LoraConfig = field(default_factory=LoraConfig)
    verify: VerifyConfig = field(default_factory=VerifyConfig)
    eval: EvalConfig = field(default_factory=EvalConfig)
    checkpoint: CheckpointConfig = field(default_factory=CheckpointConfig)
    guards: GuardsConfig = field(default_factory=GuardsConfig)
    track: TrackConfig = field(default_factory=TrackConfig)
    verl: VerlConfig = field(default_factory=VerlConfig)

    def __post_init__(self) -> None:
        for key, least in (
            ("steps", 1),
            ("sampling.problems", 1),
            ("sampling.group_size", 1),
            ("sampling.rounds", 1),
            ("optim.tokens_per_micro_batch", 0),
            ("optim.tokens_per_head_block", 1),
            ("verify.workers", 1),
            ("eval.samples", 0),
            ("eval.problems", 1),
            ("eval.every", 0),
            ("checkpoint.every", 0),
            ("checkpoint.keep", 1),
            ("optim.warmup_steps", 0),
            ("model.threads", 0),
            ("verl.nodes", 1),
            ("verl.gpus", 0),
            ("verl.tensor_parallel", 1),
            ("verl.max_prompt_tokens", 0),
            ("lora.rank", 0),
            ("lora.alpha", 1),
        ):
            value: Any = self
            for part in key.split("."):
                value = getattr(value, part)
            if value < least:
                raise ConfigError(f"{key} must be at least {least}, found {value}")
        for key in (
            "optim.lr",
            "optim.grad_clip",
            "verify.deadline_s",
            "verify.memory_mb",
            "verl.gpu_memory",
            "verl.silence_s",
        ):
            section, _, name = key.partition(".")
            value = getattr(getattr(self, section), name)
            if value <= 0:
                raise ConfigError(f"{key} must be above 0, found {value}")
        betas = self.optim.betas
        if len(betas) != 2 or not all(0 <= beta < 1 for beta in betas):
            raise ConfigError(f"optim.betas must be two numbers in [0, 1), found {list(betas)}")
        if self.recipe.minibatches > self.sampling.problems:
            raise ConfigError(
                f"recipe.minibatches is {self.recipe.minibatches}, but a batch holds only "
                f"sampling.problems = {self.sampling.problems} groups; lower the first or raise "
                "the second"
            )
        validate(self.recipe)
        _ = self.sampling.params  # checks the ranges of its own fields


def load_config(path: str | Path, overrides: Sequence[str] = ()) -> RunConfig:
    """Return the configuration in a TOML file, with `a.b=value` overrides laid over it.

    Raises:
        ConfigError: the file is missing or not TOML, or a key or value cannot be used.
    """
    try:
        with Path(path).open("rb") as file:
            data = tomllib.load(file)
    except FileNotFoundError as error:
        raise ConfigError(f"no configuration file {str(path)!r}") from error
    except IsADirectoryError as error:
        raise ConfigError(
            f"{str(path)!r} is a folder, not a configuration file; a run in it goes on with "
            f"--resume {path}"
        ) from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8, as TOML must be: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error
    return config_from(data, overrides)


def config_from(data: Mapping[str, Any], overrides: Sequence[str] = ()) -> RunConfig:
    """Return the configuration in a nested mapping, as `load_config` does for a file.

    >>> config_from({"folder": "runs/x", "steps": 3}, ["optim.lr=1e-5"]).optim.lr
    1e-05
    """
    merged: dict[str, Any] = _copy(data)
    for override in overrides:
        _apply(merged, override)
    return build(RunConfig, merged)


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
        raise ConfigError(f"missing {names}; add it to the file or give --set {missing[0]}=...")
    return cls(**values)


def _build_recipe(data: Mapping[str, Any], where: str) -> Recipe:
    if "name" not in data:
        raise ConfigError(f'{where} needs a name, for example name = "dapo"')
    if data["name"] not in RECIPES:
        raise UnknownNameError("recipe", str(data["name"]), RECIPES)
    return dataclasses.replace(RECIPES[data["name"]], **_checked_fields(Recipe, data, where))


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
        return None if value in (None, "none") else _convert(options[0], value, where)
    if origin is Literal and value in arguments:
        return value
    if origin is tuple and isinstance(value, list | tuple):
        return tuple(_convert(arguments[0], v, f"{where}[{i}]") for i, v in enumerate(value))
    if isinstance(origin, type) and issubclass(origin, Mapping) and isinstance(value, Mapping):
        return dict(value)
    if hint is float and isinstance(value, int | float) and not isinstance(value, bool):
        if not math.isfinite(value):
            raise ConfigError(f"{where} must be a finite number, found {value}")
        return float(value)
    # bool is an int in Python, but `steps = true` is a mistake.
    mistaken = isinstance(value, bool) and hint is not bool
    if isinstance(hint, type) and isinstance(value, hint) and not mistaken:
        return value
    raise ConfigError(f"{where} must be {_describe(hint)}, found {value!r}")


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
        data = data.setdefault(parent, {})
        if not isinstance(data, dict):
            raise ConfigError(f"--set {override}: {parent} is not a table")
    try:
        data[last] = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        data[last] = text  # an unquoted string, as one types it in a shell


def _copy(data: Mapping[str, Any]) -> dict[str, Any]:
    return {k: _copy(v) if isinstance(v, Mapping) else v for k, v in data.items()}


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
