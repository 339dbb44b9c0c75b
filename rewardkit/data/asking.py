"""From a problem to a chat: a prompt template that may show any column, and a system prompt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from string import Formatter

from rewardkit.data.lazy import fields_of
from rewardkit.data.mapping import CHAT, MISSING, lookup
from rewardkit.errors import ConfigError, DataError
from rewardkit.types import Message, Problem

Messages = Callable[[Problem], Sequence[Message]]

BOXED_PROMPT = "{question}\n\nPut your final answer within \\boxed{{}}."
_WHERE = {
    "box": "within \\boxed{{{{}}}}",
    "tag": "within <{0}> </{0}> tags",
    "marker": 'behind "Answer:" on the last line',
    "last_line": "alone on the last line",
}


class PromptTemplate:
    """A chat of one user turn: the template with the question, or any column, put in.

    A question that is a chat in its data set is asked as it is. Picklable, unlike a closure.
    `{question}`, `{id}` and `{source}` are the problem's, any other name is a column of its `info`,
    dotted where it lies in a table; a literal brace is doubled.

    Raises:
        ConfigError: the template cannot be filled, or shows the answer, or no column at all.

    >>> PromptTemplate("Solve: {question}")(Problem("1", "1+1?", "2"))
    [{'role': 'user', 'content': 'Solve: 1+1?'}]
    >>> make = PromptTemplate("Make {target} of {numbers}.")
    >>> make(Problem("1", "?", "", info={"target": 24, "numbers": [3, 8]}))[0]["content"]
    'Make 24 of [3, 8].'
    """

    def __init__(self, template: str) -> None:
        self.template = template
        try:
            self._parts = list(Formatter().parse(template))
        except ValueError as error:
            raise ConfigError(
                f"prompt template {template!r} cannot be filled ({error}); a column stands in "
                "braces, {question}, and a literal brace is doubled: \\boxed{{}}"
            ) from error
        names = [name for _, name, _, _ in self._parts if name is not None]
        for name in names:
            if not name or name[0].isdigit() or "[" in name:
                raise ConfigError(
                    f"prompt template {template!r}: {{{name}}} names no column; a column stands in "
                    "braces, {question}, and a literal brace is doubled: \\boxed{{}}"
                )
        if "answer" in names:
            raise ConfigError(f"prompt template {template!r} shows the {{answer}} to the model")
        if not names:
            raise ConfigError(f"prompt template {template!r} never shows the {{question}}")

    def __call__(self, problem: Problem) -> Sequence[Message]:
        """Return the chat that asks `problem`.

        Raises:
            DataError: it lacks a column that the template shows.
        """
        if isinstance(found := problem.info.get(CHAT), list):
            return found
        return [{"role": "user", "content": self.text(problem)}]

    def text(self, problem: Problem) -> str:
        """Return the template with a problem's columns put in."""
        fields = fields_of(problem)
        made = []
        for literal, name, form, conversion in self._parts:
            made.append(literal)
            if name is not None:
                if (value := lookup(fields, name)) is MISSING:
                    held = ", ".join(known for known in fields if known != "answer")
                    raise DataError(
                        f"problem {problem.id!r} has no column {name!r}, which the prompt template "
                        f"{self.template!r} shows; it has {held}"
                    )
                made.append(format(Formatter().convert_field(value, conversion), form or ""))
        return "".join(made)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.template,)


class DefaultPrompt(PromptTemplate):
    """Ask a question of a data set, and for its answer where the task reads it; else in a box.

    >>> DefaultPrompt(("tag:final", "box")).template.partition("\\n\\n")[2]
    'Put your final answer within <final> </final> tags or within \\\\boxed{{}}.'
    """

    def __init__(self, answer_in: Sequence[str] = ()) -> None:
        self.answer_in = tuple(answer_in)
        kinds = [kind.partition(":") for kind in self.answer_in or ("box",)]
        where = [_WHERE[kind].format(name or "answer") for kind, _, name in kinds]
        super().__init__(f"{{question}}\n\nPut your final answer {' or '.join(where)}.")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.answer_in,)


class Reworded:
    """Another way of asking, with a system prompt or a template in the place of its own.

    The template writes the last turn, the system prompt the first; what is between, worked
    examples for instance, stays.
    """

    def __init__(self, messages: Messages, system: str = "", prompt: str = "") -> None:
        self.messages, self.system = messages, system
        self.template = PromptTemplate(prompt) if prompt else None

    def __call__(self, problem: Problem) -> Sequence[Message]:
        """Return the chat that asks `problem`."""
        chat: list[Message] = list(self.messages(problem))
        if self.template is not None:
            chat[-1:] = [{"role": "user", "content": self.template.text(problem)}]
        if self.system:
            rest = chat[1:] if chat and chat[0].get("role") == "system" else chat
            chat = [{"role": "system", "content": self.system}, *rest]
        return chat
