"""A function as a tool of a model."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

KINDS = {"int": "integer", "float": "number", "bool": "boolean"}
"""Annotations of a parameter, and what JSON calls them; any other is text."""
EARLIER = "earlier"
"""The parameter that gets the arguments of the rollout's earlier calls of the same tool."""


@dataclass(frozen=True)
class Tool:
    """A function that a model may call.

    What the function raises as a ValueError is told to the model, which may do better; any other
    exception is the tool's own fault, and the rollout undecided.
    """

    name: str
    """What calls name it."""
    description: str
    """One sentence for the model."""
    function: Callable[..., Any]
    """Of keyword arguments, to what becomes text; it has to be picklable."""
    parameters: Mapping[str, str]
    """Their names, and JSON's names of their kinds."""
    example: Sequence[Any] = ()
    """(question, arguments, result, answer) of a worked example, where the prompt shows one."""
    schema: Mapping[str, Any] | None = None
    """The JSON schema of its arguments, where one is given; `parameters` say it otherwise."""

    @classmethod
    def of(cls, function: Callable[..., Any], example: Sequence[Any] = ()) -> Tool:
        '''Return a function as a tool: its name, the first line of its docstring, its parameters.

        >>> def area(width: float, height: float) -> float:
        ...     """Return the area of a rectangle."""
        ...     return width * height
        >>> Tool.of(area).parameters
        {'width': 'number', 'height': 'number'}
        '''
        found = inspect.signature(function).parameters.values()
        kinds = {one.name: _kind(one.annotation) for one in found if one.name != EARLIER}
        said = (inspect.getdoc(function) or "").partition("\n")[0]
        return cls(function.__name__, said, function, kinds, example)

    @classmethod
    def elsewhere(cls, name: str, description: str, schema: Mapping[str, Any]) -> Tool:
        """Return a tool that a server calls, by the JSON schema of its arguments.

        >>> Tool.elsewhere("move", "", {"properties": {"to": {"type": "integer"}}}).parameters
        {'to': 'integer'}
        """
        known = schema.get("properties", {}).items()
        kinds = {key: str(one.get("type", "string")) for key, one in known}
        return cls(name, description, _by_its_server, kinds, schema=schema)

    def call(self, arguments: Mapping[str, Any], earlier: Sequence[Mapping[str, Any]]) -> str:
        """Return the result as text.

        Raises:
            ValueError: the arguments are not those of the function, or it refuses them.
        """
        if arguments.keys() != self.parameters.keys():
            wanted, found = ", ".join(self.parameters), ", ".join(arguments) or "none"
            raise ValueError(f"{self.name} takes the arguments {wanted}, found {found}")
        more = {}
        if EARLIER in inspect.signature(self.function).parameters:
            more[EARLIER] = list(earlier)
        return str(self.function(**arguments, **more))


def _by_its_server(**arguments: Any) -> str:
    raise NotImplementedError("its server calls it")


def _kind(annotation: Any) -> str:
    return KINDS.get(getattr(annotation, "__name__", str(annotation)), "string")
