"""What comes before torch is loaded: what names and data say of a run, and how threads will wait.

Between two operations OpenMP's threads either spin or sleep. Spinning for ever decodes twice as
fast on a quiet machine, and is many times as slow beside other load, since a spinning thread holds
the core that the next one needs. Threads that spin for some microseconds and sleep then are nearly
as fast on the one, and never far behind on the other; libgomp reads how long when torch loads.
"""

from __future__ import annotations

import os
import sys
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

WAITING = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")
"""What a user may have set; the second is in turns of a loop, each some 20 ns."""
TURNS = 1000


def check_early(config: RunConfig, *, resume: bool = False, overwrite: bool = False) -> None:
    """Refuse a task, file, column, verifier or model that there is not, and a folder that there is.

    Of a run that goes on, whose model is in its checkpoint, refuse another task, seed or recipe.
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


def wait_briefly() -> str:
    """Let torch's threads sleep soon; must come before torch is imported.

    Returns a line for the user where it is too late, and leaves what the user has set.
    """
    if any(name in os.environ for name in WAITING):
        return ""
    if "torch" in sys.modules:
        return (
            "torch was loaded before, so that its threads wait as they do, which is slow beside "
            f"other work; to change that, set {WAITING[1]}={TURNS} before Python starts"
        )
    os.environ[WAITING[1]] = str(TURNS)
    return ""
