"""The run's teacher inside verl's workers, in the place of the reference policy.

verl gives its reference the policy's model, and keeps a teacher of its own on GPUs of its own,
behind a vLLM server.
"""

from __future__ import annotations

import os
from dataclasses import fields, replace
from typing import Any

from verl.workers.engine_workers import ActorRolloutRefWorker, TrainingWorker

from rewardkit_verl.names import CONFIG_VARIABLE
from rewardkit_verl.settings import run_config

OF_THE_MODEL = ("path", "hf_config_path", "tokenizer_path")
"""What names a model in verl's configuration; all else of it says how a model is run."""
DERIVED = (
    "local_path", "local_hf_config_path", "local_tokenizer_path",
    "hf_config", "generation_config", "tokenizer", "processor", "architectures",
)  # fmt: skip
"""What verl reads from the model itself."""


class ReferenceWorker(TrainingWorker):
    """verl's worker of the reference, with the run's teacher where it has one."""

    def __init__(self, config: Any) -> None:
        if CONFIG_VARIABLE in os.environ and (teacher := run_config().model.teacher):
            config = replace(config, model_config=of_model(config.model_config, teacher))
        super().__init__(config=config)


def of_model(config: Any, path: str) -> Any:
    """Return verl's configuration of a model for another one, which is run in the same way."""
    kept = {f.name for f in fields(config) if f.init} - {*OF_THE_MODEL, *DERIVED}
    return type(config)(path=path, **{name: getattr(config, name) for name in kept})


ActorRolloutRefWorker.ref_worker_cls = ReferenceWorker
