r"""Which quantity of a closing sentence the working before it came to.

`135 / 27 = 5 weeks.\n\nJaime will save 135 in 5 weeks.` answers 5: of several quantities the answer
is the one that the last calculation before the sentence came to, where exactly one of them is.
"""

from __future__ import annotations

import re
from decimal import Decimal

from rewardkit.verifiers.extraction.prose.cuts import CLAUSES, LEADING
from rewardkit.verifiers.extraction.prose.cutter import after
from rewardkit.verifiers.vocabulary.alternatives import CHECKING
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS
from rewardkit.verifiers.vocabulary.patterns import alternatives, last_of
from rewardkit.verifiers.vocabulary.sought import Sought

_MAX_BEFORE, _MAX_LINE = 400, 200
_RESULT = as_pattern(
    r"[=≈]\s*(?:\\text\{\s*)?(?:\\?\$\s?|[€£]\s?)?(?P<value>-?\d(?:[\d,]*\d)?(?:\.\d+)?)(?![\w^]|[.,:/]\d)(?P<behind>[^=≈\d]*)\Z"
)
"""What the last calculation comes to, and the words behind it."""
_CALCULATES = as_pattern(
    r"[\d)}%a-z]\s*(?:[-−–+*/×÷·x:]|\\(?:times|cdot|div))\s*[$€£(\\{]*\d|\\[dt]?frac|\\(?:times|div)\b"
)
_CHECKS = as_pattern(
    rf"\b(?:{CHECKING}|check\w*|verif\w+|confirm\w*|prov(?:es?|ing)|indeed|if|would)\b", re.I
)
"""What makes of a calculation a check, or one of what is only supposed."""
_SIGNS = as_pattern(r"\\[()\[\]]|\\text\{([^{}]*)\}|\*\*|\{,\}|\\[,;!]|\$")
_QUANTITY = as_pattern(
    r"(?<![\w.,/^:\\-])(?P<digits>-?\d(?:[\d,]*\d)?(?:\.\d+)?)(?![\w/^:–-]|[.,]\d|\s?[-+*/×÷·=]\s?\d|\.?\d|(?:st|nd|rd|th)\b)"
    rf"|\b(?P<word>{alternatives(word for word in NUMBER_WORDS if NUMBER_WORDS[word] > 1)})\b(?!-)",
    re.I,
)
_KNOWN = as_pattern(
    r"\b(?:the|th[eo]se|all|both|each\sof|every|his|her|their|its|our|of|step|day|page|number|least|most|than|over|under"
    r"|not|from|between|since|because|given|if)\s(?:the\s|only\s|first\s|last\s|other\s|remaining\s|about\s)*\$?\Z",
    re.I,
)
"""What stands before a count that is known, a bound, or the number of something."""
_STATED = as_pattern(
    r"(?::|\b(?:is|are|be|equals?|equal\sto|total(?:\sof)?|answer|namely|leaving|making|which\sleaves))\s*(?:about\s|only\s|just\s|exactly\s)?[$(\\]*\Z",
    re.I,
)
"""What says of the value behind it that it is the one."""
_COUNT = as_pattern(r"-?\d[\d.,]*(?:\s?(?:\\?%|[a-z]+))?")
"""What may be another quantity of the sentence, no point, chain or calculation."""
_DENIES = as_pattern(
    r"\b(?:not|never|cannot|no)\b|n['’]t\b|\b(?:if|unless|whether|since|because|although)\s[^,]*\Z",
    re.I,
)
"""What denies the count behind it, or only supposes or knows it."""
_BOUND = Sought(
    r"\b(?:at\s(?:least|most)|up\sto|no\s(?:more|less|fewer)\sthan|an?\s(?:minimum|maximum)\sof)"
    r"\s(?:a\stotal\sof\s)?(?=[$\\(]*\d)"
)
_AMOUNT = as_pattern(r"[$\\(]*(\d(?:[\d,]*\d)?(?:\.\d+)?)(?![.,/]?\d)")
_PERCENT = as_pattern(r"\s?(\\?%|percent\b)")


