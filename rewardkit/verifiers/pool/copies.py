"""Work in a forked copy of a worker: it can be ended by itself, and leaves nothing behind."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable

from rewardkit.errors import described
from rewardkit.types import Outcome, Verdict
from rewardkit.verifiers.pool import processes, wire

DIED = "its process died"


def in_copy(call: Callable[[], Verdict], seconds: float) -> Verdict:
    """Return what `call` returns in a forked copy of this process, TIMEOUT after so long."""
    started = time.perf_counter()
    pid, read = _forked(call)
    parts: list[bytes] = []
    outcome, reason = Outcome.ERROR, DIED
    try:
        while True:
            left = started + seconds - time.perf_counter()
            if left < 0 or not select.select([read], [], [], left)[0]:
                outcome, reason = Outcome.TIMEOUT, f"killed after {seconds:g} s"
                break
            if not (part := os.read(read, 1 << 16)):
                if parts:
                    return wire.decode(b"".join(parts))[0]
                break
            parts.append(part)
    finally:
        os.close(read)
        _end(pid)
    return Verdict(outcome, method="pool", reason=reason, seconds=time.perf_counter() - started)


def in_place(call: Callable[[], Verdict]) -> Verdict:
    """Return what `call` returns in a forked copy, which stands for this process.

    Nothing that `call` fills or counts is left in this process, so the next copy begins as this one
    did. What ends the copy, as its limit of CPU time or the kernel for its memory, ends this
    process too.
    """
    pid, read = _forked(call)
    ended = None
    try:
        with open(read, "rb") as file:
            body = file.read()
        ended = os.waitpid(pid, 0)[1]
    finally:
        if ended is None:
            _end(pid)
    if os.WIFSIGNALED(ended):
        os.kill(os.getpid(), os.WTERMSIG(ended))
    if not body:
        return Verdict(Outcome.ERROR, method="pool", reason=DIED)
    return wire.decode(body)[0]


def shielded(call: Callable[[], Verdict]) -> Verdict:
    """Return what `call` returns; an exception is an ERROR that says where it was raised."""
    try:
        return call()
    except Exception as error:  # noqa: BLE001 whatever a user's verifier raises
        return Verdict(Outcome.ERROR, method="pool", reason=described(error))


def _forked(call: Callable[[], Verdict]) -> tuple[int, int]:
    """Return the number of a copy that calls, and where its verdict can be read."""
    parent, cpu_s = os.getpid(), signal.getitimer(signal.ITIMER_PROF)[0]
    read, write = os.pipe()
    pid = os.fork()
    if pid:
        os.close(write)
        return pid, read
    try:
        os.close(read)
        processes.kernel_ends_with_parent()
        if os.getppid() == parent:
            signal.setitimer(signal.ITIMER_PROF, cpu_s)  # a fork does not hand it on
            with open(write, "wb") as file:
                file.write(wire.encode([shielded(call)]))
    finally:
        os._exit(0)


def _end(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)  # not yet reaped, so the number is its own
    os.waitpid(pid, 0)
