"""A number that an answer without digits says in words of another language, or in Chinese signs."""

from __future__ import annotations

import re

from rewardkit.verifiers.vocabulary.numbers import CHINESE_DIGITS, NUMBER_WORDS_ELSEWHERE

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_DIGIT = f"([{''.join(CHINESE_DIGITS)}])?"
_CHINESE = re.compile(rf"\W*[是为]?(?:{_DIGIT}(十))?{_DIGIT}[^\W\d_]{{0,2}}\W*")
_MAX_CHARS = 200


def number_elsewhere(text: str) -> str | None:
    """Return the one number that a short text says in words of another language.

    >>> number_elsewhere("Es sind zwölf Äpfel."), number_elsewhere("due o tre")
    ('12', None)
    """
    if len(text) > _MAX_CHARS:
        return None
    said = [word for word in _WORD.findall(text.lower()) if word in NUMBER_WORDS_ELSEWHERE]
    if len(said) == 1:
        return str(NUMBER_WORDS_ELSEWHERE[said[0]])
    signs = _CHINESE.fullmatch(text)
    if said or signs is None or not any(signs.groups()):
        return None
    tens = CHINESE_DIGITS.get(signs[1], 1) if signs[2] else 0
    return str(10 * tens + CHINESE_DIGITS.get(signs[3], 0))
