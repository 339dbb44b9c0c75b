"""A server that ends cleanly: what was asked is answered, then the workers go, then the program."""

from __future__ import annotations

import errno
import gc
import ipaddress
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn
from fastapi import FastAPI

from rewardkit.errors import ConfigError
from rewardkit.runs.signals import handled
from rewardkit.serving.connections import Connection

GRACE_S = 25
"""Seconds from the signal to the end; most that start servers kill after 30."""
SWITCH_S = 0.0005
"""How long a thread that grades may keep the event loop waiting."""
ANSWERING_S = 20.0
"""Of these, for what is in work: what is undecided then is a `timeout`."""


class QuietServer(uvicorn.Server):
    """Ends on SIGTERM or SIGINT with what was asked answered, and without dying of the signal."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End soon; what is in work is told by when."""
        service = self.config.app.state.service  # type: ignore[union-attr]
        service.ends = min(service.ends, time.monotonic() + ANSWERING_S)
        super().handle_exit(sig, frame)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take the signals; uvicorn's own would raise them again when it is done."""
        with handled((signal.SIGINT, signal.SIGTERM), self.handle_exit):
            yield


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def run(app: FastAPI, host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve until a signal ends it; `ready` is told the URL, once requests are taken.

    Raises:
        ConfigError: nothing can listen there.
    """
    listener = bound(host, port)
    shown = f"[{host}]" if ":" in host else host
    config = uvicorn.Config(
        app,
        http=Connection,
        ws="none",
        log_level="error",
        access_log=False,
        timeout_graceful_shutdown=GRACE_S,
    )
    gc.freeze()  # or each long list of a body would have all that was imported looked through
    sys.setswitchinterval(SWITCH_S)
    ready(f"http://{shown}:{listener.getsockname()[1]}")
    with listener:
        QuietServer(config).run(sockets=[listener])


def bound(host: str, port: int) -> socket.socket:
    """Return a socket that listens; port 0 takes any that is free.

    Raises:
        ConfigError: nothing can listen there; says what to type.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named, or asyncio would leave Nagle in: 40 ms for each answer in two parts.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(2048)  # from here on nobody is refused: requests wait for the server
    except (OSError, OverflowError) as error:
        listener.close()
        taken = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        hint = "; another program has it, --port 0 takes a free one" if taken else ""
        raise ConfigError(f"cannot listen on {host}:{port} ({error}){hint}") from error
    return listener
