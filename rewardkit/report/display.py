"""What a person sees of a run: a live table, or lines without a terminal; trackers get it, too."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO, cast

from rich.console import Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from rewardkit.config import RunConfig
from rewardkit.evaluation.measures.near import undeclared_note
from rewardkit.guards import Alarm, nothing_learned
from rewardkit.pages import duration
from rewardkit.pages.console import Console
from rewardkit.report.columns import Column, columns_of, fitting, undecided
from rewardkit.report.terminal import BestEffortStream
from rewardkit.report.trackers import Trackers, open_trackers
from rewardkit.runs import RunFolder
from rewardkit.runs.results import Evaluation
from rewardkit.tasks.settings import task_names

SILENCE_S = 10.0
"""Where there is no live table, so long passes before what is under way says how far it is."""
SHOWN_STEPS = 15
"""Rows of the live table; all of them are in metrics.jsonl."""

Row = Mapping[str, Any]


def going_on(step: int, steps: int) -> str:
    """Return where a resumed run goes on.

    >>> going_on(120, 200)
    'resumed after step 120: the next is 121 of 200'
    >>> going_on(120, 80)
    'resumed after step 120, and steps is 80: nothing is left to train'
    """
    if step > steps:
        return f"resumed after step {step}, and steps is {steps}: nothing is left to train"
    if step == steps:
        return f"resumed after step {step}, which is the last of {steps}: nothing is left to train"
    return f"resumed after step {step}: the next is {step + 1} of {steps}"


def loading(config: RunConfig) -> None:
    """Say that something goes on before there is anything to show."""
    stream = cast(TextIO, BestEffortStream(sys.stdout))
    Console(file=stream).print(f"loading torch and {config.model.name} ...", markup=False)


class Display:
    """Shows steps as they end, an evaluation as it goes, and where everything was left."""

    def __init__(self, config: RunConfig, *, quiet: bool = False) -> None:
        self.config = config
        self.columns = columns_of(config)
        self._headed: list[Column] = []
        self._trackers: Trackers | None = None
        stream = cast(TextIO, BestEffortStream(sys.stdout))
        self.console = Console(soft_wrap=True, quiet=quiet, file=stream)
        self.rows: list[Row] = []
        self.found: dict[str, dict[str, str]] = {}
        self.started = self._shown = time.monotonic()
        self.expected: float | None = None
        """Seconds that the run will take, as far as is known when it begins."""
        self.next_step = 1
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
            f"{self.config.recipe.name} on {task_names(self.config)}, model "
            f"{self.config.model.name}: {self.config.steps} steps of "
            f"{self.config.sampling.problems} x {self.config.sampling.group_size} responses "
            f"-> {self.config.folder}"
            + (f"; about {duration(self.expected)} on this machine" if self.expected else ""),
            markup=False,
        )
        if self.console.is_terminal and not self.console.quiet:
            self._live = Live(console=self.console, get_renderable=self._render)
            self._live.start()
        if not self.console.quiet:
            folder = RunFolder(Path(self.config.folder))
            self._trackers = open_trackers(self.config, folder, self.remark)
        return self

    def __exit__(self, *_: object) -> None:
        if self._trackers:
            self._trackers.close()
        if self._live is not None:
            self._live.stop()

    def sampling(self, done: int, tokens: int) -> None:
        """Show how far the sampling of a step is."""
        self._under_way(f"sampling: {done} responses done, {tokens} tokens")

    def updating(self, done: int, passes: int) -> None:
        """Show how far the update of a step is."""
        self._under_way(f"updating: {done} of {passes} passes")

    def _under_way(self, note: str, what: str = "") -> None:
        """Show how far something is: in the live table, or by a line after some silence."""
        self._bar.update(self._task, note=f"{what}: {note}" if what else note)
        if self._live is None and time.monotonic() - self._shown > SILENCE_S:
            self._print(f"{what or f'step {self.next_step}'}: {note}")

    def _print(self, text: Any) -> None:
        self._shown = time.monotonic()
        self.console.print(text, markup=False, highlight=False)

    def step(self, row: Row) -> None:
        """Show a finished step."""
        self.rows.append(row)
        self.next_step = row["step"] + 1
        if self._trackers:
            self._trackers.row(row)
        left = self.config.steps - row["step"]
        recent = [r["step_s"] for r in self.rows[-5:] if r.get("step_s") is not None]
        eta = "done" if not left else ""
        if left and recent:
            eta = f"about {duration(left * sum(recent) / len(recent))} left"
        self._bar.update(self._task, completed=row["step"], eta=eta, note="")
        if self._live is None:
            columns = self._telling()
            if columns != self._headed:
                self._headed = columns
                if any(column.of for column in columns):
                    self._line((column, column.of) for column in columns)
                self._line((column, column.name) for column in columns)
            self._line(((column, column.show(row)) for column in columns), f"  {eta}")

    def recorded(self, step: int, rows: Sequence[Row], alarms: Sequence[Alarm]) -> None:
        """Send a step's responses and alarms to the trackers, before its numbers."""
        if self._trackers:
            self._trackers.responses(step, rows)
            self._trackers.alarms(step, alarms)

    def _telling(self) -> list[Column]:
        """Return the columns: that of undecided verdicts once there are any."""
        some = any(undecided(row) for row in self.rows)
        return [column for column in self.columns if some or column.value is not undecided]

    def _line(self, cells: Iterable[tuple[Column, str]], end: str = "") -> None:
        self._print(" ".join(f"{cell:>{column.width}}" for column, cell in cells) + end)

    def remark(self, text: str) -> None:
        """Show something that the user should know before it surprises."""
        self._print(f"note: {text}")

    @contextmanager
    def evaluating(self, label: str, name: str, problems: int) -> Iterator[Callable[[str], None]]:
        """Show that an evaluation goes on; yields a function that tells how far it is."""
        what = f"evaluating {label} on {name} ({problems} problems)"
        self._bar.update(self._task, note=what)
        yield lambda text: self._under_way(text, what)
        self._bar.update(self._task, note="")

    def evaluated(self, label: str, name: str, result: Mapping[str, Any]) -> None:
        """Show what an evaluation found, with its intervals."""
        if self._trackers:
            self._trackers.held_out(step_of(label, self.config.steps), name, result)
        self.found.setdefault(name, {})[label] = f"{result['accuracy']:.3f}"
        self._print(f"{label:>8}, {name}: {describe(result)}")
        if note := undeclared_note(name, result):
            self.remark(note)

    def stopped(self, checkpoint: Path, folder: Path) -> None:
        """Say how to go on after Ctrl-C."""
        self.console.print(
            f"stopped; saved {checkpoint}\n"
            f"continue with: rewardkit train --resume {shlex.quote(str(folder))}"
            "\n(or, where a program registered the task, its train(..., resume=True))",
            markup=False,
        )

    def finished(
        self, folder: RunFolder, checkpoint: Path, results: Mapping[str, Evaluation]
    ) -> None:
        """Say what came of the run and where it is."""
        if "before" in results and "after" in results:
            self.console.print(before_and_after(results["before"], results["after"]))
        if note := nothing_learned(folder.rows("metrics.jsonl")):
            self.remark(note)
        self.console.print(
            f"took {duration(time.monotonic() - self.started)}; model in {checkpoint}; curves and "
            f"every response as one page: rewardkit report {folder.typed}",
            markup=False,
        )

    def _render(self) -> Group:
        columns = fitting(self.console.width, self._telling())
        table = Table(box=None, pad_edge=False)
        for column in columns:
            of = f"{column.of}\n" if any(one.of for one in columns) else ""
            table.add_column(f"{of}{column.name}", justify="right", no_wrap=True)
        for row in self.rows[-SHOWN_STEPS:]:
            table.add_row(*(column.show(row) for column in columns))
        held_out = [
            Text(f"held out, {name}: " + ", ".join(f"{k} {v}" for k, v in list(by.items())[-6:]))
            for name, by in self.found.items()
        ]
        return Group(*held_out, table, self._bar)


