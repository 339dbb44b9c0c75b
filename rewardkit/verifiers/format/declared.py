"""The strict reading: the last of the declared kinds of marks, by position, and what it holds."""

from __future__ import annotations

from rewardkit.verifiers.format.boxes import last_box
from rewardkit.verifiers.format.found import (
    DRESS,
    NOT_A_VALUE,
    NOT_DECLARED,
    Found,
    Missing,
    trimmed,
)
from rewardkit.verifiers.format.markers import last_marker
from rewardkit.verifiers.format.tags import TAG, last_tag
from rewardkit.verifiers.format.thoughts import answer_start, thinks_on, without_end_tokens
from rewardkit.verifiers.options import NAMED_TAG

_SHOWN = {
    "box": r"\boxed{...}",
    "tag": "<answer>...</answer>",
    "marker": "`Answer: ...`, `####` or `the answer is ...`",
    "last_line": "last line",
}


def declared(
    response: str, answer_in: tuple[str, ...], *, unclosed_think: str = "read"
) -> Found | Missing:
    r"""Return what the last declared mark behind the last closed thought holds, or why none does.

    Nothing else of the response counts: neither what stands before it nor what stands behind it
    and holds no further mark.

    >>> declared(r"It is 3. \boxed{4} Or 5?", ("box",))
    Found(text='4', start=16, end=17, by='box')
    >>> declared("It is 3.", ("box", "tag")).reason
    'no \\boxed{...} or <answer>...</answer> in the response'
    """
    start = answer_start(response)
    if unclosed_think == "ignore" and thinks_on(response, start):
        return Missing(NOT_DECLARED, "the thoughts never end")
    found = None
    for kind in answer_in:
        one = _last(kind, response, start)
        if one is not None and (found is None or _counts_before(one, found)):
            found = one
    if found is None:
        where = " or ".join(shown(kind) for kind in answer_in)
        behind = " behind the thoughts" if start else " in the response"
        return Missing(NOT_DECLARED, f"no {where}{behind}")
    if found.by != "box" and found.text.endswith(">"):
        found = found._replace(text=without_end_tokens(found.text))
    if not found.text:
        return Missing(NOT_A_VALUE, f"the last {found.by.replace('_', ' ')} is empty")
    return found


def shown(kind: str) -> str:
    """Return a place of an answer for a person."""
    name = NAMED_TAG.fullmatch(kind)
    return f"<{name[1]}>...</{name[1]}>" if name else _SHOWN[kind]


def _counts_before(one: Found, other: Found) -> bool:
    """Return whether one mark is the later of two; a box that holds a mark in words is one box."""
    if other.by == "box" and one.start < other.end:
        return one.start > other.start and one.by == "box"
    if one.by == "box" and other.start < one.end:
        return True
    return one.start > other.start


def _last(kind: str, text: str, start: int) -> Found | None:
    if kind == "box":
        return last_box(text, start)
    if kind == "marker":
        return last_marker(text, start)
    if kind == "last_line":
        return _last_line(text, start)
    name = NAMED_TAG.fullmatch(kind)
    return last_tag(text, start, name=name[1] if name else TAG)


def _last_line(text: str, start: int) -> Found | None:
    end = start + len(text[start:].rstrip())
    if end <= start:
        return None
    return trimmed(text, max(start, text.rfind("\n", start, end) + 1), end, "last_line", DRESS)
