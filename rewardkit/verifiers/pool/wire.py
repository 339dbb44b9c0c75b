"""What the pool, its template process and its workers say to each other.

A message is a four-byte length and a body. Items and verdicts travel as JSON, for the pool trusts
no worker; settings, which the pool alone sends, are a pickle. A command to the template is one
letter and a number, and its answer a number.
"""

from __future__ import annotations

import array
import json
import socket
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, NamedTuple

from rewardkit.types import Outcome, Problem, Verdict

FORK, KILL, REAP = b"F", b"K", b"R"
"""Commands to the template; the first comes with a socket for the new worker."""

_fields = attrgetter(
    "outcome.value", "extracted", "gold", "method", "reason", "seconds", "score", "steps", "judged"
)
"""Of a verdict, in the order of its class."""


class Item(NamedTuple):
    """What a verifier is called with."""

    response: str
    gold: str
    columns: dict[str, Any]
    """Those that it asks for, by name."""


@dataclass(frozen=True)
class Settings:
    """What the processes are told at their start."""

    path: list[str]
    """`sys.path` of the caller."""
    verifier: bytes
    """The pickled verifier."""
    warm: bool
    """Whether the verifier has a method `warm`, for the template to call."""
    main: str | None
    """The script that defines the verifier, where it is in none of the modules."""
    memory_mb: int | None
    cpu_s: float | None
    at_a_time: int = 1
    """How many items the verifier takes together, by its method `together`."""
    seconds: float = 0.0
    """What these may take."""


def send(sock: socket.socket, body: bytes) -> None:
    """Send one message."""
    sock.sendall(struct.pack("!I", len(body)) + body)


def receive(sock: socket.socket) -> bytes | None:
    """Return the next message, or None when the other side is gone."""
    header = _receive_exactly(sock, 4)
    if header is None:
        return None
    return _receive_exactly(sock, struct.unpack("!I", header)[0])


def _receive_exactly(sock: socket.socket, size: int) -> bytes | None:
    parts = []
    while size:
        part = sock.recv(min(size, 1 << 20))
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def send_command(
    control: socket.socket, command: bytes, number: int = 0, descriptor: int | None = None
) -> None:
    """Send a command to the template; a descriptor of this process becomes one of its own."""
    rights = []
    if descriptor is not None:
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [descriptor]))]
    control.sendmsg([command + struct.pack("!i", number)], rights)


def receive_command(control: socket.socket) -> tuple[bytes, int, int | None] | None:
    """Return a command, its number and its descriptor; None when the pool is gone."""
    message, ancillary, _, _ = control.recvmsg(5, socket.CMSG_SPACE(4))
    if not message:
        return None
    descriptor = array.array("i", ancillary[0][2])[0] if ancillary else None
    return message[:1], struct.unpack("!i", message[1:])[0], descriptor


def send_number(control: socket.socket, number: int) -> None:
    """Answer a command."""
    control.sendall(struct.pack("!i", number))


def receive_number(control: socket.socket) -> int:
    """Return the answer to a command.

    Raises:
        ConnectionError: the template is gone.
    """
    body = _receive_exactly(control, 4)
    if body is None:
        raise ConnectionError("the verifier pool's template process ended")
    number: int = struct.unpack("!i", body)[0]
    return number


def encode_items(items: Sequence[Item]) -> bytes:
    """Return items as bytes for `decode_items`."""
    return json.dumps([_plain(item) for item in items]).encode()


def decode_items(body: bytes) -> list[Item]:
    """Return the items that `encode_items` wrote."""
    return [
        Item(response, gold, columns | {k: Problem(*fields) for k, fields in wholes.items()})
        for response, gold, columns, wholes in json.loads(body)
    ]


def _plain(item: Item) -> list[Any]:
    wholes = {
        k: [v.id, v.question, v.answer, v.source, dict(v.info)]
        for k, v in item.columns.items()
        if isinstance(v, Problem)
    }
    return [
        item.response,
        item.gold,
        {k: v for k, v in item.columns.items() if k not in wholes},
        wholes,
    ]


def encode(verdicts: Sequence[Verdict]) -> bytes:
    """Return verdicts as bytes for `decode`."""
    return json.dumps([_fields(verdict) for verdict in verdicts]).encode()


def decode(body: bytes) -> list[Verdict]:
    """Return the verdicts that `encode` wrote."""
    return [Verdict(Outcome(outcome), *fields) for outcome, *fields in json.loads(body)]
