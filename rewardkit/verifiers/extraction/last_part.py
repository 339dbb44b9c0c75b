"""The end of a long response, where that is all that is read of it.

A mark or a sentence near the end decides, and what was thought before it, of which some models
write 400 kB, is asked for no more than whether it holds a mark, or turns of an invented dialogue.
"""

from __future__ import annotations

from rewardkit.verifiers.extraction.marked import Found
from rewardkit.verifiers.extraction.own_turn import NEXT_TASK
from rewardkit.verifiers.extraction.text.examples import without_echo
from rewardkit.verifiers.extraction.text.visible import thinks_on
from rewardkit.verifiers.limits import TooComplex
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.parsing.parser import reading
from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.rare_signs import holds, holds_any

_WINDOW = 20_000
"""So much of the end of a long response is read, and up to as much again, from a line's start."""
_NEAR_END, _LAST = 10_000, 300
_TURNS = ("User:", "Human:", "user:")
_CLOSED = "</think>"
_OPENED = "<think>\n"
MARKS = ("box", "tag", "final answer", "correction", "conclusion", "taken back")


def last_part(response: str, options: MathOptions) -> str:
    """Return the end of a long response that may settle what its answer is, else all of it.

    >>> len(last_part("It may be 3.\\n" * 90_000 + "So it is 4.", MathOptions())) < 40_100
    True
    """
    if len(response) <= 2 * _WINDOW or not _reads_the_last(options):
        return response
    start = len(response) - _WINDOW
    start = response.rfind("\n", start - _WINDOW, start) + 1 or start
    part = response[start:]
    said = _behind_thoughts(part)
    last = said[-_LAST:]
    if "-->" in part or "</" in last.replace("</answer>", ""):
        return response  # it may have begun before
    if "</answer>" in last and is_boxed(response[:start]):
        return response
    if _is_marked(said[-_NEAR_END:]):
        if holds_any(response, _TURNS):
            return response
    elif said is part and _is_marked(response):
        return response
    if said is part and thinks_on(response[:start]):
        return _OPENED + part
    return part


def settles(found: Found | None, part: str, response: str) -> bool:
    """Return whether what was found in the last part of a response is all that is to be found."""
    said = _behind_thoughts(part)
    if found is None:
        marked = _is_marked(said[-_NEAR_END:]) and _is_marked(response)
        return (
            not marked and NEXT_TASK.search(response) is None and without_echo(response) is response
        )
    if found.by == "tag" and not has_value(found.text):
        return not is_boxed(response)
    return found.by in MARKS or not is_boxed(said)


def is_boxed(text: str) -> bool:
    """Return whether a text may hold a box."""
    last = text.rfind("box")  # from the end, which takes half the time
    return last >= 0 and ("\\boxed" in text or "\\fbox" in text)


def has_value(text: str) -> bool:
    """Return whether what a mark names can be an answer rather than prose about it."""
    if has_digit(text):
        return True
    try:
        return not isinstance(reading(text), str)
    except TooComplex:
        return True


def _reads_the_last(options: MathOptions) -> bool:
    """Return whether a policy asks for nothing that stands before the last mark."""
    return options.boxes == "last" and options.unclosed_think == "read"


def _behind_thoughts(part: str) -> str:
    """Return what is said behind thoughts that end in a part, or all of it where nothing is."""
    said = part.rpartition(_CLOSED)[2] if holds(part, _CLOSED) else ""
    return said if any(map(str.isalnum, said)) else part


def _is_marked(text: str) -> bool:
    return holds(text, "answer>") or is_boxed(text)
