"""One queue of requests over several servers: who takes which, and when a server is given up.

A try that fails puts its request back, for whichever server is free first. A server that cannot be
reached, or breaks everything, is asked one request at a time until it answers again; when none has
answered for PATIENCE_S, what is left fails at once, because hours of asking a dead server help
nobody. A server that says 429 is left alone for as long as it asks, then asked for half as much
at once.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from queue import SimpleQueue
from random import Random

from rewardkit.client.answers import Response
from rewardkit.client.pace import Pace
from rewardkit.client.server import LONGEST_PAUSE_S, Kind, Trouble, pause
from rewardkit.evaluation.engines.base import Failure

LONGEST_WAIT_ASKED_S = 120.0
"""A server's Retry-After is followed up to here."""
LONGEST_PROBE_S = 4.0
"""Between two requests to a server that is down."""
PATIENCE_S = 20.0
LONGEST_FAREWELL_S = 2.0
TOLD_EVERY_S = 5.0
"""From one line on a server that goes on failing to the next."""

remark = logging.getLogger(__name__).warning
Ask = Callable[[int, threading.Event], Response | Trouble]
"""One try of the request of that index, at one server; may raise what ends everything."""


@dataclass
class Lane:
    """What is known of one server, and how much it may be asked now. Times are monotonic."""

    name: str
    ask: Ask
    width: int
    """The most requests open at once."""
    pace: Pace = field(default_factory=lambda: Pace(0))
    """What the user wants of requests a minute."""
    patience: int = 8
    """How many times in a row 429 is believed."""
    limit: int = 0
    open: int = 0
    free_at: float = 0.0
    """When its pause ends."""
    down: str = ""
    """Why it is thought to be down."""
    failing_since: float | None = None
    failures: int = 0
    """In a row, but for 429."""
    busies: int = 0
    """Pauses in a row after 429."""
    told_at: float = 0.0
    """When its failing was last spoken of."""

    def __post_init__(self) -> None:
        self.limit = self.width

    @property
    def ready_at(self) -> float:
        """When the next request may go out."""
        return max(self.free_at, self.pace.free)

    def begin(self, now: float) -> None:
        """Note that a request goes out."""
        self.open += 1
        self.pace.wait(now=now)

    def succeed(self) -> bool:
        """Note a response; returns whether more may be asked than before."""
        self.open -= 1
        before = self.limit
        self.limit = self.width if self.down else min(self.limit + 1, self.width)
        if self.down:
            remark("%s answers again", self.name)
        self.down, self.failing_since, self.failures, self.busies = "", None, 0, 0
        return self.limit > before

    def fail(self, trouble: Trouble, now: float) -> None:
        """Note a try that failed; it decides when, and how much, this server is asked next."""
        self.open -= 1
        if trouble.kind is Kind.REFUSED:
            return
        if self.failing_since is None:
            self.failing_since = trouble.since
        asked = min(trouble.wait, LONGEST_WAIT_ASKED_S) if trouble.wait > 0 else 0.0
        if trouble.kind is Kind.BUSY:
            if now >= self.free_at:  # else it was sent before the pause began
                self.busies += 1
                self.limit = max(self.limit // 2, 1)
                asked = max(asked, pause(self.busies))
                if asked > LONGEST_PAUSE_S:  # else it looks like a program that hangs
                    remark("%s: %s; it is asked again in %.0f s", self.name, trouble.reason, asked)
        else:
            self.failures += 1
            lasts = now - self.failing_since
            if min(lasts, now - self.told_at) >= TOLD_EVERY_S and not self.down:
                self.told_at = now
                said = "%s: %s; %d tries in a row failed, for %.0f s so far; it is asked again"
                remark(said, self.name, trouble.reason, self.failures, lasts)
        if (
            self.down
            or trouble.kind is Kind.UNREACHABLE
            or self.failures >= self.width
            or (self.busies > self.patience and not self.open)
        ):
            if not self.down:
                remark("%s is down: %s", self.name, trouble.reason)
            self.down, self.limit = trouble.reason, 1
            asked = max(asked, min(pause(self.failures), LONGEST_PROBE_S))
        self.free_at = max(self.free_at, now + asked)

    def given_up(self, now: float) -> bool:
        """Return whether waiting for it makes no sense any longer."""
        since = now if self.failing_since is None else self.failing_since
        return bool(self.down) and not self.open and now - since > PATIENCE_S


@dataclass
class Job:
    """A request, and how often it was tried in vain."""

    index: int
    tries: int = 0
    ready_at: float = 0.0
    answered: int = 0
    """How many responses had come when this was last sent away with 429."""
    empty: bool = False
    """Whether an empty response has come of it: of two that are, the second counts."""


@dataclass
class Line:
    """The queue, shared by the threads of all lanes."""

    lanes: Sequence[Lane]
    count: int
    retries: int
    stop: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._turn = threading.Condition()
        self._todo = deque(Job(index) for index in range(self.count))
        self._paused: list[Job] = []
        self._left, self._answered = self.count, 0
        self._outcomes: SimpleQueue[tuple[int, Response | Failure | Exception]] = SimpleQueue()

    def run(self) -> Iterator[tuple[int, Response | Failure]]:
        """Yield (index, what came of it) as it comes, each index once; raises what `ask` raises."""
        threads = [
            threading.Thread(target=self._work, args=(lane,), daemon=True)
            for lane in self.lanes
            for _ in range(min(lane.width, self.count))
        ]
        for thread in threads:
            thread.start()
        try:
            for _ in range(self.count):
                index, outcome = self._outcomes.get()
                if isinstance(outcome, Exception):
                    raise outcome
                yield index, outcome
        finally:
            self.stop.set()
            with self._turn:
                self._turn.notify_all()
            # Left early, requests are still in flight. Closing the client under them would leak
            # their sockets, so they get a moment to end; the threads are daemons and keep nobody.
            deadline = time.monotonic() + LONGEST_FAREWELL_S
            for thread in threads:
                thread.join(timeout=max(deadline - time.monotonic(), 0.0))

    def _work(self, lane: Lane) -> None:
        while (job := self._take(lane)) is not None:
            try:
                found = lane.ask(job.index, self.stop)
            except Exception as error:  # noqa: BLE001 - handed to the caller's thread
                self._outcomes.put((job.index, error))
                return
            if self.stop.is_set():  # nobody waits for it, and to break it off is no server's fault
                return
            with self._turn:
                self._settle(lane, job, found, time.monotonic())

    def _take(self, lane: Lane) -> Job | None:
        with self._turn:
            while self._left and not self.stop.is_set():
                now = time.monotonic()
                ready = [job for job in self._paused if job.ready_at <= now]
                for job in ready:
                    self._paused.remove(job)
                self._todo.extendleft(ready)  # what waited longest is next
                if self._todo and lane.open < lane.limit and lane.ready_at <= now:
                    lane.begin(now)
                    return self._todo.popleft()
                self._turn.wait(self._until(lane, now))
        return None

    def _until(self, lane: Lane, now: float) -> float | None:
        """Return for how long there is nothing to do unless somebody says so."""
        if lane.open >= lane.limit:
            return None
        if self._todo:
            return lane.ready_at - now
        times = [job.ready_at for job in self._paused]
        return max(min(times), lane.ready_at) - now if times else None

    def _settle(self, lane: Lane, job: Job, found: Response | Trouble, now: float) -> None:
        if isinstance(found, Response):
            self._answered += 1
            if lane.succeed():
                self._turn.notify_all()
            if found.empty and not job.empty:
                job.empty = True
                self._paused.append(job)
                self._turn.notify_all()
            else:
                self._deliver(job, found)
            return
        lane.fail(found, now)
        if found.kind is Kind.REFUSED:
            self._deliver(job, Failure(found.reason))
            return
        # A server that works for others meanwhile has not failed this one by sending it away; those
        # may take an hour.
        at_work = lane.open > 0 or self._answered > job.answered
        moving = found.kind is Kind.BUSY and at_work
        job.answered = self._answered
        job.tries += found.kind is not Kind.UNREACHABLE and not moving
        if job.tries > self.retries:
            reason = f"gave up after {job.tries} tries; last: {found.reason}"
            self._deliver(job, Failure(reason))
        else:
            # Spread out, so that those of one failure do not come back in one burst.
            spread = Random(f"{job.index} {job.tries}").uniform(0.5, 1)
            job.ready_at = now + (pause(job.tries) * spread if job.tries and not moving else 0.0)
            self._paused.append(job)
        if all(each.given_up(now) for each in self.lanes):
            self._give_up()
        self._turn.notify_all()

    def _give_up(self) -> None:
        reason = "; ".join(f"{lane.name} is down, last: {lane.down}" for lane in self.lanes)
        remark("gave up, with %d responses left to come: %s", self._left, reason)
        for job in (*self._todo, *self._paused):
            self._deliver(job, Failure(f"no server answers any longer: {reason}"))
        self._todo.clear()
        self._paused.clear()

    def _deliver(self, job: Job, outcome: Response | Failure) -> None:
        self._left -= 1
        self._outcomes.put((job.index, outcome))
        if not self._left:
            self._turn.notify_all()
