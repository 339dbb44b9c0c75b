"""The environments of a run in their processes, one a task of a mixture."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, NamedTuple

from rewardkit.environments.chat import Chat
from rewardkit.environments.pool import EnvironmentPool
from rewardkit.types import Problem, Task


@dataclass(frozen=True)
class TurnLimits:
    """Turns of the model in a rollout; processes, seconds and memory of its environment."""

    turns: int = 8
    workers: int = 2
    deadline_s: float = 10.0
    memory_mb: int | None = 2048


class Played(NamedTuple):
    """An environment in its processes, and the tokens between its turns."""

    pool: EnvironmentPool
    chat: Chat


def played_tasks(task: Task) -> dict[str, Task]:
    """Return the tasks that have an environment, by label; "" where there is one task."""
    parts = task.parts or {"": task}
    return {label: part for label, part in parts.items() if part.environment is not None}


def chats_of(tasks: Mapping[str, Task], tokenizer: Any, name: str = "") -> dict[str, Chat]:
    """Return what makes tokens of the messages of each task.

    Raises:
        ConfigError: the model's chat template rewrites turns; `name` is the model, for messages.
    """
    found = {}
    for label, task in tasks.items():
        found[label] = Chat(tokenizer, task.chat_template_kwargs, name)
        for role in task.environment.roles:
            found[label].check(role)
    return found


class EnvironmentTable:
    """The environments of tasks, by the label that problems of a mixture have as source.

    Args:
        tasks: what is played; "" is all others.
        tokenizer: of transformers.
        limits: of what an environment may take.
        name: the model, for messages.

    Raises:
        ConfigError: the model's chat template rewrites turns.
    """

    def __init__(
        self, tasks: Mapping[str, Task], tokenizer: Any, limits: TurnLimits, name: str = ""
    ) -> None:
        self._open = ExitStack()
        self._found: dict[str, Played] = {}
        for label, chat in chats_of(tasks, tokenizer, name).items():
            pool = EnvironmentPool(
                tasks[label].environment, limits.workers, limits.deadline_s, limits.memory_mb
            )
            self._found[label] = Played(self._open.enter_context(pool), chat)

    def of(self, problem: Problem) -> Played | None:
        """Return the environment of a problem; None where it has none."""
        return self._found.get(problem.source, self._found.get(""))

    def close(self) -> None:
        """End the processes."""
        self._open.close()
