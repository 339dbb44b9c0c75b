"""What an environment is: how a problem begins, what answers a turn, and any grade of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from rewardkit.types import Message, Problem


@dataclass(frozen=True, slots=True)
class Reply:
    """What an environment says to a turn of the model."""

    said: str | Sequence[Message] = ()
    """A text goes on in the model's own turn, messages are turns of their own, and behind them the
    model has its next; nothing ends the rollout."""
    state: Any = None
    """What the next turn is answered from: JSON values, so that any process can go on."""
    errors: int = 0
    """Calls of this turn that were wrong, or that a tool refused; `said` tells the model."""
    score: float | None = None
    """What the turn was worth, in [0, 1], where more turns follow; the last one's is the verdict's.
    Only the estimators `grpo_process` and `mt_grpo` learn from it."""


class Environment(Protocol):
    """Answers the turns of a rollout; it is pickled to processes that are killed at a deadline.

    What it raises, and what it does not answer in time, is its own fault: such a rollout is
    undecided, and never wrong. With a third method, `grade(problem, state)`, it says itself what a
    rollout is worth at its end (a bool, a score in [0, 1] or a `Verdict`); without, the task's
    verifier grades what the model wrote.
    """

    stop: Sequence[str]
    """Texts that end a turn, besides the model's own end."""
    roles: Sequence[str]
    """Of the messages that it says; none where it goes on in the model's turn."""

    def begin(self, problem: Problem) -> Any:
        """Return the state of a rollout before the first turn."""
        ...

    def reply(self, problem: Problem, state: Any, turn: str) -> Reply:
        """Return what answers a turn, which is the text that the model wrote in it."""
        ...
