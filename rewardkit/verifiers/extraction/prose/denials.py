"""What the words around a value do to it: deny it, bound it, make it an operand."""

from __future__ import annotations

import re

from rewardkit.verifiers.vocabulary import phrases
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS, SCALES
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.sought import Beginning, Sought, holds_one
from rewardkit.verifiers.vocabulary.units import SMALLER_UNITS

_FAULTY = alternatives(phrases.FAULTS)
_NEGATED = as_pattern(
    r"(?:(?:n't|\bnot)\s+(?:think|believe|sure)\b[^.\n]{0,20}|"
    r"(?:\bnot|n't|\bno longer|\bnever|\bnor|\brather than|\bcannot be)\s*"
    r"(?:equal to|be|the answer|(?:the case|true) that(?: the answer is| it is)?)?"
    r"|\b(?:discard|reject|exclude|rule\sout|ignore|disregard|forget|fails\s(?:for|at|when|if)"
    r"|[Ww]here\sI\s(?:wrote|put|boxed|said))\s(?:the\s|my\s|that\s)?(?:\w{4,9}\s)?"
    r"|\b(?:if|whether|check(?:ed|s)? that) (?:it|this|that|the \w+)"
    r"(?:'s| is| was| were| equals))\s*(?:\\\[|\\\(|\$|\*)*\s*\Z",
    re.I,
)
_DENYING = (
    "not", "n't", "never", "nor", "no longer", "rather", "discard", "reject", "exclude", "rule",
    "fails", "if ", "whether ", "heck", "gnore", "disregard", "orget", "here I",
)  # fmt: skip
"""One of these is before every denied answer; so few words are asked sooner than a pattern."""
_BEING = (
    r"(?:is|was|['’]s|(?:would|must|has\sto|should|can|had\sto)\sbe|seems|looks"
    r"|turn(?:s|ed)\sout\s(?:to\sbe)?)"
)
_NO_GOOD = rf"(?:{_FAULTY}|errors?|rejected|discarded|dismissed|excluded|ruled\sout|void)\b"
REFUTED = (
    rf"(?:{_BEING}\s+(?:(?:also|clearly|still|thus|therefore|just|all|to\sbe)\s){{0,2}}(?:an?\s|the\s)?"
    rf"(?:\w{{1,9}}\s)?{_NO_GOOD}"
    r"|(?:is\snot|isn't|was\snot|wasn't)\s(?:the\s|an?\s|our\s)?(?:correct\s|right\s|final\s|valid\s)?"
    r"(?:answer|solution|correct|right|valid)\b|(?:cannot|can't)\sbe(?:\s(?:right|correct|so)\b|(?=\W*\Z|[,;.]))"
    r"|(?:does\snot|doesn't)\s(?:work|satisfy|fit|match|agree|add\sup|check\sout)\b"
    r"|(?:fails|contradicts|violates|overcounts|undercounts)\b|ha[sd]\san?\s(?:mistake|error|bug|typo|flaw)\b|has\sthe\s(?:wrong\s\w+|\w+\swrong)\b)"
)
"""What is said of a value that is no answer."""
_DENIED = as_pattern(
    r"(?:[\s$*\"')]|\\[)\]])*+(?:\?\s*No\b"
    rf"|(?:(?!it|this|that|which|there|and|but|so|he|she|they)[a-z]{{2,10}}\s)?{REFUTED})",
    re.I,
)
_AWAY = r"\s*(?i:the\s+|a\s+|number\s+|value\s+|be\s+|equal\s+|to\s+){0,3}[\"'(\[]*\s*\Z"
_LEADS_AWAY = as_pattern(
    r"\W(?:(?:except(?: for)?|exclud(?:es?|ing)|other than|anything but|all but"
    r"|(?:any|every) (?:[a-z]+ ){1,2}but|besides|unless|differ(?:ent|s) from"
    r"|without|rul(?:ed?s?|ing) out|(?<!only )possibility is|between|at (?:least|most)"
    r"|(?:more|less|fewer|\w{2,9}er) than|exceeds?|above|below"
    r"|over|under|(?<!adds )(?<!add )(?<!sums )(?<!sum )(?<!adding )up to|as (?:many|much|few) as"
    r"|no|not|never|nor|minus|plus|negative|twice|thrice|double|triple|half(?: of)?"
    r"|(?:times|multiplied by|divided by|root of|power(?: of)?|factorial of|modulo|mod|instead of"
    r"|rather than))"
    rf"|or else|(?:digits?|multiples?|factors?|divisors?|percent|fraction) of){_AWAY}",
    re.I,
)
"""Words that make the number after them an operand, a bound, or one that is denied. It begins with
the sign before the word, or every place would be tried."""
_LEADS_AWAY_SIGNS = as_pattern(
    rf"[nN\d%](?i:(?<=n)'t|(?<=[\d%])\s*(?:to|out of|of|in|per|vs\.?|versus)){_AWAY}"
)
_LEADS_AWAY_IN_CHINESE = as_pattern(
    rf"(?:(?:不|并非|除了?|大于|小于|多于|少于|至少|至多|超过)(?:是|为|等于)?|(?<![分占之])比){_AWAY}"
)
_LAST_AWAY = (
    "for", "except", "excluding", "excludes", "exclude", "than", "from", "but", "besides",
    "unless", "without", "out", "is", "between", "least", "most", "exceeds", "exceed", "above",
    "below", "over", "under", "to", "as", "no", "not", "never", "nor", "minus", "plus",
    "negative", "twice", "thrice", "double", "triple", "half", "power", "of", "by", "times",
    "modulo", "mod", "else", "n't", "in", "per", "vs", "vs.", "versus", "the", "a", "number",
    "value", "be", "equal", "不", "非", "除", "了", "于", "少", "多", "过", "比", "是", "为",
)  # fmt: skip
"""What these phrases end with: few texts end so, and only those are searched."""
_REACHES = as_pattern(
    r"\b(?:can|could|able to)\s(?:[a-z]+\s){1,3}(?:at most|up to)\s\Z"
    r"|\b(?:needs?|must|has to|have to|requires?)\s(?:[a-z]+\s){0,2}at least\s\Z"
)
"""The most that somebody can do, or the least that is needed, is what was asked for."""
_PLACE = as_pattern(rf"\W{alternatives(phrases.REFERENCES)}s?\.?\s[(\[]?\Z", re.I)
_BEHIND = r"\s*[\"')\]]*\s*"
_TURNS_BACK = Beginning(
    rf"{_BEHIND}\?|{_BEHIND}(?:or (?:more|less|fewer|even|so|{alternatives(phrases.DOUBTS)})\b"
    r"|(?:squared|cubed|factorial|plus|minus)\b|(?:per|pro)\smil(?:le)?\b|ppm\b"
    rf"|and\s(?:a\s)?{alternatives(NUMBER_WORDS)}\b|as\swell\sas\s\d"
    r"|(?:times|multiplied by|divided by|modulo|mod)\s+"
    r"(?:(?:that|this(?!\s(?:day|week|month|season|year)\b)|(?:the|its)(?!\s(?:original|old|initial|previous)\b[^\d,]*[.!]?\Z)|[b-zB-Z])\b|[(\\])"
    r"|(?:also |still )?(?:fails?|failed)\b|[(,]?\s*(?:rejected|discarded|invalid|extraneous)\b"
    r"|(?:is|was|does|did|can|could|will|would|should|must)?\s*(?:n't|not)\b|\w{2,6}n't\b|cannot\b"
    r"|(?:is|are|was|would be|seems|looks)\s+(?:also\s+|clearly\s+|too\s+|a\s+(?:\w+\s+)?)?"
    rf"(?:{_FAULTY}|excluded|rejected|ruled out|out of|too|never|no)\b)"
)
_UNSOLVED = Sought(
    r"\bno (?:\w{2,9} ){0,2}(?:solutions?|answers?|such)\b|\b(?:is|does|do|are) not (?:\w{2,9} )?"
    r"(?:correct|right|valid|possible|the answer|a solution|solutions|exist|work|satisfy)\b"
    rf"|\b(?:that|this|it) is (?:an? )?(?:mistake|error|{_FAULTY})\b"
    r"|\b(?:extraneous|contradict\w{0,5}|cannot be (?:determined|the|right|correct))\b"
)
"""What after a number says that it was not the answer."""
_NAMED_PARTS = alternatives(name for name in SMALLER_UNITS if len(name) > 2)
_OPERAND_AFTER = as_pattern(r"(?<=\S)[^\S\n]*[-−–+/^×·÷√<>≤≥≠]\s*\Z|\bor\s*\Z|\d,?\s+and\s+\Z")
_OPERAND_BEFORE = as_pattern(
    rf"\s*(?:,?\s*(?:or|{alternatives(phrases.OR_ELSEWHERE)}(?=\s[-−]?\d))\b|"
    r"(?:,|,?\s*and)\s+[-−]?\d|[-−–+/^×·÷*]\s*[\d(\\√]"
    rf"|{alternatives(['hundred', *SCALES])}\b|[a-z]{{2,8}}\s+and\s+\d+\s*{_NAMED_PARTS}\b)"
)
"""What makes a formula a part of what plain text around it says: `$7$ million`, `3 or $7$`."""


