"""A run's configuration: frozen dataclasses, filled from a TOML file and `--set a.b=c`.

sections.py   one dataclass a section of the file
run.py        all of it together, and what must hold of it
flags.py      how settings become flags
loading.py    from TOML and overrides to a configuration, and back
"""

from rewardkit.config.loading import (
    build,
    config_from,
    config_to_toml,
    load_config,
    overridden,
    plain,
)
from rewardkit.config.rate import rate_factor, scheduled
from rewardkit.config.run import RunConfig
from rewardkit.config.sections import (
    CheckpointConfig,
    EvalConfig,
    LoraConfig,
    ModelConfig,
    OptimConfig,
    RecordsConfig,
    SamplingConfig,
    SourceConfig,
    TaskConfig,
    TrackConfig,
    VerifyConfig,
    VerlConfig,
    VllmConfig,
)
from rewardkit.judging.settings import JudgeConfig

__all__ = [
    "CheckpointConfig",
    "EvalConfig",
    "JudgeConfig",
    "LoraConfig",
    "ModelConfig",
    "OptimConfig",
    "RecordsConfig",
    "RunConfig",
    "SamplingConfig",
    "SourceConfig",
    "TaskConfig",
    "TrackConfig",
    "VerifyConfig",
    "VerlConfig",
    "VllmConfig",
    "build",
    "config_from",
    "config_to_toml",
    "load_config",
    "overridden",
    "plain",
    "rate_factor",
    "scheduled",
]
