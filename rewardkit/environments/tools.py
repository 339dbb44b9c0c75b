"""The environment that calls tools, and the tools that there are."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from rewardkit.environments.environment import Reply
from rewardkit.environments.formats import FORMATS, Call
from rewardkit.environments.tool import Tool
from rewardkit.errors import ConfigError, UnknownNameError
from rewardkit.registry import Registry
from rewardkit.types import Message, Problem, Task
from rewardkit.verifiers.format.thoughts import without_thoughts

TOOLS = Registry(
    "tool",
    "rewardkit.tools",
    {
        "calculator": "rewardkit_tasks.tools.calculator:calculator",
        "python": "rewardkit_tasks.tools.python:python",
        "search": "rewardkit_tasks.tools.search:search",
    },
)
"""Factories: keyword options -> `Tool`; a task has them as TASK+TOOL."""


@dataclass(frozen=True)
class ToolEnvironment:
    """Answers a turn that calls tools with their results; a turn without a call is the last.

    >>> def double(x: int) -> int: return 2 * x
    >>> tools = ToolEnvironment((Tool.of(double),), "tags")
    >>> tools.reply(Problem("1", "?", ""), {"calls": []}, "So <double>21</double>").said
    '<output>2121</output>'
    """

    tools: tuple[Tool, ...]
    """What may be called."""
    format: str = "hermes"
    """A name of `FORMATS`."""
    stop: Sequence[str] = field(init=False, default=())
    """By the format."""
    roles: Sequence[str] = field(init=False, default=())
    """By the format."""

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            raise UnknownNameError("format of calls", self.format, FORMATS)
        if self.format == "tags":
            for tool in self.tools:
                if len(tool.parameters) != 1:
                    raise ConfigError(
                        f"tool {tool.name} has {len(tool.parameters)} parameters, and between tags "
                        "stands one; use task.tools.format=hermes"
                    )
        object.__setattr__(self, "stop", FORMATS[self.format].stop(self.tools))
        object.__setattr__(self, "roles", FORMATS[self.format].roles)

    def begin(self, problem: Problem) -> dict[str, Any]:
        """Return that nothing was called."""
        return {"calls": []}

    def reply(self, problem: Problem, state: dict[str, Any], turn: str) -> Reply:
        """Return the results of a turn's calls; what was wrong with one stands in its place."""
        calls = list(state["calls"])

        def result_of(call: Call, tool: Tool) -> str:
            earlier = [arguments for name, arguments in calls if name == call.name]
            result = tool.call(call.arguments, earlier)
            calls.append([call.name, dict(call.arguments)])
            return result

        said = answer_calls(self.format, self.tools, turn, result_of)
        return Reply(said.messages, {"calls": calls}, said.errors)


class Answers(NamedTuple):
    """What a turn called, and what comes back; `errors` counts calls that were wrong."""

    calls: Sequence[Call]
    results: Sequence[str]
    messages: str | Sequence[Message]
    errors: int


def answer_calls(
    form: str, tools: Sequence[Tool], turn: str, result_of: Callable[[Call, Tool], str]
) -> Answers:
    """Return the results of a turn's calls; what was wrong with one stands in its place.

    What is only thought of is no call, as servers that parse them have it.

    Args:
        form: a name of `FORMATS`.
        tools: what may be called.
        turn: what the model wrote.
        result_of: makes one call; its ValueError is told to the model.
    """
    calls, results, errors = FORMATS[form].read(without_thoughts(turn), tools), list[str](), 0
    for call in calls:
        tool = next((tool for tool in tools if tool.name == call.name), None)
        try:
            if call.error:
                raise ValueError(call.error)
            if tool is None:
                known = ", ".join(tool.name for tool in tools)
                raise ValueError(f"no tool is called {call.name!r}; there is {known}")
            results.append(result_of(call, tool))
        except ValueError as error:
            results.append(f"error: {error}")
            errors += 1
    return Answers(calls, results, FORMATS[form].answer(results) if results else (), errors)


def explained(
    messages: Sequence[Message], tools: Sequence[Tool], form: str = "hermes"
) -> list[Message]:
    """Return a chat whose system prompt says which tools there are, and how they are called."""
    first, *rest = messages
    said = FORMATS[form].explain(tools)
    if not tools:
        return [*messages]
    if first["role"] != "system":
        return [{"role": "system", "content": said}, *messages]
    return [{**first, "content": f"{first['content']}\n\n{said}"}, *rest]


class WithTools:
    """The chat that asks a problem, with what a model has to know of its tools; picklable.

    The system prompt explains them, and a worked example of each that has one stands before the
    question, as the model would see such a rollout.
    """

    def __init__(
        self, messages: Callable[[Problem], Sequence[Message]], environment: ToolEnvironment
    ) -> None:
        self.messages, self.environment = messages, environment

    def __call__(self, problem: Problem) -> list[Message]:
        """Return the chat of one problem."""
        environment = self.environment
        chat = explained(self.messages(problem), environment.tools, environment.format)
        return [*chat[:-1], *self._examples(), chat[-1]]

    def _examples(self) -> list[Message]:
        found: list[Message] = []
        form = FORMATS[self.environment.format]
        for tool in self.environment.tools:
            if not tool.example:
                continue
            question, arguments, result, answer = tool.example
            call, said = form.write(tool, arguments), form.answer([result])
            found.append({"role": "user", "content": question})
            if isinstance(said, str):
                found.append({"role": "assistant", "content": f"{call}{said} {answer}"})
            else:
                found += [{"role": "assistant", "content": call}, *said]
                found.append({"role": "assistant", "content": answer})
        return found


def with_tools(task: Task, names: Sequence[str], options: Mapping[str, Any] = {}) -> Task:
    """Return a task whose model may call tools, by name or `module:function`.

    Args:
        task: what is asked.
        names: of `TOOLS`.
        options: `format`, and what single tools take.

    Raises:
        UnknownNameError: no such tool, or no such format.
        ConfigError: an option that none of the tools takes.

    >>> from rewardkit.tasks import load_task
    >>> asked = with_tools(load_task("arithmetic"), ["calculator"], {"format": "tags"})
    >>> asked.environment.stop, asked.messages(asked.train[0])[-2]["content"][:29]
    (('</calculator>',), '<calculator>128 * 4</calculat')
    """
    form = options.get("format", "hermes")
    tools, known = list[Tool](), {"format"}
    for name in names:
        made = TOOLS.get(name)
        if ":" in name:
            tools.append(made if isinstance(made, Tool) else Tool.of(made))
            continue
        taken = inspect.signature(made).parameters.keys() & options.keys()
        tools.append(made(**{key: options[key] for key in taken}))
        known |= taken
    if rest := options.keys() - known:
        raise ConfigError(f"task.tools has {', '.join(sorted(rest))}, which no tool of it takes")
    environment = ToolEnvironment(tuple(tools), form)
    return replace(
        task,
        name="+".join((task.name, *names)),
        messages=WithTools(task.messages, environment),
        environment=environment,
    )
