"""The pages of an evaluation: report.html shows every response, and why it was graded so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rewardkit.errors import MissingExtraError
from rewardkit.evaluation.drawing.ledger import read_samples
from rewardkit.evaluation.pages.display import brief, percent, span, warnings
from rewardkit.evaluation.pages.page_parts import curve_view, near_view, shown_sampling
from rewardkit.evaluation.samples import Sample
from rewardkit.evaluation.stored import load_results
from rewardkit.pages import shorten, write_page
from rewardkit.pages.console import Console

TEMPLATES = Path(__file__).parent / "templates"
LONGEST_TEXT = 20_000
LONGEST_PAGE = 30_000_000
"""Characters of responses in one page; with very many, each is shown in part."""
BARS = 30


def try_write_report(folder: Path, console: Console) -> None:
    """Write report.html and say where; without jinja2, say what to install."""
    try:
        path = write_report(folder)
    except MissingExtraError as error:
        console.print(f"no report.html: {error}", soft_wrap=True, highlight=False, markup=False)
    else:
        console.print(f"report: {path}", soft_wrap=True, highlight=False, markup=False)


def try_write_comparison(found: Mapping[str, Any], folder: Path, console: Console) -> None:
    """Write comparison.html and say where; without jinja2, say what to install."""
    try:
        path = write_comparison(found, folder)
    except MissingExtraError as error:
        console.print(f"no comparison.html: {error}", soft_wrap=True, markup=False)
    else:
        console.print(f"comparison: {path}", soft_wrap=True, highlight=False, markup=False)


def write_report(folder: Path) -> Path:
    """Write `folder`/report.html from its results and ledger, and return its path.

    Raises:
        MissingExtraError: jinja2 is not installed.
        DataError: the folder holds no results.
    """
    results, samples = load_results(folder), read_samples(folder)
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
        folder / "report.html",
        "report.html.j2",
        results=results,
        sampling=shown_sampling(results["sampling"], results["engine"]),
        sets=sets,
        data=responses,
    )


def write_comparison(found: Mapping[str, Any], folder: Path) -> Path:
    """Write `folder`/comparison.html and return its path.

    Raises:
        MissingExtraError: jinja2 is not installed.
    """
    views = {}
    for name, row in found["sets"].items():
        questions = [("these problems", row["these_problems"]), ("like these", row["new_problems"])]
        widest = max(abs(end) for _, f in questions for end in (f["low"], f["high"], f["gain"]))
        scale = max(widest, 0.01) * 1.1
        views[name] = [
            {
                "label": label,
                **finding,
                "x_low": _place(finding["low"], scale),
                "x_high": _place(finding["high"], scale),
                "x_gain": _place(finding["gain"], scale),
            }
            for label, finding in questions
        ]
    return render(
        folder / "comparison.html", "comparison.html.j2", found=found, views=views, data={}
    )


def render(path: Path, template: str, **values: Any) -> Path:
    """Write a page of the evaluation and return its path.

    Raises:
        MissingExtraError: jinja2 is not installed.
    """
    return write_page(
        path,
        TEMPLATES / template,
        styles=["report.css"],
        scripts=["report.js"],
        filters={"brief": brief, "percent": percent, "span": span},
        **values,
    )


def _set_view(
    name: str, row: Mapping[str, Any], samples: Mapping[str, Sample], longest: int
) -> dict[str, Any]:
    held = [
        samples[cell["key"]]
        for problem in row["per_problem"]
        for cell in problem["samples"]
        if cell["key"] in samples
    ]
    return {
        "name": name,
        "row": row,
        "warnings": warnings(name, row),
        "near": near_view(row),
        "curve": curve_view(row),
        "histogram": _histogram(held),
        "grid": [
            _grid_row(problem, row["samples_per_problem"], samples, longest)
            for problem in row["per_problem"]
        ],
    }


def _grid_row(
    problem: Mapping[str, Any], k: int, samples: Mapping[str, Sample], longest: int
) -> dict[str, Any]:
    by_index = {cell["index"]: cell for cell in problem["samples"]}
    cells: list[dict[str, Any]] = []
    for index in range(k):
        cell = by_index.get(index)
        sample = samples.get(cell["key"]) if cell else None
        if sample is None:
            title = f"sample {index}: missing"
            cells.append({"key": "", "kind": "missing", "title": title})
            continue
        cut, near = sample.truncated, by_index[index].get("near_miss")
        kind = "truncated" if cut and sample.outcome.value != "correct" else sample.outcome.value
        cells.append(
            {
                "key": sample.key,
                "kind": f"{kind} near" if near else kind,
                "title": f"{brief(problem['id'])}, sample {index}: {sample.outcome.value}"
                + (", cut off by the token limit" if cut else "")
                + (", a near miss" if near else ""),
                "detail": _detail(problem, sample, longest),
            }
        )
    return {"problem": problem, "cells": cells}


def _detail(problem: Mapping[str, Any], sample: Sample, longest: int) -> dict[str, Any]:
    return {
        "problem": problem["id"],
        "columns": problem.get("info", {}),
        "score": sample.score,
        "sample": sample.index,
        "seed": str(sample.seed),
        "outcome": sample.outcome.value,
        "extracted": sample.extracted,
        "gold": sample.gold,
        "method": sample.method,
        "reason": sample.reason,
        "finish": sample.finish.value,
        "tokens": sample.tokens,
        "reasoning": shorten(sample.reasoning, longest, "samples.jsonl has them"),
        "text": shorten(sample.response, longest, "samples.jsonl has them"),
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


def _place(gain: float, scale: float) -> float:
    """Return where a gain stands on an axis from -scale to scale that is 600 wide."""
    return round(300 + 300 * gain / scale, 1)
