"""Verify many responses in killable worker processes, within a deadline and a memory limit."""

from __future__ import annotations

import math
import os
import pickle
import sys
import threading
import weakref
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from typing import Any

from rewardkit.errors import ConfigError, DataError, RewardkitError
from rewardkit.golds import as_text
from rewardkit.types import Gold, Outcome, Problem, Verdict, VerifierLike
from rewardkit.verifiers.functions import as_verifier
from rewardkit.verifiers.pool.scheduler import Scheduler
from rewardkit.verifiers.pool.waiting import followed, waits
from rewardkit.verifiers.pool.wire import Item, Settings
from rewardkit.verifiers.signature import asked_by, columns_for

MAX_AHEAD = 4096
"""How far `verify` works ahead of the verdict that is next in order."""
QUICK_ALLOWANCE = 4.0
"""What `quick` leaves over is mostly short too: some may go to the background from the start."""
QUICK_CHARS = 16_384
"""Of response and gold together: what is longer is not begun where no deadline can end it."""


class VerifierPool:
    """Run a verifier over many pairs; a hanging, crashing or greedy item costs only itself.

    A verifier with a method `quick(response, answer) -> Verdict | None` (as `MathVerifier`) is
    asked in the calling process first, for up to `QUICK_CHARS`: what it can decide within a small
    bounded cost never crosses a process border. All else goes to workers, which are started when
    first needed. A method `warm()` is called once, in the process that all workers are forked from,
    before the first: it imports and fills what each of them would otherwise for itself.

    A coroutine function is awaited for many responses at a time in each worker, and a function
    that takes lists is called with many.

    What waits for a server (see `waiting`), as a `Judge` behind rules, is asked from here, with
    limits of its own, while workers go on with rules.

    The pool works from any thread, in asyncio, in a Ray worker, and in processes started by
    spawn or fork; it uses no signals in the calling process and never forks it. Pickling a pool
    sends its settings, and the copy starts its own workers. `asked` are the columns that the
    verifier asks for.

    Args:
        verifier: any picklable `Verifier`, or a function that returns a bool, async or not.
        workers: how many items are worked on at a time; None means one a CPU core. Where few
            items take longer than 50 ms, these go to the background: they run on at a lower
            priority, in up to 16 processes more, and leave their turn to the next.
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
        verifier: VerifierLike,
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
        self.verifier = as_verifier(verifier)
        self.asked = asked_by(self.verifier)
        self.workers = workers or os.cpu_count() or 1
        self.deadline_s = deadline_s
        self.memory_mb = memory_mb
        self.cpu_s = cpu_s
        self._quick = getattr(self.verifier, "quick", None)
        self._waits = waits(self.verifier)
        self._of_parts: dict[int, VerifierPool] = {}
        self._closed = False
        self._scheduler: Scheduler | None = None
        self._lock = threading.Lock()
        self._pid = os.getpid()

    def __enter__(self) -> VerifierPool:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[object, ...]:
        settings = (self.verifier, self.workers, self.deadline_s, self.memory_mb, self.cpu_s)
        return type(self), settings

    def verify(self, pairs: Iterable[tuple[str, Gold | Problem]]) -> Iterator[Verdict]:
        """Yield the verdict of each (response, answer) pair, in order, while later ones run.

        In place of the answer may stand the `Problem`: it has the answer, and the columns that
        the verifier asks for.

        At most `MAX_AHEAD` items are held ahead of the one that is waited for: `pairs` may be an
        endless stream, and one hanging item does not keep the others waiting. Items that are held
        when the caller stops early, or `pairs` raises, are cancelled.
        """
        held: deque[Verdict | Future[Verdict]] = deque()
        try:
            for response, answer in pairs:
                held.append(self._found(response, answer))
                yield from _ready(held, MAX_AHEAD)
            yield from _ready(held, -1)
        finally:
            for found in held:
                if not isinstance(found, Verdict):
                    found.cancel()

    def verify_one(self, response: str, answer: Gold | Problem) -> Verdict:
        """Return the verdict of one pair."""
        return self.submit(response, answer).result()

    async def averify(self, response: str, answer: Gold | Problem) -> Verdict:
        """Return the verdict of one pair without blocking the event loop."""
        import asyncio  # what it loads takes as long as a tenth of a template's start

        return await asyncio.wrap_future(self.submit(response, answer))

    def submit(self, response: str, answer: Gold | Problem) -> Future[Verdict]:
        """Start verifying one pair and return its future, to overlap with other work."""
        found = self._found(response, answer)
        if not isinstance(found, Verdict):
            return found
        done: Future[Verdict] = Future()
        done.set_result(found)
        return done

    def close(self) -> None:
        """Stop all workers; items still waiting are cancelled. Closing twice is harmless."""
        self._closed = True
        with self._lock:
            scheduler, self._scheduler = self._scheduler, None
            parts = list(self._of_parts.values())
        if scheduler is not None:
            scheduler.stop()
        for part in parts:
            part.close()

    def _item(self, response: str, answer: Gold | Problem) -> Item | Verdict:
        """Return what the verifier is called with, or the verdict that it cannot be."""
        try:
            if isinstance(answer, Problem):
                return Item(response, answer.answer, columns_for(self.asked, answer))
            if self.asked.needed:
                raise DataError(
                    f"the verifier asks for the columns {', '.join(self.asked.needed)}, which a "
                    "bare answer has not; give the pool pairs of (response, Problem)"
                )
            return Item(response, as_text(answer), {})
        except (TypeError, DataError) as error:
            gold = answer.answer if isinstance(answer, Problem) else repr(answer)
            return Verdict(Outcome.ERROR, gold=gold, method="pool", reason=str(error))

    def _found(self, response: str, answer: Gold | Problem) -> Verdict | Future[Verdict]:
        """Return the verdict where it can be had at once, else the future of a worker's."""
        item = self._item(response, answer)
        if isinstance(item, Verdict):
            return item
        if self._closed:
            raise RewardkitError("the VerifierPool is closed")
        return self._asked_outside(self.verifier, item) if self._waits else self._worked_on(item)

    def _asked_outside(self, verifier: VerifierLike, item: Item) -> Verdict | Future[Verdict]:
        """Ask what waits for a server from here; its parts that compute have a pool each."""
        found: Any = as_verifier(verifier)
        asked = asked_by(found)
        names = (*asked.needed, *asked.optional)
        own = item._replace(columns={n: item.columns[n] for n in names if n in item.columns})
        if hasattr(found, "submit"):
            future: Future[Verdict] = found.submit(item.response, item.gold, **own.columns)
            return future
        if waits(found):
            steps = found.steps(item.gold, **own.columns)
            return followed(steps, lambda part: self._asked_outside(part, own))
        with self._lock:
            pool = self._of_parts.get(id(verifier))
            if pool is None:
                limits = (self.deadline_s, self.memory_mb, self.cpu_s)
                pool = self._of_parts[id(verifier)] = VerifierPool(verifier, self.workers, *limits)
        return pool._worked_on(own)

    def _worked_on(self, item: Item) -> Verdict | Future[Verdict]:
        verdict: Verdict | None = None
        if self._quick is not None and len(item.response) + len(item.gold) <= QUICK_CHARS:
            verdict = self._quick(item.response, item.gold, **item.columns)
        return verdict or self._enqueue(item)

    def _enqueue(self, item: Item) -> Future[Verdict]:
        if self._pid != os.getpid():
            # This is a forked copy: the parent's threads and workers are not ours.
            self._pid, self._lock = os.getpid(), threading.Lock()
            self._scheduler = None
        future: Future[Verdict] = Future()
        with self._lock:
            if self._scheduler is None:
                allowance = QUICK_ALLOWANCE if self._quick else 0.0
                self._scheduler = Scheduler(
                    self._settings(), self.workers, self.deadline_s, allowance
                )
                weakref.finalize(self, self._scheduler.stop)
            self._scheduler.put((item, future))
        return future

    def _settings(self) -> Settings:
        pickled = _pickled(self.verifier)
        return Settings(
            path=sys.path,
            verifier=pickled,
            warm=hasattr(self.verifier, "warm"),
            main=_main_file(self.verifier) if b"__main__" in pickled else None,
            memory_mb=self.memory_mb,
            cpu_s=self.cpu_s,
            at_a_time=getattr(self.verifier, "at_a_time", 1),
            seconds=0.9 * self.deadline_s,
        )


def _ready(held: deque[Verdict | Future[Verdict]], ahead: int) -> Iterator[Verdict]:
    """Yield the verdicts whose turn it is, waiting while more than `ahead` are held."""
    while held:
        first = held[0]
        if not isinstance(first, Verdict) and not first.done() and len(held) <= ahead:
            return
        held.popleft()
        yield first if isinstance(first, Verdict) else first.result()


def _pickled(verifier: VerifierLike) -> bytes:
    try:
        return pickle.dumps(verifier)
    except Exception as error:
        raise ConfigError(
            f"the verifier {verifier!r} cannot be pickled, so it cannot run in a worker process "
            f"({error}); define it at the top level of a module"
        ) from error


def _main_file(verifier: VerifierLike) -> str:
    """Return the script that workers must run to find a verifier defined in `__main__`."""
    main = sys.modules["__main__"]
    path: str | None = getattr(main, "__file__", None)
    if path is None or not os.path.isfile(path):
        raise ConfigError(
            f"the verifier {verifier!r} is defined in an interactive session, where worker "
            "processes cannot find it; put it in a module and import it"
        )
    return os.path.abspath(path)
