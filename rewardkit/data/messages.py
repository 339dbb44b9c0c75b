"""Texts out of chats: what a model said, however a trainer wraps it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from rewardkit.errors import DataError

_END = re.compile(
    r"(?:\s*(?:<\|[^|<>]{1,40}\|>|<｜[^｜<>]{1,40}｜>|</s>|<eos>|<end_of_turn>))+\s*\Z"
)
"""Special tokens that a decoded response ends with: they end turns, and are no part of it."""
_TAIL = 200
"""Characters of the prompt's end that find it: its beginning may have been cut off."""


def said(completion: Any) -> str:
    """Return the text of a completion: plain, or the last turn of the assistant in a chat.

    Raises:
        DataError: it is neither.

    >>> said([{"role": "assistant", "content": [{"type": "text", "text": "so 12"}]}])
    'so 12'
    """
    if isinstance(completion, str):
        return completion
    if isinstance(completion, Sequence) and all(isinstance(turn, Mapping) for turn in completion):
        turns = [turn for turn in completion if turn.get("role", "assistant") == "assistant"]
        return text_of(turns[-1].get("content")) if turns else ""
    raise DataError(
        f"a completion is text or a list of messages, found {type(completion).__name__}"
    )


def text_of(content: Any) -> str:
    """Return a message's content as text; of parts, those that are text.

    >>> text_of([{"type": "output_text", "text": "12"}, {"type": "image"}]), text_of(None)
    ('12', '')
    """
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, Sequence) else ()
    return "".join(str(part.get("text") or "") for part in parts if isinstance(part, Mapping))


def after_prompt(query: str, prompt: str) -> str:
    """Return the response in a text that begins with its prompt, without the tokens that end it.

    The prompt may have lost its beginning, as one that was too long has.

    Raises:
        DataError: the end of the prompt is nowhere in the text.

    >>> after_prompt("<s>[INST] 7+5? [/INST] so 12</s>", "[INST] 7+5? [/INST]")
    ' so 12'
    """
    tail = prompt if prompt in query else prompt[-_TAIL:]
    place = query.find(tail)
    if place < 0:
        raise DataError(
            f"the text does not hold the end of its prompt, {tail[-60:]!r}; the response cannot be "
            "told from it"
        )
    return _END.sub("", query[place + len(tail) :])
