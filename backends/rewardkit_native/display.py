"""What a person sees of a run: a live table with progress on a terminal, lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from rewardkit.config import RunConfig
from rewardkit.runs import RunFolder

SHOWN_STEPS = 15
"""Rows of the live table; all of them are in metrics.jsonl."""

COLUMNS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "step": lambda r: f"{r['step']}",
    "reward": lambda r: f"{r['reward']:.3f}",
    "right": lambda r: f"{r['outcome/correct']:.2f}",
    "wrong": lambda r: f"{r['outcome/incorrect']:.2f}",
    "none": lambda r: f"{r['outcome/no_answer']:.2f}",
    "length": lambda r: f"{r['length']:.1f}",
    "cut": lambda r: f"{r['truncated']:.2f}",
    "entropy": lambda r: f"{r.get('entropy', 0):.3f}",
    "clip": lambda r: f"{r.get('clipped_low', 0) + r.get('clipped_high', 0):.4f}",
    "KL": lambda r: f"{r.get('kl', 0):.4f}",
    "groups": lambda r: f"{r['groups_kept']}/{r['groups_drawn']}",
    "tok/s": lambda r: f"{r['tokens_per_s']:.0f}",
    "s": lambda r: f"{r['step_s']:.1f}",
}


class Display:
    """Shows steps as they end, an evaluation as it goes, and where everything was left."""

    def __init__(self, config: RunConfig, *, quiet: bool = False) -> None:
        self.config = config
        self.console = Console(soft_wrap=True, quiet=quiet)
        self.rows: list[Mapping[str, Any]] = []
        self.remarks: list[str] = []
        self.note = "starting"
        self.started = time.monotonic()
        self._live: Live | None = None
        self._bar = Progress(
            TextColumn("[bold]step[/]"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[eta]}"),
            TextColumn("[dim]{task.fields[note]}[/]"),
            console=self.console,
        )
        self._task = self._bar.add_task("train", total=config.steps, eta="", note="starting")

    def __enter__(self) -> Display:
        self.console.print(
            f"{self.config.recipe.name} on {self.config.task.name}, model "
            f"{self.config.model.name}: {self.config.steps} steps of "
            f"{self.config.sampling.problems} x {self.config.sampling.group_size} responses "
            f"-> {self.config.folder}",
            markup=False,
        )
        if self.console.is_terminal and not self.console.quiet:
            self._live = Live(console=self.console, get_renderable=self._render)
            self._live.start()
        else:
            self.console.print("  ".join(f"{name:>7}" for name in COLUMNS))
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def step(self, row: Mapping[str, Any]) -> None:
        """Show a finished step."""
        self.rows.append(row)
        left = self.config.steps - row["step"]
        recent = [r["step_s"] for r in self.rows[-5:]]
        eta = f"about {_duration(left * sum(recent) / len(recent))} left" if left else "done"
        self._bar.update(self._task, completed=row["step"], eta=eta, note="")
        if self._live is None:
            self.console.print(
                "  ".join(f"{show(row):>7}" for show in COLUMNS.values()) + f"  {eta}"
            )

    def remark(self, text: str) -> None:
        """Show something that the user should know before it surprises."""
        self.remarks.append(text)
        if self._live is None:
            self.console.print(f"note: {text}", markup=False)

    @contextmanager
    def evaluating(self, label: str, name: str, problems: int) -> Iterator[Callable[[str], None]]:
        """Show that an evaluation goes on; yields a function that tells how far it is."""
        what = f"evaluating {label} on {name} ({problems} problems)"
        self._bar.update(self._task, note=what)
        yield lambda text: self._bar.update(self._task, note=f"{what}: {text}")
        self._bar.update(self._task, note="")

    def evaluated(self, label: str, name: str, result: Mapping[str, Any]) -> None:
        """Show what an evaluation found, with its intervals."""
        self.console.print(f"{label:>8}, {name}: {describe(result)}", markup=False)

    def stopped(self, checkpoint: Path, folder: Path) -> None:
        """Say how to go on after Ctrl-C."""
        self.console.print(
            f"stopped; saved {checkpoint}\ncontinue with: rewardkit train --resume {folder}"
            "\n(or, where a program registered the task, its train(..., resume=True))",
            markup=False,
        )

    def finished(
        self, folder: RunFolder, checkpoint: Path, results: Mapping[str, Mapping[str, Any]]
    ) -> None:
        """Say what came of the run and where it is."""
        if "before" in results and "after" in results:
            self.console.print(before_and_after(results["before"], results["after"]))
        self.console.print(
            f"took {_duration(time.monotonic() - self.started)}; model in {checkpoint}, curves in "
            f"{folder.path / 'curves.svg'}, every response in {folder.path / 'rollouts.jsonl'}",
            markup=False,
        )

    def _render(self) -> Group:
        table = Table(box=None, pad_edge=False)
        for name in COLUMNS:
            table.add_column(name, justify="right")
        for row in self.rows[-SHOWN_STEPS:]:
            table.add_row(*(show(row) for show in COLUMNS.values()))
        remarks = [Text(f"note: {text}", style="yellow") for text in self.remarks]
        return Group(*remarks, table, self._bar)


def describe(result: Mapping[str, Any]) -> str:
    """Return one line on an evaluation: accuracy, both intervals, and what it is made of."""
    these, new = result["interval_these_problems"], result["interval_new_problems"]
    given = result["accuracy_given_answer"]
    return (
        f"accuracy {result['accuracy']:.3f} (95 %: {these[0]:.3f} to {these[1]:.3f} for these "
        f"{result['problems']} problems, {new[0]:.3f} to {new[1]:.3f} for problems like these; "
        f"{result['correct']} of {result['samples']} right); answered "
        f"{result['answered_share']:.3f}, accuracy given an answer "
        + ("-" if given is None else f"{given:.3f}")
    )


def before_and_after(before: Mapping[str, Any], after: Mapping[str, Any]) -> Table:
    """Return a table of both evaluations, and of what lies in between."""
    table = Table(title="held-out problems, sampled")
    for name in ("set", "what", "before", "after", "change"):
        table.add_column(name, justify="left" if name in ("set", "what") else "right")
    sets = {"test": (before, after)}
    for name in before.get("suites", {}):
        sets[name] = (before["suites"][name], after["suites"][name])
    for name, (was, now) in sets.items():
        for key in ("accuracy", "answered_share", "accuracy_given_answer"):
            cells = [_cell(result, key) for result in (was, now)]
            known = was[key] is not None and now[key] is not None
            change = f"{now[key] - was[key]:+.3f}" if known else "-"
            table.add_row(name, key.replace("_", " "), *cells, change)
    return table


def _cell(result: Mapping[str, Any], key: str) -> str:
    if result[key] is None:
        return "-"
    if key != "accuracy":
        return f"{result[key]:.3f}"
    low, high = result["interval_these_problems"]
    return f"{result[key]:.3f} [{low:.3f}, {high:.3f}]"


def _duration(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02d} min"
    return f"{minutes} min {seconds:02d} s" if minutes else f"{seconds} s"
