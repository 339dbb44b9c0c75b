"""What a Python program calls to do what the command line does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rewardkit.config import config_from
from rewardkit.registry import BACKENDS, TASKS
from rewardkit.types import Task

TaskFactory = Callable[..., Task]
"""A function that makes a task, from what `--set task.args.KEY=VALUE` gives it."""


def register_task(name: str) -> Callable[[TaskFactory], TaskFactory]:
    """Return a decorator that registers a task factory under a name.

    The factory takes the keyword arguments under `task.args` and returns a `Task`.

    Raises:
        ConfigError: the name is taken.
    """
    return TASKS.register(name)


def train(
    *,
    folder: str,
    steps: int,
    task: str | Mapping[str, Any] | Sequence[str | Mapping[str, Any]],
    recipe: str | Mapping[str, Any] = "grpo",
    model: str | Mapping[str, Any] = "smollm2-135m",
    backend: str = "native",
    resume: bool = False,
    overwrite: bool = False,
    **settings: Any,
) -> Path:
    """Train a model and return the run folder; the arguments are what a TOML file would say.

    `task`, `recipe` and `model` are names, or tables with a name and further fields; several tasks
    are a mixture, as in `task=["gsm8k", {"name": "countdown", "weight": 2}]`. `settings` are
    further top-level keys and sections, as in `sampling={"max_tokens": 64}, seed=1`. With
    `resume`, the run in `folder` goes on from its last checkpoint.

    Raises:
        RewardkitError: as `rewardkit train` does.
    """
    config = config_from(
        {
            "folder": folder,
            "steps": steps,
            **_tasks(task),
            "recipe": _named(recipe),
            "model": _named(model),
            **settings,
        }
    )
    path: Path = BACKENDS.get(backend)(config, resume=resume, overwrite=overwrite)
    return path


def _tasks(task: str | Mapping[str, Any] | Sequence[str | Mapping[str, Any]]) -> dict[str, Any]:
    """Return the section [task], or [[tasks]] where there are several."""
    if isinstance(task, str | Mapping):
        return {"task": _named(task)}
    return {"tasks": [_named(one) for one in task]}


def _named(section: str | Mapping[str, Any]) -> dict[str, Any]:
    return {"name": section} if isinstance(section, str) else dict(section)
