"""How much work is taken on at a time; the rest is told to come again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rewardkit.errors import ConfigError, RewardkitError


class Overloaded(RewardkitError):
    """There is too much work already; the same request may succeed in a while."""


class TooMuch(RewardkitError):
    """A request asks for more than would ever be taken on."""


@dataclass(frozen=True)
class Limits:
    """What one server takes on.

    Attributes:
        max_body: bytes of one request.
        max_pending: responses that are being verified, or wait for it, at a time.
        request_s: seconds that a request may take from its first byte to its answer; responses
            that are not decided then have outcome `timeout`.
        deadline_s: seconds that one verdict may take.
    """

    max_body: int = 2_097_152
    max_pending: int = 4096
    request_s: float = 120.0
    deadline_s: float = 10.0

    def __post_init__(self) -> None:
        for name in ("max_body", "max_pending", "request_s", "deadline_s"):
            if not 0 < getattr(self, name) < float("inf"):
                raise ConfigError(f"{name} must be above 0, found {getattr(self, name)}")


class Body:
    """The bytes of one request, as they come."""

    def __init__(self, admission: Admission) -> None:
        self._admission = admission
        self._parts: list[bytes] = []
        self.size = self.counted = 0

    def add(self, part: bytes) -> None:
        """Take a part.

        Raises:
            TooMuch: the body is larger than any that is taken.
            Overloaded: others hold too much; the first `SMALL` bytes of each are always taken.
        """
        at, most = self._admission, self._admission.limits.max_body
        self.size += len(part)
        if self.size > most:
            raise TooMuch(f"the body is more than {most} bytes")
        more = max(0, self.size - at.SMALL) - self.counted
        if at.bytes + more > at.BODIES * most:
            raise Overloaded(f"{at.bytes} bytes are in work")
        self.counted += more
        at.bytes += more
        self._parts.append(part)

    def whole(self) -> bytes:
        """Return what came."""
        return b"".join(self._parts)


class Admission:
    """Counts what is in work, of one event loop: responses, and bytes of bodies."""

    BODIES = 16
    """Bodies of the greatest size that may be held at a time."""
    SMALL = 65_536
    """Bytes of each body that are not counted: who holds large ones shuts no small one out."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.pending = self.bytes = 0

    @contextmanager
    def body(self, said: int) -> Iterator[Body]:
        """Hold a body that is said to have so many bytes; only those that come are counted.

        Raises:
            TooMuch: it is larger than any that is taken.
            Overloaded: there are too many responses already.
        """
        if said > self.limits.max_body:
            raise TooMuch(f"the body is {said} bytes, and at most {self.limits.max_body} are taken")
        if self.pending >= self._room(1):
            raise Overloaded(f"{self.pending} responses are in work")
        body = Body(self)
        try:
            yield body
        finally:
            self.bytes -= body.counted

    @contextmanager
    def responses(self, count: int) -> Iterator[None]:
        """Hold so many responses, until they are decided.

        Raises:
            TooMuch: more than are taken at a time.
            Overloaded: too many are in work already.
        """
        most = self.limits.max_pending
        if count > most:
            raise TooMuch(f"{count} responses in a request, and at most {most} are taken at a time")
        if self.pending + count > self._room(count):
            raise Overloaded(f"{self.pending} of {most} responses are in work, {count} more came")
        self.pending += count
        try:
            yield
        finally:
            self.pending -= count

    def _room(self, count: int) -> int:
        """Return how many responses may be in work: for a small request a quarter more."""
        most = self.limits.max_pending
        return most + most // 4 if count <= most // 16 else most
