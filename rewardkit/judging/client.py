"""An HTTP client on an event loop of its own: many requests at a time, rates, retries, patience."""

from __future__ import annotations

import asyncio
import json
import os
import threading
import time
import weakref
from collections.abc import Coroutine, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeVar

from rewardkit.errors import MissingExtraError
from rewardkit.golds import as_text
from rewardkit.judging.settings import ServerOptions
from rewardkit.types import Gold, Message, Outcome, Verdict
from rewardkit.verifiers.signature import Asked

T = TypeVar("T")

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 20.0
FOR_NOTHING = 32
"""Failures in a row after which a server is taken for absent: no more pauses for it."""
FATAL = {401: "the key was refused", 403: "access was refused", 404: "no such model or address"}
TOKEN_BYTES = 4096
"""What a server may send for a token of a reply."""
BUSY = (408, 409, 425, 429)
CHARS_A_TOKEN = 4
"""Of a prompt, before the server has counted."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server said, and the tokens that it counted."""

    text: str
    prompt_tokens: int
    completion_tokens: int
    cut: bool = False
    """Whether the token limit ended it."""


class NoReply(Exception):
    """The server did not say anything that can be used; the message says why."""


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


def started(work: Coroutine[Any, Any, T]) -> Future[T]:
    """Begin work on the event loop that all judges of this process share."""
    return asyncio.run_coroutine_threadsafe(work, _loop(os.getpid()))


class Asking:
    """A verifier that waits for a model: what `Judge`, `Rubric` and `RewardModel` share."""

    asked = Asked(optional=("question",))

    def __call__(self, response: str, answer: Gold, question: str = "", **columns: Any) -> Verdict:
        """Return the verdict; ERROR where the model or its server is undecided."""
        return self.submit(response, answer, question, **columns).result()

    def submit(
        self, response: str, answer: Gold, question: str = "", **columns: Any
    ) -> Future[Verdict]:
        """Begin to ask, and return the future verdict."""
        return started(self._verdict(response, as_text(answer), question, columns))

    async def _verdict(self, response: str, gold: str, question: str, columns: Any) -> Verdict:
        begun = time.perf_counter()
        try:
            found = await self.decide(response, gold.strip(), question, **columns)
        except NoReply as error:
            name = type(self).__name__.lower()
            found = Verdict(
                Outcome.ERROR, method=name, reason=f"{name} is undecided: {error}"[:300]
            )
        return replace(found, gold=gold, seconds=time.perf_counter() - begun)

    async def decide(self, response: str, gold: str, question: str, **columns: Any) -> Verdict:
        """Return the verdict on one response.

        Raises:
            NoReply: nothing that can be used came from the model.
        """
        raise NotImplementedError


@lru_cache(maxsize=1)
def _loop(pid: int) -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="rewardkit-judge", daemon=True).start()
    return loop


