"""Environments of OpenEnv, as `openenv:URL` of their server: `reset` by seed, `step`, rewards.

Their sessions live as long as a WebSocket (their HTTP routes begin anew with each request), and a
rollout may outlive a worker of ours. So each turn opens a session of its own: the same seed, all
earlier actions, then the new ones. What it says on the way has to be what was said before, or the
rollout is undecided: so the last session is the whole dialogue.

The model calls the tools of an MCP environment; elsewhere its turn is the action.

Source: https://github.com/meta-pytorch/OpenEnv. Licence: that of the environment. Version: 1.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from rewardkit.data.lazy import LazyProblems
from rewardkit.environments import Reply, Tool
from rewardkit.environments.formats import Call
from rewardkit.environments.grades import verdict_of_reward
from rewardkit.environments.tools import answer_calls, explained
from rewardkit.errors import ConfigError, DataError
from rewardkit.types import Message, Outcome, Problem, Task, Verdict
from rewardkit.verifiers.format.thoughts import without_thoughts
from rewardkit_tasks.servers.requests import LONGEST_WAIT_S, described, span_of

Step = Callable[[Any], Any]
"""An action -> its observation, reward, and whether it was the last."""
FULL, TRIES, PAUSE_S = "CAPACITY_REACHED", 100, 0.1
"""A server whose sessions are all taken is asked again."""
FAULTS = ("transport_error", "timeout")
"""Errors of an MCP tool that are the environment's own; others are told to the model."""


@contextmanager
def session(url: str, seed: int, actions: Sequence[Any] = ()) -> Iterator[tuple[Step, list[Any]]]:
    """Open a session with these actions done; yields the next step, and what came so far.

    Raises:
        ValueError: of a step, whose action the environment does not take.
        OSError: nobody answers, or with a fault.
    """
    try:
        from websockets.exceptions import ConnectionClosed
        from websockets.sync.client import connect
    except ModuleNotFoundError as error:
        raise ConfigError(f"task openenv:{url}: {error}; pip install websockets") from error
    address = f"ws{url.removeprefix('http')}/ws"

    def ask(kind: str, data: Any) -> Any:
        with suppress(ConnectionClosed):  # one that is full has said so, and is gone
            socket.send(json.dumps({"type": kind, "data": data}))
        try:
            found = json.loads(socket.recv(LONGEST_WAIT_S))
        except ConnectionClosed as error:
            raise OSError(f"{address}: {error}") from error
        if found["type"] == "error":
            code, message = found["data"]["code"], found["data"]["message"]
            why = ", ".join(one["msg"] for one in found["data"].get("errors", ())) or message
            raise (ValueError if code == "VALIDATION_ERROR" else OSError)(f"{why} ({code})")
        return found["data"]

    with ExitStack() as opened:
        for tries in range(TRIES):
            socket = opened.enter_context(connect(address, max_size=1 << 26, proxy=None))
            try:
                begun = ask("reset", {"seed": seed})
                break
            except OSError as error:
                if FULL not in str(error) or tries + 1 == TRIES:
                    raise
                socket.close()
                time.sleep(PAUSE_S)
        yield lambda action: ask("step", action), [begun, *(ask("step", one) for one in actions)]


