"""Verify many responses in killable worker processes, within a deadline and a memory limit."""

from __future__ import annotations

import asyncio
import math
import os
import pickle
import sys
import threading
import weakref
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future

from rewardkit.errors import ConfigError, RewardkitError
from rewardkit.types import Verdict, Verifier
from rewardkit.verifiers.crew import Crew

AHEAD = 4096
"""How far `verify` works ahead of the verdict that is next in order."""


QUICK_CREDIT = 4.0
"""What `quick` leaves over is mostly prompt too: some items may be put aside from the start."""


class VerifierPool:
    """Run a verifier over many pairs; a hanging, crashing or greedy item costs only itself.

    A verifier with a method `quick(response, answer) -> Verdict | None` (as `MathVerifier`) is
    asked in the calling process first: what it can decide within a small bounded cost never
    crosses a process border. All else goes to workers, which are started when first needed.

    The pool works from any thread, in asyncio, in a Ray worker, and in processes started by
    spawn or fork; it uses no signals in the calling process and never forks it. Pickling a pool
    sends its settings, and the copy starts its own workers.

    Args:
        verifier: any picklable `Verifier`.
        workers: how many items are worked on at a time; None means one a CPU core. Where few
            items take longer than 50 ms, these are put aside: they run on at a lower priority,
            in up to 16 processes more, and leave their turn to the next.
        deadline_s: wall-clock seconds that one item may take, from the start of its work. An
            item that is killed has outcome TIMEOUT.
        memory_mb: how many MiB one worker may allocate; None means no limit.
        cpu_s: CPU seconds that one item may take; None means no limit but the deadline. Unlike
            the deadline it does not depend on how busy the machine is.

    >>> from rewardkit.verifiers import MathVerifier
    >>> with VerifierPool(MathVerifier(), workers=1) as pool:
    ...     [verdict.outcome.value for verdict in pool.verify([("so 12", "12"), ("13", "12")])]
    ['correct', 'incorrect']
    """

    def __init__(
        self,
        verifier: Verifier,
        workers: int | None = None,
        deadline_s: float = 10.0,
        memory_mb: int | None = 2048,
        cpu_s: float | None = None,
    ) -> None:
        if workers is not None and workers < 1:
            raise ConfigError(f"workers must be at least 1, got {workers}")
        for name, value in (("deadline_s", deadline_s), ("memory_mb", memory_mb), ("cpu_s", cpu_s)):
            if value is not None and not 0 < value < math.inf:
                raise ConfigError(f"{name} must be positive and finite, got {value}")
        self.verifier = verifier
        self.workers = workers or os.cpu_count() or 1
        self.deadline_s = deadline_s
        self.memory_mb = memory_mb
        self.cpu_s = cpu_s
        self._quick = getattr(verifier, "quick", None)
        self._closed = False
        self._crew: Crew | None = None
        self._lock = threading.Lock()
        self._pid = os.getpid()

    def __enter__(self) -> VerifierPool:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[object, ...]:
        settings = (self.verifier, self.workers, self.deadline_s, self.memory_mb, self.cpu_s)
        return type(self), settings

    def verify(self, pairs: Iterable[tuple[str, str]]) -> Iterator[Verdict]:
        """Yield the verdict of each (response, answer) pair, in order, while later ones run.

        At most `AHEAD` items are held ahead of the one that is waited for: `pairs` may be an
        endless stream, and one hanging item does not keep the others waiting. Items that are held
        when the caller stops early, or `pairs` raises, are cancelled.
        """
        waiting: deque[Future[Verdict]] = deque()
        try:
            for response, answer in pairs:
                quick = self._try_quick(response, answer)
                if quick is not None and not waiting:
                    yield quick
                    continue
                waiting.append(_done(quick) if quick else self._enqueue(response, answer))
                while waiting and (waiting[0].done() or len(waiting) > AHEAD):
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()

    def verify_one(self, response: str, answer: str) -> Verdict:
        """Return the verdict of one pair."""
        return self.submit(response, answer).result()

    async def averify(self, response: str, answer: str) -> Verdict:
        """Return the verdict of one pair without blocking the event loop."""
        return await asyncio.wrap_future(self.submit(response, answer))

    def submit(self, response: str, answer: str) -> Future[Verdict]:
        """Start verifying one pair and return its future, to overlap with other work."""
        quick = self._try_quick(response, answer)
        return _done(quick) if quick else self._enqueue(response, answer)

    def close(self) -> None:
        """Stop all workers; items still waiting are cancelled. Closing twice is harmless."""
        self._closed = True
        with self._lock:
            crew, self._crew = self._crew, None
        if crew is not None:
            crew.stop()

    def _try_quick(self, response: str, answer: str) -> Verdict | None:
        if self._closed:
            raise RewardkitError("the VerifierPool is closed")
        if self._quick is None:
            return None
        verdict: Verdict | None = self._quick(response, answer)
        return verdict

    def _enqueue(self, response: str, answer: str) -> Future[Verdict]:
        if self._pid != os.getpid():
            # This is a forked copy: the parent's threads and workers are not ours.
            self._pid, self._lock, self._crew = os.getpid(), threading.Lock(), None
        future: Future[Verdict] = Future()
        with self._lock:
            if self._crew is None:
                settings = {
                    "path": sys.path,
                    "verifier": _pickled(self.verifier),
                    "main": _main_file(self.verifier),
                    "memory_mb": self.memory_mb,
                    "cpu_s": self.cpu_s,
                }
                credit = QUICK_CREDIT if self._quick else 0.0
                self._crew = Crew(settings, self.workers, self.deadline_s, credit)
                weakref.finalize(self, self._crew.stop)
            self._crew.put((response, answer, future))
        return future


def _done(verdict: Verdict) -> Future[Verdict]:
    future: Future[Verdict] = Future()
    future.set_result(verdict)
    return future


def _pickled(verifier: Verifier) -> bytes:
    try:
        return pickle.dumps(verifier)
    except Exception as error:
        raise ConfigError(
            f"the verifier {verifier!r} cannot be pickled, so it cannot run in a worker process "
            f"({error}); define it at the top level of a module"
        ) from error


def _main_file(verifier: Verifier) -> str | None:
    """Return the script that workers must run to find a verifier defined in `__main__`."""
    if b"__main__" not in pickle.dumps(verifier):
        return None
    main = sys.modules["__main__"]
    path: str | None = getattr(main, "__file__", None)
    if path is None or not os.path.isfile(path):
        raise ConfigError(
            f"the verifier {verifier!r} is defined in an interactive session, where worker "
            "processes cannot find it; put it in a module and import it"
        )
    return os.path.abspath(path)
