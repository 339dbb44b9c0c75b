"""How long each phase of a step took."""

from __future__ import annotations

import time


class Clock:
    """Seconds of each phase of a step."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, name: str) -> None:
        """End the phase `name`."""
        now = time.perf_counter()
        self.laps[name] = now - self._last
        self._last = now

    def part(self, phase: str, name: str, seconds: float) -> None:
        """Say that so many seconds of a phase were spent on something else."""
        self.laps[name] = seconds
        self.laps[phase] -= seconds
