"""One evaluation from settings to files: the run folder holds all that a reader needs.

- samples.jsonl: the ledger, every response on a line
- regrades.jsonl: later verdicts on them, if any
- prompts.json: what was asked, as the model saw it, and the settings
- results.json: what was measured; the same for the same samples
- run.json: the last call: versions, time, failures
- report.html: the results for the eye
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from rewardkit.errors import ConfigError, DataError
from rewardkit.evaluation.engines import Decoding, Engine, EngineOptions, load_engine
from rewardkit.evaluation.ledger import Ledger
from rewardkit.evaluation.recorded import PROMPTS_FILE, RecordedEngine, prompt_record
from rewardkit.evaluation.results import overall, set_results
from rewardkit.evaluation.runner import (
    Activity,
    ProblemSet,
    Progress,
    draw_missing,
    plan,
    regrade,
    verifier_name,
)
from rewardkit.tasks import load_task
from rewardkit.types import Problem, Task

RESULTS_FILE = "results.json"
RUN_FILE = "run.json"
PACKAGES = ("rewardkit", "torch", "transformers", "vllm")


@dataclass(frozen=True)
class EvalSettings:
    """What to measure, on what, and how often."""

    model: str
    tasks: tuple[str, ...]
    run_dir: Path
    samples: int = 16
    seed: int = 0
    limit: int | None = None
    """Only the first problems of each set."""
    engine: str = "transformers"
    decoding: Decoding = field(default_factory=Decoding)
    options: EngineOptions = field(default_factory=EngineOptions)
    task_arguments: Mapping[str, Any] = field(default_factory=dict)
    workers: int | None = None

    def __post_init__(self) -> None:
        for folder in (self.run_dir, *self.run_dir.parents):
            if folder.exists() and not folder.is_dir():
                raise ConfigError(f"{folder} is a file; give --run-dir a folder, new or old")
        if self.samples < 1:
            raise ConfigError(f"samples must be at least 1, found {self.samples}")
        if self.limit is not None and self.limit < 1:
            raise ConfigError(f"limit must be at least 1, found {self.limit}")
        if not self.tasks:
            raise ConfigError("no task given")


def evaluate_model(
    settings: EvalSettings,
    *,
    regrade_only: bool = False,
    engine: Engine | None = None,
    progress: Progress = lambda activity, wanted: None,
) -> tuple[dict[str, Any], Activity]:
    """Draw what is missing (or only regrade), and write results.json and run.json.

    An engine that is given stays open; otherwise the one that the settings name is loaded.

    Raises:
        RewardkitError: of many kinds; what was drawn so far stays in the ledger.
    """
    named = problem_sets(settings)  # before the model: a bad task name should not cost a load
    owned = engine is None
    if engine is None:
        engine = load_engine(settings.engine, settings.model, settings.decoding, settings.options)
    try:
        sets = plan(named, engine, settings.samples, settings.seed)
        with Ledger(settings.run_dir) as ledger:
            if not isinstance(engine, RecordedEngine):
                chats = [one.task.messages(p) for one in sets for p in one.problems]
                record = prompt_record(engine, _settings_record(settings), chats)
                write_json(settings.run_dir / PROMPTS_FILE, record)
            if regrade_only:
                activity = regrade(sets, ledger, settings.workers)
            else:
                activity = draw_missing(sets, engine, ledger, settings.workers, progress)
            results = build_results(settings, engine, sets, ledger, activity)
            write_json(settings.run_dir / RESULTS_FILE, results)
            write_json(
                settings.run_dir / RUN_FILE, _run_record(settings, engine, sets, ledger, activity)
            )
    finally:
        if owned:
            engine.close()
    return results, activity


def regrade_run(folder: Path, workers: int | None = None) -> tuple[dict[str, Any], Activity]:
    """Verify the responses of a run folder anew under its own settings, without its model.

    Raises:
        DataError: no run folder, or its tasks now ask something else.
    """
    engine = RecordedEngine(folder)
    try:
        recorded = {**engine.settings, "tasks": tuple(engine.settings["tasks"])}
        settings = EvalSettings(run_dir=folder, workers=workers, **recorded)
    except (KeyError, TypeError) as error:
        raise DataError(f"{folder / PROMPTS_FILE}: settings cannot be read ({error!r})") from error
    return evaluate_model(settings, regrade_only=True, engine=engine)


def problem_sets(settings: EvalSettings) -> dict[str, tuple[Task, Sequence[Problem]]]:
    """Load the tasks; each gives its test set, and its further held-out sets as TASK/NAME.

    Raises:
        ConfigError: a task named twice, or without test problems.
    """
    found: dict[str, tuple[Task, Sequence[Problem]]] = {}
    for name in settings.tasks:
        task = load_task(name, **settings.task_arguments)
        sets = {task.name: task.test} | {f"{task.name}/{k}": v for k, v in task.suites.items()}
        for label, problems in sets.items():
            if label in found:
                raise ConfigError(f"two tasks are called {label!r}; evaluate them apart")
            chosen = problems[: settings.limit]
            if not chosen:
                raise ConfigError(f"task {label!r} has no test problem")
            found[label] = (task, chosen)
    return found


def build_results(
    settings: EvalSettings,
    engine: Engine,
    sets: Sequence[ProblemSet],
    ledger: Ledger,
    activity: Activity,
) -> dict[str, Any]:
    """Return what results.json holds."""
    rows = {one.name: set_results(one, ledger.samples) for one in sets}
    return {
        "model": settings.model,
        "fingerprint": engine.fingerprint,
        "engine": settings.engine,
        "seed": settings.seed,
        "sampling": {
            "samples_per_problem": settings.samples,
            "max_tokens": engine.decoding.max_tokens,
            "temperature": engine.decoding.temperature,
            "top_p": engine.decoding.top_p,
            "top_k": engine.decoding.top_k,
        },
        "complete": all(row["complete"] for row in rows.values()),
        "generation_errors": activity.failures.total(),
        "overall": overall(rows),
        "tasks": rows,
    }


def load_results(folder: Path) -> dict[str, Any]:
    """Return the results of a run folder.

    Raises:
        DataError: there are none, or they cannot be read.
    """
    path = folder / RESULTS_FILE if folder.is_dir() else folder
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise DataError(f"{folder}: holds no {RESULTS_FILE}; {_how_to_measure(folder)}") from error
    except ValueError as error:
        raise DataError(f"{path}: not JSON ({error})") from error
    if not isinstance(found, dict) or "tasks" not in found:
        raise DataError(
            f"{path}: not written by rewardkit eval (no field 'tasks'); "
            f"{_how_to_measure(path.parent)}"
        )
    return found


def _how_to_measure(folder: Path) -> str:
    if any((folder / name).exists() for name in ("config.toml", "config.json")):
        return (
            "this is a training run or a model. Measure it first, and compare the folders that "
            f"this writes:\n  rewardkit eval --model {folder} --task TASK"
        )
    return f"write it with:\n  rewardkit eval --model MODEL --task TASK --run-dir {folder}"


def write_json(path: Path, value: Any) -> None:
    """Write the file whole or not at all."""
    part = path.with_name(f".{path.name}.part")
    part.write_text(json.dumps(value, indent=1, ensure_ascii=True) + "\n", encoding="ascii")
    os.replace(part, path)


def _settings_record(settings: EvalSettings) -> dict[str, Any]:
    names = ("model", "tasks", "samples", "seed", "limit", "engine", "task_arguments")
    return {name: getattr(settings, name) for name in names}


def _run_record(
    settings: EvalSettings,
    engine: Engine,
    sets: Sequence[ProblemSet],
    ledger: Ledger,
    activity: Activity,
) -> dict[str, Any]:
    return {
        "tasks": list(settings.tasks),
        "task_arguments": dict(settings.task_arguments),
        "limit": settings.limit,
        "verifiers": {one.name: verifier_name(one.task.verifier) for one in sets},
        "last_call": {
            "drawn": activity.drawn,
            "reused": activity.reused,
            "regraded": activity.regraded,
            "torn_lines_cut": ledger.healed,
            "tokens": activity.tokens,
            "seconds": round(activity.seconds, 3),
            "failures": dict(activity.failures),
        },
        "python": sys.version.split()[0],
        "platform": platform.platform(),
        "versions": {name: _version(name) for name in PACKAGES},
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
