"""How a model writes a call, and how its result comes back: Hermes' JSON, or plain tags."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rewardkit.environments.tool import Tool
from rewardkit.types import Message


class Call(NamedTuple):
    """A call as it was written; `error` says what is wrong with it."""

    name: str
    arguments: Mapping[str, Any]
    error: str = ""


class Hermes:
    r"""JSON between `<tool_call>` tags, results as turns of the role `tool`: Hermes, Qwen2.5 and 3.

    >>> hermes, tools = Hermes(), []
    >>> hermes.read('<tool_call>\n{"name": "add", "arguments": {"a": 1}}\n</tool_call>', tools)
    [Call(name='add', arguments={'a': 1}, error='')]
    """

    roles: tuple[str, ...] = ("tool",)
    _block = re.compile(r"<tool_call>(.*?)(?:</tool_call>|\Z)", re.DOTALL)

    def stop(self, tools: Sequence[Tool]) -> tuple[str, ...]:
        """Return none: the model ends its turn itself, behind one call or several."""
        return ()

    def explain(self, tools: Sequence[Tool]) -> str:
        """Return the signatures, and how a call is written."""
        signatures = "\n".join(json.dumps(_signature(tool)) for tool in tools)
        return (
            f"You may call functions. Their signatures:\n<tools>\n{signatures}\n</tools>\n"
            "To call one, write its name and arguments as JSON between tags, and end your turn:\n"
            '<tool_call>\n{"name": NAME, "arguments": {...}}\n</tool_call>'
        )

    def write(self, tool: Tool, arguments: Mapping[str, Any]) -> str:
        """Return the JSON between its tags."""
        body = json.dumps({"name": tool.name, "arguments": dict(arguments)})
        return f"<tool_call>\n{body}\n</tool_call>"

    def read(self, turn: str, tools: Sequence[Tool]) -> list[Call]:
        """Return the calls; what is no JSON of this form has an error."""
        return [_from_json(block) for block in self._block.findall(turn)]

    def answer(self, results: Sequence[str]) -> list[Message]:
        """Return a message a result."""
        return [{"role": "tool", "content": result} for result in results]


def _from_json(block: str) -> Call:
    form = 'expected {"name": NAME, "arguments": {...}}'
    try:
        found = json.loads(block)
    except (ValueError, RecursionError) as error:
        return Call("", {}, f"the call is no JSON ({error}), {form}")
    if not isinstance(found, dict) or not isinstance(found.get("arguments", {}), dict):
        return Call("", {}, f"the call is not of that form, {form}")
    return Call(str(found.get("name", "")), found.get("arguments", {}))


def _signature(tool: Tool) -> dict[str, Any]:
    properties = {name: {"type": kind} for name, kind in tool.parameters.items()}
    plain = {"type": "object", "properties": properties, "required": [*properties]}
    parameters = tool.schema or plain
    function = {"name": tool.name, "description": tool.description, "parameters": parameters}
    return {"type": "function", "function": function}


class Tags:
    """`<NAME>ARGUMENT</NAME>`, the result behind it in the same turn: as in ReTool and Search-R1.

    For tools of one parameter. The end tag ends the turn, `<output>` holds the result.

    >>> from types import SimpleNamespace
    >>> add = SimpleNamespace(name="add", description="", parameters={"sum": "string"})
    >>> Tags().read("It is <add>1 + 2</add>", [add]), Tags().answer(["3"])
    ([Call(name='add', arguments={'sum': '1 + 2'}, error='')], '<output>3</output>')
    """

    roles: tuple[str, ...] = ()

    def stop(self, tools: Sequence[Tool]) -> tuple[str, ...]:
        """Return the end tag of each tool."""
        return tuple(f"</{tool.name}>" for tool in tools)

    def explain(self, tools: Sequence[Tool]) -> str:
        """Return a line a tool."""
        lines = (
            f"<{tool.name}>{next(iter(tool.parameters)).upper()}</{tool.name}>: {tool.description}"
            for tool in tools
        )
        text = "\n".join(lines)
        return f"You may use these tools; the result follows in <output></output>.\n{text}"

    def write(self, tool: Tool, arguments: Mapping[str, Any]) -> str:
        """Return the argument between the tool's tags."""
        return f"<{tool.name}>{next(iter(arguments.values()))}</{tool.name}>"

    def read(self, turn: str, tools: Sequence[Tool]) -> list[Call]:
        """Return the call that ends the turn, if one does."""
        for tool in tools:
            before, end, _ = turn.rpartition(f"</{tool.name}>")
            _, begin, argument = before.rpartition(f"<{tool.name}>")
            if end and begin:
                return [Call(tool.name, {next(iter(tool.parameters)): argument})]
        return []

    def answer(self, results: Sequence[str]) -> str:
        """Return the results, each in its tags."""
        return "".join(f"<output>{result}</output>" for result in results)


FORMATS: dict[str, Hermes | Tags] = {"hermes": Hermes(), "tags": Tags()}
"""The values of `task.tools.format`."""
