"""One server that speaks completions: is it there, what is it, and one try at a response."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import Enum
from functools import partial
from typing import Any

from rewardkit.client.answers import Pieces, Response, bounded, stream_into
from rewardkit.errors import ConfigError, MissingExtraError, ModelError

CHAT = "/chat/completions"
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 20.0
SAID_BYTES = 2**20
"""Of a list of models, or of a refusal."""
CONNECT_S = 10.0
"""A machine that is there accepts a connection long before."""
REST, LONGEST_REST_S = 0.06, 0.25
"""A stream is left to gather tokens for this share of the time that it has taken so far: to be
woken for each of them costs several times as much as to read them."""
FATAL = {401: "the key was refused", 403: "access was refused", 404: "no such model or address"}
STREAMED: tuple[dict[str, Any], ...] = (
    {"stream": True, "stream_options": {"include_usage": True}},
    {"stream": True},
    {},
)
"""What a server is asked for; one that refuses a form is asked for the next."""


def pause(times: int) -> float:
    """Return the seconds to wait after so many failures in a row.

    >>> [pause(n) for n in (1, 2, 3, 20)]
    [0.5, 1.0, 2.0, 20.0]
    """
    return float(min(FIRST_PAUSE_S * 2 ** min(times - 1, 30), LONGEST_PAUSE_S))


class Kind(Enum):
    """What a try that failed says of the server, and of the request."""

    UNREACHABLE = "no connection; the request never came there"
    BUSY = "it answers others, or will later"
    FAILED = "it tried, and something broke"
    REFUSED = "this request will not be answered"


@dataclass(frozen=True, slots=True)
class Trouble:
    """One try that failed."""

    kind: Kind
    reason: str
    since: float
    """Since when nothing came (monotonic): a silence begins before it is noticed."""
    wait: float = 0.0
    """Seconds that the server asks to wait."""


class Server:
    """An address, and the connections to it."""

    def __init__(self, base: str, key_env: str, timeout_s: float) -> None:
        try:
            import httpx
        except ModuleNotFoundError as error:
            raise MissingExtraError("httpx", "openai") from error
        key = key_in(key_env)
        self.base = base.rstrip("/")
        self.address = _address(self.base)
        self.kind = ""
        """Who wrote it, as far as it tells: vllm, sglang, llamacpp, ..."""
        self.context: int | None = None
        """The longest prompt and response together, as far as it tells."""
        self.models: tuple[str, ...] = ()
        """Those that it lists."""
        self._form = 0
        self._silence = timeout_s
        self._unreachable = (httpx.ConnectError, httpx.ConnectTimeout)
        self._broken = (httpx.TransportError, httpx.DecodingError)
        self._silent = httpx.ReadTimeout
        self._make = partial(
            httpx.Client,
            # Each read may take so long, not the answer: one that streams may take its time.
            timeout=httpx.Timeout(timeout_s, connect=min(timeout_s, CONNECT_S)),
            headers={"Content-Type": "application/json"}
            | ({"Authorization": f"Bearer {key}"} if key else {}),
            # Reading all certificates takes .1 s: once, and only for who needs them.
            verify=httpx.create_ssl_context(verify=self.base.startswith("https")),
            trust_env=False,  # a proxy set for the web must not swallow a server on this machine
        )
        # One client for each request under way: httpx looks through all connections of a client
        # for each of its requests.
        self._clients: deque[Any] = deque()
        self._closed = False

    def look(self, model: str) -> str | None:
        """Ask what it serves; returns why it does not answer, or None.

        Raises:
            ModelError: the key is refused, or it serves no such model.
        """
        try:
            with self._answer("GET", "/models") as answer:
                said = _some(answer)
        except self._broken as error:
            return _named(error)
        if answer.status_code in (401, 403):
            raise ModelError(f"{self.base}: {_refusal(answer.status_code, said[:200])}")
        try:
            listed = json.loads(said)["data"]
            rows = {row["id"]: row for row in listed}
            one = rows.get(model, listed[0])
            self.kind = str(one.get("owned_by") or "")
            context = one.get("max_model_len")
            self.models = tuple(map(str, rows))
        except (ValueError, RecursionError, KeyError, IndexError, TypeError, AttributeError):
            return None  # many answer only what is asked of them
        self.context = context if isinstance(context, int) else None
        # llama.cpp takes any name, and a gateway may route to more than it lists.
        if model and self.kind == "vllm" and model not in rows:
            raise ModelError(f"{self.base}: serves no model {model!r}; it has {', '.join(rows)}")
        return None

    def ask(self, body: Mapping[str, Any], stop: Callable[[], bool]) -> Response | Trouble:
        """Try once at a chat; in the form in which this server answers.

        Raises:
            ModelError: no request can succeed here.
        """
        troubles: list[Trouble] = []
        for form in range(self._form, len(STREAMED)):
            found: Response | Trouble = self.once(CHAT, {**body, **STREAMED[form]}, stop)
            if isinstance(found, Response):
                self._form = form
                return found
            if found.kind is not Kind.REFUSED:
                return found
            troubles.append(found)
            if "stream" not in found.reason.lower():
                break
        return troubles[0]

    def close(self) -> None:
        """Close the connections; those of requests that are under way with their end."""
        self._closed = True
        while self._clients:
            with contextlib.suppress(IndexError):
                self._clients.pop().close()

    def once(
        self, path: str, body: Mapping[str, Any], stop: Callable[[], bool], reader: Any = None
    ) -> Any:
        """Try once at what stands under a path; returns what came, or a `Trouble`.

        Args:
            path: such as /chat/completions.
            body: what is asked.
            stop: asked whenever something came; True breaks it off.
            reader: makes what reads the answer as `Pieces` do; by default those of a response.

        Raises:
            ModelError: no request can succeed here.
        """
        # ASCII: half of a surrogate pair in a problem has no UTF-8 form.
        content = json.dumps(body, ensure_ascii=True)
        started = time.monotonic()
        heard = [started]
        pieces = reader() if reader else Pieces(body.get("max_tokens"))
        url = self.base + path

        def hear() -> None:
            heard[0] = time.monotonic()
            if stop():
                raise Stopped

        def whole(answer: Any) -> Iterator[bytes]:
            for part in bounded(answer.iter_bytes(), pieces.most):
                hear()
                yield part

        try:
            with self._answer("POST", path, content) as answer:
                if answer.status_code != 200:
                    return self._refused(url, answer, _some(answer, 200))
                if "event-stream" in answer.headers.get("content-type", ""):
                    wrong = stream_into(pieces, answer.iter_bytes(), _gathering(hear))
                else:
                    wrong = pieces.add(b"".join(whole(answer)))
        except Stopped:
            return Trouble(
                Kind.FAILED, f"{url}: broken off after {time.monotonic() - started:.0f} s", heard[0]
            )
        except self._unreachable as error:
            return Trouble(Kind.UNREACHABLE, f"{url}: {_named(error)}", time.monotonic())
        except self._broken as error:
            if not pieces.done:
                return self._cut(url, error, heard[0])
            wrong = None
        found = wrong or pieces.response(time.monotonic() - started)
        if isinstance(found, str):
            return Trouble(Kind.FAILED, f"malformed answer: {found}", time.monotonic())
        return found

    @contextlib.contextmanager
    def _answer(self, method: str, path: str, content: str | None = None) -> Iterator[Any]:
        try:
            client = self._clients.pop()
        except IndexError:
            client = self._make()
        try:
            with client.stream(method, self.base + path, content=content) as answer:
                yield answer
        finally:
            self._clients.append(client)
            if self._closed:
                self.close()

    def _cut(self, url: str, error: Exception, heard: float) -> Trouble:
        if isinstance(error, self._silent):
            reason = f"{url}: silent for {self._silence:g} s ({_named(error)})"
            return Trouble(Kind.FAILED, reason, heard)
        return Trouble(Kind.FAILED, f"{url}: {_named(error)}", time.monotonic())

    def _refused(self, url: str, answer: Any, said: str) -> Trouble:
        status, wait = answer.status_code, _retry_after(answer)
        if status in FATAL and not (status == 404 and "stream" in said.lower()):
            bare = status == 404 and self.address.path in ("", "/")
            hint = (
                f"\nMost servers' addresses end in /v1: --base-url {self.base}/v1" if bare else ""
            )
            raise ModelError(f"{url}: {_refusal(status, said)}{hint}")
        kind = Kind.REFUSED
        if status == 429:
            kind = Kind.BUSY
        elif status >= 500 or status in (408, 409, 425):
            kind = Kind.FAILED
        return Trouble(kind, f"HTTP {status} {said}".rstrip(), time.monotonic(), wait)


def _gathering(hear: Callable[[], None]) -> Callable[[], None]:
    """Return `hear` with rests in which a stream gathers tokens."""
    started = awake = time.monotonic()

    def gather() -> None:
        nonlocal awake
        hear()
        now = time.monotonic()
        rest = min(LONGEST_REST_S, (now - started) * REST)
        if now - awake > rest / 8:  # what came meanwhile has been read
            time.sleep(rest)
            awake = time.monotonic()

    return gather


class Stopped(Exception):
    """Nobody waits for this response any longer."""


def _address(base: str) -> Any:
    """Return the server's address, taken apart.

    Raises:
        ConfigError: no address of a server.
    """
    import httpx

    try:
        address = httpx.URL(base)
        if address.scheme in ("http", "https") and address.host and (address.port or 0) < 2**16:
            return address
        reason = "it needs http:// or https://, a host, and a port below 65536"
    except httpx.InvalidURL as error:
        reason = str(error)
    raise ConfigError(
        f"--base-url {base!r}: no address of a server ({reason}); type it such as "
        "http://localhost:8000/v1"
    )


def key_in(variable: str) -> str:
    """Return the key in an environment variable, "" where there is none.

    Raises:
        ConfigError: it cannot stand in a header.
    """
    key = os.environ.get(variable, "").strip()
    if not (key.isascii() and key.isprintable()):
        raise ConfigError(
            f"{variable}: holds a character that no key has (a line break, or one "
            "that is not ASCII); set it anew"
        )
    return key


def _some(answer: Any, most: int = SAID_BYTES) -> str:
    """Return the beginning of what a server says beside responses, as one line."""
    said = b"".join(bounded(answer.iter_bytes(), SAID_BYTES)).decode("utf-8", "replace")
    return " ".join(said.split())[:most]


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".rstrip(": ")


def _refusal(status: int, said: str) -> str:
    return f"{FATAL[status]} (HTTP {status}) {said}".rstrip()


def _retry_after(answer: Any) -> float:
    """Return how many seconds the server asks to wait; it may say so as a date."""
    said = answer.headers.get("retry-after", "")
    with contextlib.suppress(ValueError):
        return float(said)
    with contextlib.suppress(ValueError, TypeError):
        return (parsedate_to_datetime(said) - datetime.now(UTC)).total_seconds()
    return 0.0
