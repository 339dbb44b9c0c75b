"""What of a response is its answer: what comes after its last closed thought."""

from __future__ import annotations

import re

THOUGHT_ENDS = (
    "</think>",
    "</thinking>",
    "</thought>",
    "</reasoning>",
    "<|channel|>final<|message|>",
    "<|end_of_thought|>",
    "[/THINK]",
    "◁/think▷",
)
"""What closes thoughts, one row a model family; behind the last of them stands the answer."""
_THOUGHT_BEGINS = ("<think>", "<thinking>", "<thought>", "<reasoning>", "[THINK]", "◁think▷")
_MAX_TOKENS = 200
_END_TOKENS = re.compile(
    r"(?:\s*(?:<[|｜][\w▁/|｜]{1,40}[|｜]>|</s>|<end_of_turn>|<eo[ast]>))+\s*\Z"
)


def answer_start(response: str) -> int:
    """Return where the answer begins: behind the last closed thought, else at 0.

    >>> answer_start("<think>1</think> 2"), answer_start("just 2")
    (16, 0)
    """
    usual = response.rfind(THOUGHT_ENDS[0])
    start = usual + len(THOUGHT_ENDS[0]) if usual >= 0 else 0
    if "<" not in response[:400] and "[THINK]" not in response[:400] and "◁" not in response[:400]:
        return start
    for sign in THOUGHT_ENDS[1:]:
        if (at := response.rfind(sign, start)) >= 0:
            start = at + len(sign)
    return start


def thinks_on(response: str, start: int) -> bool:
    """Return whether thoughts open behind the last closed ones and never close."""
    return any(response.find(sign, start) >= 0 for sign in _THOUGHT_BEGINS)


def without_thoughts(response: str) -> str:
    """Return what a response says behind its closed thoughts and before any that never close.

    >>> without_thoughts("<think>1</think> 2"), without_thoughts("2 <think> 3")
    (' 2', '2 ')
    """
    start = answer_start(response)
    opened = [at for sign in _THOUGHT_BEGINS if (at := response.find(sign, start)) >= 0]
    return response[start : min(opened, default=len(response))]


def without_end_tokens(text: str) -> str:
    """Return a text without the tokens that end a turn: `5<|im_end|>`.

    >>> without_end_tokens("5<|im_end|>"), without_end_tokens("5 </s>")
    ('5', '5')
    """
    if not text.rstrip().endswith(">"):
        return text
    place = max(0, len(text) - _MAX_TOKENS)
    return text[:place] + _END_TOKENS.sub("", text[place:])
