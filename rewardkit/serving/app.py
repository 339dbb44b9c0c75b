"""The HTTP application: one pool of verifiers behind a few paths."""

from __future__ import annotations

import asyncio
import base64
import hmac
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from fastapi import FastAPI, Request, Response
from starlette.requests import ClientDisconnect

from rewardkit.errors import DataError, RewardkitError
from rewardkit.serving.admission import Admission, Body, Limits, Overloaded, TooMuch
from rewardkit.serving.forms import WITHOUT_VERDICTS, Asked, asked_for, count_of
from rewardkit.serving.meters import Meters
from rewardkit.types import Outcome, Problem, Verdict, VerifierLike
from rewardkit.verifiers import VerifierPool

RETRY_AFTER_S = 1
BODY_S = 10.0
"""Seconds that a body may take to come."""
LOOK_S = 0.5
"""How often a request in work looks whether the server is to end."""
LARGE_BODIES = 2
"""Bodies that are read and graded at a time, beside the small ones; each may take 30 times its
size in memory while it is read."""
MOST_PARTS = 200_000
"""Opening brackets of a body: while Python makes a list or table of each, nothing else runs."""
LONGEST_REASON = 500
T = TypeVar("T")
_JSON = "application/json"
_PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"


class Service:
    """What one server holds: the pool, the limits, and the counters."""

    def __init__(
        self, verifier: VerifierLike, limits: Limits, workers: int | None, token: str | None
    ) -> None:
        self.limits, self.token = limits, token
        self.pool = VerifierPool(verifier, workers=workers, deadline_s=limits.deadline_s)
        self.admission = Admission(limits)
        self.meters = Meters(self.admission)
        self.columns = frozenset((*self.pool.asked.needed, *self.pool.asked.optional))
        self.ends = float("inf")
        """When what is in work has to be answered, as the event loop counts."""
        self._small = ThreadPoolExecutor(8, "rewardkit-small")
        self._large = ThreadPoolExecutor(LARGE_BODIES, "rewardkit-large")

    def close(self) -> None:
        """End the threads and the workers."""
        for threads in (self._small, self._large):
            threads.shutdown(wait=False, cancel_futures=True)
        self.pool.close()

    async def graded(self, request: Request) -> Response:
        """Answer a request for verdicts: all of them, or why there is none."""
        started = time.perf_counter()
        response = await self._graded(request)
        seconds = time.perf_counter() - started
        self.meters.request(request.url.path, response.status_code, seconds)
        return response

    async def _graded(self, request: Request) -> Response:
        if not self.knows(request):
            return refused(401, "a token is needed: Authorization: Bearer TOKEN")
        loop, path = asyncio.get_running_loop(), request.url.path
        ends = loop.time() + self.limits.request_s
        try:
            with self.admission.body(_length(request)) as body:
                async with asyncio.timeout(min(BODY_S, self.limits.request_s)):
                    await _read(request, body)
                small = body.size <= self.admission.SMALL
                threads = self._small if small else self._large

                async def aside(work: Callable[..., T], *given: Any) -> T:
                    return await loop.run_in_executor(threads, work, *given)

                parsed = _parsed(body.whole()) if small else await aside(_parsed, body.whole())
                with self.admission.responses(count_of(path, parsed)):
                    asked, begun = await aside(self._begin, path, parsed, ends)
                    verdicts = await self._verdicts(asked.pairs, begun, ends)
                if small:
                    return answered(asked.answer(verdicts))
                return await aside(lambda: answered(asked.answer(verdicts)))
        except Overloaded as error:
            return refused(429, str(error), {"Retry-After": str(RETRY_AFTER_S)})
        except TooMuch as error:
            return refused(413, str(error))
        except TimeoutError:
            return refused(408, f"the body did not come within {BODY_S:g} s")
        except DataError as error:
            return refused(400, str(error))
        except ClientDisconnect:
            return refused(400, "the body ended before its length")
        except RewardkitError as error:  # a verifier that cannot run in a worker
            return refused(500, str(error))

    def _begin(
        self, path: str, parsed: Any, ends: float
    ) -> tuple[Asked, Sequence[Future[Verdict]]]:
        """Return what is asked for and the verdicts to come; quick ones are found right here."""
        asked = asked_for(path, parsed, self.columns)
        begun: list[Future[Verdict]] = []
        for response, problem in asked.pairs:
            late = time.monotonic() > min(ends, self.ends)
            begun.append(Future() if late else self.pool.submit(response, problem))
        return asked, begun

    async def _verdicts(
        self,
        pairs: Sequence[tuple[str, Problem]],
        begun: Sequence[Future[Verdict]],
        ends: float,
    ) -> Sequence[Verdict]:
        """Return a verdict for every pair, in order; what is not decided in time is a TIMEOUT."""
        open_ones = {asyncio.wrap_future(one) for one in begun if not one.done()}
        clock = asyncio.get_running_loop().time
        while open_ones and (left := min(ends, self.ends) - clock()) > 0:
            _, open_ones = await asyncio.wait(open_ones, timeout=min(left, LOOK_S))
        found = []
        for future, (_, problem) in zip(begun, pairs, strict=True):
            if future.done():
                verdict = future.result()
            else:
                future.cancel()
                reason = f"not decided within the request's {self.limits.request_s:g} s"
                verdict = Verdict(Outcome.TIMEOUT, None, problem.answer, "server", reason)
            self.meters.verdict(verdict)
            found.append(verdict)
        return found

    def knows(self, request: Request) -> bool:
        """Whether a request has the token: as bearer, or as password, where a URL can hold it."""
        if self.token is None:
            return True
        kind, _, given = request.headers.get("authorization", "").partition(" ")
        if kind.lower() == "basic":
            try:
                given = base64.b64decode(given).decode().partition(":")[2]
            except ValueError:
                return False
        elif kind.lower() != "bearer":
            return False
        return hmac.compare_digest(given.encode(), self.token.encode())


