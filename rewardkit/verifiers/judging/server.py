"""One chat completion of a server: retries with pauses, tokens counted, failures said."""

from __future__ import annotations

import json
import os
import threading
import time
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rewardkit.errors import MissingExtraError
from rewardkit.types import Message

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 20.0
FOR_NOTHING = 32
"""Failures in a row after which a server is taken for absent: no more pauses for it."""
FATAL = {401: "the key was refused", 403: "access was refused", 404: "no such model or address"}
TOKEN_BYTES = 4096
"""What a server may send for a token of a reply."""
BUSY = (408, 409, 425, 429)


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is, and how it is asked."""

    base_url: str
    key_env: str
    model: str
    max_tokens: int
    timeout_s: float
    retries: int


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


class Server:
    """A client that threads share."""

    def __init__(self, address: Address) -> None:
        try:
            import httpx
        except ModuleNotFoundError as error:
            raise MissingExtraError("httpx", "openai") from error
        self.address = address
        self._httpx: Any = httpx
        self._lock = threading.Lock()
        self._failed = 0
        self._most = 2**20 + TOKEN_BYTES * address.max_tokens
        self._model = address.model
        key = os.environ.get(address.key_env, "").strip()
        self._client = httpx.Client(
            timeout=httpx.Timeout(address.timeout_s, connect=min(address.timeout_s, 10.0)),
            headers={"Authorization": f"Bearer {key}"} if key else {},
            trust_env=False,  # a proxy set for the web must not swallow a server on this machine
        )
        weakref.finalize(self, self._client.close)

    def ask(self, messages: Sequence[Message]) -> Reply:
        """Return the server's most likely continuation of a chat.

        Raises:
            NoReply: there is none, after all tries.
        """
        body = {
            "model": self.model(),
            "messages": [dict(message) for message in messages],
            "temperature": 0.0,
            "max_tokens": self.address.max_tokens,
            "seed": 0,
        }
        return _reply(self._tried("POST", "/chat/completions", json.dumps(body)))

    def model(self) -> str:
        """Return the model's name, by default that of the one model that the server has.

        Raises:
            NoReply: it cannot be asked, or has several.
        """
        if not self._model:
            self._model = _only_model(self._tried("GET", "/models", None))
        return self._model

    def _tried(self, method: str, path: str, content: str | None) -> Any:
        absent = self._failed >= FOR_NOTHING
        tries = 1 if absent else self.address.retries + 1
        reason = ""
        for attempt in range(tries):
            found, reason, pause = self._once(method, path, content)
            if found is not None:
                self._count(failed=False)
                return found
            if attempt + 1 < tries:
                time.sleep(max(pause, min(FIRST_PAUSE_S * 2**attempt, LONGEST_PAUSE_S)))
        self._count(failed=True)
        raise NoReply(reason)

    def _once(self, method: str, path: str, content: str | None) -> tuple[Any, str, float]:
        """Return (JSON or None, why there is none, seconds that the server asks to wait)."""
        url = self.address.base_url.rstrip("/") + path
        headers = {"Content-Type": "application/json"}
        try:
            with self._client.stream(method, url, content=content, headers=headers) as answer:
                said = _bounded(answer, self._most)
        except (self._httpx.HTTPError, self._httpx.InvalidURL) as error:
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

    def _count(self, *, failed: bool) -> None:
        with self._lock:
            self._failed = self._failed + 1 if failed else 0


@lru_cache(maxsize=8)
def server_at(address: Address, pid: int) -> Server:
    """Return this process's client for a server; a forked copy has its own connections."""
    return Server(address)


def _bounded(answer: Any, most: int) -> bytes:
    """Return what a server sends, cut off where it is more than it was asked for."""
    found = b""
    for part in answer.iter_bytes():
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
        text, finish = choice["message"]["content"], choice.get("finish_reason")
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
