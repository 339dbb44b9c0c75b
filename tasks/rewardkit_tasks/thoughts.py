"""What a response says outside its thoughts, for tasks that grade all of it."""

from __future__ import annotations

from rewardkit.verifiers.format.thoughts import answer_start, thinks_on


def behind_thoughts(response: str) -> str:
    """Return what stands behind the last closed thought; nothing where thoughts never close.

    >>> behind_thoughts("<think>1?</think>Two."), behind_thoughts("<think>1?")
    ('Two.', '')
    """
    start = answer_start(response)
    return "" if thinks_on(response, start) else response[start:]