def make_app(
    verifier: VerifierLike,
    limits: Limits,
    *,
    workers: int | None = None,
    token: str | None = None,
) -> FastAPI:
    """Return the application; it opens its pool when it is made and closes it when it ends.

    Args:
        verifier: what grades.
        limits: what it takes on.
        workers: verifier processes, by default one a core.
        token: what requests must bring, if anything; /health needs none.
    """
    service = Service(verifier, limits, workers, token)

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        yield
        service.close()

    app = FastAPI(title="rewardkit", lifespan=life, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.service = service
    paths: dict[str, tuple[str, Callable[[Request], Awaitable[Response]]]] = {
        "/verify": ("POST", service.graded),
        "/get_reward": ("POST", service.graded),
        **dict.fromkeys(WITHOUT_VERDICTS, ("POST", service.graded)),
        "/reverify_mode": ("GET", _stateless),  # NeMo-Gym: the same body gets the same verdict
        "/health": ("GET", _health),
        "/metrics": ("GET", _metrics),
    }
    for path, (method, function) in paths.items():
        app.router.add_route(path, function, methods=[method])
    return app


def answered(value: Any) -> Response:
    """Return a value as JSON, in ASCII: a lone surrogate of a response has no other form."""
    return Response(json.dumps(value, ensure_ascii=True), media_type=_JSON)


def refused(status: int, reason: str, headers: dict[str, str] | None = None) -> Response:
    """Return why a request got no verdicts."""
    body = json.dumps({"error": reason[:LONGEST_REASON]})
    return Response(body, status, headers, media_type=_JSON)


async def _stateless(_: Request) -> Response:
    return answered("stateless")


async def _health(request: Request) -> Response:
    service: Service = request.app.state.service
    return answered({"status": "ok", "pending": service.admission.pending})


async def _metrics(request: Request) -> Response:
    service: Service = request.app.state.service
    if not service.knows(request):
        return refused(401, "a token is needed: Authorization: Bearer TOKEN")
    return Response(service.meters.text(), media_type=_PROMETHEUS)


def _length(request: Request) -> int:
    """Return the bytes that a body is said to have, 0 where it does not say."""
    said = request.headers.get("content-length", "")
    return int(said) if said.isdecimal() and len(said) < 20 else 0


async def _read(request: Request, body: Body) -> None:
    async for part in request.stream():
        body.add(part)


def _parsed(body: bytes) -> Any:
    if (parts := body.count(b"[") + body.count(b"{")) > MOST_PARTS:
        raise TooMuch(f"the body has {parts} brackets, and at most {MOST_PARTS} are taken")
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise DataError(f"the body is not JSON ({error})") from error
