"""What turns chats into responses, behind one small protocol; four engines fulfil it, or your own.

| engine | what it needs | extra |
|---|---|---|
| transformers | a Hugging Face id, or a folder with a model or a checkpoint | native |
| fast | the same, for the Llama, Qwen2 and Qwen3 families, and faster | native |
| vllm | the same; made for GPUs, several of them too | vllm |
| openai | any server that speaks OpenAI's chat completions | openai |
| module:attribute | a class of your own that fulfils `Engine` | |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, Protocol

from tyro.conf import Suppress, UseAppendAction, arg

from rewardkit.client.answers import Response as Response
from rewardkit.config.flags import Unset
from rewardkit.environments.table import TurnLimits
from rewardkit.errors import ConfigError, UnknownNameError
from rewardkit.registry import import_object
from rewardkit.types import Message, Problem, Task

DTYPES = ("auto", "float32", "bfloat16")
"""The types that a model can be evaluated in."""
FIRST_MARK = 256
"""Tokens of the first mark; the next ones are at twice as many each."""
LONGEST_TIMEOUT_S = 1_000_000
"""Sockets count milliseconds in 32 bits."""
PLAIN = {"repetition_penalty": 1.0, "min_p": 0.0}
"""What servers are sent that would take a model's own, unless told otherwise: with its penalty
(Qwen2.5's is 1.05 or more) a model scores otherwise than in the engines here, which apply none."""


@dataclass(frozen=True, slots=True)
class DecodingSettings:
    """How responses are drawn; what is left out is up to the model's generation_config or server.

    Attributes:
        max_tokens: the longest response.
        temperature: 0 takes the likeliest token; where nothing says, 1.
        top_p: draw from the likeliest tokens of this share of the probability; 1 keeps all.
        top_k: draw from so many of the likeliest tokens; 0 keeps all.
        stop: end a response at this text; may be given several times.
        extra_body: what a server is sent besides.
    """

    max_tokens: Suppress[int | None] = None
    temperature: Unset[float] = None
    top_p: Unset[float] = None
    top_k: Unset[int] = None
    stop: UseAppendAction[tuple[str, ...]] = ()
    extra_body: Suppress[Mapping[str, Any]] = field(default_factory=dict)
    marks: Suppress[tuple[int, ...]] = ()
    """Lengths in tokens at which an engine that knows its tokens says how long the text was."""
    limits: Suppress[TurnLimits | None] = None
    """Of turns, where other than the default."""

    def __post_init__(self) -> None:
        for name in ("stop", "marks"):
            object.__setattr__(self, name, tuple(getattr(self, name)))  # as JSON has it, a list
        if "" in self.stop:
            raise ConfigError("stop holds an empty text, which would end every response at once")
        if self.max_tokens is not None and self.max_tokens < 1:
            raise ConfigError(f"max_tokens must be at least 1, found {self.max_tokens}")
        if self.temperature is not None and not 0 <= self.temperature < float("inf"):
            raise ConfigError(f"temperature must be 0 or more, found {self.temperature}")
        if self.top_p is not None and not 0 < self.top_p <= 1:
            raise ConfigError(f"top_p must be in (0, 1], found {self.top_p}")
        if self.top_k is not None and self.top_k < 0:
            raise ConfigError(f"top_k must be 0 or more (0 keeps all), found {self.top_k}")


@dataclass(frozen=True, slots=True)
class Request:
    """One response wanted: the chat, and the seed it is to be drawn from."""

    messages: Sequence[Message]
    """What the model is shown, before its template."""
    seed: int
    """The same seed gives the same response."""
    template: Mapping[str, Any] = field(default_factory=dict)
    """What the chat template is called with besides the chat."""
    problem: Problem | None = None
    """What is asked, for the environment of `task`."""
    task: Task | None = None
    """The task, where it has an environment, which an engine that `plays` answers turns with."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One response that did not come, after all retries, and the last reason."""

    reason: str
    """The last error, in one line."""


class Engine(Protocol):
    """Draws responses of one model."""

    fingerprint: str
    """Names the model: equal fingerprints mean equal weights, used in the same type."""
    decoding: DecodingSettings
    """The parameters in force, with the model's defaults filled in."""
    chat_template: str | None
    """The template that turns a chat into a prompt; None where a server keeps it to itself."""

    def render(self, messages: Sequence[Message], template: Mapping[str, Any] = {}) -> str:
        """Return the prompt as the model sees it, for the record and the sample's key.

        The chat template is called with `template` besides.
        """
        ...

    def generate(self, requests: Sequence[Request]) -> Iterator[tuple[int, Response | Failure]]:
        """Yield (index of the request, what came of it) in any order, each index once.

        Raises:
            ModelError: no request can succeed (no such model, a refused key).
        """
        ...

    def close(self) -> None:
        """Let go of connections and memory."""
        ...


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """What single engines take; one that the chosen engine does not read is refused.

    Attributes:
        base_url: openai: the server, such as http://localhost:8000/v1, or several of the same
            model, comma-separated; else $OPENAI_BASE_URL.
        api_key_env: openai: the environment variable that holds the server's key.
        concurrency: openai: how many requests are kept open at each server.
        requests_per_minute: openai: ask each server no faster; else as fast as it answers.
        timeout_s: openai, vllm: seconds of silence that are waited for; a response that streams, or
            is decoded, may take as long as it goes on.
        retries: openai: how often a request is tried again.
        batch_rows: transformers, fast: how many responses are drawn at once.
        dtype: transformers, fast, vllm: float32 or bfloat16; auto is what a run of ours, the
            model's or that of --task, trained in, else bfloat16 on a GPU and float32 elsewhere.
        chat_template: transformers, fast, vllm: a Jinja file, for a model that has no chat
            template of its own.
        tensor_parallel: vllm: GPUs that share one copy of the model.
        data_parallel: vllm: copies of the model, each on GPUs of its own, that share the work.
        engine_args: vllm: KEY=VALUE arguments of vllm.LLM, such as gpu_memory_utilization=0.8.
    """

    base_url: Unset[str] = None
    api_key_env: str = "OPENAI_API_KEY"
    concurrency: int = 16
    requests_per_minute: Unset[float] = None
    timeout_s: Annotated[float, arg(name="timeout")] = 600.0
    retries: int = 8
    batch_rows: int = 64
    dtype: str = "auto"
    chat_template: Unset[Path] = None
    tensor_parallel: int = 1
    data_parallel: int = 1
    engine_args: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.dtype not in DTYPES:
            raise ConfigError(f"dtype must be one of {', '.join(DTYPES)}, found {self.dtype!r}")
        for name in ("concurrency", "batch_rows", "tensor_parallel", "data_parallel", "retries"):
            if (found := getattr(self, name)) < (least := int(name != "retries")):
                raise ConfigError(f"{name} must be at least {least}, found {found}")
        rate = self.requests_per_minute
        if rate is not None and not 0 < rate < float("inf"):
            raise ConfigError(f"requests_per_minute must be above 0, found {rate}")
        if not 0 < self.timeout_s <= LONGEST_TIMEOUT_S:
            raise ConfigError(
                f"timeout must be above 0 and at most {LONGEST_TIMEOUT_S} s, found {self.timeout_s}"
            )

    def refuse_unread(self, engine: str) -> None:
        """Raise a ConfigError if an option is set that the engine does not read."""
        if ":" in engine:  # what an engine of one's own reads is not known
            return
        for option in fields(self):
            readers = READERS[option.name]
            if engine not in readers and getattr(self, option.name) != option.default:
                flag = f"--{option.name.removesuffix('_s').replace('_', '-')}"
                raise ConfigError(
                    f"the {engine} engine takes no {flag}{REASONS.get(option.name, '')}; it is "
                    f"read by {', '.join(readers)}"
                )


# Strings, not imports: the core may not import a backend, and listing engines must load none.
ENGINES: dict[str, str] = {
    "transformers": "rewardkit_native.engines:transformers",
    "fast": "rewardkit_native.engines:fast",
    "vllm": "rewardkit.evaluation.engines.vllm:VllmEngine",
    "openai": "rewardkit.evaluation.engines.openai:OpenAIEngine",
}
"""The values of `--engine`, and where each is made."""
OWN = "rewardkit.evaluation.engines.own:OwnEngine"
"""What calls an engine of one's own."""


READERS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("base_url", "api_key_env", "concurrency", "retries"), ("openai",)),
    "requests_per_minute": ("openai",),
    "timeout_s": ("vllm", "openai"),
    "batch_rows": ("transformers", "fast"),
    **dict.fromkeys(("dtype", "chat_template"), ("transformers", "fast", "vllm")),
    **dict.fromkeys(("tensor_parallel", "data_parallel", "engine_args"), ("vllm",)),
}
"""Option -> the engines that read it."""
REASONS = {
    "chat_template": " (the server puts chats into its own; give the template to the server)",
    "dtype": " (the server computes in its own)",
}
"""Why `openai` does not read an option, where that is not plain."""


