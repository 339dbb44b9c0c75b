"""What a run of ours said of its task, beside what an evaluation of its checkpoint says."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from rewardkit.config import SamplingConfig, TaskConfig, build
from rewardkit.data.opening import is_data
from rewardkit.environments.table import TurnLimits
from rewardkit.errors import ConfigError
from rewardkit.evaluation.asking.asking import Asking
from rewardkit.evaluation.asking.settings import TRAIN, EvalSettings
from rewardkit.evaluation.engines.base import READERS, DecodingSettings, EngineOptions
from rewardkit.evaluation.models import run_of, shown, trained_dtype
from rewardkit.files import read_toml
from rewardkit.tasks.settings import settings_from

ASKED = ("system", "prompt", "chat_template_kwargs")
GRADED = ("verifier", "verifier_options")
CHOSEN = ("where", "limit", "shuffle")
"""Which problems are trained on; a run's own evaluation takes held-out ones as they are."""


def task_of_run(folder: str, asking: Asking, split: str) -> tuple[str, dict[str, Any], list[str]]:
    """Return the task of a run of ours: its name, its arguments, and `task.KEY=VALUE` of the rest.

    What the flags of the command line say of words or verifier is left to them.

    Raises:
        ConfigError: the run learns a mixture.
    """
    run = Path(folder)
    config = read_toml(run / "config.toml")
    tasks = config.get("tasks")
    if mixed := [
        str(one["name"]) for one in tasks or () if isinstance(one, dict) and "name" in one
    ]:
        raise ConfigError(
            f"{run} learns a mixture; name one task of it, or several: --task {','.join(mixed)}"
        )
    trained = config.get("task", {})
    if not isinstance(trained, dict) or not isinstance(trained.get("name", ""), str):
        raise ConfigError(f"{run / 'config.toml'}: task is a table with a name")
    others = {"name", "args", *(CHOSEN if split != TRAIN else ())}
    others |= {*(ASKED if asking.protocol else ()), *(GRADED if asking.verifier else ())}
    others |= {"system"} if asking.system_prompt else set()
    others |= {"prompt"} if asking.prompt else set()
    usual = TaskConfig()
    keys = [key for key in trained if key not in others and trained[key] != getattr(usual, key, "")]
    if "verifier" in keys and str(trained["verifier"]).endswith("judge"):
        options = {**(config.get("judge") or {}), **trained.get("verifier_options", {})}
        trained, keys = {**trained, "verifier_options": options}, list({*keys, "verifier_options"})
    lines = [line for key in sorted(keys) for line in _exactly(f"task.{key}", trained[key])]
    return trained.get("name", usual.name), trained.get("args", {}), lines


def drawn_as(folder: str, decoding: DecodingSettings) -> DecodingSettings:
    """Return the decoding with the limits of turns of a run, and its stop texts unless given.

    Raises:
        ConfigError: they cannot be.
    """
    said = read_toml(Path(folder) / "config.toml").get("sampling")
    keys = ("stop", "turns", "tool_deadline_s")
    own = {key: said[key] for key in keys if key in said} if isinstance(said, dict) else {}
    sampling = build(SamplingConfig, own, f"{folder}/config.toml: sampling")
    limits = TurnLimits(sampling.turns, deadline_s=sampling.tool_deadline_s)
    usual = limits == TurnLimits()
    stop = decoding.stop or sampling.stop
    return replace(decoding, stop=stop, limits=None if usual else limits)


def computed_as(folder: str, model: str, engine: str, options: EngineOptions) -> EngineOptions:
    """Return the options with the type that a run sampled in, for a model that is of no run."""
    if options.dtype != "auto" or engine not in READERS["dtype"] or run_of(model) is not None:
        return options
    return replace(options, dtype=trained_dtype(folder) or "auto")


def is_run(name: str) -> bool:
    """Return whether a name is the folder of a run of ours."""
    return all((Path(name) / file).is_file() for file in ("config.toml", "manifest.json"))


def trained_otherwise(settings: EvalSettings) -> str:
    """Return the note that a run asked or graded by keys of [task] that an evaluation leaves out.

    What grades is named for data and for the run's own task only: a benchmark has its own. Empty
    where there is nothing to say, as for a model that no run of ours made.
    """
    run = run_of(settings.model)
    if run is None or settings.asking.protocol:
        return ""
    trained = read_toml(run / "config.toml").get("task", {})
    left: list[str] = []
    for name in settings.tasks:
        own = settings_from(name, settings.task_arguments, settings.task_settings)
        now = settings.asking.with_settings(own)
        same = is_data(name) or name == trained.get("name")
        keys = (*ASKED, *GRADED, "answer_in") if same else ASKED
        said = {key: getattr(now, key, None) or getattr(own, key) for key in keys}
        if now.verifier not in ("", trained.get("verifier")):  # the options are another one's
            said["verifier_options"] = {"of": now.verifier}
        left += [key for key in keys if trained.get(key) and not said[key] and key not in left]
    if not left:
        return ""
    flags = " ".join(f"--set {shlex.quote(one)}" for key in left for one in _set(key, trained[key]))
    return (
        f"NOTE {shown(run)} trained with {' and '.join(f'task.{key}' for key in left)}, which is "
        f"not taken from it; to ask and grade as it did: {flags}"
    )


def computed_otherwise(settings: EvalSettings) -> str:
    """Return the note that a run sampled in another type than an evaluation asks for, if it did."""
    sampled, asked = trained_dtype(settings.model), settings.options.dtype
    if sampled in (None, "auto", asked) or asked == "auto":
        return ""
    return (
        f"NOTE {settings.model} sampled in {sampled}, and this computes in {asked}: scores may be "
        "far from the run's own. Without --dtype its type is taken; --task RUN takes it for a "
        "model that it began with, too"
    )


def _set(key: str, value: Any) -> list[str]:
    """Return what --set takes to give a key of [task] a value."""
    return _exactly(f"task.{key}", value) if isinstance(value, Mapping) else [f"task.{key}={value}"]


def _exactly(path: str, value: Any) -> list[str]:
    """Return the overrides that give a key a value of whatever type, as TOML.

    >>> _exactly("task.args", {"level": 3, "note": "3"})
    ['task.args.level=3', 'task.args.note="3"']
    """
    if isinstance(value, Mapping):
        return [line for name, one in value.items() for line in _exactly(f"{path}.{name}", one)]
    return [f"{path}={json.dumps(value, ensure_ascii=False)}"]
