"""Who works on which item: threads that each hand items to one worker process and watch it.

An item that takes longer than most goes to the background: its worker runs on at a lower priority,
up to its deadline, while a fresh one takes the next item. So a few hanging answers cost the others
some CPU time, and not their turn. Where most items are long, none does: that would only make all of
them compete for the same cores until their deadlines.
"""

from __future__ import annotations

import os
import queue
import signal
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace

from rewardkit.errors import RewardkitError
from rewardkit.types import Outcome, Verdict
from rewardkit.verifiers.pool import wire
from rewardkit.verifiers.pool.template import TemplateProcess, WorkerDied, WorkerProcess
from rewardkit.verifiers.pool.wire import Item, Settings

LONG_SECONDS = 0.05
"""An item that takes longer may go to the background."""
TOGETHER_SECONDS = 0.01
"""What comes within this time goes together, where the verifier takes many."""
SHORT_PER_LONG = 8
"""One item in so many may go to the background."""
MAX_BACKGROUND = 16
"""How many items may be there at a time; each holds a process and its memory."""
CPU_SIGNAL = -signal.SIGPROF
Job = tuple[Item, "Future[Verdict]"]


class Scheduler:
    """Threads, each with a worker process of its own, that take items from one queue.

    Args:
        settings: what the processes need to know.
        size: how many items are worked on at a time, those in the background not counted.
        deadline_s: wall-clock seconds from the start of an item's work to the end of its worker.
        allowance: how many items may go to the background before any has shown that most are short.
    """

    def __init__(self, settings: Settings, size: int, deadline_s: float, allowance: float) -> None:
        self.settings = settings
        self.size = size
        self.deadline_s = deadline_s
        self.allowance = allowance
        self.items: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self.threads: set[threading.Thread] = set()
        self.counts = threading.Lock()
        self.waiting = 0  # items that no thread has taken yet
        self.idle = 0  # threads that wait for an item
        self.active = 0  # threads that are idle, or at work on an item that is in the foreground
        self.background = 0
        self.template: TemplateProcess | None = None
        self.starting = threading.Lock()
        self.retrying = threading.Lock()
        self.stopped = False
        self.pid = os.getpid()

    def put(self, job: Job) -> None:
        """Have an item worked on; its future gets the verdict."""
        with self.counts:
            self.waiting += 1
            self._add_thread_if_needed()
        self.items.put(job)

    def stop(self) -> None:
        """End all workers and cancel what waits; nothing in a forked copy, for it owns neither."""
        if self.pid != os.getpid():
            return
        self.stopped = True
        while True:
            try:
                job = self.items.get_nowait()
            except queue.Empty:
                break
            if job is not None:
                job[1].cancel()
        with self.counts:
            threads = list(self.threads)
        for _ in threads:
            self.items.put(None)
        if self.template is not None:
            self.template.close()  # its end kills the workers, which ends the threads' waiting
        for thread in threads:
            if thread is not threading.current_thread():
                thread.join(timeout=5.0)

    def _add_thread_if_needed(self) -> None:
        """Start a thread when all there are have work already; called under `counts`."""
        if self.waiting > self.idle and self.active < self.size:
            self.active += 1
            self.idle += 1
            thread = threading.Thread(target=self._run, name="rewardkit-verifier", daemon=True)
            self.threads.add(thread)
            thread.start()

    def _run(self) -> None:
        worker: WorkerProcess | None = None
        while (job := self.items.get()) is not None:
            if self.settings.at_a_time > 1:
                time.sleep(TOGETHER_SECONDS)
                if worker is None:
                    with suppress(Exception):  # whoever is to work on it says what is wrong
                        worker = self._start_worker()  # others arrive meanwhile
            jobs = [job, *self._more()]
            with self.counts:
                self.waiting -= len(jobs)
                self.idle -= 1
            jobs = [one for one in jobs if one[1].set_running_or_notify_cancel()]
            if items := [item for item, _ in jobs]:
                try:
                    verdicts, worker = self._verify(worker, items)
                except Exception as error:  # noqa: BLE001 the thread must live on; the item says why
                    reason = f"{type(error).__name__}: {error}"
                    verdict, worker = Verdict(Outcome.ERROR, method="pool", reason=reason), None
                    verdicts = [verdict] * len(items)
                for (item, future), verdict in zip(jobs, verdicts, strict=True):
                    future.set_result(
                        verdict if verdict.gold is not None else replace(verdict, gold=item.gold)
                    )
            with self.counts:
                if self.active > self.size:  # others took over while this item was in background
                    self.active -= 1
                    self.threads.discard(threading.current_thread())
                    break
                self.idle += 1
        if worker is not None:
            worker.kill()

    def _more(self) -> list[Job]:
        """Return what else waits, as many as the verifier takes together."""
        found: list[Job] = []
        while len(found) + 1 < self.settings.at_a_time:
            try:
                job = self.items.get_nowait()
            except queue.Empty:
                break
            if job is None:  # the end, which is for whoever comes to it next
                self.items.put(None)
                break
            found.append(job)
        return found

    def _verify(
        self, worker: WorkerProcess | None, items: Sequence[Item]
    ) -> tuple[list[Verdict], WorkerProcess | None]:
        """Return the verdicts, and the worker if it may take other items.

        Items whose worker was killed or died are tried again each by itself; so is a single one
        that died, for it may have died with the template, or of another's greed. One at a time: an
        item that kills the template takes no other's last try.
        """
        started = time.perf_counter()
        try:
            found = self._attempt(worker, items)
        except WorkerDied as death:
            if len(items) == 1 or self.stopped:
                return self._again(items, str(death), started)
            found = [], None
        if len(found[0]) == len(items):
            return found
        verdicts, worker = [], None
        for item in items:
            (verdict, *_), worker = self._verify(worker, [item])
            verdicts.append(verdict)
        return verdicts, worker

    def _again(
        self, items: Sequence[Item], first: str, started: float
    ) -> tuple[list[Verdict], WorkerProcess | None]:
        closed = "the pool was closed"
        if self.stopped:
            return [_verdict(Outcome.ERROR, closed, started)] * len(items), None
        with self.retrying:
            try:
                return self._attempt(None, items)
            except WorkerDied as death:
                reason = closed if self.stopped else f"{first}; again: {death}"
                return [_verdict(Outcome.ERROR, reason, started)], None

    def _attempt(
        self, worker: WorkerProcess | None, items: Sequence[Item]
    ) -> tuple[list[Verdict], WorkerProcess | None]:
        """Return what a worker says, one verdict where it was killed."""
        worker = worker or self._start_worker()
        started = time.perf_counter()
        long = in_background = False
        try:
            worker.send(wire.encode_items(items), self.deadline_s)
            while not worker.has_replied(
                min(LONG_SECONDS, left := started + self.deadline_s - time.perf_counter())
            ):
                if left < LONG_SECONDS:
                    raise TimeoutError
                long = True
                if self.settings.at_a_time == 1:  # those that take many mostly wait
                    in_background = in_background or self._to_background(worker)
            reply = worker.reply()
        except TimeoutError:
            worker.kill()
            reason = f"killed at the deadline of {self.deadline_s:g} s"
            return [_verdict(Outcome.TIMEOUT, reason, started)], None
        finally:
            with self.counts:
                self.background -= in_background
                self.active += in_background
                if not long:
                    self.allowance = min(self.allowance + 1 / SHORT_PER_LONG, MAX_BACKGROUND)
        if reply is None:
            return [self._verdict_of_dead(worker.reap(), started)], None
        if in_background:  # nobody may raise its priority again, so it gets no other item
            worker.kill()
        return wire.decode(reply), None if in_background else worker

    def _to_background(self, worker: WorkerProcess) -> bool:
        """Give the turn of a long item to the next; False where that may not be."""
        with self.counts:
            if self.active < self.size:
                return False  # nobody waits for its turn
            if self.background >= MAX_BACKGROUND or self.allowance < 1:
                return False
            self.allowance -= 1
            self.background += 1
            self.active -= 1
            self._add_thread_if_needed()
        worker.lower_priority()
        return True

    def _verdict_of_dead(self, status: int | None, started: float) -> Verdict:
        """Return the verdict on an item whose worker ended with this status, if it says one.

        Raises:
            WorkerDied: it says nothing about the item.
        """
        if status == CPU_SIGNAL:
            reason = f"killed after {self.settings.cpu_s:g} s of CPU time"
            return _verdict(Outcome.TIMEOUT, reason, started)
        how = "with its template" if status is None else f"exit status {status}"
        raise WorkerDied(f"the worker died ({how})")

    def _start_worker(self) -> WorkerProcess:
        with self.starting:
            if self.stopped:
                raise RewardkitError("the VerifierPool is closed")
            if self.template is not None:
                try:
                    return self.template.fork()
                except ConnectionError:  # it is gone: another takes its place
                    self.template.close()
            self.template = TemplateProcess(self.settings)
            try:
                return self.template.fork()
            except ConnectionError as error:
                raise WorkerDied(str(error)) from error


def _verdict(outcome: Outcome, reason: str, started: float) -> Verdict:
    return Verdict(outcome, method="pool", reason=reason, seconds=time.perf_counter() - started)
