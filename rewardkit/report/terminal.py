"""Output to a terminal or pipe that may be gone before the run is: `rewardkit train | head`."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Any, TextIO


class BestEffortStream:
    """A text stream that falls silent, instead of failing, once nobody can be reached any more.

    What is shown is a copy for the eye; a run of hours must not end with the eye.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write, or let go of the stream."""
        try:
            return self._stream.write(text)
        except OSError:
            self._redirect_to_null()
            return len(text)

    def flush(self) -> None:
        """Flush, or let go of the stream."""
        try:
            self._stream.flush()
        except OSError:
            self._redirect_to_null()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def _redirect_to_null(self) -> None:
        """Lead the stream to nowhere, so that what is left in its buffer goes there too."""
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)
