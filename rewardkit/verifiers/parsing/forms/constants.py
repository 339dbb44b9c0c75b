"""What says behind an answer that one of its letters is any constant: `for some constant c`."""

from __future__ import annotations

import re

from rewardkit.verifiers.parsing.spelling.surroundings import unmarked

_KIND = r"(?:(?:arbitrary|real|fixed|any)\s)*(?:constant|arbitrary|real\snumber)s?"
_DECLARED = re.compile(
    r"\s?,?\s?\(?(?:(?:for|with|where)\s)?"
    rf"(?:(?:(?:some|any|every|all|an?|the)\s)?{_KIND}\s\$?(?P<before>[a-zA-Z])\$?"
    rf"|(?<=[\s,(])\$?(?P<behind>[a-zA-Z])\$?\s(?:(?:is|being)\s)?(?:an?\s|any\s)?{_KIND})\)?\.?\Z"
)
_MAX_CHARS = 200


def without_constant(text: str) -> str:
    r"""Return an equation without what declares a letter on its right side to be a constant.

    >>> without_constant(r"f(x)=cx \text{ for some constant } c"), without_constant("a constant c")
    ('f(x)=cx', 'a constant c')
    """
    names_one = "constant" in text or "arbit" in text
    if len(text) > _MAX_CHARS or "=" not in text or not names_one:
        return text
    plain = unmarked(text)
    declared = _DECLARED.search(plain)
    if declared is None:
        return text
    said = plain[: declared.start()]
    name = declared["before"] or declared["behind"]
    used = re.search(rf"(?<![A-Za-z\\]){name}|(?<=[a-z\d]){name}(?![a-z])", said.rpartition("=")[2])
    return said if used and "=" in said else text
