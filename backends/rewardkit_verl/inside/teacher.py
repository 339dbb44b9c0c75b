"""The run's teacher inside verl's workers, in the place of the reference policy.

verl gives its reference the policy's model, and keeps a teacher of its own on GPUs of its own,
behind a vLLM server.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from verl.workers.engine_workers import ActorRolloutRefWorker, TrainingWorker

from rewardkit_verl.names import CONFIG_VARIABLE
from rewardkit_verl.settings import run_config


class ReferenceWorker(TrainingWorker):
    """verl's worker of the reference, with the run's teacher where it has one."""

    def __init__(self, config: Any) -> None:
        if CONFIG_VARIABLE in os.environ and (teacher := run_config().model.teacher):
            # What verl reads from a model, it reads anew: its tokenizer, its shape, ...
            own = {"path": teacher, "hf_config_path": None, "tokenizer_path": None}
            config = replace(config, model_config=replace(config.model_config, **own))
        super().__init__(config=config)


ActorRolloutRefWorker.ref_worker_cls = ReferenceWorker
