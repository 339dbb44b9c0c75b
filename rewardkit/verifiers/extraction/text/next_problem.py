"""Where a response that has named its answer runs on to a problem that nobody put to it."""

from __future__ import annotations

import re

from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.sought import holds_one

_TURN_END = re.compile(
    r"<(?:\|(?:im_end|eot_id|endoftext|end|end_of_turn|eom_id)\|>|end_of_turn>|/s>)"
)
_TURN_ENDS = ("<|", "</s>", "<end_of_turn>")
_NAME = "nswer"
_THOUGHT = "</think>"
_MAX_NAMES = 12
"""Behind so many places that may name the answer, none is looked for."""
_PARAGRAPH = 600
"""So much of what stands below an answer is read."""
_ABOUT_DIALOGUE = re.compile(r"(?:Next, )?(?:[Tt]he|An|Another) (?:User|Assistant|Questioner)\b")
_ASKED_OF = re.compile(
    r"(?![^?\n]*\b(?:answer|right|wrong|correct|incorrect)\b)[^?\n]{20,}\?\s*\n\s*Assistant\s?:"
)
"""A question that another turn answers: its own writer would not say who does."""
_VALUE = re.compile(r"nswer\b[^.\n\d]{0,40}(?:\bis\b|[:=])[^\n]*\d")
_DIALOGUE = re.compile(
    r"\n[ \t]*The User (?:asks|says|gives|poses|requests|provides|wants)[^.\n]*\bthe Assistant\b"
)
"""What a prompt says of the dialogue, which a response that has answered repeats."""
_TURN = re.compile(r"\s*\n\s*(?:[Tt]he |Then |Another |Next )(?:[Uu]ser|[Hh]uman):[^\n]*\?")
_PRAISE = re.compile(r"(?:Great|Good|Nice|Well) (?:job|work|done)\b[^\n]*\b(?:[Nn]ow|[Nn]ext)\b")
_ASKS = re.compile(r"\?(?=\s*(?:\n|\Z|[A-Z\d$]))")
_TELLS = re.compile(r"(?:Find|Explain|Calculate|Solve|Determine|Describe|Write|Prove)\s[a-z]")
_DOUBTS = re.compile(
    r"\b(?:but|wait|however|actually|check|verify|is\s(?:this|that|it)|let(?:'s|’s|\sus|\sme)|I|we|our|my"
    r"|therefore|thus|hence|so|answer|note|part)\b",
    re.I,
)
"""What a writer says who goes on with the same problem."""
_OBJECTS = re.compile(
    r"\b(?:wrong|incorrect|mistaken?|errors?|correct(?:ion|ed|s)?|should\s(?:be|have)|forgot|missed|not\sright"
    r"|re-?(?:check|calculat|comput|consider)\w*)\b",
    re.I,
)
_WORD = re.compile(r"[^\W\d_]{4,}")
_STOP = re.compile(r"[.?\n]")
_COMMON = frozenset((
    "that", "this", "with", "from", "have", "has", "many", "much", "what", "which", "there",
    "their", "they", "them", "then", "than", "when", "will", "would", "each", "every", "were",
    "been", "into", "also", "more", "less", "over", "same", "find", "calculate", "total", "number",
))  # fmt: skip
"""Words that any problem may hold."""
_RULES = "#*-=_ \n\t"
"""What may stand between two problems."""
_FEW_WORDS = 6
"""A task of fewer may be a part of the own one."""
_SHARED = 0.25
"""A larger part of a task's words stands before only where it is about the same things."""


def up_to_turn_end(response: str) -> str:
    """Return a response up to the sign that ends its turn, unless the prompt is before it."""
    if "<" not in response or not holds_one(response, _TURN_ENDS):
        return response
    if (asked := response.find("<|im_start|>user")) > 0 and not response.startswith("<|im_start|>"):
        response = response[:asked] if response[:asked].strip() else response
    end = _TURN_END.search(response)
    if end is None or "<|im_start|>user" in response[: end.start()]:
        return response
    own = response[: end.start()]
    return (
        own if own.strip() and not own.startswith(("<|im_start|>", "<|start_header")) else response
    )


def up_to_next_problem(text: str) -> str:
    """Return a text up to the problem or dialogue that it invents below its answer, if any.

    >>> up_to_next_problem(
    ...     "He needs 30 nails. Answer: 30\\n\\nA train leaves Paris at noon with 80 passengers."
    ...     " How many tickets were sold aboard?\\nThe conductor sold \\boxed{80}."
    ... )
    'He needs 30 nails. Answer: 30'
    """
    thought = text.find(_THOUGHT)
    if thought >= 0 and _TURN.match(text, thought + len(_THOUGHT)):
        return text[: thought + len(_THOUGHT)]
    if "The User " in text and (told := _DIALOGUE.search(text)):
        own = text[: told.start()]
        if has_digit(own) and not _in_thoughts(text, told.start()):
            return own
    at = -1
    for _ in range(_MAX_NAMES):
        at = text.find(_NAME, at + 1)
        end = text.find("\n", at) if at >= 0 else -1
        if end < 0:
            return text
        line = text[at:end]
        if not has_digit(line) or line.endswith(("?", ":")):
            continue
        if thought >= 0 and _in_thoughts(text, end):
            continue
        below = text[end : end + _PARAGRAPH].lstrip(_RULES)
        if below and _is_another(below.split("\n\n", 1)[0], text[:end]):
            return text[:end]
        if "Assistant" in below and _ASKED_OF.match(below) and _VALUE.match(text, at, end):
            return text[:end]
    return text


def _in_thoughts(text: str, place: int) -> bool:
    closes = text.find(_THOUGHT, place)
    return closes >= 0 and "<think>" not in text[place:closes]


def _is_another(paragraph: str, before: str) -> bool:
    """Return whether a paragraph speaks of the dialogue, or puts a problem of other things."""
    if _ABOUT_DIALOGUE.match(paragraph) or _PRAISE.match(paragraph):
        return not _OBJECTS.search(paragraph)
    asks = _TELLS.match(paragraph) or ("?" in paragraph and _ASKS.search(paragraph))
    if not asks or any(p.search(paragraph, 0, asks.end()) for p in (_DOUBTS, _OBJECTS)):
        return False
    stop = _STOP.search(paragraph, asks.end() - 1)
    task = paragraph[: stop.start() if stop else None]
    words = {w for w in _WORD.findall(task.lower()) if w not in _COMMON}
    known = words & set(_WORD.findall(before.lower()))
    return len(words) >= _FEW_WORDS and len(known) <= _SHARED * len(words)
