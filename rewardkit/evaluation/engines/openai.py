"""Responses from servers that speak OpenAI's chat completions (vLLM, SGLang, llama.cpp, ...).

Responses are streamed: a long one is waited for as long as it goes on coming, and only a silence
is an error. A server may be busy, slow, dead, or answer nonsense; what never comes after all tries
is reported as a failure: the sample is then missing, not wrong.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from threading import Event
from typing import Any

from rewardkit.client.answers import Response
from rewardkit.client.pace import Pace
from rewardkit.client.server import Server, Trouble
from rewardkit.errors import ConfigError, ModelError
from rewardkit.evaluation.engines.base import (
    PLAIN,
    DecodingSettings,
    EngineOptions,
    Failure,
    Request,
    plain_messages,
)
from rewardkit.evaluation.engines.dispatch import Lane, Line, remark
from rewardkit.types import Message

FILLING = ("vllm", "sglang")
"""These fill what a request leaves out from the model's generation_config, penalties included."""


class OpenAIEngine:
    """One chat completion a sample, many at a time, from one server or several.

    Raises:
        ConfigError: no address of a server.
        ModelError: no server answers, refuses the key, or serves no such model.
    """

    def __init__(self, model: str, decoding: DecodingSettings, options: EngineOptions) -> None:
        self.model = model
        self.chat_template: str | None = None  # the server's own, which it does not tell
        self._options = options
        self._servers = [
            Server(base, options.api_key_env, options.timeout_s) for base in _bases(options)
        ]
        # Host, port and path alone: the fingerprint stands in files that are passed on, and an
        # address may hold a password. The first address alone: further servers of the same model
        # only help, and samples that were drawn with more or fewer of them are the same.
        address = self._servers[0].address
        self.fingerprint = f"openai:{model} at {address.netloc.decode()}{address.path.rstrip('/')}"
        try:
            self._look()
        except BaseException:
            self.close()
            raise
        if any(server.kind in FILLING for server in self._servers):
            decoding = replace(decoding, extra_body={**PLAIN, **decoding.extra_body})
        self.decoding = decoding

    def render(self, messages: Sequence[Message], template: Mapping[str, Any] = {}) -> str:
        """Return the chat itself: the template is the server's."""
        turns = [f"<{m['role']}>\n{m['content']}" for m in messages]
        return "\n".join([*turns, *(f"<{name}>\n{value}" for name, value in template.items())])

    def generate(self, requests: Sequence[Request]) -> Iterator[tuple[int, Response | Failure]]:
        """Yield what came of each request as it comes.

        Raises:
            ModelError: a server refuses the key or knows no such model.
        """
        lanes = [
            Lane(
                name=server.base,
                ask=partial(self._ask, server, requests),
                width=self._options.concurrency,
                pace=Pace(self._options.requests_per_minute or 0),
                patience=self._options.retries,
            )
            for server in self._servers
        ]
        yield from Line(lanes, len(requests), self._options.retries).run()

    def _ask(
        self, server: Server, requests: Sequence[Request], index: int, stop: Event
    ) -> Response | Trouble:
        return server.ask(self.body(requests[index]), stop.is_set)

    def close(self) -> None:
        """Close the connections."""
        for server in self._servers:
            server.close()

    @property
    def served(self) -> list[dict[str, Any]]:
        """What the servers say of themselves, for the record."""
        return [
            {
                "address": server.address.netloc.decode() + server.address.path,
                "software": server.kind or None,
                "context": server.context,
            }
            for server in self._servers
        ]

    def body(self, request: Request) -> dict[str, Any]:
        """Return what a server is asked; what is not set is left to it."""
        decoding = self.decoding
        body = {
            "model": self.model,
            "messages": plain_messages(request.messages),
            "seed": request.seed % 2**31,
            "max_tokens": decoding.max_tokens,
            "temperature": decoding.temperature,
            "top_p": decoding.top_p,
            # Not OpenAI's, but vLLM's, SGLang's and llama.cpp's: -1 keeps all in each of them,
            # while SGLang and older vLLM refuse 0.
            "top_k": -1 if decoding.top_k == 0 else decoding.top_k,
            # So do vLLM, SGLang and llama.cpp call it.
            "chat_template_kwargs": dict(request.template) or None,
            "stop": list(decoding.stop) or None,
            **decoding.extra_body,
        }
        return {name: value for name, value in body.items() if value is not None}

    def _look(self) -> None:
        """Find out at once which servers answer; the queue goes on asking those that do not yet."""
        with ThreadPoolExecutor(len(self._servers)) as pool:
            reasons = list(pool.map(lambda server: server.look(self.model), self._servers))
        silent = [
            f"{server.base} does not answer ({reason})"
            for server, reason in zip(self._servers, reasons, strict=True)
            if reason
        ]
        if len(silent) == len(self._servers):
            raise ModelError("; ".join(silent) + ". Is the server up, and is that its address?")
        for line in silent:
            remark("%s; the others do its work until it does", line)


def _bases(options: EngineOptions) -> list[str]:
    given = options.base_url or os.environ.get("OPENAI_BASE_URL") or ""
    bases = list(dict.fromkeys(base.strip() for base in given.split(",") if base.strip()))
    if not bases:
        raise ConfigError("the openai engine needs --base-url, such as http://localhost:8000/v1")
    return bases