def last_result(before: str) -> Decimal | None:
    """Return what the last calculation of a text comes to that nothing with a number follows.

    >>> last_result("He needs 20 / 2 = 10 boxes."), last_result("10 = 20 / 2. Each box holds 2.")
    (Decimal('10'), None)
    """
    near = before[-_MAX_BEFORE:]
    if "=" not in near and "≈" not in near:
        return None
    near = _SIGNS.sub(_plain, near)
    found = _RESULT.search(near, max(near.rfind("="), near.rfind("≈")))
    if found is None:
        return None
    start = near.rfind("\n", 0, found.start()) + 1
    if not near[start : found.start()].strip(" =") and start:
        start = near.rfind("\n", 0, start - 1) + 1  # a line that goes on with `= 20`
    steps = near[start : found.start()][-_MAX_LINE:]
    if not _CALCULATES.search(steps) or _CHECKS.search(near, max(0, start - 40)):
        return None
    return Decimal(found["value"].replace(",", ""))


def _plain(sign: re.Match[str]) -> str:
    return {"{,}": ",", "\\,": "", "\\!": ""}.get(sign[0], sign[1] or " " if sign[0] != "$" else "")


def without_bound(text: str) -> str:
    """Return a text whose last count is no bound where the working came to just that count.

    >>> without_bound("7 * 13 = 91. So he felled at least 91 trees.")
    '7 * 13 = 91. So he felled 91 trees.'
    >>> without_bound("7 * 13 = 91. So he felled at least 90 trees.")
    '7 * 13 = 91. So he felled at least 90 trees.'
    """
    bound = last_of(_BOUND.finditer(text))
    amount = _AMOUNT.match(text, bound.end()) if bound else None
    if bound is None or amount is None or has_digit(text[amount.end() :]):
        return text
    exact = last_result(text[: bound.start()]) == Decimal(amount[1].replace(",", ""))
    return text[: bound.start()] + text[bound.end() :] if exact else text


def quantity_worked_out(before: str, sentence: str, stated: str) -> str | None:
    """Return the quantity of a sentence that the working before it came to, or None.

    None as well where the sentence calculates, and where the stated one, as the sentence alone is
    read, is that already or is what it says by `is`.

    >>> quantity_worked_out("135 / 27 = 5 weeks.", "Jo will save 135 in 5 weeks.", "135")
    '5'
    >>> quantity_worked_out("24 / 2 = 12.", "So the 12 boxes hold 60 pens.", "60") is None
    True
    """
    if "=" in sentence or (stated and not _COUNT.fullmatch(stated)):
        return None
    first = _QUANTITY.match(stated)
    if (result := last_result(before)) is None or (first and _value(first) == result):
        return None
    clause = after(CLAUSES, after(LEADING, _SIGNS.sub(_plain, sentence)))
    same = [one for one in _QUANTITY.finditer(clause) if _value(one) == result]
    if len(same) != 1:
        return None
    one = same[0]
    if _is_known(clause, one) or (stated and not (first and _is_beside(clause, first[0]))):
        return None
    return f"{one[0]}\\%" if _PERCENT.match(clause, one.end()) else one[0]


def _value(quantity: re.Match[str]) -> Decimal:
    digits = quantity["digits"]
    if digits is None:
        return Decimal(NUMBER_WORDS[quantity["word"].lower()])
    return Decimal(digits.replace(",", ""))


def _is_known(clause: str, quantity: re.Match[str]) -> bool:
    """Return whether a quantity is one that is spoken of, a bound, or denied."""
    before = clause[: quantity.start()]
    return _KNOWN.search(before) is not None or _DENIES.search(before) is not None


def _is_beside(clause: str, stated: str) -> bool:
    """Return whether nothing says of what is stated that it is the one, as `is` does."""
    at = clause.find(stated)
    return at < 0 or _STATED.search(clause, 0, at) is None
