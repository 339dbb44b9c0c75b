"""What an environment is: how a problem begins, what answers a turn, and any grade of its own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from rewardkit.errors import ConfigError
from rewardkit.types import Message, Problem


@dataclass(frozen=True, slots=True)
class Reply:
    """What an environment says to a turn of the model."""

    said: str | Sequence[Message] = ()
    """A text goes on in the model's own turn, messages are turns of their own, and behind them the
    model has its next; nothing ends the rollout."""
    state: Any = None
    """What the next turn is answered from, and `grade` gets at the end: JSON values, so that any
    process can go on; None keeps the state, with what was changed in it."""
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


WRITTEN = {
    "stop": "stop = ()  # texts that end a turn, besides the model's own end",
    "roles": 'roles = ("user",)  # of the messages that it says',
    "begin": "def begin(self, problem): return {}  # the state before the first turn",
    "reply": "def reply(self, problem, state, turn): return Reply()  # ends the rollout",
}
"""What an environment has, as it is written."""


def refuse_misshapen(environment: Any, task: str) -> None:
    """Raise a ConfigError where an attribute or a method is missing, or is something else.

    >>> refuse_misshapen(object(), "mine")
    Traceback (most recent call last):
    rewardkit.errors.ConfigError: the environment object of task 'mine' has no `stop`; write
        stop = ()  # texts that end a turn, besides the model's own end
    """
    name = environment.__name__ if isinstance(environment, type) else type(environment).__name__
    whose = f"the environment {name} of task {task!r}"
    if isinstance(environment, type):
        raise ConfigError(f"{whose} is a class; give an instance of it: environment={name}()")
    for member, line in WRITTEN.items():
        if not hasattr(environment, member):
            raise ConfigError(f"{whose} has no `{member}`; write\n    {line}")
    for member in ("stop", "roles"):
        found = getattr(environment, member)
        if isinstance(found, str) or not all(isinstance(one, str) for one in found):
            raise ConfigError(f"{whose}: `{member}` is {found!r}, expected texts, such as ('\\n',)")


def begun(environment: Environment, problem: Problem) -> Any:
    """Return the state of a rollout before its first turn, as any process gets it.

    Raises:
        TypeError, ValueError: JSON does not hold it.
    """
    return json.loads(as_json(environment.begin(problem), f"{type(environment).__name__}.begin"))


def replied(environment: Environment, problem: Problem, state: Any, turn: str) -> Reply:
    """Return what answers a turn, with the state that goes on.

    Raises:
        TypeError: it is no `Reply`.
    """
    found: Any = environment.reply(problem, state, turn)
    if not isinstance(found, Reply):
        raise TypeError(
            f"{type(environment).__name__}.reply returned {found!r:.80}, expected a Reply: "
            "Reply(TEXT OR MESSAGES, STATE), or Reply() to end the rollout"
        )
    return replace(found, state=state) if found.state is None else found


def as_json(found: Any, method: str) -> str:
    """Return what a method returned as JSON; what JSON does not hold is a TypeError that says so.

    >>> as_json({"left": {1, 2}}, "Game.begin")
    Traceback (most recent call last):
    TypeError: Game.begin: Object of type set is not JSON serializable; a state is of JSON values
    """
    try:
        return json.dumps(found)
    except TypeError as error:
        raise TypeError(f"{method}: {error}; a state is of JSON values") from error
