"""The pool's ends of its processes: of the template, and of each worker."""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import socket
import subprocess
import sys
import threading

from rewardkit.errors import RewardkitError
from rewardkit.verifiers.pool import wire
from rewardkit.verifiers.pool.wire import Settings

START_SECONDS = 120.0
"""How long a worker may take to start; generous, for it is not the item's fault."""
BACKGROUND_NICENESS = 10
"""A tenth of the CPU time of an ordinary process, where both want all of a core."""


class WorkerDied(Exception):
    """A worker ended without an answer; the message says how."""


class TemplateProcess:
    """The pool's end of the process that workers are forked from, below the one that guards it."""

    def __init__(self, settings: Settings) -> None:
        self.control, theirs = socket.socketpair()
        self.lock = threading.Lock()
        # Sets have one order in all pools: in how many steps sympy is done depends on it. A seed of
        # the caller's own stays, and programs that verifiers start see none of ours.
        ours = "PYTHONHASHSEED" not in os.environ
        arguments = [str(theirs.fileno()), str(os.getpid()), "PYTHONHASHSEED" if ours else ""]
        self.process = subprocess.Popen(
            [sys.executable, "-c", _BOOT, *arguments, *_package_root()],
            pass_fds=(theirs.fileno(),),
            stdin=subprocess.DEVNULL,
            env={"PYTHONHASHSEED": "0", **os.environ},
            start_new_session=True,  # Ctrl-C in the terminal is for the caller to answer
        )
        theirs.close()
        with contextlib.suppress(ConnectionError):  # it died: then `fork` says so
            wire.send(self.control, pickle.dumps(settings))

    def fork(self) -> WorkerProcess:
        """Return a new worker.

        Raises:
            RewardkitError: it cannot load or warm the verifier.
            WorkerDied: it died while starting.
            ConnectionError: the template is gone.
        """
        ours, theirs = socket.socketpair()
        try:
            with self.lock:
                wire.send_command(self.control, wire.FORK, descriptor=theirs.fileno())
                pid = wire.receive_number(self.control)
        except ConnectionError:
            ours.close()
            raise
        finally:
            theirs.close()
        started = WorkerProcess(self, ours, pid)
        ours.settimeout(START_SECONDS)
        failure = started.reply()
        if failure != b"":
            started.kill()
            if failure is None:
                raise WorkerDied("the worker died while starting")
            raise RewardkitError(f"the verifier cannot be loaded in a worker: {failure.decode()}")
        return started

    def end(self, pid: int, command: bytes) -> int | None:
        """Kill a worker (KILL), or reap a dead one (REAP) and return how it ended.

        That is a signal as its negative, else the exit status; None where the template is gone.
        """
        with self.lock:
            try:
                wire.send_command(self.control, command, pid)
                return wire.receive_number(self.control)
            except OSError:  # and its workers with it
                return None

    def close(self) -> None:
        """End the template, and with it all workers."""
        _hang_up(self.control)
        try:
            self.process.wait(timeout=3.0)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class WorkerProcess:
    """The pool's end of one worker."""

    def __init__(self, template: TemplateProcess, sock: socket.socket, pid: int) -> None:
        self.template = template
        self.sock = sock
        self.pid = pid

    def send(self, body: bytes, seconds: float) -> None:
        """Send an item; raises TimeoutError when the worker does not take it in that time."""
        self.sock.settimeout(seconds)
        with contextlib.suppress(ConnectionError):  # it died: then `reply` returns None
            wire.send(self.sock, body)

    def has_replied(self, seconds: float) -> bool:
        """Wait for the reply, or the worker's death, for so long."""
        poll = select.poll()
        poll.register(self.sock, select.POLLIN)
        return bool(poll.poll(max(0.0, 1000 * seconds)))

    def reply(self) -> bytes | None:
        """Return the reply, or None when the worker died; raises TimeoutError as `send` does."""
        try:
            return wire.receive(self.sock)
        except ConnectionError:
            return None

    def lower_priority(self) -> None:
        """Leave the CPU to others; its own parent alone reaps it, so the number is its own."""
        with contextlib.suppress(OSError, AttributeError):  # not every POSIX system has all of it
            niceness = os.getpriority(os.PRIO_PROCESS, self.pid) + BACKGROUND_NICENESS
            os.setpriority(os.PRIO_PGRP, self.pid, min(niceness, 19))  # and its copies'
            if os.sched_getscheduler(self.pid) in (os.SCHED_FIFO, os.SCHED_RR):
                # Among real-time processes niceness means nothing.
                os.sched_setscheduler(self.pid, os.SCHED_OTHER, os.sched_param(0))

    def kill(self) -> None:
        """End the worker."""
        self.template.end(self.pid, wire.KILL)
        _hang_up(self.sock)  # not before, or a worker about to reply would complain

    def reap(self) -> int | None:
        """Return how a worker that died ended, see `TemplateProcess.end`."""
        status = self.template.end(self.pid, wire.REAP)
        self.sock.close()
        return status


def _hang_up(sock: socket.socket) -> None:
    """Close a socket for good: a process that the caller forked may hold a copy of it."""
    with contextlib.suppress(OSError):  # closed already
        sock.shutdown(socket.SHUT_RDWR)
    sock.close()


_BOOT = (
    "import os, socket, sys; os.dup2(2, 1); sys.path[:0] = sys.argv[4:]; "
    "os.environ.pop(sys.argv[3], None); "
    "from rewardkit.verifiers.pool.keeper import run_keeper; "
    "os._exit(run_keeper(socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2])) & 255)"
)
"""Run the keeper under its importable name, with what it prints kept off standard output.

It ends at once: as Python ends, signals have their default handling again, and the one that says
that the caller is gone would make a failure of it.
"""


def _package_root() -> list[str]:
    import rewardkit

    return [os.path.dirname(path) for path in rewardkit.__path__]
