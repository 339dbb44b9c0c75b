"""Handlers are set while inside, never over an ignored signal, and put back whatever happens."""

import os
import signal
import threading
from contextlib import suppress

import pytest

from rewardkit.runs.signals import handled

BOTH = (signal.SIGUSR1, signal.SIGUSR2)


@pytest.fixture(autouse=True)
def handlers():
    before = {number: signal.getsignal(number) for number in BOTH}
    yield
    for number, former in before.items():
        signal.signal(number, former)


def test_a_signal_is_answered_inside_and_its_handler_put_back():
    before, seen = signal.getsignal(signal.SIGUSR1), []
    with suppress(ZeroDivisionError), handled(BOTH, lambda n, _: seen.append(n)) as taken:
        os.kill(os.getpid(), signal.SIGUSR1)
        _ = 1 / 0
    assert taken == BOTH
    assert seen == [signal.SIGUSR1]
    assert signal.getsignal(signal.SIGUSR1) is before


def test_an_ignored_signal_stays_ignored():
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    with handled(BOTH, lambda *_: None) as taken:
        assert taken == (signal.SIGUSR2,)
        assert signal.getsignal(signal.SIGUSR1) is signal.SIG_IGN


def test_another_thread_leaves_them_alone():
    found, before = [], signal.getsignal(signal.SIGUSR1)

    def enter():
        with handled(BOTH, lambda *_: None) as taken:
            found.append((taken, signal.getsignal(signal.SIGUSR1)))

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert found == [((), before)]
