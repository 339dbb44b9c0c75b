"""Times of day in digits that a sentence comes to: `It leaves at 8:40 and arrives at 9:25`."""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.prose.voice import is_of_others
from rewardkit.verifiers.vocabulary.alternatives import DENIED_OR_DOUBTED

_HALF = r"(?:\s?[aApP]\.?[mM]\b\.?)"
_TIME = re.compile(
    rf"(?<![\d:.])\d{{1,2}}:[0-5]\d(?::[0-5]\d)?(?!\d){_HALF}?|(?<![\d:.,])\d{{1,2}}(?:\.[0-5]\d)?{_HALF}"
)
_PART_OF_DAY = re.compile(
    r"\s(?:in\sthe\s(?P<am>morning)|in\sthe\s(?:afternoon|evening)|at\snight)\b"
)
_UNSURE = re.compile(
    rf"\b(?:{DENIED_OR_DOUBTED}|no|or|if|unless|may|would|maybe|perhaps|probably|assum\w+"
    r"|guess|between|whether|except|earliest|latest|cannot|unknown|unable|example|instance|like|such\sas"
    r"|says?|said|given|find)\b|\be\.g\.|n['’]t\b|\?",
    re.I,
)
_GIVES_UP = re.compile(
    r"\b(?:cannot|unable|unknown|impossible|if|suppose|given|find)\b|(?:ca|do)n['’]t\b", re.I
)
_NEAR = re.compile(
    r"\b(?:before|after|until|till|past|by|about|around|almost|roughly|nearly|than|since)\s(?:about\s|around\s)?\Z"
    r"|\bto\s(?:arrive|be|get|reach|meet|catch|make)\s(?:[a-z]+\s){0,3}at\s\Z"
)
_SETTLED = re.compile(r"[;:]\s|,\s(?:but|so|and\s(?:as|so|since)|yet)\s")
_MAX_CHARS = 300


def time_in(sentence: str) -> str | None:
    """Return the time of day that a sentence ends with and states, else None.

    >>> time_in("The bus leaves at 8:40 AM and arrives 45 minutes later, at 9:25 AM.")
    '9:25 AM'
    >>> time_in("It ends before 9:25 AM."), time_in("It ends at 9:20 or 9:25."), time_in("At 9:25?")
    (None, None, None)
    """
    if len(sentence) > _MAX_CHARS:
        return None
    found = list(_TIME.finditer(sentence))
    if not found:
        return None
    last = found[-1]
    before = sentence[: last.start()]
    turns = [turn.end() for turn in _SETTLED.finditer(before)]
    clause = before[turns[-1] :] if turns else before
    if _UNSURE.search(clause) or _NEAR.search(clause) or _UNSURE.search(sentence, last.end()):
        return None
    if _GIVES_UP.search(before) or is_of_others(before.lower()):
        return None
    part = _PART_OF_DAY.match(sentence, last.end())
    half = "" if part is None or last[0][-1] in "mM." else " AM" if part["am"] else " PM"
    digits = re.sub(r"(?<=\d)\.(?=\d)", ":", last[0])
    return f"{digits.strip(' .')}{half}"
