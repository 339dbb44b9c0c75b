"""Whether a writer gives up: `I was not able to find the solution within 24 steps`.

What else such an ending says is no answer, unless it goes on to conclude: `I could not solve it
by factoring, but the formula gives x = 24`.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.prose.conclusions import concludes
from rewardkit.verifiers.vocabulary.refusals import UNABLE, UNDETERMINED
from rewardkit.verifiers.vocabulary.refusals_elsewhere import ELSEWHERE
from rewardkit.verifiers.vocabulary.sought import Phrases, Sought

_REFUSES = Sought(f"{UNABLE}|{ELSEWHERE}")
_UNDETERMINED = Sought(UNDETERMINED)
_GIVES_UP = Phrases(_REFUSES, _UNDETERMINED)
_MAX_CHARS = 400
_NAMES_LAST = re.compile(
    r"[.!?\d)}]\n+(?:So |Thus, |Hence, |Therefore, )?[tT]he (?:final |correct )?answer is:? "
    r"(?:-?\d[\d.,]*|true|false|yes|no)\.?\Z"
)
"""A last line that names a value: whatever is refused before it, the text goes on to conclude."""
_AT_FIRST = re.compile(
    r"[^.;?!\n]{0,20}\b(?:at\sfirst|initially|for\sa\s(?:while|moment))\b[^?!\n]*\b(?:but|yet|then|until)\b(?=[^?!\n]*\d)"
)
_OF_SOMETHING_ELSE = re.compile(
    r"[^.;?!\n\d]{0,40}?\b(?:whether|why|who|what\s(?:colou?r|kind|sort))\s"
    r"(?![^.;?!\n]*\b(?:answer|right|correct|enough|valid|solution|value|result|this|it|that|true|or)\b)"
    r"[^.;?!\n\d]*[.!]\s+[A-Z][^.;?!\n]*\d"
)
"""A doubt that no number settles, behind which one is stated: `whether he likes it. He has 5.`"""
_MAX_LINE = 60


def gives_up(text: str) -> bool:
    """Return whether the end of a text says that its writer has no answer, and gives none after it.

    >>> gives_up("Unable to determine. (24)"), gives_up("Je ne peux pas répondre ; il manque 5.")
    (True, True)
    >>> gives_up("I could not solve it, so I counted: 24."), gives_up("He could not find 6.")
    (False, False)
    """
    return _is_last(_REFUSES, text)


def is_undetermined(text: str) -> bool:
    """Return whether the end of a text says that nobody can tell, and gives no answer after it.

    >>> is_undetermined("There is not enough information, since only 24 is given.")
    True
    """
    return _is_last(_UNDETERMINED, text)


def _is_last(phrases: Sought, text: str) -> bool:
    if phrases not in _GIVES_UP.near_end(text):
        return False
    last, found = None, phrases.search(text, max(0, len(text) - _MAX_CHARS))
    while found:  # one after the other: all alternatives in one pattern take many times as long
        last, found = found, phrases.search(text, found.end())
    if last is None or concludes(text, last.end() - 1) or _AT_FIRST.match(text, last.end()):
        return False
    if _OF_SOMETHING_ELSE.match(text, last.start()):
        return False
    line = text.rfind("\n", max(0, len(text) - _MAX_LINE))
    return line <= 0 or _NAMES_LAST.search(text, max(0, line - 3)) is None
