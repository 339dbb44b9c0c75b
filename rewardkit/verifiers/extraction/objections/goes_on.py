"""Does the text go on to another value?

What sets something against the value, or follows upon it, and arrives at another one in the end
leaves it behind: `I first get 33, but a recount shows 29`, `B, or maybe C`.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.objections.place import Place
from rewardkit.verifiers.extraction.prose.denials import REFUTED
from rewardkit.verifiers.vocabulary.characters import has_digit

_CONTRAST = r"(?:but|yet|however|unless|instead|(?:even\s)?(?:though|although))"
_IN_ORDER = (
    r"(?:(?:and\s)?then|now(?!\sthat)|after(?:wards|\swhich|\s[a-z]+ing\b[^\d,]*,)|once\b[^\d,]*,)"
)
_NOT_SO = (
    r"(?:would|because(?!\sof)|since|verif\w+|wrong|mistakes?|errors?|incorrect|why|note|recall|total|sum"
    r"|other|also|out)\b"
)
_ARRIVES = (
    r"(?:\b(?:is|are|be|shows?|says?|stays?|remains?|leaves?|left|makes?|gets?|got|gives?|gave|obtain|find|found|so|thus|hence|becomes?"
    r"|yields?|reads?|comes?\sto|turns?\sout(?:\sto\sbe)?)\s|:\s)"
)
_LAST = r"[$\\(]{0,2}(?P<last>-?\d[\d.,/]*(?<![.,]))\W{0,3}(?:\s?[a-z%]+)?\W*\Z"
_SENTENCE = rf"(?:(?!\b{_NOT_SO})[^;\n\d])*{_ARRIVES}{_LAST}"
_BUT_THEN = re.compile(rf"[^\d]{{0,60}}?\b{_CONTRAST}\b{_SENTENCE}")
_GOES_ON = re.compile(rf"[^\d]{{0,60}}?\b(?:{_CONTRAST}|{_IN_ORDER})\b{_SENTENCE}")
"""Behind a value, what arrives at another one in the end: `33, but a recount shows 29`."""
_NOT_OR = rf"(?!\b{_NOT_SO}|\bnot\b|n't)"
_ANOTHER_OPTION = re.compile(
    rf"(?:{_NOT_OR}[^\n]){{0,60}}?\b(?:{_CONTRAST}|{_IN_ORDER}|or)\b(?:{_NOT_OR}[^;\n])*\s\(?[a-j]\)?(?:\.\s(?:both|either|each|they)\b[^.]*)?\W*\Z"
)
_OPTION_IS = re.compile(
    rf"[)\].]*\s(?!(?:because|since|as|the|this|that|it|an?|all|every|option|choice|[a-z]+ing)\b)(?:[^\s.;,:]+\s){{1,3}}(?:{REFUTED}|(?:(?:has\sto|must)\sbe|is)\s(?:ruled\sout|discarded|rejected|dropped)\b)",
)
"""`(A) 5 hours is wrong.`"""
_MAX_CHARS = 300


def goes_on(said: Place, *, marked: bool) -> bool:
    """Return whether a text goes on from a value to another one, and ends with that.

    What is `marked` as the answer is only given up within its sentence.

    >>> from rewardkit.verifiers.extraction.objections.place import place_of
    >>> goes_on(place_of("33", "I first get 33, but a recount shows 29."), marked=False)
    True
    >>> goes_on(place_of("33", "I get 33, but not by adding the 4."), marked=False)
    False
    """
    value = said.value
    rest = said.after if marked else f"{said.after}{said.stop} {said.behind}"
    if not has_digit(value) or not has_digit(rest):
        return False
    other = (_BUT_THEN if marked else _GOES_ON).match(rest)
    return other is not None and other["last"] not in value


def leaves_option(letter: str, value: str, text: str) -> bool:
    """Return whether a text says of the option that it names that it is wrong, or offers another.

    >>> leaves_option("C", "C", "C, or maybe D"), leaves_option("A", "A", "(A) 5 hours is wrong.")
    (True, True)
    >>> leaves_option("A", "A", "(A) The sum is wrong."), leaves_option("C", "C", "C, not D")
    (False, False)
    """
    at = text.find(letter, max(0, text.rfind(value)))
    rest = text[at + 1 :].lower().replace("’", "'")
    if at < 0 or len(rest) > _MAX_CHARS:
        return False
    return bool(_OPTION_IS.match(rest) or _ANOTHER_OPTION.match(rest))
