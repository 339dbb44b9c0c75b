"""Evaluate the checkpoints of a run: a curve with bands, and an honest best of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from rewardkit.errors import ConfigError, ModelError
from rewardkit.evaluation.asking.settings import EvalSettings
from rewardkit.evaluation.drawing.progress import LiveProgress
from rewardkit.evaluation.measures.scoring import score_of, unknown
from rewardkit.evaluation.models import merging, numbered_checkpoints, unmerged
from rewardkit.evaluation.pages.display import percent, print_failures, span
from rewardkit.evaluation.pages.report import say_written, write_sweep
from rewardkit.evaluation.session import evaluate_model
from rewardkit.evaluation.statistics.selection import split_half
from rewardkit.files import write_json
from rewardkit.pages.console import Console
from rewardkit.runs.results import SetResult
from rewardkit.types import UNDECIDED


def sweep_run(run: Path, settings: EvalSettings, console: Console) -> dict[str, Any]:
    """Evaluate each checkpoint into a folder of its own; write sweep.json and sweep.html.

    All checkpoints get the same seeds on the same problems; samples that are there are kept.

    Raises:
        ConfigError: the folder holds no checkpoint.
        ModelError: not one response came, at any checkpoint.
    """
    sets: tuple[str, ...] = ()
    curve: list[dict[str, Any]] = []
    outcomes: list[dict[str, list[bool]]] = []
    failures: Counter[str] = Counter()
    samples = 0
    for step, folder in _checkpoints(run, console):
        here = replace(settings, model=str(folder), run_dir=settings.run_dir / f"step-{step:06d}")
        with LiveProgress(Console(stderr=True), f"step {step}") as live:
            results, activity = evaluate_model(here, progress=live)
        failures += activity.failures
        sets = tuple(results["sets"])
        samples += sum(row["samples"] for row in results["sets"].values())
        score, said = unknown(), "partial"
        if results["complete"]:
            problems = [one for row in results["sets"].values() for one in row["per_problem"]]
            score = score_of([(one["correct"], one["graded"]) for one in problems])
            outcomes.append(_outcomes(results["sets"]))
            said = f"{percent(score['accuracy'])} % (these problems "
            said += f"{span(score['interval_these_problems'])})"
        curve.append({"step": step, "complete": results["complete"], **score})
        console.print(f"step {step}: {said}", highlight=False)
        print_failures(activity, console)
    if not samples:
        raise ModelError(f"not one response came: {next(iter(failures), 'no reason given')}")
    sweep = {
        "run": str(run),
        "sets": list(sets),
        "curve": curve,
        "selection": _selection(curve, outcomes),
    }
    write_json(settings.run_dir / "sweep.json", sweep)
    say_written("sweep", lambda: write_sweep(sweep, settings.run_dir), console)
    return sweep


def _checkpoints(run: Path, console: Console) -> list[tuple[int, Path]]:
    """Return the checkpoints that can be loaded, and say which cannot."""
    found = numbered_checkpoints(run)
    left = unmerged(run, [step for step, _ in found])
    if left and not found:
        raise ConfigError(f"{run}: no checkpoint of it can be loaded; {_left_out(run, left)}")
    if not found:
        raise ConfigError(
            f"{run}: holds no checkpoint (folders like checkpoints/step-00010 or global_step_10)"
        )
    if left:
        said = f"NOTE {_left_out(run, left)}"
        console.print(said, soft_wrap=True, highlight=False, markup=False)
    return found


def _left_out(run: Path, shards: Sequence[int]) -> str:
    named = ", ".join(map(str, shards))
    return (
        f"the curve is without {len(shards)} checkpoints, of step {named}: they are shards of "
        "verl's, of which the last one of a launch is merged. To have another, and then the same "
        f"command again:\n  {merging(run, shards[0])}"
    )


def _outcomes(sets: Mapping[str, SetResult]) -> dict[str, list[bool]]:
    """Return whether each decided sample is right, by problem."""
    return {
        f"{name} {problem['id']}": [
            sample["outcome"] == "correct"
            for sample in problem["samples"]
            if sample["outcome"] not in UNDECIDED
        ]
        for name, row in sets.items()
        for problem in row["per_problem"]
    }


def print_sweep(sweep: dict[str, Any], console: Console) -> None:
    """Print the curve and the corrected pick."""
    title = escape(f"checkpoints, {' and '.join(sweep['sets'])} together")
    table = Table(title=title if len(sweep["sets"]) > 1 else "checkpoints", title_justify="left")
    for heading in ("step", "avg@k %", "95 % these problems", "95 % problems like these"):
        table.add_column(heading, justify="right")
    for row in sweep["curve"]:
        table.add_row(
            str(row["step"]),
            percent(row["accuracy"]) if row["complete"] else "partial",
            span(row["interval_these_problems"]),
            span(row["interval_new_problems"]),
        )
    console.print(table)
    if sweep["selection"]:
        console.print(sweep["selection"]["sentence"], soft_wrap=True, highlight=False)


def _selection(
    curve: list[dict[str, Any]], outcomes: list[dict[str, list[bool]]]
) -> dict[str, Any] | None:
    """Return the split-half pick over complete checkpoints, or None where there is none to make."""
    if len(outcomes) < 2:
        return None
    shared = [name for name in outcomes[0] if all(len(found[name]) > 1 for found in outcomes)]
    if not shared:
        return None
    chosen = split_half([[o[name] for name in shared] for o in outcomes])
    complete = [row for row in curve if row["complete"]]
    step = complete[chosen.best]["step"]
    return {
        **asdict(chosen),
        "step": step,
        "sentence": f"Best of {len(complete)} on these problems: step {step} with "
        f"{percent(chosen.naive)} %. Picked on half of the samples and scored on the other, the "
        f"best is worth {percent(chosen.corrected)} % on these problems; the same step was "
        f"picked in {100 * chosen.picked_share:.0f} % of the splits.",
    }
