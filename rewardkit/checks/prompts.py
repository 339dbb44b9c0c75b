"""The tokens that ask a problem: its task's chat, under the model's chat template."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rewardkit.checks.chats import chat_of
from rewardkit.types import Message, Problem, Task


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
