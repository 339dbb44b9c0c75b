"""Where a response's own turn ends: models that run on invent the next question."""

from __future__ import annotations

import re

TURNS = (
    r"Q\s?\d*\s?:",
    r"Question\s?\d*\s?:",
    r"Problem\s?\d*\s?:",
    r"Exercise\s?\d*\s?:",
    r"Example\s?\d*\s?:",
    r"Instruction\s?:",
    r"(?:User|Human|Student)\s?:",
    r"###\s?(?:Instruction|Question|Problem|User|Input)\b",
    r"(?:问题|问|問題|題目|题目)\s?\d*\s?[:：]",
    r"(?:প্রশ্ন|質問|Swali|Frage|Pregunta|Вопрос)\s?\d*\s?[:：]",
)
"""What begins an invented turn at the start of a line."""
_BEGINS = r"(?=[QPEIUHSF问問题題প質В][^\n:：]{0,20}[:：]|###)"
_TURN = re.compile(rf"\n[ \t*_]{{0,20}}{_BEGINS}(?:{'|'.join(TURNS)})", re.I)
_TOKENS = re.compile(r"<\|(?:im_end|im_start|eot_id|endoftext|end|user)\|>|<end_of_turn>|</s>")
_SAYS_SOMETHING = re.compile(r"\d|\b(?:yes|no|true|false|[A-J])\b|[^\x00-\u024f]|box")


def turn_end(response: str, start: int) -> int:
    """Return where the response's own turn ends.

    >>> text = "The answer is 5.\\nQ: Tom has 3 apples."
    >>> text[: turn_end(text, 0)]
    'The answer is 5.'
    """
    end = len(response)
    if "<" in response and (token := _TOKENS.search(response, start + 1)):
        end = token.start() if response[start : token.start()].strip() else end
    said = _SAYS_SOMETHING.search(response, start, min(end, start + 100_000))
    turn = _TURN.search(response, said.end(), end) if said else None
    return turn.start() if turn else end
