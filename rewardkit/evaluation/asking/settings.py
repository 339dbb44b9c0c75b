"""What an evaluation measures, on what, how it asks, and where it keeps what it found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rewardkit.errors import ConfigError
from rewardkit.evaluation.asking.asking import Asking
from rewardkit.evaluation.engines.base import (
    DecodingSettings,
    Engine,
    EngineOptions,
    known_engine,
    load_engine,
)

TRAIN, TEST = "train", "test"
SPLITS = (TEST, TRAIN)


@dataclass(frozen=True)
class EvalSettings:
    """What to measure, on what, and how often."""

    model: str
    tasks: tuple[str, ...]
    run_dir: Path
    samples: int = 16
    samples_of: Mapping[str, int] = field(default_factory=dict)
    """Of sets of which a protocol draws another number."""
    seed: int = 0
    limit: int | None = None
    """Only the first problems of each set."""
    engine: str = "transformers"
    decoding: DecodingSettings = field(default_factory=DecodingSettings)
    options: EngineOptions = field(default_factory=EngineOptions)
    task_arguments: Mapping[str, Any] = field(default_factory=dict)
    workers: int | None = None
    task_settings: tuple[str, ...] = ()
    """`task.KEY=VALUE` of the section [task], for each of the tasks."""
    asking: Asking = field(default_factory=Asking)
    """How the model is asked, in the place of the tasks' own words."""
    lengths: tuple[int, ...] = ()
    """Token limits at which the score is told, besides the one that is drawn with."""
    price: tuple[float, float] | None = None
    """Of a million tokens of prompts, and of responses."""
    split: str = TEST
    """`test`, with the task's further held-out sets, or `train`."""

    def __post_init__(self) -> None:
        for folder in (self.run_dir, *self.run_dir.parents):
            if not folder.is_dir() and (folder.exists() or folder.is_symlink()):
                kind = "a file" if folder.exists() else "a link to nothing"
                raise ConfigError(f"{folder} is {kind}; give --run-dir a folder, new or old")
        if (self.run_dir / "config.toml").exists():
            raise ConfigError(
                f"{self.run_dir} is a training run, whose results.json would be replaced; give "
                "--run-dir a folder of its own"
            )
        if self.samples < 1:
            raise ConfigError(f"samples must be at least 1, found {self.samples}")
        if self.limit is not None and self.limit < 1:
            raise ConfigError(f"limit must be at least 1, found {self.limit}")
        if not self.tasks:
            raise ConfigError("no task given")
        self.options.refuse_unread(known_engine(self.engine))
        if self.decoding.extra_body and self.engine != "openai":
            raise ConfigError(
                f"the {self.engine} engine takes no --extra-body; it is sent to servers by openai"
            )
        if self.split not in SPLITS:
            raise ConfigError(f"--split is one of {', '.join(SPLITS)}, found {self.split!r}")

    def load_engine(self) -> Engine:
        """Return the engine that is named, ready to draw."""
        return load_engine(self.engine, self.model, self.decoding, self.options)

    def record(self) -> dict[str, Any]:
        """Return what a later call needs to grade the same samples anew."""
        names = ("model", "tasks", "samples", "seed", "limit", "engine", "task_arguments")
        later = {
            "task_settings": self.task_settings,
            "asking": self.asking.record(),
            "split": self.split if self.split != TEST else "",
            "lengths": self.lengths,
            "samples_of": dict(self.samples_of),
            "price": self.price,
        }
        found = {name: getattr(self, name) for name in names}
        return found | {name: value for name, value in later.items() if value}
