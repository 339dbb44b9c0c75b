r"""Published protocols by name: how others asked when they measured the numbers that are quoted.

| name | source |
|---|---|
| matharena | github.com/eth-sri/matharena: configs/competitions, README.md (4 runs); Apex in 16 |
| deepseek-r1 | github.com/deepseek-ai/DeepSeek-R1: README.md, 4 and Usage Recommendations |
| qwen3 | huggingface.co/Qwen/Qwen3-235B-A22B: Best Practices, thinking |
| qwen3-no-think | the same, non-thinking |

What a source does not fix is left to the model: MathArena gives each model its own temperature and
length, and the card of Qwen3 names no number of samples.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from rewardkit.data.asking import Reworded
from rewardkit.errors import ConfigError, UnknownNameError
from rewardkit.evaluation.engines.base import DecodingSettings, first_set
from rewardkit.types import Task, VerifierLike

STEP_BY_STEP = (
    "{question}\n\nPlease reason step by step, and put your final answer within \\boxed{{}}."
)
"""DeepSeek and Qwen recommend the sentence; that it follows the question is our reading."""


@dataclass(frozen=True)
class Protocol:
    """How one published evaluation of mathematics asked; None is left to the model."""

    prompt: str
    source: str
    for_integers: str = ""
    """The prompt of sets whose answers are integers from 0 to 999, where that is another."""
    samples: int | None = None
    samples_of: Mapping[str, int] = field(default_factory=dict)
    """Of sets of which the source draws another number."""
    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    chat_template_kwargs: Mapping[str, Any] = field(default_factory=dict)

    def decoding(self, asked: DecodingSettings) -> DecodingSettings:
        """Return the settings with what they leave open as the protocol has it."""
        names = ("max_tokens", "temperature", "top_p", "top_k")
        filled = {name: first_set(getattr(asked, name), getattr(self, name)) for name in names}
        return replace(asked, **filled)


_BOX = "Put your final answer within \\boxed{{}}."
_QWEN = "huggingface.co/Qwen/Qwen3-235B-A22B, Best Practices"
PROTOCOLS: Mapping[str, Protocol] = MappingProxyType(
    {
        "matharena": Protocol(
            prompt=_BOX + "\n\n{question}",
            for_integers=f"{_BOX}\nThe answer is an integer between 0 and 999 inclusive."
            "\n\n{question}",
            source="github.com/eth-sri/matharena, configs/competitions at 63f9e59",
            samples=4,
            samples_of={"apex_2025": 16},
        ),
        "deepseek-r1": Protocol(
            prompt=STEP_BY_STEP,
            source="github.com/deepseek-ai/DeepSeek-R1, README.md at 00f3296",
            samples=64,
            max_tokens=32_768,
            temperature=0.6,
            top_p=0.95,
        ),
        "qwen3": Protocol(
            prompt=STEP_BY_STEP,
            source=_QWEN,
            max_tokens=38_912,
            temperature=0.6,
            top_p=0.95,
            top_k=20,
            chat_template_kwargs={"enable_thinking": True},
        ),
        "qwen3-no-think": Protocol(
            prompt=STEP_BY_STEP,
            source=_QWEN,
            max_tokens=38_912,
            temperature=0.7,
            top_p=0.8,
            top_k=20,
            chat_template_kwargs={"enable_thinking": False},
        ),
    }
)


def protocol_of(name: str) -> Protocol:
    """Return the protocol of a name.

    Raises:
        UnknownNameError: no such protocol.

    >>> protocol_of("deepseek-r1").samples
    64
    """
    if name not in PROTOCOLS:
        raise UnknownNameError("protocol", name, PROTOCOLS)
    return PROTOCOLS[name]


def asked_by(name: str, task: Task, own: VerifierLike | None = None) -> Task:
    """Return the task asked in a protocol's words.

    Args:
        name: of the protocol.
        task: what is asked.
        own: the verifier that says what kind of answer it wants, where another one grades; if it
            says nothing of mathematics, the one that grades does.

    Raises:
        ConfigError: the task's answers are no numbers or expressions that belong in a box.
    """
    from rewardkit.verifiers import IntegerVerifier, MathVerifier

    protocol = protocol_of(name)
    kinds = [one for one in (own, task.verifier) if isinstance(one, IntegerVerifier | MathVerifier)]
    if not kinds:
        raise ConfigError(
            f"protocol {name} asks for a mathematical answer in a box, and task {task.name} is "
            f"graded by {type(task.verifier).__name__}; leave --protocol out for it, or give the "
            "words yourself with --prompt"
        )
    whole = isinstance(kinds[0], IntegerVerifier) and protocol.for_integers
    return replace(task, messages=Reworded(task.messages, "", whole or protocol.prompt))
