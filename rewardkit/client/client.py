"""A model asked on an event loop of its own: many requests at a time, retries, patience."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
import weakref
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future
from functools import lru_cache, partial
from typing import Any, TypeVar

from rewardkit.client.answers import Response
from rewardkit.client.pace import Pace
from rewardkit.client.server import CHAT, LONGEST_PAUSE_S, Kind, Server, Trouble, pause
from rewardkit.client.settings import ServerOptions
from rewardkit.errors import ModelError
from rewardkit.types import Message

T = TypeVar("T")

CHARS_A_TOKEN = 4
"""Roughly, until the server has counted them."""
SILENCE_S = 10.0
"""A server that fails and has answered nobody for so long is said to be waited for."""
FOR_NOTHING = 32
"""Failures in a row after which a server is taken for absent: no more pauses for it."""


class NoReply(Exception):
    """The server did not say anything that can be used; the message says why."""


def started(work: Coroutine[Any, Any, T]) -> Future[T]:
    """Begin work on the event loop that all clients of this process share."""
    return asyncio.run_coroutine_threadsafe(work, _loop(os.getpid()))


@lru_cache(maxsize=1)
def _loop(pid: int) -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="rewardkit-client", daemon=True).start()
    return loop


async def in_thread(call: Callable[[], T]) -> T:
    """Return what is called in a thread, which ends with its program whatever it waits for."""
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()  # who asks may leave; what comes then is nobody's

    def run() -> None:
        try:
            future.set_result(call())
        except BaseException as error:  # noqa: BLE001 who asked is told
            future.set_exception(error)

    threading.Thread(target=run, name="rewardkit-request", daemon=True).start()
    return await asyncio.wrap_future(future)


class Client:
    """Asks one server, at most `concurrency` requests at a time; used on `started`'s loop alone."""

    def __init__(self, address: ServerOptions) -> None:
        self.address = address
        self._server = Server(address.base_url, address.api_key_env, address.timeout_s)
        weakref.finalize(self, self._server.close)
        self._requests = Pace(address.requests_per_minute)
        self._tokens = Pace(address.tokens_per_minute)
        self._failed = 0
        self._answered = time.monotonic()
        self._waited_for = False
        self._model = address.model
        self._turns = asyncio.Semaphore(address.concurrency)

    def silence(self) -> str:
        """Return why the server cannot be asked now, or ""; it is tried once, for its models."""
        try:
            if self._model:
                return self._server.look(self._model) or ""
            found = self._only_model(lambda: False)
        except ModelError as error:
            return str(error)
        return found.reason if isinstance(found, Trouble) else ""

    async def ask(self, messages: Sequence[Message], *, chat: bool = True) -> Response:
        """Return the server's most likely continuation of a chat, or of a plain prompt.

        Raises:
            NoReply: there is none, after all tries.
        """
        shown: dict[str, Any] = (
            {"messages": list(messages)} if chat else {"prompt": messages[-1]["content"]}
        )
        limits = {"temperature": 0.0, "max_tokens": self.address.max_tokens, "seed": 0}
        body = {"model": await self.model(), **shown, **limits}
        size = sum(len(one["content"]) for one in messages) / CHARS_A_TOKEN
        found: Response = await self.post(CHAT if chat else "/completions", body, tokens=size)
        self._tokens.wait(found.prompt_tokens + found.tokens - size)
        return found

    async def post(
        self, path: str, body: dict[str, Any], reader: Any = None, tokens: float = 0.0
    ) -> Any:
        """Return what the server answers to a JSON body, in its turn; for `reader` see `Server`.

        Raises:
            NoReply: nothing that can be used, after all tries.
        """
        async with self._turns:
            await asyncio.sleep(max(self._requests.wait(), self._tokens.wait(tokens)))
            return await self._tried(lambda stop: self._server.once(path, body, stop, reader))

    async def model(self) -> str:
        """Return the model's name, by default that of the one model that the server has.

        Raises:
            NoReply: it cannot be asked, or has several.
        """
        if not self._model:
            self._model = await self._tried(self._only_model)
        return self._model

    def _only_model(self, stop: Callable[[], bool]) -> str | Trouble:
        reason, names = self._server.look(""), self._server.models
        if len(names) > 1:
            told = f"the server has {len(names)} models; set JUDGE_MODEL to one"
            raise ModelError(f"{told}: {list(names[:5])}")
        reason = reason or "the server does not say which models it has; set JUDGE_MODEL"
        return names[0] if names else Trouble(Kind.FAILED, reason, time.monotonic())

    async def _tried(self, once: Callable[[Callable[[], bool]], Any]) -> Any:
        begun, attempt, kept = time.monotonic(), 0, True
        while True:
            try:
                found = await in_thread(partial(once, _after(self.address.timeout_s)))
            except ModelError as error:
                raise NoReply(str(error)) from error
            if not isinstance(found, Trouble):
                self._failed = 0
                self._back()
                return found
            if kept and "without sending a response" in found.reason:
                kept = False  # the server had closed a connection that was kept: another one
                continue
            absent = self._failed >= FOR_NOTHING or attempt >= self.address.retries
            patient = not absent or time.monotonic() - begun < self.address.wait_s
            if found.kind is Kind.REFUSED or not patient:
                self._failed += found.kind is not Kind.REFUSED
                raise NoReply(found.reason)
            if absent and time.monotonic() - max(begun, self._answered) > SILENCE_S:
                self._away(found.reason)
            attempt += 1
            await asyncio.sleep(max(min(found.wait, LONGEST_PAUSE_S), pause(attempt)))

    def _away(self, reason: str) -> None:
        """Say on stderr, once an outage, that the server is waited for."""
        if not self._waited_for:
            self._waited_for = True
            told = f"waiting for the model at {self.address.base_url} ({reason}), up to"
            sys.stderr.write(f"{told} {self.address.wait_s:g} s\n")

    def _back(self) -> None:
        self._answered = time.monotonic()
        if self._waited_for:
            self._waited_for = False
            sys.stderr.write(f"the model at {self.address.base_url} answers again\n")


def _after(seconds: float) -> Callable[[], bool]:
    """Say when a whole request is over time: a server may send a byte now and then."""
    until = time.monotonic() + seconds
    return lambda: time.monotonic() > until


@lru_cache(maxsize=8)
def client_at(address: ServerOptions, pid: int) -> Client:
    """Return this process's client for a server; a forked copy has its own connections."""
    return Client(address)
