"""Connections that say nothing, or not all, do not keep others out."""

from __future__ import annotations

import asyncio
import resource
from typing import ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

SPEAKING_S = 15.0
"""Seconds for a request's head, and as many for its body."""
HANDED_OVER = 1 << 26
"""Bytes, more than any answer has."""
OPEN = 1024
"""Connections at a time; half of what the process may open, where that is less."""


class Connection(H11Protocol):
    """Ends where it takes too long to ask, or where too many are open and it was first to wait.

    One that asked and waits for its answer is never ended for others.
    """

    speaking: ClassVar[dict[H11Protocol, None]] = {}
    """Those that have not asked to the end, by when they began to."""
    most: ClassVar[int] = min(OPEN, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2)
    _phase: tuple[str, int] | None = None
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count it, and make room."""
        super().connection_made(transport)
        # An answer is handed over at once: who does not read it ends like who does not ask.
        transport.set_write_buffer_limits(high=HANDED_OVER)
        self._look()
        if len(self.connections) > self.most:
            next(iter(self.speaking)).transport.abort()

    def data_received(self, data: bytes) -> None:
        """Read on."""
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """Wait for the next request, or for the answer to be taken."""
        super().on_response_complete()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        super().connection_lost(exc)
        self.speaking.pop(self, None)
        if self._timer is not None:
            self._timer.cancel()

    def _look(self) -> None:
        """Begin to wait for what comes next, unless it is waited for already."""
        over = self.cycle is None or self.cycle.response_complete
        name = "head" if over else "body" if self.cycle.more_body else "answer"
        if self._phase == (phase := (name, id(self.cycle))) or self.transport.is_closing():
            return
        self._phase = phase
        self.speaking.pop(self, None)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if name != "answer":
            self.speaking[self] = None
            self._timer = self.loop.call_later(SPEAKING_S, self.transport.abort)