@dataclass(frozen=True)
class OpenEnvEnvironment:
    """Plays seeds on a server."""

    url: str
    action: str
    """The field of an action that a turn is, where there are no tools."""
    observation: str
    """The field of an observation that the model is shown; "" is the whole."""
    rewards: tuple[float, float]
    roles: Sequence[str]
    tools: Sequence[Tool] = ()
    stop: Sequence[str] = ()

    def text(self, found: Any) -> str:
        """Return what a result says to the model."""
        whole = found["observation"]
        if self.tools and (error := whole.get("error")):
            return f"{error['message']}"
        value = whole.get(self.observation) if self.observation else whole
        if isinstance(value, dict) and isinstance(value.get("content"), list):  # as MCP has it
            return "".join(part.get("text", "") for part in value["content"])
        if value in (None, {}, []):  # 0 and false say something
            return ""
        return value if isinstance(value, str) else json.dumps(value)

    def begin(self, problem: Problem) -> dict[str, Any]:
        """Return that nothing was done."""
        return {"actions": [], "said": [problem.info["begun"]], "reward": None, "done": False}

    def reply(self, problem: Problem, state: dict[str, Any], turn: str) -> Reply:
        """Return what came of a turn's actions; none, or one that ends the episode, is the last."""
        now, steps = (
            {**state, "actions": [*state["actions"]], "said": [*state["said"]]},
            list[Step](),
        )

        def act(action: dict[str, Any]) -> str:
            if now["done"]:
                raise ValueError("the episode is over")
            if not steps:
                made = session(self.url, problem.info["seed"], state["actions"])
                step, before = opened.enter_context(made)
                if [self.text(one) for one in before] != state["said"]:
                    raise OSError(
                        "by the same seed and actions the environment says something else"
                    )
                steps.append(step)
            found = steps[0](action)
            now["actions"].append(action)
            now["said"].append(self.text(found))
            now.update({k: found[k] for k in ("reward", "done") if found[k] is not None})
            error = self.tools and found["observation"].get("error")
            if error:
                fault = error["error_type"] in FAULTS
                raise (OSError if fault else ValueError)(now["said"][-1])
            return str(now["said"][-1])

        def call(one: Call, tool: Tool) -> str:
            arguments = dict(one.arguments)
            return act({"type": "call_tool", "tool_name": tool.name, "arguments": arguments})

        with ExitStack() as opened:
            if self.tools:
                *_, said, errors = answer_calls("hermes", self.tools, turn, call)
            else:
                try:
                    text, errors = act({self.action: without_thoughts(turn).strip()}), 0
                except ValueError as error:
                    text, errors = f"error: {error}", 1
                said = [{"role": "user", "content": text}]
        acted = now["actions"] != state["actions"] and now["reward"] is not None
        score = self.grade(problem, now).score if acted else None
        return Reply(() if now["done"] else said, now, errors, score)

    def grade(self, problem: Problem, state: dict[str, Any]) -> Verdict:
        """Return the last reward as a score, which is how their own harness reads it.

        Raises:
            RuntimeError: the episode ended without any.
        """
        reward, parts = state["reward"], {"steps": len(state["actions"])}
        if reward is not None:
            return verdict_of_reward(
                reward, "openenv", None, {"reward": reward, **parts}, self.rewards
            )
        if state["done"]:
            raise RuntimeError("the episode ended without a reward")
        return Verdict(Outcome.NO_ANSWER, method="openenv")

    def messages(self, problem: Problem) -> list[Message]:
        """Return the chat of one problem."""
        return explained([{"role": "user", "content": problem.question}], self.tools)


@dataclass(frozen=True)
class Episodes(LazyProblems):
    """So many seeds from a first one on; each is reset when it is asked for."""

    environment: OpenEnvEnvironment
    first: int
    size: int
    description: str

    def _count(self) -> int:
        return self.size

    def _make(self, place: int) -> Problem:
        seed = self.first + place
        try:
            with session(self.environment.url, seed) as (_, (found,)):
                begun = self.environment.text(found)
        except (OSError, ValueError) as error:
            url = self.environment.url
            raise DataError(f"openenv:{url}: episode {seed} does not begin: {error}") from error
        info = {"seed": seed, "begun": begun}
        return Problem(f"seed-{seed}", begun or self.description, "", "openenv", info)


def openenv(
    url: str,
    action: str = "",
    observation: str = "",
    rewards: Sequence[float] = (0, 1),
    train_size: int = 10_000,
    test_size: int = 64,
) -> Task:
    """Return the task of a server: episodes by seed, the first `test_size` of them to test on.

    Args:
        url: of the server, such as http://127.0.0.1:8000.
        action: the field of an action that a turn is, where more than one is required.
        observation: the field of an observation that the model is shown; by default all of it.
        rewards: the lowest and the highest that there are, which become the scores 0 and 1.
        train_size: episodes to train on.
        test_size: episodes to test on.

    Raises:
        ConfigError: no such server answers, its actions have several fields or not the one that is
            named, or rewards that are no range.
    """
    url, name = url.rstrip("/"), f"openenv:{url}"
    schema = described(name, url, "/schema")["action"]
    fields = [key for key in schema["properties"] if key != "metadata"]
    needed = [key for key in schema.get("required", fields) if key != "metadata"]
    mcp, span = "tool_name" in fields, span_of(name, rewards)
    if not mcp and (action not in fields if action else len(needed) != 1):
        raise ConfigError(
            f"task {name}: a turn is one of {', '.join(fields)}; say task.args.action"
        )
    played = OpenEnvEnvironment(
        url,
        action or needed[0],
        observation or "result" * mcp,
        span,
        ("tool" if mcp else "user",),
    )
    if mcp:
        with session(url, 0) as (step, _):
            listed = step({"type": "list_tools"})["observation"]["tools"]
        tools = [Tool.elsewhere(t["name"], t["description"], t["input_schema"]) for t in listed]
        played = replace(played, tools=tools)
    description = described(name, url, "/metadata").get("description", "")
    return Task(
        name=f"openenv:{urlsplit(url).netloc}",
        train=Episodes(played, test_size, train_size, description),
        test=Episodes(played, 0, test_size, description),
        messages=played.messages,
        source=url,
        environment=played,
    )
