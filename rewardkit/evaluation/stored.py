"""An evaluation that was made: its results, and the settings it was drawn under."""

from __future__ import annotations

import shlex
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import msgspec

from rewardkit.errors import DataError
from rewardkit.evaluation.asking.problems import refuse_code
from rewardkit.evaluation.asking.settings import EvalSettings
from rewardkit.evaluation.engines.recorded import PROMPTS_FILE, RecordedEngine
from rewardkit.files import read_json
from rewardkit.runs.misfits import misfit
from rewardkit.runs.results import MODEL, RESULTS_FILE, Evaluation, evaluations_in

RUN_FILE = "run.json"
"""What the last call did, and with which versions."""


def load_results(folder: Path) -> Evaluation:
    """Return what `rewardkit eval` measured, from its run folder or its results.json.

    Raises:
        DataError: there are none, or they cannot be read.
    """
    path = folder / RESULTS_FILE if folder.is_dir() else folder
    try:
        found = read_json(path)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise DataError(f"{folder}: holds no {RESULTS_FILE}; {_how_to_measure(folder)}") from error
    evaluations = evaluations_in(found, path)
    if MODEL not in evaluations:
        raise DataError(f"{path}: not written by rewardkit eval; {_how_to_measure(path.parent)}")
    if "model" not in evaluations[MODEL]:
        raise DataError(f"{path}: names no model; {_how_to_measure(path.parent)}")
    if wrong := misfit(evaluations[MODEL], Evaluation):
        raise DataError(f"{path}: the evaluation's {wrong.removeprefix('.')}")
    return evaluations[MODEL]


def load_with_seconds(folder: Path) -> Evaluation:
    """Return what `load_results` does, with how long the responses took, which run.json knows.

    Raises:
        DataError: there are none, or they cannot be read.
    """
    found = load_results(folder)
    with suppress(OSError, DataError):
        run = read_json((folder if folder.is_dir() else folder.parent) / RUN_FILE)
        add_seconds(found, run.get("seconds") if isinstance(run, dict) else None)
    return found


def add_seconds(found: Evaluation, seconds: object) -> None:
    """Add to the tokens of each set how long its responses took to come.

    It stands in no results.json, which is the same for the same samples.
    """
    if isinstance(seconds, dict):
        for name, row in found["sets"].items():
            if name in seconds and isinstance(row.get("tokens"), dict):
                row["tokens"]["seconds"] = seconds[name]


def _how_to_measure(folder: Path) -> str:
    if any((folder / name).exists() for name in ("config.toml", "config.json")):
        return (
            "this is a training run or a model. Measure it first, and compare the folders that "
            f"this writes:\n  rewardkit eval --model {shlex.quote(str(folder))} --task TASK"
        )
    return f"write it with:\n  rewardkit eval --model MODEL --task TASK --run-dir {folder}"


def recorded_settings(
    engine: RecordedEngine,
    folder: Path,
    workers: int | None = None,
    *,
    verifier: str = "",
    trust: bool = False,
) -> EvalSettings:
    """Return the settings that a run folder was drawn under, for others to be graded by.

    Args:
        engine: what the folder says of itself.
        folder: what `rewardkit eval` wrote.
        workers: how many verifier processes at most.
        verifier: what was typed to grade in the place of what the folder names.
        trust: whether the folder may name code that is imported or run.

    Raises:
        DataError: they cannot be read.
        ConfigError: they name code, and are not trusted.
    """
    where = folder / PROMPTS_FILE
    try:
        own = {**engine.settings, "run_dir": folder, "workers": workers}
        settings = msgspec.convert(own, EvalSettings)
        if verifier:
            settings = replace(settings, asking=replace(settings.asking, verifier=""))
        if not trust:
            said = (settings.tasks, settings.task_arguments, settings.task_settings)
            refuse_code(*said, str(where), settings.asking, (verifier,))
        return settings
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise DataError(f"{where}: settings cannot be read ({error})") from error
