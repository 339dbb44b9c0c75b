"""The last `<answer>...</answer>` of a response, or a tag of another name."""

from __future__ import annotations

from rewardkit.verifiers.format.found import Found, trimmed

TAG = "answer"


def last_tag(text: str, start: int = 0, end: int | None = None, name: str = TAG) -> Found | None:
    """Return what the last tag of a name holds; one that never closes holds the rest.

    A server that stops at `</answer>` leaves it out.

    >>> last_tag("<answer>1</answer> <answer> 2 </answer>").text, last_tag("<answer>3").text
    ('2', '3')
    """
    end = len(text) if end is None else end
    for spelled in dict.fromkeys((name, name.capitalize(), name.upper())):
        opening = f"<{spelled}>"
        if (at := text.rfind(opening, start, end)) < 0:
            continue
        inside = at + len(opening)
        close = text.find(f"</{spelled}>", inside, end)
        return trimmed(text, inside, end if close < 0 else close, "tag")
    return None
