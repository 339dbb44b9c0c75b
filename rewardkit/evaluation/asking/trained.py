"""What a run of ours said of its task, beside what an evaluation of its checkpoint says."""

from __future__ import annotations

import json
import shlex
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rewardkit.data.opening import is_data
from rewardkit.evaluation.asking.settings import EvalSettings
from rewardkit.evaluation.models import run_of
from rewardkit.task_settings import settings_from

ASKED = ("system", "prompt", "chat_template_kwargs")
GRADED = ("verifier", "verifier_options")


def trained_otherwise(settings: EvalSettings) -> str:
    """Return the note that a run asked or graded by keys of [task] that an evaluation leaves out.

    What grades is named for data and for the run's own task only: a benchmark has its own. Empty
    where there is nothing to say, as for a model that no run of ours made.
    """
    run = run_of(settings.model)
    if run is None or settings.asking.protocol:
        return ""
    trained = tomllib.loads((run / "config.toml").read_text("utf-8")).get("task", {})
    left: list[str] = []
    for name in settings.tasks:
        own = settings_from(name, settings.task_arguments, settings.task_settings)
        now = settings.asking.with_settings(own)
        keys = (*ASKED, *GRADED) if is_data(name) or name == trained.get("name") else ASKED
        said = {key: getattr(now, key, None) or getattr(own, key) for key in keys}
        left += [key for key in keys if trained.get(key) and not said[key] and key not in left]
    if not left:
        return ""
    flags = " ".join(f"--set {shlex.quote(one)}" for key in left for one in _set(key, trained[key]))
    return (
        f"NOTE {_shown(run)} trained with {' and '.join(f'task.{key}' for key in left)}, which is "
        f"not taken from it; to ask and grade as it did: {flags}"
    )


def _set(key: str, value: Any) -> list[str]:
    """Return what --set takes to give a key of [task] a value."""
    if isinstance(value, Mapping):
        return [f"task.{key}.{name}={json.dumps(one)}" for name, one in value.items()]
    return [f"task.{key}={value}"]


def _shown(run: Path) -> str:
    here = Path.cwd()
    return str(run.relative_to(here)) if run.is_relative_to(here) else str(run)
