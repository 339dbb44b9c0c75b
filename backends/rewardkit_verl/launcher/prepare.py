"""From a configuration to a command: everything that is decided before verl starts."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import rewardkit
import rewardkit_verl
from rewardkit.config import RunConfig, config_to_toml
from rewardkit.errors import ConfigError
from rewardkit_verl import names, versions
from rewardkit_verl.keys.decided import ANOTHER_ROLLOUT, DECIDED
from rewardkit_verl.keys.override import Override
from rewardkit_verl.keys.overrides import Launch, overrides

DRIVER = "rewardkit_verl.launcher.driver"
PLUGIN = "rewardkit_verl.plugin"
"""What verl imports in every process; with VERL_PLATFORM=cpu it brings the CPU platform."""

HUB = frozenset(
    {
        *("HF_HOME", "HF_HUB_CACHE", "HF_DATASETS_CACHE", "HF_ENDPOINT"),
        *("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "HF_TOKEN_PATH"),
    }
)
"""Where models and data sets come from. Not HF_TOKEN: what is passed on is printed and kept; nodes
read it from the file that `hf auth login` writes, and on this machine processes inherit it."""


@dataclass(frozen=True)
class Command:
    """A process to start: its overrides, and the environment on top of our own."""

    overrides: tuple[Override, ...]
    further: tuple[str, ...]
    """What the user adds in Hydra's words, and where Hydra may write."""
    environment: Mapping[str, str]

    @property
    def arguments(self) -> list[str]:
        """The command, word by word."""
        words = [override.text for override in self.overrides]
        return [sys.executable, "-m", DRIVER, *words, *self.further]

    @property
    def script(self) -> str:
        """The command as a shell script that runs as it stands."""
        return self._script(str)

    @property
    def outline(self) -> str:
        """The same for a person: of a text of many lines, such as the configuration, the first."""
        return self._script(_first_line)

    def _script(self, said: Callable[[str], str]) -> str:
        lines = [f"export {name}={shlex.quote(said(v))}" for name, v in self.environment.items()]
        quoted = " \\\n  ".join(shlex.quote(said(word)) for word in self.arguments[3:])
        start = f"exec {shlex.quote(sys.executable)} -m {DRIVER} \\\n  {quoted}"
        return "\n".join(["#!/bin/sh", *lines, start, ""])


def command(config: RunConfig, launch: Launch) -> Command:
    """Return the command that runs `config` on verl."""
    hydra = Override("run folder", "hydra.run.dir", str(launch.folder / "verl" / "hydra")).text
    driver_only = {
        "PYTHONUNBUFFERED": "1",
        "HYDRA_FULL_ERROR": "1",
        "RAY_USAGE_STATS_ENABLED": os.environ.get("RAY_USAGE_STATS_ENABLED", "0"),
    }
    found = tuple(overrides(config, launch))
    _refuse_contradictions(config, found)
    return Command(
        overrides=found,
        further=(*config.verl.overrides, hydra),
        environment={**launch.environment, **driver_only},
    )


def _refuse_contradictions(config: RunConfig, found: Iterable[Override]) -> None:
    decided = DECIDED | {override.key: override.field for override in found}
    for word in config.verl.overrides:
        key = word.lstrip("+~").partition("=")[0].strip()
        asked = key.partition("@")[2] or key  # group@where=choice
        for one, field in decided.items():
            if _touches(asked, one):
                raise ConfigError(
                    f"verl.overrides: {one} is decided by {field}; set that, and leave {word!r} out"
                )
        if any(_touches(asked, one) for one in ANOTHER_ROLLOUT):
            raise ConfigError(
                f"verl.overrides: {word!r} would change what a rollout is, and records, rewards "
                "and evaluation would be of another one; leave it out. Tools and several turns are "
                "the task's (docs/tools.md); for verl's own, run verl's own trainer with "
                "rewardkit's verifier as its reward: docs/integrations.md"
            )


def _touches(asked: str, key: str) -> bool:
    """Whether one of two keys is, or is above, the other: a mapping sets all that is below it."""
    return f"{key}.".startswith(f"{asked}.") or f"{asked}.".startswith(f"{key}.")


def environment(config: RunConfig, folder: Path, from_step: int = 0) -> dict[str, str]:
    """Return what every process of a run finds in its environment, wherever Ray starts it."""
    found = {
        names.CONFIG_VARIABLE: toml_of(config),
        "VERL_USE_EXTERNAL_MODULES": PLUGIN,
        "VERL_FILE_LOGGER_PATH": str(metrics_file(folder, from_step)),
        "PYTHONPATH": os.pathsep.join(import_path()),
        names.FOLDER_VARIABLE: os.getcwd(),
    }
    found |= {name: value for name, value in os.environ.items() if name in HUB}
    if os.environ.get(versions.PLATFORM):
        found[versions.PLATFORM] = os.environ[versions.PLATFORM]
    if config.model.threads:
        found["OMP_NUM_THREADS"] = str(config.model.threads)
    return found


def metrics_file(folder: Path, from_step: int) -> Path:
    """Return where verl's file logger writes; it empties what is there, so each start has one."""
    return folder / "verl" / f"metrics-from-{from_step:05d}.jsonl"


def toml_of(config: RunConfig) -> str:
    """Return the configuration as text that survives Hydra: without a dollar sign.

    OmegaConf would read `${...}` in a prompt as a reference; TOML has another way to write it.
    """
    return config_to_toml(config).replace("$", "\\u0024")


def import_path() -> list[str]:
    """Return where verl's processes must look for what this process has imported by path.

    The working directory is where `module:attribute` names are found; the packages' own folders
    matter in a checkout that is not installed.
    """
    packages = (rewardkit, rewardkit_verl)
    wanted = [os.getcwd(), *(str(Path(str(p.__file__)).parents[1]) for p in packages)]
    wanted += [entry for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
    return list(dict.fromkeys(os.path.abspath(e) for e in wanted if not _installed(e)))


def _installed(entry: str) -> bool:
    return Path(entry).name in ("site-packages", "dist-packages")


def _first_line(text: str) -> str:
    lines = text.splitlines()
    return text if len(lines) < 2 else f"{lines[0]} ... ({len(lines)} lines)"


def shown(words: Iterable[str], width: int = 300) -> list[str]:
    """Return words cut to `width`, for a person; the configuration alone fills a screen."""
    return [w if len(w) <= width else f"{w[:width]}... ({len(w)} characters)" for w in words]
