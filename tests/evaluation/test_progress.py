"""What a log file shows of an evaluation while it runs."""

import io
import re
import time
from collections import Counter

import pytest

from rewardkit.evaluation.drawing import progress
from rewardkit.evaluation.drawing.progress import LiveProgress, progress_line
from rewardkit.evaluation.drawing.runner import Activity
from rewardkit.pages.console import Console


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(progress, "SHORTEST_S", 0.01)
    monkeypatch.setattr(progress, "LONGEST_S", 0.01)


def wait_for(log, line):
    deadline = time.monotonic() + 60
    while not re.search(line, log.getvalue()):
        assert time.monotonic() < deadline
        time.sleep(0.005)


@pytest.mark.parametrize(
    ("activity", "line"),
    [
        (Activity(), "0 of 60 samples after 2 min"),
        (Activity(drawn=20, tokens=1200, seconds=120), "20 of 60 samples after 2 min, 10 tokens/s, 4 min left"),
        (
            Activity(drawn=30, tokens=600, seconds=60, failures=Counter(dead=10)),
            "30 of 60 samples after 2 min, 5 tokens/s, 10 failed, 1 min left",
        ),
        (
            Activity(reused=50, drawn=5, tokens=50, seconds=100),
            "5 of 10 samples after 2 min, 0 tokens/s, 2 min left",
        ),
    ],
)  # fmt: skip
def test_a_line_says_how_far_it_is_and_how_long_it_takes(activity, line):
    assert progress_line(activity, 60, 120.0) == line


def test_a_log_file_gets_lines_also_while_nothing_comes(quick):
    log = io.StringIO()
    activity = Activity()
    with LiveProgress(Console(file=log), "[m]") as live:
        assert log.getvalue() == ""
        live(activity, 4)
        wait_for(log, r"\[m\]: 0 of 4 samples after \d+ s\n")
        activity.drawn, activity.tokens, activity.seconds = 1, 8, 2.0
        live(activity, 4)
        wait_for(log, r"\[m\]: 1 of 4 samples after \d+ s, 4 tokens/s, \d+ s left\n")
    shown = log.getvalue()
    time.sleep(0.05)
    assert log.getvalue() == shown


def test_nothing_is_drawn_on_a_terminal_before_there_is_a_number():
    log = io.StringIO()
    terminal = Console(file=log, force_terminal=True, width=80)
    with LiveProgress(terminal, "m") as live:
        time.sleep(0.15)  # longer than a redraw takes
        assert log.getvalue() == ""
        live(Activity(drawn=1), 4)
    assert "1/4" in log.getvalue()