def is_negated(before: str) -> bool:
    """Return whether the words before an answer deny it: `it is not`."""
    return holds_one(before, _DENYING) and _NEGATED.search(before) is not None


def is_denied(text: str, end: int) -> bool:
    """Return whether the words after an answer deny it: `is incorrect`, `? No`."""
    return _DENIED.match(text, end) is not None


def leads_away(before: str) -> bool:
    """Return whether the words before a number make it an operand or a bound, or deny it.

    >>> leads_away("It is at most "), leads_away("So he can buy at most ")
    (True, False)
    """
    if not _may_lead_away(before):
        return False
    away = _LEADS_AWAY.search(f" {before}") or _LEADS_AWAY_SIGNS.search(before)
    if away is None and not before.isascii():
        away = _LEADS_AWAY_IN_CHINESE.search(before)
    return away is not None and not _REACHES.search(before)


def _may_lead_away(before: str) -> bool:
    return before.rstrip().rstrip("\"'([").rstrip().lower().endswith(_LAST_AWAY)


def numbers_a_place(before: str) -> bool:
    """Return whether the number behind these words counts a place: `exercise 12`."""
    return _PLACE.search(f" {before}") is not None


def turns_back(after: str) -> bool:
    """Return whether the words after a number make it an operand or a bound, or deny it."""
    return bool(_TURNS_BACK.match(after) or _UNSOLVED.search(after))


def goes_on(after: str) -> bool:
    """Return whether the text after a formula makes it a part of something larger."""
    return _OPERAND_BEFORE.match(after) is not None


def is_part(before: str, after: str) -> bool:
    """Return whether the text around a formula takes it as an operand, bounds it or denies it."""
    return (
        _OPERAND_AFTER.search(before) is not None
        or goes_on(after)
        or leads_away(before)
        or turns_back(after)
    )
