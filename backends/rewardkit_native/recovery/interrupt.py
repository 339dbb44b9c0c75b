"""Ctrl-C, SIGTERM and SIGHUP end a run where nothing is lost: after the step in hand, saved.

A training step is finished first. An evaluation is left at once, since it changes nothing and is
made again on resuming. A second signal ends at once whatever is going on.
"""

from __future__ import annotations

import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import Any

from rewardkit.runs.signals import STOPPED, handled
from rewardkit_native.distributed.parallel import Ranks

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Ctrl-C; a scheduler that wants the machine; a terminal that was closed."""


class Stopped(Exception):
    """The user, or the machine's scheduler, asked the run to stop; nothing is half done."""


class Interrupt:
    """While entered, the first of `SIGNALS` only sets `asked`; a second one interrupts."""

    def __init__(self) -> None:
        self.asked: signal.Signals | None = None
        self._handled: tuple[signal.Signals, ...] = ()
        self._handling = handled(SIGNALS, self._ask)

    def __enter__(self) -> Interrupt:
        self._handled = self._handling.__enter__()
        return self

    def __exit__(self, *exception: Any) -> None:
        self._handling.__exit__(*exception)

    def check(self, ranks: Ranks | None = None) -> None:
        """Raise `Stopped` if a stop was asked for: called where nothing is half done.

        With `ranks`, on all of them if on any.
        """
        asked = [self.asked] if ranks is None else ranks.gather(self.asked)
        found = next((number for number in asked if number is not None), None)
        if found is not None:
            self.asked = found
            raise Stopped

    def end_program(self) -> None:
        """End the program as the signal would have: a script does not run on, a shell sees why."""
        if self.asked is signal.SIGINT:
            raise KeyboardInterrupt(STOPPED)
        if self.asked is not None:
            raise SystemExit(128 + self.asked)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self.asked is not None:
            for each in self._handled:
                signal.signal(each, signal.SIG_DFL)  # the next one needs no word from Python
            raise KeyboardInterrupt
        self.asked = signal.Signals(number)
        with suppress(OSError):  # the terminal may be gone
            sys.stderr.write(
                "\nstopping after this step, then saving a checkpoint; again to stop at once\n"
            )
