"""Servers that speak as NeMo-Gym's and OpenEnv's do: one counts to a number, one hides a number."""

import json
import threading
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

ADD = {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}
PARTS = {"id", "object", "created_at", "model", "output", "parallel_tool_calls", "tools"}


class Counter(BaseHTTPRequestHandler):
    """A resources server whose sessions are cookies; `increment_counter` counts."""

    totals: ClassVar = {}

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.answer(200, {"paths": {"/verify": {}}} if self.path == "/openapi.json" else {})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        cookie = self.headers.get("Cookie", "")
        if self.path == "/seed_session":
            session = f"session={len(self.totals)}"
            self.totals[session] = body["initial_count"]
            self.answer(200, {}, session)
        elif self.path == "/increment_counter":
            if not isinstance(body.get("count"), int):
                return self.answer(422, {"detail": "count is an integer"})
            if body["count"] == 13:
                return self.answer(500, "the server's own fault")
            self.totals[cookie] += body["count"]
            self.answer(200, {"success": True})
        elif self.path == "/verify":
            assert body["response"].keys() >= PARTS
            reward = float(self.totals[cookie] == body["expected_count"])
            lost = (
                {"mask_sample": True, "failure_reason": "lost"}
                if reward and cookie[-1] == "9"
                else {}
            )
            self.answer(200, {**body, "reward": reward, "total": self.totals[cookie], **lost})

    def answer(self, status, body, cookie=""):
        said = json.dumps(body).encode()
        self.send_response(status)
        if cookie:
            self.send_header("Set-Cookie", f"{cookie}; path=/; httponly; samesite=lax")
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)


@contextmanager
def serving(server, address):
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{address[1]}"
    finally:
        server.shutdown()
        thread.join()


@contextmanager
def gym_server():
    Counter.totals = {}
    with (
        ThreadingHTTPServer(("127.0.0.1", 0), Counter) as server,
        serving(server, server.server_address) as url,
    ):
        yield url


class Hidden:
    """Hides a number that the seed says; with `tools`, `guess` is a tool as MCP has them."""

    resets = 0

    def __init__(self, tools, seeded):
        self.tools, self.seeded, self.number = tools, seeded, None

    def schema(self):
        fields = ["type", "tool_name", "arguments"] if self.tools else ["guess", "metadata"]
        action = {"properties": {key: {} for key in fields}, "required": [fields[0]]}
        return {"action": action, "observation": {}, "state": {}}

    def reset(self, seed=0):
        Hidden.resets += 1
        self.number = seed % 7 + 1 if self.seeded else 1 + 6 * (Hidden.resets % 2)
        return {} if self.tools else {"hint": "I think of a number from 1 to 7."}, None, False

    def step(self, action):
        if action.get("type") == "list_tools":
            schema = {"properties": {"number": {"type": "integer"}}, "required": ["number"]}
            return (
                {"tools": [{"name": "guess", "description": "Guess.", "input_schema": schema}]},
                None,
                False,
            )
        said = action["arguments"].get("number") if self.tools else action["guess"]
        wrong = not str(said).isdigit()
        if wrong and not self.tools:
            raise ValueError("guess is a number")
        if said == "99":
            raise RuntimeError("a fault of the environment")
        guess = 0 if wrong else int(said)
        hint = "right" if guess == self.number else "higher" if guess < self.number else "lower"
        reward = 1.0 if hint == "right" else -0.5
        if not self.tools:
            return {"hint": hint}, reward, hint == "right"
        error = {"error_type": "invalid_args", "message": "number is missing"} if wrong else None
        result = {"content": [{"type": "text", "text": hint}], "is_error": False}
        return {"tool_name": "guess", "result": result, "error": error}, reward, hint == "right"


@contextmanager
def openenv_server(tools=False, seeded=True):
    """Serve one session at a time, as OpenEnv's servers do unless they are told otherwise."""
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.server import serve

    taken = threading.Semaphore(1)

    def document(connection, request):
        if request.path == "/ws":
            return None
        found = {
            "/schema": Hidden(tools, seeded).schema(),
            "/metadata": {"description": "A number."},
        }
        return connection.respond(HTTPStatus.OK, json.dumps(found[request.path]))

    def play(socket):
        if not taken.acquire(blocking=False):
            refused = {"message": "all taken", "code": "CAPACITY_REACHED"}
            socket.send(json.dumps({"type": "error", "data": refused}))
            return
        environment = Hidden(tools, seeded)
        try:
            for message in socket:
                asked = json.loads(message)
                try:
                    if asked["type"] == "reset":
                        observation, reward, done = environment.reset(**asked["data"])
                    else:
                        observation, reward, done = environment.step(asked["data"])
                    data = {"observation": observation, "reward": reward, "done": done}
                    said = {"type": "observation", "data": data}
                except (ValueError, RuntimeError) as error:
                    code = (
                        "VALIDATION_ERROR" if isinstance(error, ValueError) else "EXECUTION_ERROR"
                    )
                    said = {"type": "error", "data": {"message": str(error), "code": code}}
                socket.send(json.dumps(said))
        except ConnectionClosed:
            pass
        finally:
            taken.release()

    with (
        serve(play, "127.0.0.1", 0, process_request=document) as server,
        serving(server, server.socket.getsockname()) as url,
    ):
        yield url
