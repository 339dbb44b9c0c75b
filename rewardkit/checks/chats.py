"""The chat that asks a problem, in the one form that everything takes, and its tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rewardkit.errors import DataError, RewardkitError, described
from rewardkit.types import Message, Problem, Task

EXAMPLE = '[{"role": "user", "content": problem.question}]'


def chat_of(task: Task, problem: Problem) -> list[Message]:
    """Return what a task's `messages` makes of a problem: a list of turns with role and content.

    Raises:
        DataError: it made something else; names task and problem, and what to return.

    >>> task = Task("mine", (), (), lambda problem: problem.question, print)
    >>> chat_of(task, Problem("7", "Why?", ""))
    Traceback (most recent call last):
    ...
    rewardkit.errors.DataError: task mine: `messages` returned text for problem '7', expected ...
    """
    try:
        found: object = task.messages(problem)
    except RewardkitError:
        raise
    except Exception as error:
        raise DataError(
            f"task {task.name}: `messages` raised {described(error)} for problem {problem.id!r}"
        ) from error
    fault = _fault(found)
    if fault:
        raise DataError(
            f"task {task.name}: `messages` returned {fault} for problem {problem.id!r}, expected a "
            f"list of turns: {EXAMPLE}"
        )
    assert isinstance(found, Sequence)
    return list(found)


def encode(
    tokenizer: Any, messages: Sequence[Message], template: Mapping[str, Any] = {}
) -> list[int]:
    """Return the prompt's tokens: the chat, and the header of the model's own turn.

    The chat template is called with `template` besides.
    """
    encoded = tokenizer.apply_chat_template(
        [dict(message) for message in messages],
        add_generation_prompt=True,
        return_dict=True,
        **template,
    )
    return list(encoded["input_ids"])


def encode_problem(tokenizer: Any, task: Task, problem: Problem) -> list[int]:
    """Return the tokens of the prompt that asks a problem as its task does."""
    template = task.part_of(problem).chat_template_kwargs
    return encode(tokenizer, chat_of(task, problem), template)


def _fault(found: object) -> str:
    """Return what is wrong with a chat, "" where nothing is."""
    if isinstance(found, str):
        return "text"
    if isinstance(found, Mapping):
        return "one turn"
    if not isinstance(found, Sequence):
        return f"a {type(found).__name__}"
    if not found:
        return "no turn at all"
    for number, turn in enumerate(found, start=1):
        if not isinstance(turn, Mapping):
            return f"a {type(turn).__name__} as turn {number}"
        for name in ("role", "content"):
            if name not in turn:
                held = ", ".join(map(repr, turn)) or "nothing"
                return f"turn {number} without {name!r} (it has {held})"
            if not isinstance(turn[name], str):
                kind = type(turn[name]).__name__
                return f"turn {number} with a {kind} for {name!r}, which is text,"
    return ""
