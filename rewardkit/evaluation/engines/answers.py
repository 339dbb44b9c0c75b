"""What a chat server sends -> one response: a completion in one piece, or a stream of many."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from rewardkit.evaluation.engines.base import Response
from rewardkit.types import Finish

FINISHES = {
    "stop": Finish.STOP,
    "eos": Finish.STOP,
    "end_turn": Finish.STOP,
    "length": Finish.LENGTH,
    "max_tokens": Finish.LENGTH,
    "content_filter": Finish.FILTERED,
    "tool_calls": Finish.CALLED,
    "function_call": Finish.CALLED,
}
LONGEST_LINE = 16_000_000
"""Bytes; what has no line break for longer is no stream of events."""
TOKENS = 262_144
"""What is taken for asked for where no limit was."""
TOKEN_CHARS, TOKEN_BYTES = 128, 4096
"""The longest token as text, and what a server may send for it."""
LARGEST_COUNT = 2**31


def most_bytes(tokens: int | None) -> int:
    """Return how much a server may send for a response of so many tokens.

    >>> most_bytes(16)
    1114112
    """
    return 2**20 + TOKEN_BYTES * (TOKENS if tokens is None else tokens)


class Pieces:
    """A response of so many tokens that comes bit by bit."""

    def __init__(self, tokens: int | None = None) -> None:
        self.most = most_bytes(tokens)
        """Bytes that are read of it."""
        self._room = 4096 + TOKEN_CHARS * (TOKENS if tokens is None else tokens)
        self.done = False
        """The server has said that nothing else comes."""
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._finish: Any = None
        self._usage: Mapping[str, Any] = {}

    def add(self, data: bytes) -> str | None:
        """Take one event; returns what is wrong with it, or None."""
        if data == b"[DONE]":
            self.done = True
            return None
        try:
            event = json.loads(data)
        except (ValueError, RecursionError):
            return "an event that is not JSON"
        if not isinstance(event, dict):
            return "an event that is no object"
        if event.get("error"):
            return f"the stream ends in an error: {str(event['error'])[:200]}"
        if isinstance(event.get("usage"), dict):
            self._usage = event["usage"]
        choices = event.get("choices")
        if not choices:
            return None  # the last event, which holds the usage alone
        try:
            return self._take(choices[0])
        except (KeyError, TypeError, AttributeError):
            return "an event without choices[0].delta"

    def _take(self, choice: Mapping[str, Any]) -> str | None:
        delta = choice.get("delta") or {}
        for found, into in ((delta.get("content"), self._text), (_thought(delta), self._reasoning)):
            if isinstance(found, str):
                self._room -= len(found)
                if self._room < 0:
                    return "more text than the tokens that were asked for can be"
                into.append(found)
            elif found is not None:
                return f"content is {type(found).__name__}"
        self._finish = choice.get("finish_reason") or self._finish
        return None

    def response(self, seconds: float) -> Response | str:
        """Return the response, or what is wrong: a stream that was cut has no reason for its end.

        A server that counts no tokens is taken to send one a piece.
        """
        if self._finish is None:
            return "the stream ends in the middle"
        finish = _finish(self._finish)
        if finish is None:
            return f"finish_reason {self._finish!r}"
        pieces = sum(map(bool, (*self._text, *self._reasoning)))
        return Response(
            "".join(self._text),
            finish,
            _count(self._usage.get("prompt_tokens")),
            _count(self._usage.get("completion_tokens")) or pieces,
            seconds,
            "".join(self._reasoning),
        )


def stream_into(pieces: Pieces, chunks: Iterable[bytes], heard: Callable[[], None]) -> str | None:
    """Take all events of a stream; returns what is wrong with one, or None at its end."""
    for line in _lines(bounded(chunks, pieces.most)):
        if line.startswith(b"data:"):  # others name the event, or only keep the line open
            wrong = pieces.add(line[5:].strip())
            if wrong:
                return wrong
            heard()
    return None


def bounded(chunks: Iterable[bytes], most: int) -> Iterator[bytes]:
    """Yield the parts of a body, of so many bytes at most; then it breaks off.

    >>> [len(part) for part in bounded([b"ab", b"cd", b"ef"], 3)]
    [2, 1]
    """
    for chunk in chunks:
        yield chunk[:most]
        most -= len(chunk)
        if most <= 0:
            return


def completion(content: bytes, seconds: float) -> Response | str:
    """Return the response in a chat completion that came whole, or what is wrong with it."""
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        return "not JSON"
    try:
        choice = body["choices"][0]
        message, reason = choice["message"], choice.get("finish_reason")
        finish, thought = _finish(reason), _thought(message)
        empty = finish in (Finish.LENGTH, Finish.FILTERED, Finish.CALLED) or thought
        text = message.get("content") if empty else message["content"]
    except (KeyError, IndexError, TypeError, AttributeError):
        if isinstance(body, dict) and body.get("error"):
            return f"an error: {str(body['error'])[:200]}"
        return "no choices[0].message.content"
    if finish is None:
        return f"finish_reason {reason!r}"
    if text is None and empty:
        text = ""  # cut off before it began to answer, or ended without an answer in words
    if not isinstance(text, str):
        return f"content is {type(text).__name__}"
    usage = body.get("usage") if isinstance(body.get("usage"), dict) else {}
    return Response(
        text,
        finish,
        _count(usage.get("prompt_tokens")),
        _count(usage.get("completion_tokens")),
        seconds,
        thought if isinstance(thought, str) else "",
    )


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line.strip()
        if len(rest) > LONGEST_LINE:
            break
    yield rest.strip()


def _thought(message: Mapping[str, Any]) -> Any:
    return message.get("reasoning_content") or message.get("reasoning")


def _finish(reason: Any) -> Finish | None:
    return FINISHES.get(reason) if isinstance(reason, str) else None


def _count(value: Any) -> int:
    """Return what a server says that it counted, 0 where that is no count."""
    return value if type(value) is int and 0 <= value < LARGEST_COUNT else 0
