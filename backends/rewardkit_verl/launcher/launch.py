"""Run verl in a process of its own: watch it, stop it, and say what it said when it failed."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import IO

from rewardkit.errors import NoSignalError, TrainingError
from rewardkit.runs.signals import handled
from rewardkit_verl.launcher.prepare import Command
from rewardkit_verl.names import LAUNCHER_VARIABLE

POLL_S = 0.5
GRACE_S = (30.0, 5.0)
"""So long may verl take to shut Ray down once it is asked (SIGINT), and then told (SIGTERM)."""
TAIL_LINES = 40
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def run(
    command: Command,
    log: Path,
    *,
    poll: Callable[[], bool],
    silence_s: float,
    remark: Callable[[str], None],
) -> None:
    """Run verl until it ends; `poll` is called twice a second and says whether a step ended.

    Raises:
        NoSignalError: no group of a batch carried any signal, as natively.
        TrainingError: verl ended with another error; either carries the end of its log.
        KeyboardInterrupt: the user stopped it; verl and its Ray have ended.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    signals = (signal.SIGTERM, signal.SIGHUP)
    early: list[int] = []
    process = None
    with log.open("ab") as output, handled(signals, _interrupt):
        began = output.tell()
        try:
            # Raised within Popen, an interrupt would leave verl behind, running.
            with handled((signal.SIGINT, *signals), lambda number, _: early.append(number)):
                process = _start(command, output)
            if early:
                raise KeyboardInterrupt
            _follow(process, poll=poll, silence=SilenceWatch(silence_s, log, remark))
        finally:
            if process is not None:
                stop(process)
    if process.returncode:
        raise failure(process.returncode, log, began)


def _start(command: Command, output: IO[bytes]) -> subprocess.Popen[bytes]:
    # Its own session: Ctrl-C reaches us alone, and we end it in order.
    return subprocess.Popen(
        command.arguments,
        env={**os.environ, **command.environment, LAUNCHER_VARIABLE: str(os.getpid())},
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def _follow(
    process: subprocess.Popen[bytes], *, poll: Callable[[], bool], silence: SilenceWatch
) -> None:
    while process.poll() is None:
        silence.check(stepped=poll())
        time.sleep(POLL_S)


class SilenceWatch:
    """Reports, once each time, that verl has said nothing or finished no step for long."""

    def __init__(self, limit_s: float, log: Path, remark: Callable[[str], None]) -> None:
        self.limit_s = limit_s
        self.log = log
        self.remark = remark
        self.size = -1
        self.heard = self.stepped = time.monotonic()

    def check(self, *, stepped: bool) -> None:
        """Look at the clock and at the log's size."""
        now, size = time.monotonic(), self.log.stat().st_size
        if size != self.size:
            self.size, self.heard = size, now
        if stepped:
            self.stepped = now
        # While it samples, verl's trainer writes a line a minute even if nothing comes of it.
        for what, since in (("said nothing", self.heard), ("finished no step", self.stepped)):
            if now - since >= self.limit_s:
                last = next((line for line in reversed(tail(self.log)) if line.strip()), "")
                self.remark(
                    f"verl has {what} for {now - since:.0f} s. Its last line: {last.strip()[:200]}"
                    f" (more in {self.log}). Ctrl-C stops it; verl.silence_s sets this limit"
                )
                self.heard = self.stepped = now
                return


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a process and all that it started: asked first, then told, then killed."""
    for number, patience in zip((signal.SIGINT, signal.SIGTERM), GRACE_S, strict=True):
        if process.poll() is not None:
            break
        # Only the driver: its exit takes Ray down in order, and Ray's processes die with it.
        process.send_signal(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(patience)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def failure(status: int, log: Path, began: int = 0) -> TrainingError:
    """Return what went wrong, as far as verl's log says.

    What is raised in verl's processes arrives here as a line of its log alone.
    """
    lines = [COLOUR.sub("", line) for line in tail(log, began) if line.strip()]
    reasons = [line for line in lines if "rewardkit.errors." in line]
    how = f"was killed by signal {-status}" if status < 0 else f"exited with status {status}"
    reason = f" {reasons[-1].strip()}" if reasons else ""
    kind = (
        NoSignalError if f"rewardkit.errors.{NoSignalError.__name__}" in reason else TrainingError
    )
    ending = "\n".join(f"  {line}" for line in lines[-TAIL_LINES:])
    return kind(f"verl {how}.{reason}\nThe end of its log ({log}):\n{ending}")


def tail(log: Path, began: int = 0, most: int = 1 << 18) -> list[str]:
    """Return the last lines of a log, of what was written after byte `began`."""
    with log.open("rb") as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(max(began, end - most))
        return file.read().decode("utf-8", "replace").splitlines()


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Let SIGTERM (a scheduler) and SIGHUP (a closed terminal) stop a run as Ctrl-C does."""
    raise KeyboardInterrupt
