"""Two last sentences with a value each, one for a case and one for the other.

`If they differ, there are 68 ways. If not, 34.` settles on neither.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.endings.taken_back import last_sentence, last_two
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.sought import Beginning

_OTHER_CASE = Beginning(
    r"(?:and\s|but\s)?(?:(?:if|when|where)\s(?:not|they\s(?:are|do)(?:n't|\snot)|it\s(?:is|does)(?:n't|\snot))"
    r"|otherwise|or\selse|else|in\s(?:the|any|every)\sother\s?case|wenn\snicht|sonst|sinon|si\sno|se\sn[oã][no]?|否则|そうでなければ)"
    r"\b[,，:]?[^.:!?\n]{0,60}\d[^.!?\n]{0,20}[.!]?\Z"
)
"""Behind a sentence with a value, the one of another case: `If they differ, 68. If not, 34.`"""
_OF_A_CASE = as_pattern(
    r"(?:if|when|for|with|assuming|suppose|provided|in\scase|wenn|falls|si|se|如果|若|もし)\b(?![^.!?\n]*\b(?:would|were)\b)[^.!?\n]*\d",
    re.I,
)


def in_two_cases(tail: str) -> str | None:
    """Return the last two sentences of a text that name a value each, for one case and another.

    >>> in_two_cases("If they differ, 68. If not, 34."), in_two_cases("If not 3, then 4 fits.")
    ('If they differ, 68. If not, 34.', None)
    """
    last = last_sentence(tail)
    if not _OTHER_CASE.match(last):
        return None
    previous = last_two(tail)[1]
    return previous + last if _OF_A_CASE.match(previous) else None
