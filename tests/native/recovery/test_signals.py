"""A run that is told to stop saves the step in hand, and its status says why it ended."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from rewardkit.config import config_to_toml
from rewardkit.runs import RunFolder
from rewardkit_native import evaluate
from rewardkit_native.loop import train
from rewardkit_native.recovery.interrupt import Interrupt, Stopped

from run_files import names, same, steps, weights  # isort: skip


def test_the_first_signal_only_asks_and_the_second_interrupts():
    with Interrupt() as interrupt:
        interrupt.check()
        os.kill(os.getpid(), signal.SIGTERM)
        assert interrupt.asked is signal.SIGTERM
        with pytest.raises(Stopped):
            interrupt.check()
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_DFL
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_elsewhere_than_in_the_main_thread_the_callers_handlers_stay():
    before = signal.getsignal(signal.SIGINT)
    found = []

    def enter():
        with Interrupt() as interrupt:
            interrupt.end_program()  # nobody asked
            found.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert found == [before]


@pytest.mark.parametrize(
    ("number", "end"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, SystemExit)]
)
def test_a_signal_in_the_last_evaluation_stops_it_at_once(configure, monkeypatch, number, end):
    config = configure("checkpoint.every=0", "eval.samples=2", "eval.problems=4")
    original = evaluate.answered
    calls = []

    def slow(*arguments):
        *rest, progress = arguments

        def report(text):
            calls.append(text)
            if steps(config.folder) == [1, 2, 3, 4] and len(calls) > 0:
                os.kill(os.getpid(), number)
            progress(text)

        calls.clear()
        return original(*rest, report)

    monkeypatch.setattr(evaluate, "answered", slow)
    with pytest.raises(end) as caught:
        train(config)
    assert len(calls) == 1
    if end is SystemExit:
        assert caught.value.code == 143
    results = RunFolder.open(config.folder)
    assert list(results.evaluations()) == ["before"]
    saved = weights(config.folder, 4)
    monkeypatch.undo()
    train(config, resume=True)
    assert same(weights(config.folder, 4), saved)
    assert list(results.evaluations()) == ["before", "after"]


def test_an_evaluation_on_the_way_that_was_left_is_made_on_resuming(
    configure, monkeypatch, tmp_path
):
    settings = ("eval.samples=1", "eval.problems=2", "eval.every=2", "checkpoint.every=0")
    whole = train(configure(*settings, f"folder={tmp_path / 'whole'}"))
    config = configure(*settings)
    original = evaluate.answered

    def stopped(*arguments):
        if steps(config.folder) == [1, 2]:
            os.kill(os.getpid(), signal.SIGINT)
        return original(*arguments)

    monkeypatch.setattr(evaluate, "answered", stopped)
    with pytest.raises(KeyboardInterrupt):
        train(config)
    monkeypatch.undo()
    train(config, resume=True)
    for name in ("results.json", "rollouts.jsonl"):
        assert (whole / name).read_bytes() == (Path(config.folder) / name).read_bytes()
    assert same(weights(whole, 4), weights(config.folder, 4))


def begin(nursery, config, tmp_path):
    """Start a training in a process of its own; return its number once it has made a step."""
    (tmp_path / "run.toml").write_text(config_to_toml(config))
    pid = nursery.start(str(tmp_path / "run.toml"))
    deadline = time.monotonic() + 240
    while not (tmp_path / "run" / "metrics.jsonl").exists():
        assert time.monotonic() < deadline, nursery.log.read_text()[-2000:]
        time.sleep(0.02)
    return pid


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_process_that_is_told_to_stop_saves_and_its_status_says_so(
    nursery, configure, tmp_path, number, status
):
    config = configure("steps=100000", "checkpoint.every=0")
    nursery.log.write_text("")
    os.kill(begin(nursery, config, tmp_path), number)
    assert nursery.ended() == status
    said = nursery.log.read_text()
    assert "Traceback" not in said
    assert said.count("stopped") == 1
    assert f"rewardkit train --resume {config.folder}" in said
    assert weights(config.folder, steps(config.folder)[-1])


def test_a_second_signal_ends_a_process_without_saving(nursery, configure, tmp_path):
    # Steps of many rounds: the first signal alone would have to wait.
    config = configure(
        "steps=100000", "checkpoint.every=0", "sampling.problems=24", "sampling.group_size=24"
    )
    nursery.log.write_text("")
    pid = begin(nursery, config, tmp_path)
    time.sleep(0.3)
    os.kill(pid, signal.SIGINT)
    while "again to stop at once" not in nursery.log.read_text():
        time.sleep(0.01)
    os.kill(pid, signal.SIGINT)
    assert nursery.ended() == 130
    assert "Traceback" not in nursery.log.read_text()
    assert names(config.folder) == set()


def test_a_run_goes_on_when_nobody_reads_what_it_says(configure, monkeypatch):
    reading, writing = os.pipe()
    os.close(reading)  # as with: rewardkit train ... | head
    with os.fdopen(writing, "w") as nobody, monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", nobody)
        path = train(configure())
    assert steps(path) == [1, 2, 3, 4]
