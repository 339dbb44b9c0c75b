"""The same two environments as `stand_in_servers`, by NeMo-Gym's and OpenEnv's own servers."""

import threading
import time
from contextlib import contextmanager

import uvicorn


@contextmanager
def running(app):
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


def gym_server():
    from unittest.mock import MagicMock

    from fastapi import HTTPException, Request
    from nemo_gym.base_resources_server import (
        BaseResourcesServerConfig,
        BaseSeedSessionRequest,
        BaseSeedSessionResponse,
        BaseVerifyRequest,
        BaseVerifyResponse,
        SimpleResourcesServer,
    )
    from nemo_gym.server_utils import SESSION_ID_KEY, ServerClient
    from pydantic import BaseModel

    class Count(BaseModel):
        count: int

    class Begin(BaseSeedSessionRequest):
        initial_count: int

    class Expected(BaseVerifyRequest):
        expected_count: int

    class Graded(BaseVerifyResponse):
        total: int

    totals = {}

    class Counter(SimpleResourcesServer):
        def setup_webserver(self):
            app = super().setup_webserver()
            app.post("/increment_counter")(self.increment_counter)
            return app

        async def seed_session(self, request: Request, body: Begin) -> BaseSeedSessionResponse:
            totals[request.session[SESSION_ID_KEY]] = body.initial_count
            return BaseSeedSessionResponse()

        async def increment_counter(self, request: Request, body: Count) -> dict:
            if body.count == 13:
                raise HTTPException(500, "the server's own fault")
            totals[request.session[SESSION_ID_KEY]] += body.count
            return {"success": True}

        async def verify(self, request: Request, body: Expected) -> Graded:
            total = totals[request.session[SESSION_ID_KEY]]
            reward = float(total == body.expected_count)
            return Graded(**body.model_dump(), reward=reward, total=total)

    config = BaseResourcesServerConfig(host="127.0.0.1", port=1, entrypoint="", name="")
    return running(
        Counter(config=config, server_client=MagicMock(spec=ServerClient)).setup_webserver()
    )


def openenv_server():
    from openenv.core.env_server.http_server import create_fastapi_app
    from openenv.core.env_server.interfaces import Environment
    from openenv.core.env_server.types import Action, Observation, State
    from pydantic import Field

    class Guess(Action):
        guess: str = Field(pattern=r"^\d+$")

    class Hint(Observation):
        hint: str

    class Hidden(Environment):
        def __init__(self):
            super().__init__()
            self.number = None

        def reset(self, seed=None, episode_id=None, **_):
            self.number = seed % 7 + 1
            return Hint(hint="I think of a number from 1 to 7.")

        def step(self, action, timeout_s=None, **_):
            if action.guess == "99":
                raise RuntimeError("a fault of the environment")
            guess = int(action.guess)
            if guess == self.number:
                return Hint(hint="right", reward=1.0, done=True)
            return Hint(hint="higher" if guess < self.number else "lower", reward=-0.5)

        @property
        def state(self):
            return State()

    return running(create_fastapi_app(Hidden, Guess, Hint))
