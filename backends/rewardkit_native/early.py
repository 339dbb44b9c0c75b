"""What can be said of a run by its names and data: before threads are tried or torch is loaded."""

from __future__ import annotations

from pathlib import Path

from rewardkit.config import RunConfig
from rewardkit.data.opening import is_data
from rewardkit.evaluation.models import resolve_model
from rewardkit.registry import MODELS
from rewardkit.runs import RunFolder
from rewardkit.tasks import check_name
from rewardkit.tasks.settings import judged, run_task
from rewardkit.validation.refusals import refuse_empty_sets
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
            load_verifier(one.verifier, **judged(one, config).verifier_options)
    if config.model.name not in MODELS.names():  # those may have to be fetched first
        resolve_model(config.model.name)
    if all(is_data(one.name) or ":" not in one.name for one in config.tasks or (config.task,)):
        refuse_empty_sets(run_task(config), config)
