"""How far an evaluation is: a bar on a terminal, a line now and then in a log file."""

from __future__ import annotations

import threading
import time

from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from rewardkit.evaluation.drawing.runner import Activity
from rewardkit.pages.console import Console

SHORTEST_S, LONGEST_S = 10.0, 300.0
"""Between two lines."""


class LiveProgress:
    """Shows on standard error the samples done, tokens a second and the time left.

    Nothing is shown before it is known how many samples there are to draw.
    """

    def __init__(self, console: Console, label: str) -> None:
        self._console, self._label = console, label
        self._bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[speed]}"),
            TextColumn("ETA"),
            TimeRemainingColumn(),
            console=console,
            transient=True,
        )
        self._row = self._bar.add_task(escape(label), total=None, speed="")
        self._began: float | None = None
        self._last: tuple[Activity, int] | None = None
        self._end = threading.Event()
        self._lines = threading.Thread(target=self._print_lines, daemon=True)

    def __enter__(self) -> LiveProgress:
        return self

    def __exit__(self, *exception: object) -> None:
        self._end.set()
        if self._lines.is_alive():
            self._lines.join()
        if self._console.is_terminal:  # elsewhere it would print an empty line
            self._bar.stop()

    def __call__(self, activity: Activity, wanted: int) -> None:
        """Show how far the evaluation is."""
        self._last = activity, wanted
        if self._began is None:
            self._began = time.monotonic()
            self._bar.start() if self._console.is_terminal else self._lines.start()
        self._bar.update(
            self._row,
            total=wanted - activity.reused,
            completed=activity.drawn,
            speed=_speed(activity),
        )

    def _print_lines(self) -> None:
        """Print a line now and then, also while nothing comes: a log should say so."""
        assert self._began is not None
        while not self._end.wait(until_next(time.monotonic() - self._began)):
            assert self._last is not None
            line = progress_line(*self._last, time.monotonic() - self._began)
            text = f"{self._label}: {line}"
            self._console.print(text, soft_wrap=True, highlight=False, markup=False)


def until_next(elapsed: float) -> float:
    """Return the seconds from one line to the next: a tenth of the time so far, within bounds.

    >>> until_next(0), until_next(1000), until_next(90_000)
    (10.0, 100.0, 300.0)
    """
    return min(max(elapsed / 10, SHORTEST_S), LONGEST_S)


def progress_line(activity: Activity, wanted: int, elapsed: float) -> str:
    """Return how far it is, in words.

    >>> progress_line(Activity(drawn=30, reused=20, tokens=600, seconds=60), 80, 60)
    '30 of 60 samples after 1 min, 10 tokens/s, 1 min left'
    """
    missing = wanted - activity.reused
    settled = activity.drawn + activity.failures.total()
    parts = [f"{activity.drawn} of {missing} samples after {duration(elapsed)}"]
    if settled:
        parts.append(_speed(activity, elapsed))
        parts.append(f"{duration(elapsed / settled * (missing - settled))} left")
    return ", ".join(parts)


def duration(seconds: float) -> str:
    """Return a time in the unit that says enough.

    >>> duration(42), duration(300), duration(10_000)
    ('42 s', '5 min', '2 h 47 min')
    """
    minutes = round(seconds / 60)
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def _speed(activity: Activity, elapsed: float = 0.0) -> str:
    seconds = max(activity.seconds, elapsed)  # of the last response, which may be long ago
    speed = activity.tokens / seconds if seconds else 0.0
    failed = f", {activity.failures.total()} failed" if activity.failures else ""
    return f"{speed:.0f} tokens/s{failed}"
