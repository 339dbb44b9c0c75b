"""What a server of completions sends -> one response, in one piece or as a stream of many."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rewardkit.types import Finish, Segment, Verdict

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
THOUGHTS = ("thinking", "reasoning")
"""Kinds of parts of a message that are not the answer."""
LONGEST_LINE = 16_000_000
"""Bytes; what has no line break for longer is no stream of events."""
TOKENS = 262_144
"""What is taken for asked for where no limit was."""
TOKEN_CHARS, TOKEN_BYTES = 128, 4096
"""The longest token as text, and what a server may send for it."""
LARGEST_COUNT = 2**31


@dataclass(frozen=True, slots=True)
class Response:
    """One response that came."""

    text: str
    """The answer."""
    finish: Finish
    """Why it ended."""
    prompt_tokens: int
    """Tokens of the prompt as the model saw it."""
    tokens: int
    """Of the whole response, its reasoning included."""
    seconds: float
    """Wall clock; of responses that are drawn together, each has an equal part."""
    reasoning: str = ""
    """What a server keeps apart from the answer: what was thought before it."""
    marks: tuple[tuple[int, int], ...] = ()
    """(tokens, characters that they make), where the engine knows, ascending."""
    segments: tuple[Segment, ...] = ()
    """Who wrote what, where an environment answered turns; `text` is what the model wrote."""
    verdict: Verdict | None = None
    """The environment's own, or that it failed; the verifier is not asked then."""
    tool_errors: int = 0
    """Calls that the model was told were wrong."""

    @property
    def empty(self) -> bool:
        """Whether a model ended it before it said anything, or its server left that out."""
        return not (self.text or self.reasoning) and self.finish is Finish.STOP


class Pieces:
    """A response of so many tokens, as it comes."""

    def __init__(self, tokens: int | None = None) -> None:
        tokens = TOKENS if tokens is None else tokens
        self.most = 2**20 + TOKEN_BYTES * tokens
        """Bytes that are read of it."""
        self._room = 4096 + TOKEN_CHARS * tokens
        self.done = False
        """The server has said that nothing else comes."""
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._streamed = 0
        self._finish: Any = None
        self._usage: Mapping[str, Any] = {}

    def add(self, data: bytes) -> str | None:
        """Take one event, or a completion that is whole; returns what is wrong with it, or None."""
        if data == b"[DONE]":
            self.done = True
            return None
        try:
            event = json.loads(data)
        except (ValueError, RecursionError):
            return "not JSON"
        if not isinstance(event, dict):
            return "no object"
        if event.get("error"):
            return f"an error: {str(event['error'])[:200]}"
        if isinstance(event.get("usage"), dict):
            self._usage = event["usage"]
        try:
            # The last event holds the usage alone.
            return self._take(event["choices"][0]) if event.get("choices") else None
        except (KeyError, TypeError, AttributeError, RecursionError):
            return "no choices[0] with a message or delta"

    def _take(self, choice: Mapping[str, Any]) -> str | None:
        streamed = "delta" in choice
        plain = {"content": choice["text"]} if "text" in choice else None
        message = plain or choice["delta" if streamed else "message"] or {}
        text, thought = _told(message.get("content"))
        if apart := message.get("reasoning_content") or message.get("reasoning"):
            thought += _told(apart)[0]
        self._room -= len(text) + len(thought)
        if self._room < 0:
            return "more text than the tokens that were asked for can be"
        self._text.append(text)
        if thought:
            self._reasoning.append(thought)
        self._streamed += streamed and bool(text or thought)
        self._finish = choice.get("finish_reason") or self._finish
        return None

    def response(self, seconds: float) -> Response | str:
        """Return the response, or what is wrong: one that was cut has no reason for its end.

        A server that streams and counts no tokens is taken to send one a piece.
        """
        if self._finish is None:
            return "it ends in the middle, without a finish_reason"
        finish = FINISHES.get(self._finish) if isinstance(self._finish, str) else None
        if finish is None:
            return f"finish_reason {self._finish!r:.200}"
        return Response(
            "".join(self._text),
            finish,
            _count(self._usage.get("prompt_tokens")),
            _count(self._usage.get("completion_tokens")) or self._streamed,
            seconds,
            "".join(self._reasoning),
        )


class Json:
    """An answer in one piece of JSON, read where `Pieces` are: what `take` finds in it."""

    def __init__(self, take: Callable[[Any], Any], wanted: str, most: int = 2**20) -> None:
        self.most, self.done = most, False
        self._take, self._wanted = take, wanted

    def add(self, data: bytes) -> str | None:
        """Take the whole answer; returns what is wrong with it, or None."""
        try:
            self._found = self._take(json.loads(data))
        except (ValueError, RecursionError, KeyError, IndexError, TypeError):
            return f"no {self._wanted}"
        self.done = True
        return None

    def response(self, seconds: float) -> Any:
        """Return what was found."""
        return self._found


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


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    parts: list[bytes] = []  # of a line that has not ended: put together once, however many come
    length = 0
    for chunk in chunks:
        *whole, rest = chunk.split(b"\n")
        if parts and whole:
            whole[0] = b"".join([*parts, whole[0]])
            parts, length = [], 0
        for line in whole:
            yield line.strip()
        if rest:
            parts.append(rest)
            length += len(rest)
            if length > LONGEST_LINE:
                break
    yield b"".join(parts).strip()


def _told(content: Any) -> tuple[str, str]:
    """Return the text and the thoughts in what a message holds: a text, parts of one, or nothing.

    >>> _told([{"type": "thinking", "thinking": [{"type": "text", "text": "1+1"}]}, {"text": "2"}])
    ('2', '1+1')
    """
    if isinstance(content, str):
        return content, ""
    if not isinstance(content, list | None):
        raise TypeError(f"content is {type(content).__name__}")
    found = ["", ""]
    for part in content or ():
        kind = part.get("type")
        held = part.get(kind) if kind in THOUGHTS else part.get("text")
        found[kind in THOUGHTS] += "".join(_told(held))
    return found[0], found[1]


def _count(value: Any) -> int:
    """Return what a server says that it counted, 0 where that is no count."""
    return value if type(value) is int and 0 <= value < LARGEST_COUNT else 0
