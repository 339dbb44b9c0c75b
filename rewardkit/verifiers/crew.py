"""The pool's end of its processes: the template process, the workers, and who gives them work.

An item that takes longer than most is put aside: its worker runs on at a lower priority, up to
its deadline, while a fresh one takes the next item. So a few hanging answers cost the others some
CPU time, and not their turn. Where most items are long, none is put aside: that would only make
all of them compete for the same cores until their deadlines.
"""

from __future__ import annotations

import array
import contextlib
import json
import os
import pickle
import queue
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

from rewardkit.errors import RewardkitError
from rewardkit.types import Outcome, Verdict
from rewardkit.verifiers import worker

START_SECONDS = 120.0
"""How long a worker may take to start; generous, for it is not the item's fault."""
PROMPT_SECONDS = 0.05
"""An item that takes longer may be put aside."""
PROMPT_PER_ASIDE = 8
"""One item in so many may be put aside."""
MAX_ASIDE = 16
"""How many items may be aside at a time; each holds a process and its memory."""
ASIDE_NICENESS = 10
"""A tenth of the CPU time of an ordinary process, where both want all of a core."""
CPU_SIGNAL = -signal.SIGPROF
Item = tuple[str, str, "Future[Verdict]"]


class Crew:
    """Threads that each hand items to one worker process and watch it.

    Args:
        settings: what a worker needs to know, see `worker.serve`.
        size: how many items are worked on at a time, those put aside not counted.
        deadline_s: wall-clock seconds from the start of an item's work to the end of its worker.
        credit: how many items may be put aside before any has shown that most are prompt.
    """

    def __init__(
        self, settings: dict[str, Any], size: int, deadline_s: float, credit: float
    ) -> None:
        self.settings = settings
        self.size = size
        self.deadline_s = deadline_s
        self.credit = credit
        self.items: queue.SimpleQueue[Item | None] = queue.SimpleQueue()
        self.threads: set[threading.Thread] = set()
        self.counts = threading.Lock()
        self.waiting = 0  # items that no thread has taken yet
        self.idle = 0  # threads that wait for an item
        self.active = 0  # threads that are idle, or at work on an item that is not aside
        self.aside = 0
        self.template: Template | None = None
        self.starting = threading.Lock()
        self.stopped = False
        self.pid = os.getpid()

    def put(self, item: Item) -> None:
        """Have an item worked on; its future gets the verdict."""
        with self.counts:
            self.waiting += 1
            self._staff()
        self.items.put(item)

    def stop(self) -> None:
        """End all workers and cancel what waits; nothing in a forked copy, for it owns neither."""
        if self.pid != os.getpid():
            return
        self.stopped = True
        while True:
            try:
                item = self.items.get_nowait()
            except queue.Empty:
                break
            if item is not None:
                item[2].cancel()
        with self.counts:
            threads = list(self.threads)
        for _ in threads:
            self.items.put(None)
        if self.template is not None:
            self.template.close()  # its end kills the workers, which ends the threads' waiting
        for thread in threads:
            if thread is not threading.current_thread():
                thread.join(timeout=5.0)

    def _staff(self) -> None:
        """Start a thread when all there are have work already; called under `counts`."""
        if self.waiting > self.idle and self.active < self.size:
            self.active += 1
            self.idle += 1
            thread = threading.Thread(target=self._run, name="rewardkit-verifier", daemon=True)
            self.threads.add(thread)
            thread.start()

    def _run(self) -> None:
        running: Worker | None = None
        while (item := self.items.get()) is not None:
            with self.counts:
                self.waiting -= 1
                self.idle -= 1
            response, answer, future = item
            if future.set_running_or_notify_cancel():
                try:
                    verdict, running = self._verify(running, response, answer)
                except Exception as error:  # noqa: BLE001 the thread must live on; the item says why
                    reason = f"{type(error).__name__}: {error}"
                    verdict, running = Verdict(Outcome.ERROR, method="pool", reason=reason), None
                future.set_result(
                    verdict if verdict.gold is not None else replace(verdict, gold=answer)
                )
            with self.counts:
                if self.active > self.size:  # others took over while this item was aside
                    self.active -= 1
                    self.threads.discard(threading.current_thread())
                    break
                self.idle += 1
        if running is not None:
            running.kill()

    def _verify(
        self, running: Worker | None, response: str, answer: str
    ) -> tuple[Verdict, Worker | None]:
        running = running or self._start()
        started = time.perf_counter()
        late = aside = False
        try:
            running.ask(json.dumps([response, answer]).encode(), self.deadline_s)
            while not running.has_replied(
                min(PROMPT_SECONDS, left := started + self.deadline_s - time.perf_counter())
            ):
                if left < PROMPT_SECONDS:
                    raise TimeoutError
                late = True
                aside = aside or self._put_aside(running)
            reply = running.reply()
        except TimeoutError:
            running.kill()
            reason = f"killed at the deadline of {self.deadline_s:g} s"
            return _verdict(Outcome.TIMEOUT, reason, started), None
        finally:
            with self.counts:
                self.aside -= aside
                self.active += aside
                if not late:
                    self.credit = min(self.credit + 1 / PROMPT_PER_ASIDE, MAX_ASIDE)
        if reply is None:
            return self._epitaph(running.reap(), started), None
        if aside:  # nobody may raise its priority again, so it gets no other item
            running.kill()
        return worker.decode(reply), None if aside else running

    def _put_aside(self, running: Worker) -> bool:
        """Give the turn of a long item to the next; False where that may not be."""
        with self.counts:
            if self.aside >= MAX_ASIDE or self.credit < 1:
                return False
            self.credit -= 1
            self.aside += 1
            self.active -= 1
            self._staff()
        running.yield_cpu()
        return True

    def _epitaph(self, status: int, started: float) -> Verdict:
        if self.stopped:
            return _verdict(Outcome.ERROR, "the pool was closed", started)
        if status == CPU_SIGNAL:
            reason = f"killed after {self.settings['cpu_s']:g} s of CPU time"
            return _verdict(Outcome.TIMEOUT, reason, started)
        return _verdict(Outcome.ERROR, f"the worker died (exit status {status})", started)

    def _start(self) -> Worker:
        with self.starting:
            if self.stopped:
                raise RewardkitError("the VerifierPool is closed")
            if self.template is None or self.template.process.poll() is not None:
                self.template = Template(self.settings)
            return self.template.fork()


