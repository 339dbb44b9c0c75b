"""What a response concludes behind its last closed answer tag: `</answer> So it is 7.`."""

from __future__ import annotations

import re
from collections import deque

from rewardkit.verifiers.extraction.marked import CLOSING, CONCLUDES, MAX_TAGS, OPENINGS, claimed
from rewardkit.verifiers.extraction.prose.prose import doubts, statement
from rewardkit.verifiers.extraction.text.plain import without_turns

_PLAIN_VALUE = re.compile(r"(?<![\d.,])\d+(?:[.,]\d+)*")
_OPERAND = r"(\d+(?:[.,]\d+)*)(?![\d.,]*\d)"
_SIGN, _RESULT = r"[-−–+*/×÷·]", r"[^=\n]{0,40}=\s*\$?\d"
_CALCULATES = re.compile(
    rf"(?<![\d.,])(?={_OPERAND}[^=\n\d]{{0,20}}{_SIGN}{_RESULT})|(?={_SIGN}\s*\$?{_OPERAND}{_RESULT})"
)
_CHECKS = re.compile(
    r"\b(?:(?:double-?|cross-?)?check|verif|confirm|prüf|prob[ea]\b|vérif|comprob|verific|plug(?:ging)?\b"
    r"|substitut|sanity)|检查|检验|验证|代入",
    re.I,
)


def conclusion(text: str) -> str | None:
    """Return what a text concludes behind its last closed answer tag, `</answer> So it is 7.`.

    A second end of the tag shows as well that the answer went on.
    """
    for opening in reversed(deque(OPENINGS[0].finditer(text), maxlen=MAX_TAGS)):
        closing = CLOSING.search(text, opening.end())
        after = without_turns("\n" + text[closing.end() + 1 :]) if closing else ""
        if claim := claimed(after, correcting=True):
            return claim
        held = text[opening.end() : closing.start()] if closing else ""
        if concludes := CONCLUDES.search(after):
            after = after[concludes.start() :]
        elif not (CLOSING.search(after) or _calculates_on(held, after)):
            return None
        return None if doubts(after) else statement(after)
    return None


def _calculates_on(held: str, after: str) -> bool:
    """Return whether what follows a tag calculates with its value: `So 50.` ... `50 / 5 = 10`.

    What is there to check the value leads to no other: `Check: 50 / 5 = 10, as given.`
    """
    values = _PLAIN_VALUE.findall(held) if "=" in after else []
    if not values or values[-1] not in after or _CHECKS.search(after):
        return False
    return any(values[-1] in found.groups() for found in _CALCULATES.finditer(after))