def known_engine(name: str) -> str:
    """Return the name if an engine has it, or if it is of the form module:attribute.

    Raises:
        UnknownNameError: no such engine.
    """
    if name not in ENGINES and ":" not in name:
        raise UnknownNameError("engine", name, ENGINES)
    return name


def load_engine(
    name: str, model: str, decoding: DecodingSettings, options: EngineOptions
) -> Engine:
    """Return the named engine, ready to draw.

    Raises:
        UnknownNameError: no such engine.
        ConfigError: an option is set that the engine does not read.
        MissingExtraError: the packages that it needs are not installed.
        ModelError: the model cannot be loaded, or has no chat template.
    """
    options.refuse_unread(known_engine(name))
    own = (name,) if ":" in name else ()
    engine: Engine = import_object(OWN if own else ENGINES[name], "engine")(
        *own, model, decoding, options
    )
    return engine


def marks_of(
    tokens: Sequence[int], decode: Callable[[Sequence[int]], str], at: Sequence[int]
) -> tuple[tuple[int, int], ...]:
    """Return how many characters the first 256, 512, 1024, ... tokens make, and those `at`.

    >>> marks_of(range(9), lambda tokens: "ab" * len(tokens), at=[3, 12])
    ((3, 6),)
    """
    doublings = (FIRST_MARK << n for n in range(len(tokens).bit_length()))
    places = {n for n in (*doublings, *at) if n < len(tokens)}
    return tuple((n, len(decode(tokens[:n]))) for n in sorted(places))


