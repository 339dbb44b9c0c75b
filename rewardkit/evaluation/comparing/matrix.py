"""Many evaluations -> one table: models by sets, with ranks that say who cannot be told apart.

Each pair of models is tested on each set, with the tests of `compare`, for both of its questions.
P-values are corrected for how many pairs and sets there are (Holm). A model's rank is a range:
from one more than the models shown to be better, to all but those shown to be worse.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, cast

from rewardkit.errors import ConfigError, DataError, UnknownNameError
from rewardkit.evaluation.asking.asking import asked_of
from rewardkit.evaluation.comparing.comparison import LEVEL, QUESTIONS, same_model
from rewardkit.evaluation.comparing.pairing import pairing
from rewardkit.evaluation.measures.results import overall
from rewardkit.evaluation.measures.scoring import cost_of
from rewardkit.evaluation.samples import text_hash
from rewardkit.evaluation.statistics.paired import holm
from rewardkit.evaluation.stored import load_with_seconds
from rewardkit.files import read_json
from rewardkit.runs.results import MODEL, RESULTS_FILE, Evaluation, SetResult, evaluations_in

SCHEMA = 1
ALL = "all sets"
SAME = ("model", "fingerprint", "engine", "seed", "sampling", "asking")
"""Where these agree, evaluations of different sets are one model's."""


@dataclass
class Row:
    """One model, asked in one way: its evaluation by column."""

    label: str
    about: Mapping[str, Any]
    folders: list[str]
    sets: dict[str, SetResult]


def folders_in(paths: Sequence[Path]) -> list[Path]:
    """Return the evaluation folders that are named, or that lie in what is named.

    Raises:
        DataError: a path that holds no evaluation.
    """
    found: list[Path] = []
    for path in paths:
        inside = [path]
        if path.is_dir() and not (path / RESULTS_FILE).exists():
            inside = sorted(file.parent for file in path.glob(f"*/{RESULTS_FILE}") if _ours(file))
            if not inside:
                raise DataError(
                    f"{path}: holds no {RESULTS_FILE}, nor does a folder in it; write one with:\n"
                    f"  rewardkit eval --model MODEL --task TASK --run-dir {path}/MODEL"
                )
        found += inside
    return list(dict.fromkeys(found))


def matrix(folders: Sequence[Path], tasks: Sequence[str] | None = None) -> dict[str, Any]:
    """Return what the folders say together: rows, columns, every pair, and what else differs.

    Raises:
        DataError: a folder without an evaluation.
        UnknownNameError: a set that none of them holds.
        ConfigError: nothing to show.
    """
    rows = _rows([(str(folder), load_with_seconds(folder)) for folder in folders], tasks)
    notes = _notes(rows)
    columns = list(dict.fromkeys(name for row in rows for name in row.sets))
    shared = [c for c in columns if all(_whole(row.sets.get(c)) for row in rows)]
    pairs = _pairs(rows, columns)
    if len(shared) > 1:
        for row in rows:
            row.sets[ALL] = _pooled(row, shared)
        columns = [ALL, *columns]
        pairs = [*_pairs(rows, [ALL]), *pairs]  # one question, asked of all sets at once
    said = [_said(row, columns, pairs) for row in rows]
    said.sort(key=lambda row: -((row["cells"].get(columns[0]) or {}).get("accuracy") or -1.0))
    return {
        "schema": SCHEMA,
        "columns": [_about_column(name, rows, shared) for name in columns],
        "rows": said,
        "pairs": pairs,
        "notes": notes,
    }


def _ours(file: Path) -> bool:
    try:
        return MODEL in evaluations_in(read_json(file), file)
    except (DataError, OSError):
        return False


def _rows(found: Sequence[tuple[str, Evaluation]], tasks: Sequence[str] | None) -> list[Row]:
    known = {name for _, results in found for name in results["sets"]}
    for name in tasks or ():
        if name not in known:
            raise UnknownNameError("set in the results", name, known)
    texts: dict[str, list[str]] = {}
    rows: dict[str, Row] = {}
    for folder, results in found:
        asked = {
            _column(name, row, texts): row
            for name, row in results["sets"].items()
            if not tasks or name in tasks
        }
        if not asked:
            continue
        about = {key: results.get(key) for key in SAME}
        key = json.dumps(about, sort_keys=True, default=str)
        if key in rows and rows[key].sets.keys() & asked.keys():
            key += folder  # measured twice: two rows
        row = rows.setdefault(key, Row(str(results.get("model")), about, [], {}))
        row.folders.append(folder)
        row.sets |= asked
    if not rows:
        raise ConfigError("no evaluation holds a set; name folders that rewardkit eval wrote")
    labels = [row.label for row in rows.values()]
    for row in rows.values():
        if labels.count(row.label) > 1:
            row.label = f"{row.label} ({Path(row.folders[0]).name})"
    return list(rows.values())


def _column(name: str, row: SetResult, texts: dict[str, list[str]]) -> str:
    """Return the column of a set: one of the same name with other problems is another column."""
    problems = sorted((one["id"], one["text_hash"], one["gold"]) for one in row["per_problem"])
    known = texts.setdefault(name, [])
    mark = text_hash(json.dumps(problems))
    if mark not in known:
        known.append(mark)
    number = known.index(mark)
    return f"{name} (other problems, {number + 1})" if number else name


def _whole(row: SetResult | None) -> bool:
    return row is not None and row.get("complete", True) and row["accuracy"] is not None


