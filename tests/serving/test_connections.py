"""Connections that ask nothing, ask slowly or do not listen: they end, and others are served."""

import asyncio
import json
import signal
from contextlib import asynccontextmanager

import pytest

pytest.importorskip("uvicorn")
pytest.importorskip("fastapi")

import uvicorn
from slow_verifiers import for_ever

from rewardkit.serving import app as application
from rewardkit.serving import connections
from rewardkit.serving import server as ending
from rewardkit.serving.admission import Limits
from rewardkit.serving.connections import Connection
from rewardkit.serving.server import QuietServer, bound
from rewardkit.verifiers import MathVerifier

pytestmark = pytest.mark.timeout(120)
SHORT = 0.3
HEAD = b"POST /verify HTTP/1.1\r\nHost: here\r\nContent-Length: %d\r\n\r\n"
BODY = json.dumps({"response": "so 12", "gold": "12"}).encode()


@asynccontextmanager
async def served(verifier=None, **limits):
    """Yield (a function that connects, the server) of a server in this event loop."""
    app = application.make_app(verifier or MathVerifier(), Limits(**limits), workers=1)
    listener = bound("127.0.0.1", 0)
    server = QuietServer(uvicorn.Config(app, http=Connection, log_level="error"))
    task = asyncio.create_task(server.serve(sockets=[listener]))
    port = listener.getsockname()[1]
    try:
        yield lambda: asyncio.open_connection("127.0.0.1", port), server
    finally:
        server.should_exit = True
        await task
        listener.close()


async def answer(connect):
    """Return the first line of the answer to an honest request."""
    reader, writer = await connect()
    writer.write(HEAD % len(BODY) + BODY)
    line = await reader.readline()
    writer.close()
    return line


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(connections, "SPEAKING_S", SHORT)


SAID = {
    "nothing": b"",
    "half a head": HEAD[:30],
    "half a body": HEAD % 1000 + b"{",
    "a request, and half a head": b"GET /health HTTP/1.1\r\nHost: here\r\n\r\n" + HEAD[:30],
}


@pytest.mark.parametrize("said", SAID)
def test_who_does_not_ask_to_the_end_is_let_go(short, said):
    async def told():
        async with served() as (connect, _):
            reader, writer = await connect()
            writer.write(SAID[said])
            with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
                await reader.readexactly(1 << 20)
            writer.close()

    asyncio.run(told())


@pytest.mark.parametrize("said", [b"", HEAD[:30], HEAD % 1000 + b"{"])
def test_where_too_many_are_open_the_first_that_did_not_ask_makes_room(monkeypatch, said):
    monkeypatch.setattr(Connection, "most", 8)

    async def told():
        async with served() as (connect, server):
            silent = []
            for _ in range(40):
                silent.append(await connect())
                silent[-1][1].write(said)
            lines = [await answer(connect) for _ in range(5)]
            open_ones = len(server.server_state.connections)
            for _, writer in silent:
                writer.close()
            return lines, open_ones

    lines, open_ones = asyncio.run(told())
    assert lines == [b"HTTP/1.1 200 OK\r\n"] * 5
    assert open_ones <= 8


def test_a_body_that_does_not_come_is_answered_and_the_server_can_end(monkeypatch):
    monkeypatch.setattr(application, "BODY_S", SHORT)

    async def told():
        async with served() as (connect, server):
            reader, writer = await connect()
            writer.write(HEAD % 1000 + b"{")
            while not server.server_state.tasks:
                await asyncio.sleep(0.01)
            server.should_exit = True
            line = await reader.readline()
            writer.close()
            return line

    assert asyncio.run(told()) == b"HTTP/1.1 408 Request Timeout\r\n"


def test_what_is_undecided_long_after_the_signal_to_end_is_a_timeout(monkeypatch):
    monkeypatch.setattr(ending, "ANSWERING_S", SHORT)
    body = json.dumps({"response": "hang", "gold": "1"}).encode()

    async def told():
        async with served(for_ever, deadline_s=60.0) as (connect, server):
            reader, writer = await connect()
            writer.write(HEAD % len(body) + body)
            while not server.config.app.state.service.admission.pending:
                await asyncio.sleep(0.01)
            server.handle_exit(signal.SIGTERM, None)
            said = await reader.read()
            writer.close()
            return said

    assert b'"outcome": "timeout"' in asyncio.run(told())


def test_who_does_not_read_the_answer_is_let_go(short):
    rows = [{"response": "x" * 400, "gold": "x" * 400}] * 4000

    async def told():
        async with served(max_body=1 << 24) as (connect, server):
            body = json.dumps(rows).encode()
            reader, writer = await connect()
            reader._transport.pause_reading()
            request = HEAD % len(body) + body
            writer.write(request)
            while not server.server_state.total_requests:
                await asyncio.sleep(0.02)
            while server.server_state.connections:
                await asyncio.sleep(0.02)
            writer.close()
            return server.server_state.total_requests

    assert asyncio.run(told()) == 1
