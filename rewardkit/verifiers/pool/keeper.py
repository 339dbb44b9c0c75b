"""The process between the pool's and the template: it ends all below when either is gone.

It runs no code but this, so nothing that a verifier does can bring it down by accident; and should
it be killed all the same, the template ends what is below itself.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import time
import traceback

from rewardkit.verifiers.pool import processes
from rewardkit.verifiers.pool.worker import run_template

LEFT_ALONE_SECONDS = 0.5
"""So long may the template end what is below it, once the pool has hung up."""


def run_keeper(control: socket.socket, caller: int) -> int:
    """Fork the template; return its exit status when nothing is left below this process."""
    # A batch system that stops a job sends SIGTERM to all of its processes. The pool's process may
    # have a step to finish, and ends this one; what verifiers start gets its default handling.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)
    processes.adopt_orphans()
    wake, waker = os.pipe()
    os.set_blocking(waker, False)
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(waker)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    # Wakes this process at once when the caller ends, or the thread of it that began all this.
    processes.kernel_ends_with_parent(signal.SIGTERM)
    keeper = os.getpid()
    template = os.fork()
    if template == 0:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.close(wake)
        os.close(waker)
        _be_template(control, keeper)
    control.close()
    ended, status = 0, 0
    # A copy that the caller forked may hold its sockets open: its own number says when it is gone.
    while os.getppid() == caller and not ended:
        if select.select([wake], [], [], processes.WATCH_SECONDS)[0]:
            os.read(wake, 512)
        ended, status = os.waitpid(template, os.WNOHANG)
    if not ended:
        ended, status = _end_of(template)
    processes.end_descendants(() if ended else (template,))
    return os.waitstatus_to_exitcode(status)


def _end_of(template: int) -> tuple[int, int]:
    """Wait for the template, which saw the pool's end as well; 0 where it needs to be killed.

    Killed at once it would end nothing itself, and were this process killed then, nobody would.
    """
    until = time.monotonic() + LEFT_ALONE_SECONDS
    ended, status = 0, 0
    while not ended and time.monotonic() < until:
        ended, status = os.waitpid(template, os.WNOHANG)
        time.sleep(0.002)
    return ended, status


def _be_template(control: socket.socket, keeper: int) -> None:
    status = 1
    try:
        run_template(control, keeper)
        status = 0
    except BaseException:  # noqa: BLE001 the forked copy must not run on as a keeper
        traceback.print_exc()
    finally:
        os._exit(status)
