"""Requests that mean harm: none is a 500, none holds the server, none shuts others out."""

import asyncio
import base64
import json
import threading

import pytest

from rewardkit.serving.forms import asked_for
from rewardkit.verifiers import MathVerifier

ROW = {"response": "so 12", "gold": "12"}


def ask(client, *requests):
    async def all_of_them():
        async with client:
            return [await client.request(*args, **options) for args, options in requests]

    return asyncio.run(all_of_them())


def nested(depth, text="12"):
    return "[" * depth + json.dumps(text) + "]" * depth


BODIES = [
    (f'{{"response": "12", "gold": {nested(300)}}}', 400),
    (f'{{"response": "12", "gold": {nested(900)}}}', 400),
    (f'{{"response": "(12)", "gold": {nested(2)}}}', 200),
    (f'{{"response": "12", "gold": "12", "other": {nested(900)}}}', 200),
    ('{"response": "12", "gold": "12", "outcome": "correct", "score": 1e999}', 200),
    ('{"response": "12", "gold": 1e999}', 200),
    (f'{{"response": "12", "gold": {"9" * 5000}}}', 400),
    (f'{{"response": {nested(900)}, "gold": "12"}}', 400),
    (
        f'{{"responses_create_params": 1, "response": {{"output": {nested(900)}}}, "gold": "1"}}',
        400,
    ),
    ('{"verify_responses": [{"reward": ' + "9" * 4000 + "}]}", 400),
    ("\ufeff{}", 400),
    (b"\xff\xfe{\x00", 400),
    (b"\x80", 400),
]


@pytest.mark.parametrize(("body", "status"), BODIES)
def test_no_body_is_a_500(client, body, status):
    raw = body if isinstance(body, bytes) else body.encode()
    path = "/aggregate_metrics" if b"verify_responses" in raw else "/verify"
    [found] = ask(client(MathVerifier()), (("POST", path), {"content": raw}))
    assert found.status_code == status, found.text
    assert len(found.content) < 2000


@pytest.mark.parametrize("path", ["/verify", "/metrics"])
@pytest.mark.parametrize(
    "header",
    [b"Basic \xe9", b"Basic " + base64.b64encode(b"a:\xe9"), b"Bearer \xe9", b"Basic", b""],
)
def test_no_authorization_is_a_500(client, path, header):
    method = "POST" if path == "/verify" else "GET"
    request = ((method, path), {"headers": {b"Authorization": header}})
    [found] = ask(client(MathVerifier(), token="s3"), request)
    assert found.status_code == 401


def test_columns_that_nobody_asks_for_are_not_read():
    row = {**ROW, "numbers": [1], "info": {"target": 3, "other": 4}, "huge": [[]] * 9}
    [(_, problem)] = asked_for("/verify", row, ("numbers", "target")).pairs
    assert dict(problem.info) == {"numbers": [1], "target": 3}
    [(_, whole)] = asked_for("/verify", row, ("problem",)).pairs
    assert set(whole.info) == {"numbers", "huge", "target", "other"}


class Held:
    """Its quick verdicts wait until they are let go."""

    def __init__(self):
        self.begun, self.let_go = threading.Event(), threading.Event()

    def __call__(self, response, answer):
        raise AssertionError("only quick verdicts are asked for here")

    def quick(self, response, answer):
        if response == "hold":
            self.begun.set()
            self.let_go.wait(60)
        return MathVerifier().quick("12", "12")


def test_while_one_is_graded_others_are_answered(client):
    held = Held()

    async def both():
        async with client(held) as made:
            first = asyncio.create_task(
                made.post("/verify", json={"response": "hold", "gold": "1"})
            )
            await asyncio.to_thread(held.begun.wait, 60)
            health = await made.get("/health")
            second = await made.post("/verify", json=ROW)
            held.let_go.set()
            return health, second, await first

    health, *others = asyncio.run(both())
    assert health.json() == {"status": "ok", "pending": 1}
    assert [one.status_code for one in others] == [200, 200]


def stalled(ready, size):
    """The beginning of a body, and then nothing."""

    async def parts():
        yield b" " * size
        await ready.wait()
        yield b""

    return parts()


@pytest.mark.parametrize("size", [1, 100_000])
def test_bodies_that_were_only_begun_shut_no_small_one_out(client, size):
    async def many():
        ready, length = asyncio.Event(), {"Content-Length": "200000"}
        async with client(MathVerifier(), max_body=200_000) as made:
            slow = [
                asyncio.create_task(
                    made.post("/verify", content=stalled(ready, size), headers=length)
                )
                for _ in range(200)
            ]
            await asyncio.sleep(0.1)
            found = await made.post("/verify", json=ROW)
            ready.set()
            await asyncio.gather(*slow)
            return found, await made.get("/health")

    found, health = asyncio.run(many())
    assert (found.status_code, health.json()["pending"]) == (200, 0)