def rendered(engine: Engine, messages: Sequence[Message], template: Mapping[str, Any]) -> str:
    """Return the prompt of a chat; an engine that knows of no settings is asked as ever."""
    return engine.render(messages, template) if template else engine.render(messages)


def plain_messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Return the chat as plain dictionaries, which is what templates and JSON take."""
    return [dict(message) for message in messages]


def read_template(path: Path | None) -> str | None:
    """Return the text of a chat template file, or None where none is given.

    Raises:
        ConfigError: the file cannot be read.
    """
    if path is None:
        return None
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"chat template {path}: {error.strerror}") from error


def first_set(*values: Any) -> Any:
    """Return the first value that is not None, or None."""
    return next((value for value in values if value is not None), None)


def sampling_record(decoding: DecodingSettings, seed: int) -> Mapping[str, Any]:
    """Return the parameters that a sample's key covers.

    What ledgers of earlier versions lack is in it only where it is set: their samples stay good.
    """
    return {
        "max_tokens": decoding.max_tokens,
        "temperature": decoding.temperature,
        "top_p": decoding.top_p,
        "top_k": decoding.top_k,
        "seed": seed,
        **later_record(decoding),
    }


def later_record(decoding: DecodingSettings) -> dict[str, Any]:
    """Return what of a decoding is recorded only where it is set."""
    found = {
        "stop": list(decoding.stop),
        "extra_body": dict(decoding.extra_body),
        "turns": decoding.limits and decoding.limits.turns,
    }
    return {name: value for name, value in found.items() if value}
