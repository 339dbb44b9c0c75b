"""Tasksets of verifiers 0.4 (Prime Intellect), as `verifiers:NAME`: their rows, tools and rewards.

Played by our sampler, in our workers, and not by one of their harnesses: a row's prompt, its tools
(methods of a `Toolset`, called in the worker), its rewards and metrics, which read a `Trace` as
theirs do. What needs more is refused by name: a container or runtime, an `Env` of its own (several
agents, a simulated user), hooks that stop or rewrite requests, a reward outside [0, 1].

A tool remembers from turn to turn what it keeps in its `State`, and nothing else.

Source: an installed package. Licence: that of the package. Version: 1.
"""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from typing import Any

from rewardkit.environments import Reply, Tool
from rewardkit.environments.formats import Call
from rewardkit.environments.grades import verdict_of_reward
from rewardkit.environments.tools import answer_calls, explained
from rewardkit.errors import ConfigError
from rewardkit.types import Message, Problem, Task, Verdict

INSTALL = "pip install verifiers==0.4.0, in an environment of its own: its dependencies are many"


@cache
def rows_of(name: str, config: str, most: int) -> list[Any]:
    """Return the first tasks of a taskset; `config` is its settings as JSON.

    Raises:
        ConfigError: it is not installed, or needs what is not played here.
    """
    try:
        from verifiers.v1.envs.single_agent import SingleAgentEnv
        from verifiers.v1.utils.loaders import (
            environment_class,
            load_taskset,
            taskset_config_type,
        )

        settings = taskset_config_type(name).model_validate({"id": name, **json.loads(config)})
        taskset = load_taskset(settings)
    except ModuleNotFoundError as error:
        raise ConfigError(f"task verifiers:{name}: {error}; {INSTALL}") from error
    if environment_class(name) is not SingleAgentEnv:
        raise _refused(name, "an environment of its own, with other agents or a simulated user")
    if type(taskset).toolsets(settings):
        raise _refused(name, "tool servers that all rollouts share")
    rows = list(islice(taskset, most))
    if rows:
        refuse_unplayed(name, rows[0])
    return rows


def refuse_unplayed(name: str, row: Any) -> None:
    """Refuse a task of verifiers that needs what is not played here.

    Raises:
        ConfigError: it is one; says what it needs.
    """
    from verifiers.v1 import task as base
    from verifiers.v1.utils.decorators import discover_decorated

    if row.NEEDS_CONTAINER or row.data.image:
        raise _refused(name, "a container")
    for hook in ("setup", "finalize"):
        if getattr(type(row), hook) is not getattr(base.Task, hook):
            raise _refused(name, f"a runtime, for its hook `{hook}`")
    if row.hooks("stop") or discover_decorated(row, "intercept"):
        raise _refused(name, "hooks on single requests")
    for kind in ("metric", "reward"):
        for hook in row.hooks(kind):
            found = inspect.signature(hook).parameters.get("runtime")
            if found is not None and found.default is inspect.Parameter.empty:
                raise _refused(name, f"a runtime, for its {kind} `{hook.__name__}`")


def _refused(name: str, needs: str) -> ConfigError:
    return ConfigError(f"task verifiers:{name} needs {needs}, which is not played here")


@dataclass(frozen=True)
class TasksetEnvironment:
    """Plays a taskset: its tools answer turns, its rewards grade."""

    name: str
    config: str
    most: int
    stop: Sequence[str] = ()
    roles: Sequence[str] = ("tool",)

    def row(self, problem: Problem) -> Any:
        """Return the task of verifiers that a problem stands for."""
        return rows_of(self.name, self.config, self.most)[problem.info["index"]]

    def begin(self, problem: Problem) -> dict[str, Any]:
        """Return that nothing was said, and the tools' state is as it begins."""
        return {"messages": [], "state": None}

    def reply(self, problem: Problem, state: dict[str, Any], turn: str) -> Reply:
        """Return the results of a turn's calls, as messages of tools."""
        row = self.row(problem)
        kept = state["state"]

        def result_of(call: Call, tool: Tool) -> str:
            nonlocal kept
            try:
                text, kept = asyncio.run(_called(row, tool, call.arguments, kept))
            except Exception as error:  # as their tool servers: told to the model
                raise ValueError(error) from error
            return text

        said = answer_calls("hermes", tools_of(row), turn, result_of)
        asked, results = list[dict[str, Any]](), list[dict[str, Any]]()
        for place, (call, text) in enumerate(zip(said.calls, said.results, strict=True)):
            made = {"id": f"call-{len(state['messages'])}-{place}", "name": call.name}
            asked.append({**made, "arguments": json.dumps(call.arguments)})
            told = {"role": "tool", "tool_call_id": made["id"], "content": text}
            results.append({**told, "name": call.name or None})
        spoken = {"role": "assistant", "content": turn, "tool_calls": asked or None}
        messages = [*state["messages"], spoken, *results]
        return Reply(said.messages, {"messages": messages, "state": kept}, said.errors)

    def grade(self, problem: Problem, state: dict[str, Any]) -> Verdict:
        """Return their reward as a score, with rewards and metrics by name in the reason."""
        row = self.row(problem)
        trace = trace_of(row, [*problem.info["chat"], *state["messages"]], state["state"])
        asyncio.run(row.score(trace))
        parts = {k: v.value for k, v in trace.rewards.items() if v is not None}
        parts |= {k: v for k, v in trace.metrics.items() if v is not None}
        said = [one["content"] for one in state["messages"] if one["role"] == "assistant"]
        return verdict_of_reward(trace.reward, "verifiers", said[-1] if said else None, parts)


