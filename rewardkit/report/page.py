"""Run folders -> one page: curves, held-out results, rollouts, configuration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

from rewardkit.evaluation.measures.near import undeclared_note
from rewardkit.evaluation.pages.display import percent, span
from rewardkit.pages import duration, write_page
from rewardkit.recipes import RECIPES
from rewardkit.report.panels import (
    LENGTH,
    Panel,
    column,
    derived,
    drawn,
    other_panels,
    panels_for,
)
from rewardkit.report.reading import RunRecord, number, read_run, section
from rewardkit.report.rollouts import (
    Index,
    fair_shares,
    load_step,
    mean_lengths,
    read_index,
    select,
    share_recorded,
    size_of,
    unrecorded,
)
from rewardkit.report.settings import differences, settings
from rewardkit.report.solved import solve_rates
from rewardkit.runs.records import Row

TEMPLATE = Path(__file__).parent / "templates" / "run.html.j2"
MEASURES = ("accuracy", "answered_share", "accuracy_given_answer")
INTERVALS = ("interval_these_problems", "interval_new_problems")


def write_report(folders: Sequence[Path], out: Path, *, max_mb: float = 32.0) -> Path:
    """Write the page of one run, or of several with their curves in the same pictures.

    Args:
        folders: the run folders, whatever state they are in.
        out: the page.
        max_mb: how many megabytes the texts of rollouts may take in all; what does not fit is
            left out evenly, and the page says so.

    Raises:
        ConfigError: a folder holds no run, or one that has not recorded anything yet.
        MissingExtraError: jinja2 is not installed.
    """
    runs = [read_run(folder) for folder in folders]
    indices = [read_index(run.path, run.damage) for run in runs]
    rows = [with_lengths(run.metrics, index) for run, index in zip(runs, indices, strict=True)]
    budgets = fair_shares([size_of(index) for index in indices], int(max_mb * 1e6))
    rollouts = [_rollouts(*one) for one in zip(runs, indices, budgets, strict=True)]
    shown = panels_for(rows, [run.config for run in runs])
    others = other_panels(rows, shown)
    labels = run_labels(runs)
    shares = [share_recorded(index, run.metrics) for run, index in zip(runs, indices, strict=True)]
    return write_page(
        out,
        TEMPLATE,
        styles=["run.css"],
        scripts=["page.js", "charts.js", "rollouts.js"],
        filters={"percent": percent, "span": span},
        data={
            "runs": [
                {"label": label, "steps": [row["step"] for row in one], "marks": marks(run)}
                for label, run, one in zip(labels, runs, rows, strict=True)
            ],
            "charts": [_chart(_with_share(panel, shares), rows, shares) for panel in shown],
            "others": [_chart(panel, rows, shares) for panel in others],
            "heldout": _heldout_charts(runs),
            "rollouts": [{"steps": one["steps"]} for one in rollouts],
        },
        runs=[
            {
                "label": label,
                "record": run,
                "summary": summary(run),
                "left_out": one["left_out"],
                "settings": settings(run.config),
                "recipe": RECIPES.get(str(section(run.config, "recipe").get("name"))),
                "heldout": heldout_rows(run),
                "undeclared": undeclared_notes(run),
                "solved": solve_rates(run.path),
            }
            for label, run, one in zip(labels, runs, rollouts, strict=True)
        ],
        blocks=[
            (f"rollouts-{place}-{step}", groups)
            for place, one in enumerate(rollouts)
            for step, groups in one["blocks"].items()
        ],
        differences=differences([run.config for run in runs]) if len(runs) > 1 else [],
    )


def with_lengths(metrics: Sequence[Row], index: Index) -> list[Row]:
    """Return the rows of metrics with what follows from them and from the rollouts."""
    lengths = mean_lengths(index)
    return [derived({**row, **lengths.get(row["step"], {})}) for row in metrics]


def run_labels(runs: Sequence[RunRecord]) -> list[str]:
    """Return a short name a run, no two alike."""
    names = [run.name for run in runs]
    return [
        name if names.count(name) == 1 else f"{name} ({run.path})"
        for name, run in zip(names, runs, strict=True)
    ]


def marks(run: RunRecord) -> list[dict[str, Any]]:
    """Return what the curves point at: events, and the steps that a run was resumed after."""
    found = [
        {"step": row["step"], "text": f"{row.get('kind', 'event')}: {row.get('message', '')}"}
        for row in run.events
    ]
    resumed = run.manifest.get("resumed")
    return found + [
        {"step": entry["from_step"], "text": "resumed after this step"}
        for entry in (resumed if isinstance(resumed, list) else [])
        if isinstance(entry, dict) and isinstance(entry.get("from_step"), int)
    ]


def summary(run: RunRecord) -> dict[str, Any]:
    """Return the few numbers that stand at the top of the page."""
    seconds = [s for s in column(run.metrics, "step_s") if s is not None]
    speeds = [s for s in column(run.metrics, "tokens_per_s") if s is not None]
    tests = {row["label"]: row for row in heldout_rows(run) if row["set"] == "test"}
    return {
        "sentence": sentence(run),
        "state": state(run),
        "seconds": duration(sum(seconds)) if seconds else None,
        "speed": f"{median(speeds):,.0f}" if speeds else None,
        "reward": _first_and_last(column(run.metrics, "reward")),
        "before": tests.get("before"),
        "after": tests.get("after"),
    }


def sentence(run: RunRecord) -> str:
    """Say in a line what was trained on what."""
    recipe, task, model = (
        section(run.config, name).get("name", "?") for name in ("recipe", "task", "model")
    )
    backend = run.manifest.get("backend")
    seed = run.config.get("seed", "?")
    return f"{recipe} on {task}, model {model}, seed {seed}" + (
        f", on {backend}" if backend else ""
    )


def state(run: RunRecord) -> str:
    """Say how far a run is; that it stopped or still goes on cannot be told from its files."""
    planned = run.planned
    if planned is None:
        return f"{run.steps} steps recorded"
    if run.steps >= planned:
        return f"finished: {planned} steps"
    return f"{run.steps} of {planned} steps: still running, or stopped"


def heldout_rows(run: RunRecord) -> list[dict[str, Any]]:
    """Return a row an evaluation and set: when, on what, what was found."""
    found = []
    for label, result in run.results.items():
        step = result.get("step")
        for name, one in result["sets"].items():
            if number(one["accuracy"]) is not None:
                measures = {key: number(one.get(key)) for key in MEASURES}
                scored = one.get("score")
                measures["score"] = number(scored["mean"]) if scored else None
                intervals = {key: _interval(one.get(key)) for key in INTERVALS}
                when = {"label": label, "step": step if isinstance(step, int) else None}
                found.append({**when, "set": name, **measures, **intervals})
    # One set below the other, each in the order of time: before and after stand together.
    order = {name: i for i, name in enumerate(dict.fromkeys(row["set"] for row in found))}
    return sorted(found, key=lambda row: (order[row["set"]], row["step"] or 0))


def undeclared_notes(run: RunRecord) -> list[str]:
    """Return what to say of evaluations most of whose answers do not stand where they should."""
    return [
        f"{label}, {note}"
        for label, result in run.results.items()
        for name, one in result["sets"].items()
        if (note := undeclared_note(name, one))
    ]


def _with_share(panel: Panel, shares: Sequence[tuple[int, int]]) -> Panel:
    """Let the panel that is made of responses say what share of them it has seen."""
    if panel.title != LENGTH.title or all(seen >= trained for seen, trained in shares):
        return panel
    seen = " and ".join(f"{percent(a / b)} %" if b else "all" for a, b in shares)
    return replace(panel, note=f"{panel.note} Right and wrong: of the {seen} that were recorded.")


def _chart(
    panel: Panel, runs: Sequence[Sequence[Row]], shares: Sequence[tuple[int, int]]
) -> dict[str, Any]:
    lines = [drawn(panel, rows) for rows in runs]
    # A line has the same place, hence the same look, in every run.
    places = {
        line: i for i, line in enumerate(dict.fromkeys(line for run in lines for line in run))
    }
    series = [
        {
            "run": run,
            "line": places[line],
            "label": line.label,
            "hue": line.hue,
            **(
                _known_points(values, runs[run])
                if line.of_responses and shares[run][0] < shares[run][1]
                else {"y": values}
            ),
        }
        for run, found in enumerate(lines)
        for line, values in found.items()
    ]
    kind = {"stacked": panel.stacked, "share": panel.share, "log": panel.log}
    return {"title": panel.title, "note": panel.note, **kind, "series": series}


def _known_points(values: Sequence[float | None], rows: Sequence[Row]) -> dict[str, Any]:
    """Return the steps of which a line knows anything: alone, they are joined."""
    known = [(row["step"], v) for row, v in zip(rows, values, strict=True) if v is not None]
    return {"x": [step for step, _ in known], "y": [value for _, value in known]}


def _heldout_charts(runs: Sequence[RunRecord]) -> list[dict[str, Any]]:
    """Return a chart of accuracy over steps, a line a set, with the intervals of these problems."""
    series = []
    for number_of_run, run in enumerate(runs):
        rows = heldout_rows(run)
        for place, name in enumerate(dict.fromkeys(row["set"] for row in rows)):
            points = [row for row in rows if row["set"] == name and isinstance(row["step"], int)]
            if not points:
                continue
            ends = [row["interval_these_problems"] or (None, None) for row in points]
            series.append(
                {
                    "run": number_of_run,
                    "line": place,
                    "label": name,
                    "hue": "",
                    "x": [row["step"] for row in points],
                    "y": column(points, "accuracy"),
                    "low": [low for low, _ in ends],
                    "high": [high for _, high in ends],
                }
            )
    if not series:
        return []
    note = "Accuracy on problems that were not trained on, with 95 % intervals for these problems."
    kind = {"stacked": False, "share": False, "log": False}
    return [{"title": "Held-out accuracy", "note": note, **kind, "series": series}]


def _interval(ends: Any) -> list[float] | None:
    known = [number(end) for end in ends] if isinstance(ends, list) else []
    found = [end for end in known if end is not None]
    return found if len(found) == 2 else None


def _rollouts(run: RunRecord, index: Index, budget: int) -> dict[str, Any]:
    selection = select(index, budget)
    said = (unrecorded(index, run.metrics), selection.left_out)
    return {
        "left_out": " ".join(filter(None, said)),
        "steps": [
            {"step": step, "groups": len(index[step].groups), "shown": len(keys)}
            for step, keys in selection.groups.items()
        ],
        "blocks": {step: load_step(index[step], keys) for step, keys in selection.groups.items()},
    }


def _first_and_last(values: Sequence[float | None]) -> tuple[float, float] | None:
    known = [value for value in values if value is not None]
    return (known[0], known[-1]) if known else None
