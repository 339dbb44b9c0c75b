"""The pages of an evaluation: report.html shows every response, and why it was graded so."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rewardkit.errors import MissingExtraError
from rewardkit.evaluation.drawing.ledger import read_samples
from rewardkit.evaluation.measures.scoring import cost_of
from rewardkit.evaluation.pages.display import brief, cost_a_right_one, percent, span, warnings
from rewardkit.evaluation.pages.page_parts import (
    band_of,
    curve_view,
    first_views,
    points_of,
    shown_sampling,
    top_of,
)
from rewardkit.evaluation.samples import Sample
from rewardkit.evaluation.stored import load_with_seconds
from rewardkit.pages import shorten, write_page
from rewardkit.pages.console import Console

TEMPLATES = Path(__file__).parent / "templates"
LONGEST_TEXT = 20_000
LONGEST_PAGE = 30_000_000
"""Characters of responses in one page; with very many, each is shown in part."""
BARS = 30


def try_write_report(folder: Path, console: Console) -> None:
    """Write report.html and say where."""
    say_written("report", lambda: write_report(folder), console)


def say_written(name: str, write: Callable[[], Path], console: Console) -> None:
    """Write a page and say where; without jinja2, say what to install."""
    try:
        said = f"{name}: {write()}"
    except MissingExtraError as error:
        said = f"no {name}.html: {error}"
    console.print(said, soft_wrap=True, highlight=False, markup=False)


def write_report(folder: Path) -> Path:
    """Write `folder`/report.html from its results and ledger, and return its path.

    Raises:
        MissingExtraError: jinja2 is not installed.
        DataError: the folder holds no results.
    """
    results, samples = load_with_seconds(folder), read_samples(folder)
    shown = sum(row["samples"] for row in results["sets"].values())
    longest = min(LONGEST_TEXT, LONGEST_PAGE // max(shown, 1))
    sets = [_set_view(name, row, samples, longest) for name, row in results["sets"].items()]
    responses = {
        cell["key"]: cell.pop("detail")
        for one in sets
        for problem in one["grid"]
        for cell in problem["cells"]
        if cell["key"]
    }
    return render(
        folder,
        "report.html",
        results=results,
        sampling=shown_sampling(results["sampling"], results["engine"]),
        sets=sets,
        data=responses,
    )


def write_sweep(sweep: Mapping[str, Any], folder: Path) -> Path:
    """Write `folder`/sweep.html, a curve over checkpoints, and return its path.

    Raises:
        MissingExtraError: jinja2 is not installed.
    """
    rows = [row for row in sweep["curve"] if row["accuracy"] is not None]
    steps = [row["step"] for row in rows] or [0]
    width = max(steps[-1] - steps[0], 1)
    top = top_of(rows, "interval_new_problems") if rows else 1.0

    def place(row: Mapping[str, Any], value: float) -> tuple[float, float]:
        x = 50 + 440 * (row["step"] - steps[0]) / width
        return round(x, 1), round(220 - 200 * value / top, 1)

    return render(
        folder,
        "sweep.html",
        sweep=sweep,
        points=points_of(rows, place),
        these=band_of(rows, "interval_these_problems", place),
        new=band_of(rows, "interval_new_problems", place),
        ticks=[(220 - 50 * part, top * part / 4) for part in range(5)],
        data={},
    )


def render(folder: Path, page: str, **values: Any) -> Path:
    """Write a page of an evaluation, and return its path."""
    return write_page(
        folder / page,
        TEMPLATES / f"{page}.j2",
        styles=["report.css"],
        scripts=["report.js"],
        filters={"brief": brief, "cost": cost_a_right_one, "percent": percent, "span": span},
        **values,
    )


def _set_view(
    name: str, row: Mapping[str, Any], samples: Mapping[str, Sample], longest: int
) -> dict[str, Any]:
    grid = [
        {
            "problem": problem,
            "cells": _cells(problem, row["samples_per_problem"], samples, longest),
        }
        for problem in row["per_problem"]
    ]
    keys = [cell["key"] for line in grid for cell in line["cells"] if cell["key"]]
    return {
        "name": name,
        "row": row,
        "seconds": sum(samples[key].seconds for key in keys) / max(len(keys), 1),
        "cost": cost_a_right_one(cost_of([row])),
        "warnings": warnings(name, row),
        "first": first_views(row),
        "curve": curve_view(row),
        "histogram": _histogram([samples[key] for key in keys]),
        "grid": grid,
    }


def _cells(
    problem: Mapping[str, Any], k: int, samples: Mapping[str, Sample], longest: int
) -> list[dict[str, Any]]:
    by_index = {cell["index"]: cell for cell in problem["samples"]}
    cells: list[dict[str, Any]] = []
    for index in range(k):
        cell = by_index.get(index, {"key": ""})
        sample = samples.get(cell["key"])
        if sample is None:
            cells.append({"key": "", "kind": "missing", "title": f"sample {index}: missing"})
            continue
        outcome = sample.outcome.value
        cut, near = sample.truncated, cell.get("near_miss")
        kind = "truncated" if cut and outcome != "correct" else outcome
        cells.append(
            {
                "key": sample.key,
                "kind": f"{kind} near" if near else kind,
                "title": f"{brief(problem['id'])}, sample {index}: {outcome}"
                + (", cut off by the token limit" if cut else "")
                + (", a near miss" if near else ""),
                "detail": detail(problem, sample, longest),
            }
        )
    return cells


def detail(problem: Mapping[str, Any], sample: Sample, longest: int) -> dict[str, Any]:
    """Return what is shown of a response, each text of at most `longest` characters."""
    names = ("score", "extracted", "gold", "method", "reason", "tokens")
    return {
        "problem": problem["id"],
        "columns": problem.get("info", {}),
        "sample": sample.index,
        "seed": str(sample.seed),
        "outcome": sample.outcome.value,
        "finish": sample.finish.value,
        **{name: getattr(sample, name) for name in names},
        "reasoning": shorten(sample.reasoning, longest, "samples.jsonl has them"),
        "text": shorten(sample.response, longest, "samples.jsonl has them"),
        "segments": [
            [written, shorten(text, longest, "samples.jsonl has them")]
            for written, text, _ in sample.segments
        ],
    }


def _histogram(held: Sequence[Sample]) -> list[dict[str, Any]]:
    """Return bars of response lengths: how many in all, how many of those correct and cut off."""
    if not held:
        return []
    longest = max(max(sample.tokens for sample in held), 1)
    width = -(-(longest + 1) // BARS)
    bars = [
        {"from": i * width, "to": (i + 1) * width - 1, "all": 0, "correct": 0, "cut": 0}
        for i in range(longest // width + 1)
    ]
    for sample in held:
        bar = bars[sample.tokens // width]
        bar["all"] += 1
        bar["correct"] += sample.outcome.value == "correct"
        bar["cut"] += sample.truncated
    return bars