def step_of(label: str, steps: int) -> int:
    """Return after which step an evaluation of that name was made.

    >>> step_of("before", 9), step_of("step-00005", 9), step_of("after", 9)
    (0, 5, 9)
    """
    known = {"before": 0, "after": steps}
    return known[label] if label in known else int(label.removeprefix("step-"))


def describe(result: Mapping[str, Any]) -> str:
    """Return one line on an evaluation: accuracy, both intervals, and what it is made of."""
    these, new = result["interval_these_problems"], result["interval_new_problems"]
    given = result["accuracy_given_answer"]
    problems = result["problems"] - result["ungraded"]["problems_without_grade"]
    return (
        f"accuracy {result['accuracy']:.3f} (95 %: {these[0]:.3f} to {these[1]:.3f} for these "
        f"{problems} problems, {new[0]:.3f} to {new[1]:.3f} for problems like these; "
        f"{result['correct']} of {result['graded']} right); answered "
        f"{result['answered_share']:.3f}, accuracy given an answer "
        + ("-" if given is None else f"{given:.3f}")
        + (f"; by rules alone {result['by_rules']['accuracy']:.3f}" if "by_rules" in result else "")
    )


def before_and_after(before: Evaluation, after: Evaluation) -> Table:
    """Return a table of both evaluations, and of what lies in between."""
    table = Table(title="held-out problems, sampled")
    for name in ("set", "what", "before", "after", "change"):
        table.add_column(name, justify="left" if name in ("set", "what") else "right")
    held = {n: (one, after["sets"][n]) for n, one in before["sets"].items() if n in after["sets"]}
    for name, (was, now) in held.items():
        for key in ("accuracy", "answered_share", "accuracy_given_answer"):
            table.add_row(name, key.replace("_", " "), *_cells(was, now, key))
        if "score" in was or "score" in now:
            table.add_row(name, "mean score", *_cells(_scored(was), _scored(now), "mean"))
    return table


def _scored(result: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the mean score; it is the accuracy where no score is another than its outcome."""
    interval = "interval_these_problems"
    same = {"mean": result["accuracy"], interval: result[interval]}
    return result.get("score", same)  # type: ignore[no-any-return]


def _cells(was: Mapping[str, Any], now: Mapping[str, Any], key: str) -> list[str]:
    known = was[key] is not None and now[key] is not None
    change = f"{now[key] - was[key]:+.3f}" if known else "-"
    return [_cell(was, key), _cell(now, key), change]


def _cell(result: Mapping[str, Any], key: str) -> str:
    if result[key] is None:
        return "-"
    if key not in ("accuracy", "mean"):
        return f"{result[key]:.3f}"
    low, high = result["interval_these_problems"]
    return f"{result[key]:.3f} [{low:.3f}, {high:.3f}]"