def _verdict(outcome: Outcome, reason: str, started: float) -> Verdict:
    return Verdict(outcome, method="pool", reason=reason, seconds=time.perf_counter() - started)


class Template:
    """The pool's end of the template process."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.control, theirs = socket.socketpair()
        self.lock = threading.Lock()
        self.process = subprocess.Popen(
            [sys.executable, "-c", _BOOT, str(theirs.fileno()), *_package_root()],
            pass_fds=(theirs.fileno(),),
            stdin=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C in the terminal is for the caller to answer
        )
        theirs.close()
        worker.send(self.control, pickle.dumps(settings))

    def fork(self) -> Worker:
        """Return a new worker; raises RewardkitError when it cannot load the verifier."""
        ours, theirs = socket.socketpair()
        try:
            with self.lock:
                descriptor = array.array("i", [theirs.fileno()])
                rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, descriptor)]
                self.control.sendmsg([b"F0000"], rights)
                pid = self._answer()
        finally:
            theirs.close()
        started = Worker(self, ours, pid)
        ours.settimeout(START_SECONDS)
        failure = worker.receive(ours)
        if failure != b"":
            started.kill()
            why = failure.decode() if failure else "it died while starting"
            raise RewardkitError(f"the verifier cannot be loaded in a worker: {why}")
        return started

    def end(self, pid: int, command: bytes) -> int:
        """Kill a worker (K), or reap a dead one (R) and return how it ended.

        That is a signal as its negative, else the exit status.
        """
        with self.lock:
            try:
                self.control.sendall(command + struct.pack("!i", pid))
                return self._answer()
            except OSError:  # the template is gone, and its workers with it
                return 0

    def close(self) -> None:
        """End the template, and with it all workers."""
        _hang_up(self.control)
        try:
            self.process.wait(timeout=3.0)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _answer(self) -> int:
        body = b""
        while len(body) < 4:
            part = self.control.recv(4 - len(body))
            if not part:
                raise ConnectionError("the verifier pool's template process ended")
            body += part
        pid: int = struct.unpack("!i", body)[0]
        return pid


class Worker:
    """The pool's end of one worker process."""

    def __init__(self, template: Template, sock: socket.socket, pid: int) -> None:
        self.template = template
        self.sock = sock
        self.pid = pid

    def ask(self, body: bytes, seconds: float) -> None:
        """Send an item; raises TimeoutError when the worker does not take it in that time."""
        self.sock.settimeout(seconds)
        with contextlib.suppress(ConnectionError):  # it died: then `reply` returns None
            worker.send(self.sock, body)

    def has_replied(self, seconds: float) -> bool:
        """Wait for the reply, or the worker's death, for so long."""
        poll = select.poll()
        poll.register(self.sock, select.POLLIN)
        return bool(poll.poll(max(0.0, 1000 * seconds)))

    def reply(self) -> bytes | None:
        """Return the reply, or None when the worker died; raises TimeoutError as `ask` does."""
        try:
            return worker.receive(self.sock)
        except ConnectionError:
            return None

    def yield_cpu(self) -> None:
        """Lower the worker's priority; its own parent alone reaps it, so the number is its own."""
        with contextlib.suppress(OSError, AttributeError):  # not every POSIX system has all of it
            niceness = os.getpriority(os.PRIO_PROCESS, self.pid) + ASIDE_NICENESS
            os.setpriority(os.PRIO_PROCESS, self.pid, min(niceness, 19))
            if os.sched_getscheduler(self.pid) in (os.SCHED_FIFO, os.SCHED_RR):
                # Among real-time processes niceness means nothing.
                os.sched_setscheduler(self.pid, os.SCHED_OTHER, os.sched_param(0))

    def kill(self) -> None:
        """End the worker."""
        self.template.end(self.pid, b"K")
        _hang_up(self.sock)  # not before, or a worker about to reply would complain

    def reap(self) -> int:
        """Return how a worker that died ended, see `Template.end`."""
        status = self.template.end(self.pid, b"R")
        self.sock.close()
        return status


def _hang_up(sock: socket.socket) -> None:
    """Close a socket for good: a process that the caller forked may hold a copy of it."""
    with contextlib.suppress(OSError):  # closed already
        sock.shutdown(socket.SHUT_RDWR)
    sock.close()


_BOOT = (
    "import os, socket, sys; os.dup2(2, 1); sys.path[:0] = sys.argv[2:]; "
    "from rewardkit.verifiers import worker; "
    "worker.template(socket.socket(fileno=int(sys.argv[1])))"
)
"""Run the template under its importable name, with what it prints kept off standard output."""


def _package_root() -> list[str]:
    import rewardkit

    return [os.path.dirname(path) for path in rewardkit.__path__]
