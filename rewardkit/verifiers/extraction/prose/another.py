"""An answer beside which another one is named: `45 (alternatively 46)`, `B (or C)`."""

from __future__ import annotations

import re
from fractions import Fraction

from rewardkit.verifiers.vocabulary.letters import OPTION_LETTER
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import DOUBTS
from rewardkit.verifiers.vocabulary.sought import Sought

_VALUE = (
    r"(-?\d+(?:,\d{3})*(?:\.\d+)?(?:/\d+)?(?![\d.,/]*\d)"
    rf"|(?-i:{OPTION_LETTER})|yes|no|true|false)"
)
_MAYBE = (
    rf"(?:{alternatives(DOUBTS)}|quizás?|tal\svez|peut-être|vielleicht|forse|talvez|bien|auch|else)"
)
_ANOTHER = Sought(
    rf"[\w}})$][\s$.,;:(\[–—-]{{1,4}}(?:(?:or|oder|ou|o|oppure|ossia)\s(?:{_MAYBE}\s){{0,2}}|alternatively,?\s"
    rf"|{_MAYBE}\s|(?:it\s)?(?:could|might|may)\s(?:also|equally|as\swell)\sbe\s|if\snot,?\s(?:then\s)?"
    rf"|failing\sthat,?\s|(?:second|other|next)\s(?:choice|guess|option):?\s)"
    rf"(?:it\sis\s)?[$]?{_VALUE}[$]?(?=(?:\s[^\W\d_]{{1,12}})?\s*(?:[).,;!?\]]|\Z|(?:if|when|too|also)\b))"
    rf"|[\w}})$][\s$.,;:(\[–—-]{{1,4}}(?:(?:but|though|although|and)\s)?[$]?{_VALUE}[$]?"
    r"\s(?:is|was|works|(?:would|could|might|may)\s(?:also\s)?be)"
    r"\s(?:(?:also|equally|just\sas|as|still|well)\s){0,2}"
    r"(?:acceptable|possible|correct|fine|right|valid|okay|ok|good|plausible|likely)(?:\s(?:too|as\swell))?\b"
)
_WHERE = (
    r"(?:if|when|whenever|where|provided|for\s(?:odd|even|all|positive|negative|prime|[a-z]\s))"
)
_IN_OTHER_CASE = Sought(
    rf"[\w}})$]\s?,?\s{_WHERE}\b[^.!?\n]{{1,80}}?(?:[,;]|\sand|\sbut|\sor)\s"
    rf"(?:(?:and|but|or|also|it\sis)\s)?(?:[$]?{_VALUE}[$]?(?:\s[a-z]+)?,?\s(?:{_WHERE}|otherwise|else)\b"
    rf"|(?:otherwise|else),?\s(?:it\sis\s)?[$]?{_VALUE}(?=\W|\Z))"
)
"""One value in one case and another in another: `33 if n is odd, 34 if n is even`."""
_FIRST = re.compile(rf"(?<![\w.]){_VALUE}", re.I)
_UNIT = re.compile(r"[^\s\w]?(?:\s[^\W\d_]+){0,2}")
"""What is counted, which may stand between the two."""
_MAX_CHARS = 300


def names_another(text: str) -> bool:
    """Return whether behind its first value a text offers a different one for the same.

    >>> names_another("45 (alternatively 46)"), names_another("45, though 46 is possible too")
    (True, True)
    >>> names_another("90 minutes (or 2 hours)")
    True
    >>> names_another("1/2 (or 0.5)"), names_another("45 (40 + 5)")
    (False, False)
    >>> names_another("33 if n is odd, 34 if n is even"), names_another("33 if n is odd")
    (True, False)
    """
    text = text[:_MAX_CHARS]
    for sign in (_ANOTHER, _IN_OTHER_CASE):
        if sign.may_be_in(text) and _is_beside(sign, text):
            return True
    return False


def _is_beside(sign: Sought, text: str) -> bool:
    first = _FIRST.search(text)
    other = sign.search(text, max(0, first.end() - 1)) if first else None
    if other is None or first is None:
        return False
    if not _UNIT.fullmatch(text, first.end(), max(first.end(), other.start() + 1)):
        return False
    return _plain(first[1]) != _plain(other[1] or other[2])


def another(text: str, place: int) -> str | None:
    """Return the value that is offered right behind a place in a text, or None.

    >>> another("It is 45 (alternatively 46).", 8), another("It is 45 (40 + 5).", 8)
    ('46', None)
    """
    behind = f"0{text[place : place + _MAX_CHARS].lstrip('$')}"
    if not _ANOTHER.may_be_in(behind):
        return None
    other = _ANOTHER.search(behind)
    return (other[1] or other[2]) if other and not other.start() else None


def _plain(value: str) -> Fraction | str:
    try:
        return Fraction(value.replace(",", ""))
    except (ValueError, ZeroDivisionError):
        return value.lower()
