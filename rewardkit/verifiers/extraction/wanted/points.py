"""Points and matrices that a sentence comes to: `the center is at (3, 4)`, `the zero matrix`."""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.prose.claims import claims_at
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.commands import TEXT_COMMAND

_NAMED_MATRIX = as_pattern(
    r"(?:\b(?:is|equals|be|to|becomes)\s(?:just\s)?(?:the|a)\s|\A(?:the\s|an?\s)?)"
    r"(?:\$?([2-9])\s?(?:×|x|\\times|-by-|by)\s?\1\$?\s)?(identity|zero)\smatrix[.!]?\Z"
)
_STYLED = as_pattern(TEXT_COMMAND + r"\s*\{([^{}]*)\}")
_POINT = as_pattern(r"\([^()=]*[,;|][^()=]*\)")
_AT = as_pattern(
    r"\b(?:(?:is|at|are|be|bei|ist|est|es|è|é)\s\$?(?:(?:the|le|el|il|o)\s)?(?:point\s|punto\s|ponto\s)?"
    r"|(?:get|gets|obtain|find|have|gives|yields|becomes|into|onto|lands?\s(?:us\s)?(?:on|at)|(?:takes?|sends?|moves?|brings?|maps?)\s(?:it\s|us\s)?to)\s\$?(?:the\s)?(?:[a-z]+\s)?"
    r"|(?P<named>point|coordinates|vector|vertex|cent(?:er|re)|focus|midpoint|image)\s\$?)[A-Z]?'?\Z"
)
_LAST_POINT = as_pattern(
    r"\b(?:gives|yields|get|obtain|is|becomes|to|into|on|onto|at|as|produces|leaves)\s\$?(?:the\s)?(?:point\s)?[A-Z]?'?\Z"
)
"""What leads from the points that a sentence knows to the one that it comes to."""
_TELLS = as_pattern(
    r"\W*(?:consider|let|take|suppose|find|reflect|rotate|translate|plot|draw|given|move|map)\b",
    re.I,
)
_LEADS_TO_POINT = as_pattern(
    r"\b(?:meets?|intersects?|has|have)\s(?:[a-z]+\s){0,5}at\s\$?\Z|\b(?:gives?|yields?|becomes)\s(?:us\s)?\$?\Z"
)
"""Before the last of several points, what states it."""
_ENDS = as_pattern(r"\$?\s*(?:[,.;]|\Z)")
DENIED = as_pattern(r"\b(?:not|or|either|maybe|perhaps|before|after|between)\b|n['’]t\b", re.I)


def point_in(sentence: str) -> str | None:
    """Return the one point of a sentence, `the center is at (3, 4) and its radius is 5`."""
    points = list(_POINT.finditer(sentence))
    if (
        len(points) > 1
        and not _TELLS.match(sentence)
        and (
            _LAST_POINT.search(sentence[points[-2].end() : points[-1].start()])
            or _LEADS_TO_POINT.search(sentence[: points[-1].start()])
        )
    ):
        points = points[-1:]
    if len(points) != 1 or DENIED.search(sentence):
        return None
    at = _AT.search(sentence[: points[0].start()])
    if at is None or (at["named"] and not _ENDS.match(sentence, points[0].end())):
        return None  # `the point (3, 4) is reflected` knows it
    stated = claims_at(sentence, *points[0].span())
    return points[0][0].replace(";", ",").replace("|", ",") if stated else None


def matrix_in(sentence: str) -> str | None:
    """Return the identity or zero matrix that a sentence names, of the size that it says."""
    plain = " ".join(_STYLED.sub(r" \1 ", sentence).split())
    if not (named := _NAMED_MATRIX.search(plain)):
        return None
    one = "1" if named[2] == "identity" else "0"
    if not named[1]:
        return "I" if one == "1" else "0"
    size = range(int(named[1]))
    rows = [" & ".join(one if row == column else "0" for column in size) for row in size]
    return "\\begin{pmatrix}" + "\\\\".join(rows) + "\\end{pmatrix}"
