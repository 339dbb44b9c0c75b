"""What can be said of a run by its names and data: before threads are tried or torch is loaded."""

from __future__ import annotations

from pathlib import Path

from rewardkit.config import RunConfig, TaskConfig
from rewardkit.data.opening import is_data
from rewardkit.errors import ConfigError
from rewardkit.evaluation.models import resolve_model
from rewardkit.registry import MODELS
from rewardkit.runs import RunFolder
from rewardkit.sampling.order import order_of
from rewardkit.task_settings import run_task
from rewardkit.tasks import check_name
from rewardkit.types import Task
from rewardkit.verifiers import load_verifier


def check_early(config: RunConfig, *, resume: bool = False, overwrite: bool = False) -> None:
    """Refuse a task, file, column, verifier or model that there is not, and a folder that there is.

    Of a run that goes on, whose model is in its checkpoint, refuse another task, seed or recipe.

    Raises:
        UnknownNameError: no such task or verifier.
        ConfigError: the run's folder holds something already or cannot go on so, a task's name is
            of no form, a task or a verifier does not take its settings, or there is nothing to
            train on or to evaluate.
        DataError: a file of problems that is not there, or whose columns are not those named.
        ModelError: no such model.
    """
    if resume:
        RunFolder.open(config.folder).refuse_changed_run(config)
        return
    RunFolder(Path(config.folder)).refuse_what_is_there(overwrite=overwrite)
    for one in config.tasks or (config.task,):
        check_name(one.name)
        if one.verifier and ":" not in one.verifier:  # a module of yours might load torch
            load_verifier(one.verifier, **one.verifier_options)
    if config.model.name not in MODELS.names():  # those may have to be fetched first
        resolve_model(config.model.name)
    if all(is_data(one.name) or ":" not in one.name for one in config.tasks or (config.task,)):
        refuse_empty_sets(run_task(config), config)


def refuse_empty_sets(task: Task, config: RunConfig) -> None:
    """Raise a ConfigError where there is nothing to train on or to evaluate."""
    if not len(task.train):
        raise ConfigError(
            f"task {task.name} has no training problems; for problems in a file, give "
            "--set task.args.train=FILE"
        )
    order_of(task.train, config.seed)  # says which part of a mixture has none
    if not config.eval.samples:
        return
    weighed = zip(task.parts.values(), config.tasks, strict=True)
    drawn: list[tuple[str, Task, TaskConfig]] = [
        (f"tasks.{n}", part, one) for n, (part, one) in enumerate(weighed) if one.weight
    ]
    for key, part, settings in drawn or [("task", task, config.task)]:
        if part.train is part.test:
            others = f" with --set {key}.test=file:OTHER" if is_data(settings.name) else ""
            raise ConfigError(
                f"task {part.name} would be evaluated on the problems that it trains on; give it "
                f"others{others}, or turn evaluation off with --set eval.samples=0"
            )
    if not len(task.test):
        raise ConfigError(
            f"task {task.name} has no test problems to evaluate on; give it some, or turn "
            "evaluation off with --set eval.samples=0"
        )
