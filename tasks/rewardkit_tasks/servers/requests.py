"""One request to an environment's server: JSON there and back, and the cookies of a session."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from http.client import HTTPException
from http.cookies import SimpleCookie
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import OpenerDirector, ProxyHandler, Request, build_opener

from rewardkit.errors import ConfigError

LONGEST_BODY = 1 << 22
LONGEST_WAIT_S = 600.0
"""Of one answer; while a rollout is played, its own deadline is shorter."""


class Answer(NamedTuple):
    """What a server said; `refused` where it did not take what was sent (3xx or 4xx)."""

    text: str
    refused: bool
    cookies: dict[str, str]


@cache
def opener() -> OpenerDirector:
    """Return what opens addresses: making one reads all certificates, which takes .1 s and more."""
    return build_opener(ProxyHandler({}))


def ask(url: str, body: Any = None, cookies: Mapping[str, str] = {}) -> Answer:
    """Post a body as JSON, or get the address without one; no proxy is asked.

    Raises:
        OSError: nobody answers, or the answer is a fault of the server (a status of 5xx).
    """
    headers = {"Content-Type": "application/json"}
    if cookies:
        headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
    data = None if body is None else json.dumps(body).encode()
    try:
        found = opener().open(Request(url, data, headers), None, LONGEST_WAIT_S)
    except HTTPError as error:
        if error.code >= 500:
            raise OSError(f"{url} answered {error.code}: {error.read(500)!r}") from error
        found = error
    with found:
        text = found.read(LONGEST_BODY).decode(errors="replace")
        said = found.headers.get_all("Set-Cookie", [])
    kept = {one.key: one.value for line in said for one in SimpleCookie(line).values()}
    return Answer(text, found.status >= 300, {**cookies, **kept})


def described(task: str, url: str, path: str) -> Any:
    """Return a document in which a server says what it is, such as `/openapi.json`.

    Raises:
        ConfigError: no such server answers there.
    """
    if urlsplit(url).scheme not in ("http", "https"):
        raise ConfigError(f"task {task} is named with an address, such as http://127.0.0.1:8000")
    try:
        found = ask(f"{url}{path}")
        if not found.refused:
            return json.loads(found.text)
        why = f"it answered {found.text[:80]!r}"
    except (OSError, HTTPException, ValueError) as error:  # what speaks no HTTP is no OSError
        why = str(error)
    raise ConfigError(f"task {task}: {url}{path} does not say what the server is: {why}. Start it")


def span_of(task: str, rewards: Sequence[float]) -> tuple[float, float]:
    """Return the lowest and the highest reward; turned round, the worst would be right.

    Raises:
        ConfigError: they are not two numbers in this order.
    """
    match rewards:
        case [int() | float() as low, int() | float() as high] if low < high:
            return low, high
    raise ConfigError(
        f"task {task}: task.args.rewards is the lowest and the highest, as in [0, 1], "
        f"found {rewards!r}"
    )
