"""From settings to the sets of problems that are asked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rewardkit.data.opening import as_data, pinned
from rewardkit.errors import ConfigError
from rewardkit.evaluation.asking.asking import Asking
from rewardkit.evaluation.asking.settings import TEST, TRAIN, EvalSettings
from rewardkit.registry import named_by
from rewardkit.tasks import opened
from rewardkit.tasks.loading import name_of
from rewardkit.tasks.settings import Purpose, settings_from, unopened
from rewardkit.types import Problem, Task


def problem_sets(settings: EvalSettings) -> dict[str, tuple[Task, Sequence[Problem]]]:
    """Load the tasks; each gives its test set, and its further held-out sets as TASK/NAME.

    Raises:
        ConfigError: a task named twice, or without test problems.
    """
    found: dict[str, tuple[Task, Sequence[Problem]]] = {}
    for name in settings.tasks:
        task = asked_task(settings, name, "train" if settings.split == TRAIN else "evaluate")
        sets: dict[str, Sequence[Problem]] = {f"{task.name}/{TRAIN}": task.train}
        if settings.split == TEST:
            other = settings_from(name, {}, settings.task_settings).test
            if other:
                task = replace(task, source=pinned(as_data(other)))
            sets = {name_of(other) if other else task.name: task.test}
            sets |= {f"{task.name}/{k}": v for k, v in task.suites.items()}
        for label, problems in sets.items():
            if label in found:
                raise ConfigError(f"two tasks are called {label!r}; evaluate them apart")
            chosen = problems[: settings.limit]
            if not chosen:
                raise ConfigError(_no_problem(label, task, settings.split))
            found[label] = (task, chosen)
    return found


def asked_task(settings: EvalSettings, name: str, purpose: Purpose) -> Task:
    """Return a task as the settings choose its problems, ask and grade.

    Raises:
        RewardkitError: of many kinds; a name, a setting or a row that cannot be used.
    """
    own = settings_from(name, settings.task_arguments, settings.task_settings)
    task = unopened(settings.asking.laid_over(own), purpose)
    graded = opened(settings.asking.graded(task, own))
    return settings.asking.of_protocol(graded, task.verifier)


def refuse_code(
    tasks: Sequence[str],
    arguments: Mapping[str, Any],
    overrides: Sequence[str],
    where: str,
    asking: Asking,
    typed: Collection[str] = (),
) -> None:
    """Refuse tasks that data name, by `named_by`; nothing is opened.

    Raises:
        RewardkitError: a task or verifier of a module, or one that acts; or what cannot be made.
    """
    with named_by(where, typed):
        for name in tasks:
            own = settings_from(name, arguments, overrides)
            asking.graded(unopened(asking.laid_over(own), "evaluate"), own)


def _no_problem(label: str, task: Task, split: str) -> str:
    other = TRAIN if split == TEST else TEST
    if split == TEST and len(task.train) == 0:
        other = ""
    if split == TRAIN and len(task.test) == 0:
        other = ""
    hint = f"; its {other} problems are taken with --split {other}" if other else ""
    return (
        f"task {label!r} has no {split} problem{hint}; of a data set with other splits, take one "
        "with --set task.test_split=NAME"
    )
