"""Signal handlers for a while: set where they may be set, and put back."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

STOPPED = "stopped in order, and said how to go on"
"""What a KeyboardInterrupt carries where nothing is left to say of it."""
Handler = Callable[[int, FrameType | None], None]


@contextmanager
def handled(
    numbers: Sequence[signal.Signals], handler: Handler
) -> Iterator[tuple[signal.Signals, ...]]:
    """Let `handler` answer signals while inside; yields those that it answers.

    A signal that is ignored stays so, as under nohup. Only the main thread may set handlers;
    elsewhere the caller's own ones stay.
    """
    taken: tuple[signal.Signals, ...] = ()
    if threading.current_thread() is threading.main_thread():
        taken = tuple(n for n in numbers if signal.getsignal(n) is not signal.SIG_IGN)
    before = {number: signal.signal(number, handler) for number in taken}
    try:
        yield taken
    finally:
        for number, former in before.items():
            signal.signal(number, former)
