"""A value said again as another number: `-300, that is, a loss of 300`, `18 giờ, tức 6 giờ chiều`.

The first one answers; the second is as far below zero, or the same hour on a clock of twelve.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.sought import Sought, holds_one

_SAME = (
    r"(?:that\sis(?:\sto\ssay)?|i\.\s?e\.|in\sother\swords|which\s(?:is|means)|meaning|es\sdecir|o\ssea"
    r"|das\sheißt|d\.\s?h\.|also|soit|c['’]est-à-dire|cioè|ossia|ou\sseja|tức(?:\slà)?)"
)
_LOSS = (
    r"(?:loss|los[te]|loses|losing|drop(?:s|ped)?|decreased?|declined?|deficit|debts?|owes?|f[ae]ll|falls|fallen"
    r"|reduction|shortfall|down|below|Verlust|Schulden?|Rückgang|unter|pérdida|deuda|caída|bajo|perte|dette"
    r"|baisse|sous|perdita|debito|calo|sotto|perda|dívida|queda|lỗ|giảm|nợ)"
)
_SIZE = r"(\d(?:[\d.,]*\d)?)"
_BELOW_ZERO = Sought(
    rf"(?<![\w.,/)}}\]])(?:[-−](?:\\?[$€£])?|\\?[$€£][-−]){_SIZE}\$?(?:\s?[^\W\d_]+)?\$?"
    rf"(?P<again>,?\s\(?{_SAME},?\s(?:[^\W\d_]+\s){{0,5}}?{_LOSS}\s(?:[^\W\d_]+\s){{0,3}}?"
    rf"(?:\\?[$€£]\s?)?{_SIZE}(?:\s?\\?%)?(?:[\s$]+[^\W\d_]+){{0,2}}[$.!)]*\s*\Z)"
)
_HOUR = as_pattern(
    rf"(?<![\w.,:]){_SIZE}\s(?P<unit>giờ|Uhr)(?:\s(?!also)[a-z]+)?(?P<again>,?\s\(?{_SAME}\s(?:(?:um|lúc)\s)?"
    rf"{_SIZE}\s(?P=unit)(?:\s[^\W\d_]+){{0,2}}[.!)]*\s*\Z)"
)


def without_restatement(text: str) -> str:
    """Return a text without what its end says again of the value before it.

    >>> without_restatement("The profit is -$250, that is, a loss of $250.")
    'The profit is -$250.'
    >>> without_restatement("The profit is -$250, that is, a loss of $20 a day.")
    'The profit is -$250, that is, a loss of $20 a day.'
    """
    found = _BELOW_ZERO.search(text)
    if found is None or not _as_large(found):
        found = _HOUR.search(text) if holds_one(text, ("giờ", "Uhr")) else None
        if found is None or not _same_hour(found):
            return text
    return f"{text[: found.start('again')]}."


def _as_large(found: re.Match[str]) -> bool:
    first, second = (found[k].replace(",", "") for k in (1, 3))
    return first == second


def _same_hour(found: re.Match[str]) -> bool:
    first, second = found[1], found[4]
    return first.isdecimal() and second.isdecimal() and int(first) % 12 == int(second) % 12
