"""How many requests, or tokens, go to a server in a minute."""

from __future__ import annotations

import time


class Pace:
    """Spreads what is taken evenly over the minutes; 0 a minute is no limit.

    >>> pace = Pace(120)
    >>> [pace.wait(now=7.0) for _ in range(3)]
    [0.0, 0.5, 1.0]
    """

    def __init__(self, per_minute: float) -> None:
        self.seconds = 60 / per_minute if per_minute else 0.0
        self.free = 0.0

    def wait(self, amount: float = 1.0, now: float | None = None) -> float:
        """Take so much, and return the seconds to wait for it."""
        now = time.monotonic() if now is None else now
        start = max(now, self.free)
        self.free = start + amount * self.seconds
        return start - now
