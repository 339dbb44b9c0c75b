"""A value with a parameter that words behind it call whole: `$x = 7k+3$ for any integer $k$`."""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.text.formulas import inside

_FOR_ALL = re.compile(
    r",?\s\(?(?:(?:(?<=\()|(?:for|where|with|and)\s)(?:(?:any|all|every|each|an?|some|arbitrary"
    r"|positive|integers?|whole|natural|numbers?)\s){0,4})"
)
_IS_INTEGER = re.compile(
    r"(?:\s(?:(?:is|are|being)\s)?(?:(?:an?y?|arbitrary|some|positive)\s){0,2}(?:integers?"
    r"|(?:whole|natural)\snumbers?))?\)?[\s.!]*\Z"
)
_HOLDS = re.compile(
    r",?\s(?:(?:for|where|with|when|provided)\s(?:that\s)?\$[a-zA-Z]\s*\\neq?\s*[^$=]{1,20}\$"
    r"|for\s(?:all|any|every|each)\s(?:real\s)?(?:numbers?\s)?\$[a-zA-Z]\$"
    r"|for\s(?:all\s|any\s|every\s|each\s)?(?:integers?\s)?\$n\s*\\geq?\s*\d\$"
    r"|(?:for|where|with)\s(?:(?:an?|any|some|arbitrary|real|all)\s){0,3}"
    r"(?:constants?\s|numbers?\s|values?\s)?\$[a-zA-Z](?:\s*\\in\s*\\mathbb\s*\{?R\}?)?\$)"
)
"""For which values of an unknown an expression holds: `for all $x$`."""
_IS_ANY = re.compile(
    r"(?:is\s)?(?:an?y?\s)?(?:arbitrary\s)?(?:real|constant|real\s(?:constant|number))"
)
"""What is said behind such an unknown: `where $c$ is any constant`."""
_PARAMETER = re.compile(r"\s*([a-zA-Z])\s*(?:\\in\s*\\mathbb\s*\{?\s*([ZN])\s*\}?\s*)?")


def family_of(tail: str, value: re.Match[str], last: re.Match[str]) -> str | None:
    """Return `x = 7k+3, k \\in \\mathbb{Z}` of `$x = 7k+3$ for any integer $k$`, else None."""
    rest = tail[last.end() :].strip(" .!\n")
    if _HOLDS.fullmatch(tail, value.end(), last.end()) and (not rest or _IS_ANY.fullmatch(rest)):
        return inside(value)
    parameter = _PARAMETER.fullmatch(inside(last))
    if parameter is None or parameter[1] not in inside(value):
        return None
    between = tail[value.end() : last.start()]
    around = between + tail[last.end() :]
    positive = "positive" in around or "natural" in around
    is_whole = parameter[2] or positive or "integer" in around
    if not is_whole or not _FOR_ALL.fullmatch(between) or not _IS_INTEGER.match(tail, last.end()):
        return None
    domain = parameter[2] or ("N" if positive else "Z")
    return f"{inside(value)}, {parameter[1]} \\in \\mathbb{{{domain}}}"
