"""Quick verdicts on all cores: when that pays, and the workers that take them in chunks."""

from __future__ import annotations

import contextlib
import operator
import os
import queue
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future

from rewardkit.errors import RewardkitError
from rewardkit.types import Verdict
from rewardkit.verifiers.pool import wire
from rewardkit.verifiers.pool.template import TemplateProcess, WorkerProcess
from rewardkit.verifiers.pool.wire import Item, Settings

START_SECONDS, RUNNING_SECONDS = 0.4, 0.03
"""Work that must be left for others to be asked: they have to be started, or run already."""
PROBE_SECONDS, PROBE_PAIRS = 0.02, 16
"""Quick work in the calling process before it is known what a pair costs."""
MIN_PAIR_SECONDS = 30e-6
"""A cheaper pair is as good as done when it is sent and its verdict read, which takes a third."""
CHUNK_SECONDS = 0.02
CHUNK_CHARS = 1_000_000
COLLECT_SECONDS = 0.1
"""How long a chunk is waited for to fill, where pairs come slowly."""
HANGING_SECONDS = 10.0
"""A chunk that takes longer holds a pair that is not quick: each is begun by itself."""
MAX_LOST = 8
"""Chunks that killed their workers, before no more are sent."""
Begin = Callable[[Item], "Future[Verdict]"]
"""Have one item verified by itself."""


class Chunk:
    """Items that are verified together, and what was found: empty where no worker came back."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self.found: list[Verdict | Future[Verdict]] = []
        self.chars = 0
        self.begun = time.perf_counter()
        self.back: Future[None] = Future()
        self.done = self.back.done
        self.cancelled = False

    def add(self, item: Item) -> None:
        """Take one item more."""
        self.items.append(item)
        self.chars += len(item.response)

    def full(self, size: int) -> bool:
        """Whether it should go out."""
        late = time.perf_counter() - self.begun > COLLECT_SECONDS
        return late or len(self.items) >= size or self.chars > CHUNK_CHARS

    def finish(self, verdicts: list[Verdict | None], begin: Begin) -> None:
        """Take what a worker found; what it could not decide is begun at once by itself."""
        try:
            if not self.cancelled:
                found = zip(self.items, verdicts, strict=False)
                self.found = [verdict or begin(item) for item, verdict in found]
        finally:
            self.back.set_result(None)

    def cancel(self) -> None:
        """Give up what was begun by itself, and what would be."""
        self.cancelled = True
        for found in self.found:
            if not isinstance(found, Verdict):
                found.cancel()


class Meter:
    """What the quick verdicts of one stream of pairs cost, and whether others should be asked."""

    def __init__(self, pairs: Iterable[object]) -> None:
        self.length = operator.length_hint(pairs, 0)
        self.begun = time.perf_counter()
        self.busy = 0.0
        self.count = 0

    def add(self, seconds: float) -> None:
        """Count one verdict, and the CPU time that it took."""
        self.busy += seconds
        self.count += 1

    def pays(self, running: bool) -> bool:
        """Whether what is left is worth sending; as much again as was done, where none can tell."""
        pair = self.busy / max(1, self.count)
        if self.busy < PROBE_SECONDS or pair < MIN_PAIR_SECONDS:
            return False
        if self.busy < 0.5 * (time.perf_counter() - self.begun):
            return False  # pairs come slowly, or the machine has no core to spare
        left = (self.length - self.count) * pair if self.length else 4 * self.busy
        return left > (RUNNING_SECONDS if running else START_SECONDS)

    def size(self, cores: int, most: int) -> int:
        """Return how many pairs a chunk should hold, so that all cores have some of `most`."""
        pair = self.busy / max(1, self.count)
        return max(1, min(int(CHUNK_SECONDS / pair), most // (4 * cores)))


def cores_for(workers: int) -> int:
    """Return how many processes can work at a time."""
    try:
        usable = len(os.sched_getaffinity(0))
    except AttributeError:  # not Linux
        usable = os.cpu_count() or 1
    return min(workers, usable)


class QuickWorkers:
    """Threads, each with a worker process of its own, that take chunks from one queue."""

    def __init__(self, settings: Settings, size: int) -> None:
        self.settings = settings
        self.size = size
        self.chunks: queue.SimpleQueue[tuple[Chunk, Begin] | None] = queue.SimpleQueue()
        self.threads: list[threading.Thread] = []
        self.template: TemplateProcess | None = None
        self.starting = threading.Lock()
        self.counts = threading.Lock()
        self.running = False
        self.failed = False
        self.lost = 0
        self.stopped = False
        self.pid = os.getpid()

    def put(self, chunk: Chunk, begin: Begin) -> None:
        """Have a chunk verified; `begin` takes what it leaves over."""
        with self.counts:
            if len(self.threads) < self.size:
                self.threads.append(threading.Thread(target=self._run, daemon=True))
                self.threads[-1].start()
        self.chunks.put((chunk, begin))

    def stop(self) -> None:
        """End all workers and let chunks go; nothing in a forked copy, for it owns neither."""
        if self.pid != os.getpid():
            return
        self.stopped = True
        for _ in self.threads:
            self.chunks.put(None)
        if self.template is not None:
            self.template.close()
        for thread in self.threads:
            if thread is not threading.current_thread():
                thread.join(timeout=5.0)

    def _run(self) -> None:
        worker: WorkerProcess | None = None
        while (taken := self.chunks.get()) is not None:
            worker = self._work(worker, *taken)
            del taken  # it holds the pool, which may be waiting for nobody to hold it
        if worker is not None:
            worker.kill()

    def _work(
        self, worker: WorkerProcess | None, chunk: Chunk, begin: Begin
    ) -> WorkerProcess | None:
        """Finish a chunk, and return the worker if it may take another."""
        verdicts: list[Verdict | None] = []
        try:
            if not (self.stopped or self.failed or chunk.cancelled):
                worker = worker or self._start_worker()
                reply = _reply(worker, chunk)
                self.running = True
                if reply is None:
                    worker = None
                    self.lost += 1
                    self.failed = self.failed or self.lost >= MAX_LOST
                verdicts = wire.decode_many(reply) if reply else [None] * len(chunk.items)
        except Exception:  # noqa: BLE001 no worker can be had: the caller does without
            self.failed = True
        with contextlib.suppress(RewardkitError):  # the pool was closed: who waits is told so
            chunk.finish(verdicts, begin)
        return worker

    def _start_worker(self) -> WorkerProcess:
        with self.starting:
            if self.template is None:
                self.template = TemplateProcess(self.settings)
            return self.template.fork()


def _reply(worker: WorkerProcess, chunk: Chunk) -> bytes | None:
    """Return the worker's answer, or None when it is no more."""
    try:
        worker.send(wire.encode_items(chunk.items), HANGING_SECONDS)
        if not worker.has_replied(HANGING_SECONDS):
            raise TimeoutError
        reply = worker.reply()
    except TimeoutError:
        worker.kill()
        return None
    if reply is None:
        worker.reap()
    return reply
