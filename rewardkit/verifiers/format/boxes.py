r"""The last box of a response, `\boxed{...}`, with those that it is joined to."""

from __future__ import annotations

import re

from rewardkit.verifiers.format.found import Found, trimmed
from rewardkit.verifiers.limits import MAX_ANSWER_CHARS

COMMANDS = (r"\boxed", r"\fbox", "\x08oxed")
"""The last is what a string literal makes of the first."""
MAX_BOXES = 200
"""Of one breath."""
_PLAIN = re.compile(r"[ \t\n]*\{([^{}\\]*)\}")
_OPENS = re.compile(r"\s*\{")
_BRACE = re.compile(r"\\.|[{}]", re.S)
_SHORT = re.compile(r"\s*(-?\d[\d.,]*\d|\\[a-zA-Z]+(?:\{[^{}]*\})*|[^\s{}$])")
"""What a box without braces holds: `\\boxed 5`."""
_JOINS = re.compile(
    r"(?:\s|[$,;.&]|\\[()\[\],;: ]|\\q?quad|\b(?:and|or)\b|\\text|[{}]"
    r"|[a-zA-Z](?:_\{?\w+\}?)?(?:\([a-z]\))?\s*=)*"
)
_MAX_BETWEEN = 40
_MINUS = re.compile(r"(?:[$=(\[]|\\[(\[])\s*-\s*\Z")
_PERCENT = re.compile(r"\s{0,5}(?:\$|\\\))?\s{0,5}\\%")


def last_box(text: str, start: int = 0, end: int | None = None) -> Found | None:
    r"""Return what the last box holds, and the boxes joined to it by no more than `and` or a comma.

    >>> last_box(r"first \boxed{1}, then $\boxed{2}$ and $\boxed{3}$").text
    '2, 3'
    """
    end = len(text) if end is None else end
    at = _last(text, start, end)
    if at < 0:
        return None
    found = box_at(text, at, end)
    parts = [found.text]
    while len(parts) < MAX_BOXES and (before := _last(text, max(start, at - 300), at)) >= 0:
        one = box_at(text, before, end)
        between = text[one.end : at]
        if (
            one.end > at
            or len(between) > _MAX_BETWEEN
            or "\n\n" in between
            or not _JOINS.fullmatch(between)
        ):
            break
        parts.append(one.text)
        at, found = before, found._replace(start=one.start)
    if len(parts) > 1:
        return found._replace(text=", ".join(dict.fromkeys(reversed(parts))))
    return _with_signs_beside(text, at, found)


def _last(text: str, start: int, end: int) -> int:
    at = max(text.rfind(COMMANDS[0], start, end), text.rfind(COMMANDS[1], start, end))
    return at if at >= 0 else text.rfind(COMMANDS[2], start, end)


def box_at(text: str, at: int, end: int) -> Found:
    """Return what the box that begins at a place holds; empty text where it holds nothing."""
    inside = at + len(next(command for command in COMMANDS if text.startswith(command, at)))
    if plain := _PLAIN.match(text, inside, end):
        return trimmed(text, plain.start(1), plain.end(1), "box")
    if opens := _OPENS.match(text, inside, end):
        return _braced(text, opens.end(), end)
    short = _SHORT.match(text, inside, end)
    return trimmed(text, *short.span(1), "box") if short else Found("", inside, inside, "box")


def _braced(text: str, start: int, end: int) -> Found:
    """Return what stands in the braces that open before a place."""
    depth = 1
    for brace in _BRACE.finditer(text, start, min(end, start + 2 * MAX_ANSWER_CHARS)):
        depth += (brace[0] == "{") - (brace[0] == "}")
        if not depth:
            return trimmed(text, start, brace.start(), "box")
    return _unclosed(text, start, end)


def _unclosed(text: str, start: int, end: int) -> Found:
    """Return what stands in a box that never closes, up to the end of its formula or line."""
    stops = (text.find(sign, start, end) for sign in ("$", "\n", r"\)", r"\]"))
    stop = min((at for at in stops if at >= 0), default=end)
    found = trimmed(text, start, min(stop, start + MAX_ANSWER_CHARS), "box")
    braces = [brace[0] for brace in _BRACE.finditer(found.text)]
    missing = braces.count("{") - braces.count("}")
    return found._replace(text=found.text + "}" * missing)


def _with_signs_beside(text: str, at: int, found: Found) -> Found:
    r"""Return a box's value with the minus before it and the percent sign behind: `-\boxed{7}`."""
    behind = found.end + (text[found.end : found.end + 1] == "}")
    if _PERCENT.match(text, behind) and "%" not in found.text:
        found = found._replace(text=rf"{found.text}\%")
    negative = text[max(0, at - 3) : at].rstrip().endswith("-") and _MINUS.search(
        text, max(0, at - 12), at
    )
    if negative and not any(sign in found.text for sign in ",=+-"):
        found = found._replace(text=f"-{found.text}")
    return found
