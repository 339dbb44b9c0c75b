"""A verifier as it is called in a worker of an audit: once, in a thread, or again and again."""

from __future__ import annotations

import asyncio
import gc
import inspect
import json
import time
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from rewardkit.types import Outcome, Verdict, Verifier
from rewardkit.verifiers.limits import unbounded_work
from rewardkit.verifiers.signature import Asked, asked_by

WARM_CALLS = 5
COUNTED_CALLS = 20
"""In each of two rounds: what stays allocated after the second, beyond the first, is kept."""


@dataclass(frozen=True, slots=True)
class InWorker:
    """Calls a verifier, timed; having no `quick`, it is always called in a worker process."""

    verifier: Verifier

    @property
    def asked(self) -> Asked:
        """The columns that the verifier asks for."""
        return asked_by(self.verifier)

    def __call__(self, response: str, answer: str, **columns: Any) -> Verdict:
        """Return the verdict with the wall-clock time that it took."""
        started = time.perf_counter()
        verdict = self._call(lambda: self.verifier(response, answer, **columns))
        return replace(verdict, seconds=time.perf_counter() - started)

    def warm(self) -> None:
        """Prepare the verifier where workers are forked from: no probe pays for what it loads."""
        if (warm := getattr(self.verifier, "warm", None)) is not None:
            warm()

    def _call(self, ask: Callable[[], Verdict]) -> Verdict:
        return ask()


class InThread(InWorker):
    """Calls it in another thread than the main one, where signals cannot be set."""

    __slots__ = ()

    def _call(self, ask: Callable[[], Verdict]) -> Verdict:
        def call() -> Verdict:
            with unbounded_work():  # still a process that can be killed
                return ask()

        with ThreadPoolExecutor(1) as pool:
            return pool.submit(call).result()


class InLoop(InWorker):
    """Calls it while an event loop runs, as an async rollout does; coroutines are awaited."""

    __slots__ = ()

    def _call(self, ask: Callable[[], Verdict]) -> Verdict:
        if inspect.iscoroutinefunction(getattr(self.verifier, "function", self.verifier)):
            return ask()

        async def call() -> Verdict:
            return ask()

        return asyncio.run(call())


class Elsewhere(InWorker):
    """Calls it in processes with another hash seed."""

    __slots__ = ()


class Measured(InWorker):
    """Calls it again and again with the same pair; the reason of the verdict says what it takes.

    `peak` is the most that Python held during one call, `kept` what a call leaves behind, both in
    bytes. They count Python's own objects, and do not depend on the machine or its load.
    """

    __slots__ = ()

    def _call(self, ask: Callable[[], Verdict]) -> Verdict:
        for _ in range(WARM_CALLS):
            verdict = ask()
        tracemalloc.start()
        try:
            before = tracemalloc.get_traced_memory()[0]
            tracemalloc.reset_peak()
            ask()
            peak = tracemalloc.get_traced_memory()[1] - before
            first, second = _held_after(ask), _held_after(ask)
        finally:
            tracemalloc.stop()
        found = {"peak": peak, "kept": max(0, second - first) / COUNTED_CALLS}
        # An undecided outcome may have no score, so none is passed on: only the figures count.
        return Verdict(Outcome.NO_ANSWER, method=verdict.outcome.value, reason=json.dumps(found))


def _held_after(ask: Callable[[], Verdict]) -> int:
    for _ in range(COUNTED_CALLS):
        ask()
    gc.collect()
    return tracemalloc.get_traced_memory()[0]
