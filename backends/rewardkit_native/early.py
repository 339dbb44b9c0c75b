"""What can be said of a run by its names alone: before threads are tried or torch is loaded."""

from __future__ import annotations

from rewardkit.config import RunConfig
from rewardkit.evaluation.models import resolve_model
from rewardkit.registry import MODELS
from rewardkit.tasks import check_name
from rewardkit.verifiers import load_verifier


def check_early(config: RunConfig) -> None:
    """Refuse a task, a file, a verifier or a model that there is not.

    Raises:
        UnknownNameError: no such task or verifier.
        ConfigError: a task's name that is of no form, or options that a verifier does not take.
        DataError: a file of problems that is not there.
        ModelError: no such model.
    """
    for one in config.tasks or (config.task,):
        check_name(one.name)
        if one.verifier and ":" not in one.verifier:  # a module of yours might load torch
            load_verifier(one.verifier, **one.verifier_options)
    if config.model.name not in MODELS.names():  # those may have to be fetched first
        resolve_model(config.model.name)