def _pooled(row: Row, columns: Sequence[str]) -> SetResult:
    """Return the problems of several sets as one set, under ids that tell them apart."""
    sets = {name: row.sets[name] for name in columns}
    problems = [
        {**one, "id": f"{name}\n{one['id']}"}
        for name, found in sets.items()
        for one in found["per_problem"]
    ]
    drawn = sum(one["samples"] or 0 for one in sets.values())
    cut = [_held(one, "truncation").get("rate") for one in sets.values()]
    known = drawn > 0 and None not in cut
    times = [(rate or 0.0) * one["samples"] for rate, one in zip(cut, sets.values(), strict=True)]
    pooled = {
        **(overall(sets) or {}),
        "per_problem": problems,
        "complete": True,
        "truncation": {"rate": sum(times) / drawn if known else None},
        "tokens": cost_of([*sets.values()]),
    }
    return cast(SetResult, pooled)


def _pairs(rows: Sequence[Row], columns: Sequence[str]) -> list[dict[str, Any]]:
    """Return what each pair of rows is on each column: one family of tests a question."""
    found: list[dict[str, Any]] = []
    for column in columns:
        there = [row for row in rows if _whole(row.sets.get(column))]
        for a, b in combinations(there, 2):
            one, two = (
                {"sets": row.sets, "sampling": row.about["sampling"] or {}} for row in (a, b)
            )
            try:
                pair = pairing(column, one, two)
            except DataError:
                continue  # no problem is graded on both sides
            tests = {question: asdict(pair.test(question)) for question in QUESTIONS}
            found.append({"column": column, "a": a.label, "b": b.label, **tests})
    for question in QUESTIONS:
        for tested, p in zip(found, holm([one[question]["p"] for one in found]), strict=True):
            tested[question]["p_holm"] = p
    return found


def _said(row: Row, columns: Sequence[str], pairs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "label": row.label,
        **row.about,
        "folders": row.folders,
        "cells": {
            column: {
                **{name: row.sets[column].get(name) for name in _SHOWN},
                "complete": _whole(row.sets[column]),
                "truncated": _held(row.sets[column], "truncation").get("rate"),
                "tokens": _held(row.sets[column], "tokens").get("mean") or None,
                "ranks": {q: _rank(row.label, column, q, pairs) for q in QUESTIONS},
            }
            for column in columns
            if column in row.sets
        },
        "tokens": cost_of([one for name, one in row.sets.items() if name != ALL]),
    }


_SHOWN = (
    "accuracy",
    "interval_these_problems",
    "interval_new_problems",
    "problems",
    "samples_per_problem",
    "coverage",
    "partial",
)


def _held(row: SetResult, name: str) -> Mapping[str, Any]:
    """Return what an evaluation of an earlier version may lack."""
    found: Mapping[str, Any] = row.get(name) or {}  # type: ignore[assignment]
    return found


def _rank(
    label: str, column: str, question: str, pairs: Sequence[Mapping[str, Any]]
) -> list[int] | None:
    """Return from which rank to which a model may be, or None where nothing was compared."""
    better = worse = others = 0
    for pair in pairs:
        if pair["column"] != column or label not in (pair["a"], pair["b"]):
            continue
        others += 1
        test = pair[question]
        gain = test["gain"] if label == pair["b"] else -test["gain"]
        if test["p_holm"] < LEVEL:
            better, worse = better + (gain < 0), worse + (gain > 0)
    return [1 + better, 1 + others - worse] if others else None


def _about_column(name: str, rows: Sequence[Row], shared: Sequence[str]) -> dict[str, Any]:
    held = [row.sets[name] for row in rows if name in row.sets]
    return {
        "name": name,
        "problems": len(held[0]["per_problem"]),
        "models": len(held),
        "sets": list(shared) if name == ALL else [name],
    }


def _notes(rows: Sequence[Row]) -> list[str]:
    """Return what differs beside the models, and which evaluations are partial."""
    notes = [note for together in _compared(rows) for note in _differing(together)]
    for row in rows:
        for name, one in row.sets.items():
            if not _whole(one):
                notes.append(f"{row.label}: {name} is partial, and is neither ranked nor compared")
    return notes


def _compared(rows: Sequence[Row]) -> list[list[Row]]:
    """Return the rows that share sets with each other; of others nothing is compared."""
    groups: list[list[Row]] = []
    for row in rows:
        near = [one for one in groups if any(row.sets.keys() & other.sets for other in one)]
        apart = [one for one in groups if not any(one is other for other in near)]
        groups = [*apart, [*(other for one in near for other in one), row]]
    return groups


def _differing(rows: Sequence[Row]) -> list[str]:
    """Return what may make a difference between rows beside the models."""
    notes = []
    same = same_model(*(row.about for row in rows))
    beside = "the model is the same, and this differs:" if same else "not only the models differ:"
    for section in ("engine", "seed", "sampling", "asking"):
        values = [
            asked_of(row.about) if section == "asking" else row.about[section] for row in rows
        ]
        parts = [value if isinstance(value, dict) else {section: value} for value in values]
        for key in dict.fromkeys(key for part in parts for key in part):
            by_value: dict[str, list[str]] = {}
            for row, part in zip(rows, parts, strict=True):
                value = str(part.get(key, "not set"))
                by_value.setdefault(value if value.isprintable() else repr(value), []).append(
                    row.label
                )
            if len(by_value) > 1:
                said = "; ".join(f"{value} in {', '.join(who)}" for value, who in by_value.items())
                notes.append(f"{beside} {key}: {said}")
    return notes
