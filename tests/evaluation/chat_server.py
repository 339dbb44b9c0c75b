"""A small server that speaks chat completions, as well or as badly as a test wants."""

from __future__ import annotations

import contextlib
import json
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = Callable[[dict], dict]


def completion(text: str, finish: str = "stop") -> dict:
    return {
        "choices": [{"message": {"content": text}, "finish_reason": finish}],
        "usage": {"prompt_tokens": 9, "completion_tokens": max(len(text), 1)},
    }


def seeded_answer(request: dict) -> dict:
    """A response that depends on seed and question alone, as a model's would."""
    rng = random.Random(f"{request['seed']} {request['messages'][-1]['content']}")
    roll = rng.random()
    if roll < 0.05:
        return completion("no idea")
    return completion(f"\\boxed{{{rng.choice([2, 2, 3, 4])}}}", "length" if roll > 0.97 else "stop")


class Server:
    def __init__(
        self,
        answer: Answer,
        failures: dict[str, float],
        delay: float,
        pace: float,
        models: list[dict] | None,
        most_open: float,
    ) -> None:
        self.answer, self.failures, self.delay, self.pace = answer, failures, delay, pace
        self.models, self.most_open, self.open = models, most_open, 0
        self.rng, self.lock = random.Random(0), threading.Lock()
        self.requests: list[dict] = []
        self.url = ""
        self.port = 0


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def reply(self, code: int, body: str, **headers: str) -> None:
        data = body.encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self) -> None:
        models = self.server.state.models
        if models is None or not self.path.endswith("/models"):
            return self.reply(404, "no")
        return self.reply(200, json.dumps({"object": "list", "data": models}))

    def do_POST(self) -> None:
        with contextlib.suppress(ConnectionError):
            self.answer_one()

    def answer_one(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.state.lock:
            self.server.state.requests.append(request)
            roll = self.server.state.rng.random()
            self.server.state.open += 1
            crowded = self.server.state.open > self.server.state.most_open
        try:
            self.fail("429") if crowded else self.attend(request, roll)
        finally:
            with self.server.state.lock:
                self.server.state.open -= 1

    def attend(self, request: dict, roll: float) -> None:
        time.sleep(self.server.state.delay)
        for kind, share in self.server.state.failures.items():
            roll -= share
            if roll < 0:
                return self.fail(kind)
        whole = self.server.state.answer(request)
        if request.get("stream") and "choices" in whole:
            return self.stream(whole, bool(request.get("stream_options")), cut=None)
        return self.reply(200, json.dumps(whole))

    def begin_stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def event(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        self.wfile.flush()

    def stream(self, whole: dict, usage: bool, cut: int | None) -> None:
        """Send a completion as vLLM streams it, one character a piece, or only `cut` of them."""
        self.begin_stream()
        for number, event in enumerate(pieces(whole, usage)):
            if number == cut:
                self.close_connection = True
                return
            time.sleep(self.server.state.pace)
            self.event(b"data: " + json.dumps(event).encode() + b"\n\n")
        self.event(b": the end\n\ndata: [DONE]\n\n")
        self.event(b"")

    def fail(self, kind: str) -> None:
        if kind == "cut_stream":
            return self.stream(completion("\\boxed{999}"), usage=True, cut=6)
        if kind in BROKEN_EVENTS:
            self.begin_stream()
            self.event(BROKEN_EVENTS[kind].encode())
            self.event(b"")
            return None
        if kind == "slow":
            time.sleep(0.6)
            return self.reply(200, json.dumps(completion("too late \\boxed{999}")))
        if kind == "cut":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b'{"choices": [')
            self.close_connection = True
            return None
        if kind == "400 stream":
            return self.reply(400, "a stream too long")
        if kind.isdigit():
            return self.reply(int(kind), "no", Retry_After="0.01")
        return self.reply(200, MALFORMED[kind])


def pieces(whole: dict, usage: bool) -> Iterator[dict]:
    """The events of a streamed completion: a role, the thoughts, the text, why it ends, the usage."""
    [choice] = whole["choices"]
    message = choice["message"]
    deltas = [
        {"role": "assistant", "content": ""},
        *(
            {name: c}
            for name in ("reasoning_content", "reasoning")
            for c in message.get(name) or ""
        ),
        *({"content": c} for c in message["content"] or ""),
    ]
    for delta in deltas:
        yield {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield {"choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]}
    if usage:
        yield {"choices": [], "usage": whole["usage"]}


class Listening(ThreadingHTTPServer):
    request_queue_size = 128  # a queue of 5, the default, is full at once


@contextlib.contextmanager
def serve(
    answer: Answer = seeded_answer,
    failures: dict[str, float] | None = None,
    delay: float = 0.0,
    pace: float = 0.0,
    models: list[dict] | None = None,
    most_open: float = float("inf"),
    port: int = 0,
) -> Iterator[Server]:
    """Serve; `pace` is the seconds a streamed piece, `models` what GET /models lists.

    Who comes while `most_open` others are open is sent away with 429.
    """
    state = Server(answer, failures or {}, delay, pace, models, most_open)
    state.handler = type("Handler", (Handler,), {})  # of this server alone, to be changed
    server = Listening(("127.0.0.1", port), state.handler)
    server.state, server.daemon_threads = state, True
    server.handle_error = lambda *_: None  # type: ignore[method-assign]  # a client that hung up
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    state.port = server.server_address[1]
    state.url = f"http://127.0.0.1:{state.port}/v1"
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


MALFORMED = {
    "html": "<html>busy</html>",
    "empty": "",
    "deep": "[" * 100_000,
    "no_choices": '{"choices": []}',
    "list": "[1, 2]",
    "number": '{"choices": [{"message": {"content": 7}, "finish_reason": "stop"}]}',
    "aborted": '{"choices": [{"message": {"content": "x"}, "finish_reason": "abort"}]}',
}

_PIECE = '{"choices": [{"delta": {"content": "9"}, "finish_reason": null}]}'
BROKEN_EVENTS = {
    "event_not_json": f'data: {_PIECE}\n\ndata: {{"choices": [\n\n',
    "event_error": f'data: {_PIECE}\n\ndata: {{"error": {{"message": "engine died"}}}}\n\n',
    "event_list": "data: [1]\n\n",
    "event_number": 'data: {"choices": [{"delta": {"content": 7}}]}\n\n',
    "event_no_delta": 'data: {"choices": [7]}\n\n',
    "event_aborted": 'data: {"choices": [{"delta": {}, "finish_reason": "abort"}]}\n\n',
    "event_deep": "data: " + "[" * 100_000 + "\n\n",
    "no_end": f"data: {_PIECE}\n\n",
    "no_events": "\n\n",
}


if __name__ == "__main__":  # a server that can be killed: says its port, and serves
    with serve(pace=0.002) as served:
        sys.stdout.write(f"{served.port}\n")
        sys.stdout.flush()
        threading.Event().wait()