def tools_of(row: Any) -> list[Tool]:
    """Return the tools of a task as ours, the function of each a bound method."""
    from verifiers.v1.utils.decorators import discover_decorated

    found = []
    for toolset in row.toolsets(row.config):
        for method in discover_decorated(toolset, "tool"):
            own = getattr(method, "tool_name", None) or method.__name__
            name = "_".join(filter(None, (toolset.server_name, own)))
            found.append(replace(Tool.of(method), name=name))
    return found


async def _called(row: Any, tool: Tool, arguments: Mapping[str, Any], kept: Any) -> tuple[str, Any]:
    from verifiers.v1.mcp import server
    from verifiers.v1.state import state_cls

    if arguments.keys() - tool.parameters.keys():
        raise ValueError(f"{tool.name} takes the arguments {', '.join(tool.parameters)}")
    toolset = tool.function.__self__  # type: ignore[attr-defined]
    state = state_cls(type(toolset)).model_validate(kept or {})
    token = server._call_state.set(state)
    try:
        await toolset.setup()
        await toolset.setup_task(row.data)
        result = tool.function(**arguments)
        if inspect.isawaitable(result):
            result = await result
    finally:
        server._call_state.reset(token)
    return str(result), state.model_dump(mode="json")


def trace_of(row: Any, messages: Sequence[Mapping[str, Any]], kept: Any) -> Any:
    """Return what their rewards read: the chat as a trace, the model's turns marked as sampled."""
    from verifiers.v1.configs.agent import AgentConfig
    from verifiers.v1.graph import MessageNode
    from verifiers.v1.state import state_cls
    from verifiers.v1.trace import AgentInfo, Trace, TraceTask

    nodes = [
        MessageNode(
            parent=place - 1 if place else None,
            message={k: v for k, v in one.items() if v is not None},
            sampled=one["role"] == "assistant",
        )
        for place, one in enumerate(messages)
    ]
    return Trace(
        task=TraceTask(type=type(row).__name__, data=row.data, key=row.key, hash=row.hash),
        agent=AgentInfo(config=AgentConfig()),
        nodes=nodes,
        state=state_cls(type(row)).model_validate(kept or {}),
        is_completed=True,
        ok=True,
    )


@dataclass(frozen=True)
class TasksetMessages:
    """The chat that asks a row, with what its tools take."""

    environment: TasksetEnvironment

    def __call__(self, problem: Problem) -> list[Message]:
        """Return the chat of one problem."""
        return explained(problem.info["chat"], tools_of(self.environment.row(problem)))


def chat_of(row: Any) -> list[Message]:
    """Return the prompt of a task of verifiers as a chat."""
    prompt, system = row.data.prompt, row.data.system_prompt
    turns = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else [
        {"role": one.role, "content": str(one.content)} for one in prompt or []
    ]  # fmt: skip
    return [*([{"role": "system", "content": system}] if system else []), *turns]


def verifiers(
    name: str, most: int = 1000, test_size: int = 64, config: Mapping[str, Any] | None = None
) -> Task:
    """Return the task of a taskset: its first `test_size` rows are tested on, the rest trained on.

    Args:
        name: an installed taskset, as their `--env.taskset.id`.
        most: rows that are taken.
        test_size: of them, to test on.
        config: its own settings.

    Raises:
        ConfigError: it is not installed, or needs what is not played here.
    """
    settings = json.dumps(dict(config or {}), sort_keys=True)
    rows = rows_of(name, settings, most)
    problems = []
    for index, row in enumerate(rows):
        if not (chat := chat_of(row)):
            raise _refused(name, "a simulated user, who speaks first")
        info = {"index": index, "chat": chat}
        problems.append(
            Problem(f"{name}-{index}", chat[-1]["content"], "", f"verifiers:{name}", info)
        )
    played = TasksetEnvironment(name, settings, most)
    return Task(
        name=f"verifiers:{name}",
        train=problems[test_size:],
        test=problems[:test_size],
        messages=TasksetMessages(played),
        source=f"verifiers taskset {name}",
        environment=played,
    )
