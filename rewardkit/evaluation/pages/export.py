"""An evaluation elsewhere: its samples as a table, its results for a model card.

The columns are those of graded rows (`rewardkit.runs.graded_rows`), so that every command that
reads rows reads the parquet file.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rewardkit.errors import MissingExtraError, UnknownNameError
from rewardkit.evaluation.drawing.ledger import read_samples
from rewardkit.evaluation.pages.display import percent, span
from rewardkit.evaluation.stored import RUN_FILE, load_results
from rewardkit.files import part_of, read_json, write_json, write_text

PARQUET_FILE = "samples.parquet"
MOST_SHOWN = 200
"""Rows of a table that TensorBoard is given: it draws them all at once."""
SHOWN = 600
"""Characters of a text in such a table."""
Row = Mapping[str, Any]


def sample_rows(folder: Path) -> list[Row]:
    """Return the samples that the results of a run folder are of, one row each, in their order.

    Raises:
        DataError: the folder holds no results, or no samples.
    """
    results, samples = load_results(folder), read_samples(folder)
    return [
        {
            "set": name,
            "problem": problem["id"],
            "index": found["index"],
            "response": _whole(sample.response),
            "reasoning": _whole(sample.reasoning),
            "outcome": sample.outcome.value,
            "extracted": None if sample.extracted is None else _whole(sample.extracted),
            "near_miss": found.get("near_miss"),
            "finish": sample.finish.value,
            **{column: getattr(sample, column) for column in _AS_THEY_ARE},
        }
        for name, row in results["sets"].items()
        for problem in row["per_problem"]
        for found in problem["samples"]
        if (sample := samples.get(found["key"])) is not None
    ]


_AS_THEY_ARE = (
    "gold", "score", "method", "reason", "prompt_tokens", "tokens", "seconds", "seed", "key"
)  # fmt: skip


def export(folder: Path, to: str) -> str:
    """Send the samples of a run folder to one of `TARGETS`; returns where they went.

    Raises:
        UnknownNameError: no such target.
        MissingExtraError: its package is not installed.
        DataError: the folder holds no results, or no samples.
    """
    if to not in TARGETS:
        raise UnknownNameError("target", to, TARGETS)
    package, extra, write = TARGETS[to]
    if find_spec(package) is None:
        raise MissingExtraError(package, extra)
    return write(folder, sample_rows(folder))


def to_parquet(folder: Path, rows: Sequence[Row]) -> str:
    """Write samples.parquet into the run folder, whole or not at all."""
    import pyarrow
    import pyarrow.parquet

    path = folder / PARQUET_FILE
    unfinished = part_of(path)
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist([dict(row) for row in rows]), unfinished)
    os.replace(unfinished, path)
    return str(path)


def to_markdown(folder: Path) -> str:
    """Write results.md, a row a set and below it how they were measured, as a model card takes."""
    results, path = load_results(folder), folder / "results.md"
    lines = [f"# {_cell(results['model'])}", "", *_in_markdown([HEADS, *_table(results)])]
    lines += ["", *(f"- {name}: {_cell(value)}" for name, value in _how(folder).items())]
    write_text(path, "\n".join([*lines, ""]))
    return str(path)


def to_latex(folder: Path) -> str:
    """Write results.tex, a row a set for a `tabular` of eight columns; its heads are a comment."""
    path = folder / "results.tex"
    write_text(path, _in_latex([HEADS, *_table(load_results(folder))]))
    return str(path)


def write_compared(found: Mapping[str, Any], folder: Path) -> None:
    """Write comparison.md and comparison.tex, a row a set, of what `compare_results` found."""
    rows = [("set", "problems", f"A: {found['a']} %", f"B: {found['b']} %", *GAINS)]
    for name, row in found["sets"].items():
        these, new = row["these_problems"], row["new_problems"]
        both = percent(row["accuracy_a"]), percent(row["accuracy_b"]), f"{100 * these['gain']:+.1f}"
        tests = [(span([one["low"], one["high"]]), f"{one['p_holm']:.3g}") for one in (these, new)]
        rows.append((name, str(row["problems"]), *both, *tests[0], *tests[1]))
    said = [f"{name}: {row['verdict']}" for name, row in found["sets"].items()]
    said += [*found["differences"], *found["notes"]]
    lines = [*_in_markdown(rows), "", *(f"- {_cell(line)}" for line in said), ""]
    write_text(folder / "comparison.md", "\n".join(lines), errors="replace")
    write_text(folder / "comparison.tex", _in_latex(rows), errors="replace")


HEADS = (
    "model", "set", "problems x samples", "avg@k %", "95 % these problems", "95 % like these",
    "answered %", "right if answered %",
)  # fmt: skip
GAINS = ("gain", "95 % these problems", "p (Holm)", "95 % like these", "p (Holm)")


def _table(results: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for name, row in results["sets"].items():
        score = percent(row["accuracy"]) if row["complete"] else "partial"
        ends = span(row["interval_these_problems"]), span(row["interval_new_problems"])
        drawn = f"{row['problems']} x {row['samples_per_problem']}"
        answered = percent(row["answered_share"]), percent(row["accuracy_given_answer"])
        yield (results["model"], name, drawn, score, *ends, *answered)


def _in_markdown(rows: Sequence[Sequence[str]]) -> list[str]:
    lines = ["|".join(map(_cell, row)) for row in rows]
    return [lines[0], "|".join("---" for _ in rows[0]), *lines[1:]]


def _in_latex(rows: Sequence[Sequence[str]]) -> str:
    lines = [" & ".join(map(_latex, row)) + r" \\" for row in rows]
    return "\n".join([f"% {lines[0]}", *lines[1:], ""])


def _latex(text: str) -> str:
    r"""Return a cell as LaTeX prints it.

    >>> _latex("hmmt_feb_2025 %")
    'hmmt\\_feb\\_2025 \\%'
    """
    return re.sub(r"([&%$#_{}])", r"\\\1", " ".join(re.sub(r"[\\^~]", " ", text).split()))


def to_model_index(folder: Path) -> str:
    """Write model-index.yml, the `model-index` of a model card on the hub; JSON is YAML as well."""
    results, path = load_results(folder), folder / "model-index.yml"
    found = [
        {
            "task": {"type": "text-generation"},
            "dataset": {"name": name, "type": row["task"]},
            "metrics": [
                {
                    "type": "accuracy",
                    "name": f"avg@{row['samples_per_problem']}",
                    "value": round(100 * row["accuracy"], 2),
                    "args": {
                        "interval_these_problems": row["interval_these_problems"],
                        "interval_new_problems": row["interval_new_problems"],
                        **_how(folder),
                    },
                }
            ],
        }
        for name, row in results["sets"].items()
        if row["accuracy"] is not None
    ]
    write_json(path, {"model-index": [{"name": results["model"], "results": found}]})
    return str(path)


def _how(folder: Path) -> dict[str, Any]:
    """Return what a reader must know of an evaluation beside its numbers."""
    results = load_results(folder)
    graders = dict.fromkeys(row["verifier"] for row in results["sets"].values())
    told = {**results["sampling"], **results["asking"], "verifier": ", ".join(graders)}
    with suppress(FileNotFoundError, KeyError, TypeError):
        told["rewardkit"] = read_json(folder / RUN_FILE)["versions"]["rewardkit"]
    return {key: value for key, value in told.items() if value is not None}


def to_wandb(folder: Path, rows: Sequence[Row]) -> str:
    """Log a table `samples` and the accuracy of each set; WANDB_MODE=offline keeps them here."""
    import wandb

    columns = list(rows[0]) if rows else []
    data = [[row[name] for name in columns] for row in rows]
    with wandb.init(project="rewardkit", name=folder.name, dir=str(folder)) as run:
        run.log({"samples": wandb.Table(columns=columns, data=data), **_accuracies(folder)})
        return str(run.url or run.dir)


def to_tensorboard(folder: Path, rows: Sequence[Row]) -> str:
    """Write the first samples as a table of text, and the accuracy of each set."""
    from tensorboard.compat.proto.event_pb2 import Event
    from tensorboard.compat.proto.summary_pb2 import Summary
    from tensorboard.plugins.text.metadata import create_summary_metadata
    from tensorboard.summary.writer.event_file_writer import EventFileWriter
    from tensorboard.util.tensor_util import make_tensor_proto

    shown = ("set", "problem", "index", "outcome", "gold", "extracted", "tokens", "response")
    lines = ["|".join(shown), "|".join("---" for _ in shown)]
    lines += ["|".join(_cell(row[name]) for name in shown) for row in rows[:MOST_SHOWN]]
    table = Summary.Value(
        tag="samples",
        metadata=create_summary_metadata("samples", f"the first {MOST_SHOWN} of {len(rows)}"),
        tensor=make_tensor_proto("\n".join(lines).encode()),
    )
    numbers = [
        Summary.Value(tag=tag, simple_value=value) for tag, value in _accuracies(folder).items()
    ]
    place = folder / "tensorboard"
    writer = EventFileWriter(str(place))
    writer.add_event(Event(wall_time=time.time(), summary=Summary(value=[table, *numbers])))
    writer.close()
    return str(place)


TARGETS: Mapping[str, tuple[str, str, Callable[[Path, Sequence[Row]], str]]] = MappingProxyType(
    {
        "parquet": ("pyarrow", "tables", to_parquet),
        "md": ("json", "", lambda folder, _: to_markdown(folder)),
        "tex": ("json", "", lambda folder, _: to_latex(folder)),
        "hf": ("json", "", lambda folder, _: to_model_index(folder)),
        "wandb": ("wandb", "track", to_wandb),
        "tensorboard": ("tensorboard", "track", to_tensorboard),
    }
)
"""Name -> (the package that it needs, the extra that brings it, what writes it)."""


def _accuracies(folder: Path) -> dict[str, float]:
    sets = load_results(folder)["sets"]
    found = {f"accuracy/{name}": row["accuracy"] for name, row in sets.items()}
    return {name: value for name, value in found.items() if value is not None}


def _cell(value: Any) -> str:
    r"""Return a value as one cell of a table in Markdown: model text lays out nothing.

    >>> _cell("a|b\n<i>")
    'a&#124;b &lt;i&gt;'
    """
    text = " ".join(str(value)[:SHOWN].split())
    for sign, name in (("&", "amp"), ("<", "lt"), (">", "gt"), ("|", "#124")):
        text = text.replace(sign, f"&{name};")
    return text


def _whole(text: str) -> str:
    """Return text that has a UTF-8 form: half of a surrogate pair has none."""
    return text.encode("utf-8", "replace").decode("utf-8")