class Client:
    """Asks one server, at most `concurrency` requests at a time; used on `started`'s loop alone."""

    def __init__(self, address: ServerOptions) -> None:
        try:
            import httpx
        except ModuleNotFoundError as error:
            raise MissingExtraError("httpx", "openai") from error
        self.address = address
        self._httpx: Any = httpx
        self._failed = 0
        self._most = 2**20 + TOKEN_BYTES * address.max_tokens
        self._model = address.model
        self._turns = asyncio.Semaphore(address.concurrency)
        self._requests = Pace(address.requests_per_minute)
        self._tokens = Pace(address.tokens_per_minute)
        key = os.environ.get(address.api_key_env, "").strip()
        self._client = httpx.AsyncClient(
            timeout=httpx.Timeout(
                address.timeout_s, connect=min(address.timeout_s, 10.0), pool=None
            ),
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=None),
            headers={"Authorization": f"Bearer {key}"} if key else {},
            trust_env=False,  # a proxy set for the web must not swallow a server on this machine
        )
        weakref.finalize(self, _close, self._client, os.getpid())

    async def ask(self, messages: Sequence[Message], *, chat: bool = True) -> Reply:
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
        path = "/chat/completions" if chat else "/completions"
        reply = _reply(await self.post(path, body, size))
        self._tokens.wait(reply.prompt_tokens + reply.completion_tokens - size)
        return reply

    async def post(self, path: str, body: dict[str, Any], tokens: float = 0.0) -> Any:
        """Return what the server answers to a JSON body, in its turn.

        Raises:
            NoReply: nothing that can be used, after all tries.
        """
        async with self._turns:
            pause = max(self._requests.wait(), self._tokens.wait(tokens))
            await asyncio.sleep(pause)
            return await self._tried("POST", path, json.dumps(body))

    async def model(self) -> str:
        """Return the model's name, by default that of the one model that the server has.

        Raises:
            NoReply: it cannot be asked, or has several.
        """
        if not self._model:
            self._model = _only_model(await self._tried("GET", "/models", None))
        return self._model

    async def _tried(self, method: str, path: str, content: str | None) -> Any:
        begun, attempt, kept = time.monotonic(), 0, True
        while True:
            found, reason, pause = await self._once(method, path, content)
            if found is not None:
                self._failed = 0
                return found
            if kept and "without sending" in reason:
                kept = False  # the server had closed a connection that was kept: another one
                continue
            waited = time.monotonic() - begun
            absent = self._failed >= FOR_NOTHING or attempt >= self.address.retries
            if absent and waited >= self.address.wait_s:
                self._failed += 1
                raise NoReply(reason)
            await asyncio.sleep(max(pause, min(FIRST_PAUSE_S * 2**attempt, LONGEST_PAUSE_S)))
            attempt += 1

    async def _once(self, method: str, path: str, content: str | None) -> tuple[Any, str, float]:
        """Return (JSON or None, why there is none, seconds that the server asks to wait)."""
        url = self.address.base_url.rstrip("/") + path
        headers = {"Content-Type": "application/json"}
        ask = self._client.stream(method, url, content=content, headers=headers)
        try:
            # A server may send a byte now and then: the limit is of the whole request.
            async with asyncio.timeout(self.address.timeout_s), ask as answer:
                said = await _bounded(answer, self._most)
        except (self._httpx.HTTPError, self._httpx.InvalidURL, TimeoutError) as error:
            return None, f"{url}: {type(error).__name__}: {error}".rstrip(": "), 0.0
        if answer.status_code in FATAL:
            raise NoReply(f"{url}: {FATAL[answer.status_code]} (HTTP {answer.status_code})")
        if answer.status_code != 200:
            words = said.decode("utf-8", "replace").split()
            told = f"{url}: HTTP {answer.status_code} {' '.join(words)[:120]}"
            if answer.status_code < 500 and answer.status_code not in BUSY:
                raise NoReply(told)  # the request itself is at fault
            return None, told, _retry_after(answer.headers)
        try:
            return json.loads(said), "", 0.0
        except (ValueError, RecursionError):
            return None, f"{url}: not JSON", 0.0


@lru_cache(maxsize=8)
def client_at(address: ServerOptions, pid: int) -> Client:
    """Return this process's client for a server; a forked copy has its own connections."""
    return Client(address)


def _close(client: Any, pid: int) -> None:
    if pid == os.getpid() and _loop(pid).is_running():
        started(client.aclose())


async def _bounded(answer: Any, most: int) -> bytes:
    """Return what a server sends, cut off where it is more than it was asked for."""
    found = b""
    async for part in answer.aiter_bytes():
        found += part
        if len(found) > most:
            break
    return found[:most]


def _only_model(body: Any) -> str:
    try:
        names = [str(row["id"]) for row in body["data"]]
    except (KeyError, TypeError) as error:
        raise NoReply("the server does not say which models it has; set JUDGE_MODEL") from error
    if len(names) != 1:
        raise NoReply(f"the server has {len(names)} models; set JUDGE_MODEL to one: {names[:5]}")
    return names[0]


def _reply(body: Any) -> Reply:
    try:
        choice = body["choices"][0]
        text = choice["message"]["content"] if "message" in choice else choice["text"]
        finish = choice.get("finish_reason")
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise NoReply("no choices[0].message.content in the server's answer") from error
    cut = finish == "length"
    if text is None and cut:
        text = ""  # a model that was cut off while it thought
    if not isinstance(text, str):
        raise NoReply(f"the content of the server's answer is {type(text).__name__}")
    usage = body.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    prompt_tokens = _count_of(counts, "prompt_tokens")
    return Reply(text, prompt_tokens, _count_of(counts, "completion_tokens"), cut)


def _count_of(usage: dict[str, Any], name: str) -> int:
    value = usage.get(name)
    return value if type(value) is int and 0 <= value < 2**31 else 0


def _retry_after(headers: Any) -> float:
    try:
        return min(max(float(headers["retry-after"]), 0.0), LONGEST_PAUSE_S)
    except (KeyError, ValueError):
        return 0.0
