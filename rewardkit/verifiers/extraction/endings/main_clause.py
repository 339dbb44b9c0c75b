"""The clause that a last sentence comes to, behind what it weighs first: `Many say 60; it is 64`.

What stands before it may hold other values, or even a doubt that it settles; it may not suppose
anything, give up, or speak of what is only shown.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.vocabulary.patterns import alternatives, last_of
from rewardkit.verifiers.vocabulary.phrases import CONCLUSIONS
from rewardkit.verifiers.vocabulary.sought import Sought, holds_one

_SO = rf"(?:{alternatives(CONCLUSIONS)}|but|yet)"
_BOUNDARY = re.compile(
    rf",\s(?:and\s)?{_SO},?\s|;\s(?:and\s)?(?:{_SO},?\s)?|:\s|\s[—–]\s(?:{_SO},?\s)?"
    r"|[;,]\s(?:as|since|because)\s[^,;]*,\s(?=it\s|the\s|there\s)|,\swhich\s(?=gives|makes|leaves)"
    r"|[.!]\s(?=Here\s)"
)
_VALUE = r"[^\s,;:]*[\d\\π√][^;:]{0,60}?"
_QUALITY = (
    r"(?:correct|right|true|actual|real|wanted|required|requested|missing|final|proper|whole|exact"
    r"|resulting|desired|only|smallest|largest|least|greatest|minimum|maximum|total)"
)
_STATES = re.compile(
    r"(?:(?:here|now|then|in\sfact|actually|indeed)\s)?(?:the|its|their|his|her)\s"
    rf"(?:{_QUALITY}\s|(?=[a-z]+\s(?:is|was|are|must|has|equals|we|in\squestion|asked|sought|wanted)\b))"
    r"(?:[a-z'’-]+\s){0,7}?(?:is|was|are|equals|must\sbe|has\sto\sbe|comes\sto)\s(?:then\s|thus\s|just\s|exactly\s)?"
    rf"{_VALUE}\W*\Z"
    rf"|(?:it|that|this)(?:['’]s|\s(?:is|was|must\sbe|has\sto\sbe))\s(?:just\s|exactly\s)?{_VALUE}\W*\Z"
    rf"|there\s(?:are|is|were|must\sbe)\s(?:exactly\s|only\s)?{_VALUE}\W*\Z"
    rf"|(?:gives|makes|leaves)\s(?:us\s|exactly\s)?{_VALUE}\W*\Z",
    re.I,
)
_ASKED = re.compile(
    r"(?:\b(?:asked|wanted|sought|settles?|decides?|remains|left|leaves|conclusion|result)\b[^:]{0,40}|\bsettles\sit"
    r"|\bday\s(?:after|before)\sit):\s\Z"
)
"""What leads to all that stands behind its colon."""
_ALONE = re.compile(r"[^\s,;:]*[\d\\][^,;:]{0,30}|[A-Z](?=\W*\Z)")
_WORDS_OF_TEXT = re.compile(
    r"\b(?:page|exercise|question|problem|step|line|example|chapter|section|task|time|word|token|year|guess|mistake|error"
    r"|wrong|false|usual|common|first|old|previous|other|bound|limit)s?\b",
    re.I,
)
_NOT_SETTLED = Sought(
    r"\b(?:if|unless|suppose|supposing|assum\w+|imagine|whether|maybe|perhaps|probably|possibly"
    r"|cannot|can['’]t|could\snot|couldn['’]t|unable|impossible|unclear|unknown|unsure|uncertain"
    r"|don['’]t|do\snot|doesn['’]t|no\sidea|no\sclue|not\ssure|not\scertain|depend\w*|would\sbe|when|hint"
    r"|otherwise|case|page|exercise|hope|wish|random|key|prompt|system|grader|reward)\b|\?"
)
_OF_OTHERS = Sought(r"\b(?:told|says?|said|claims?|claimed|examples?|instance|guess\w*|says)\b")
_CONTRASTS = ("but", "yet")
"""Behind these, it is no matter what others say."""
_DOUBTED = re.compile(
    r"\b(?:not|never|maybe|perhaps|probably|possibly|might|may|could|if|unless|or|either|about|around|guess\w*|when"
    r"|otherwise|depend\w*)\b|n['’]t\b|\?",
    re.I,
)
_DISMISSED = re.compile(
    r";\s(?:even\s|already\s|but\s)?\$?(?P<other>\d[\d.,/]*)\$?\s(?:is|would|was|does|has|fails|cannot|leaves|gives)\b"
    r"(?=[^;.]*(?:\bnot\b|n['’]t\b|\btoo\b|\bfails\b|\bno\b))[^;.]*[.!]?\s*\Z"
    r"|;\sthe\s(?:points?|values?|numbers?|others?|rest)\b[^;]*(?:n['’]t|\bnot)\s(?:asked|wanted|needed|required)\b[^;.]*[.!]?\s*\Z"
)
"""Behind a value, what is said of another one that is none: `90; 89 is not divisible by 3`."""
_PROVES = re.compile(
    r"(?:(?<=\d)|(?<=\d\$)|(?<=\d\s[a-z]m)|(?<=\d\sm)),?\s(?:(?:since|because)\s\$[^$]*=[^$]*\$"
    r"|(?:since|because|as)\s\d[\d\s.,·*×+/^()=-]*=[\d\s.,·*×+/^()=-]*)[.!]?\s*\Z"
)
"""Behind a value, the calculation that shows it: `77 since $847 = 11\\cdot77$`."""
_PROVING = ("since", "because", "as")
_COMPARES = re.compile(
    r",(?<=\d,)\s(?:so|that\sis|i\.e\.),?\s(?:slightly|somewhat|just|barely|a\s(?:bit|little)|well|far|much)\s"
    r"(?:below|above|under|over|less\sthan|more\sthan|smaller\sthan|larger\sthan)\s[^.\d]*[.!]?\s*\Z"
)
_MAX_PROOF = 120
_NUMBER = re.compile(r"\d[\d.,/]*(?<=\d)")
_MAX_CHARS = 400


def without_dismissed(text: str) -> str:
    """Return a text without what its last sentence says of a value that is not the answer.

    That is one that fails, one that it is compared with, or a calculation that proves it.

    >>> without_dismissed("The smallest one is 90; 89 is not divisible by 3.")
    'The smallest one is 90.'
    >>> without_dismissed("The factor is 77 since $847 = 11*77$.")
    'The factor is 77.'
    """
    near = text[-_MAX_PROOF:]
    proves = "=" in near and holds_one(near, _PROVING)
    beside = _PROVES.search(near) if proves else None
    if (beside := beside or _COMPARES.search(near)) is not None:
        return f"{text[: len(text) - len(near) + beside.start()]}."
    found = _DISMISSED.search(text, max(0, len(text) - _MAX_CHARS)) if ";" in text else None
    if found is None:
        return text
    before = text[: found.start()]
    numbers = _NUMBER.findall(before.rsplit("\n", 1)[-1])
    other = found["other"]
    if not numbers or (other and numbers[-1] == other.rstrip(".,")):
        return text
    return f"{before}."


def main_clause(sentence: str, before: str = "") -> str | None:
    """Return the clause that a sentence comes to and that states a value, else None.

    >>> main_clause("60 is what most people say, but the correct number is 64.")
    'the correct number is 64.'
    >>> main_clause("I cannot tell, but the number is 64."), main_clause("It is 64.")
    (None, None)
    """
    if len(sentence) > _MAX_CHARS:
        return None
    last = last_of(_BOUNDARY.finditer(sentence))
    if last is None or _NOT_SETTLED.search(sentence[: last.end()] + before):
        return None
    if not holds_one(last[0], _CONTRASTS) and _OF_OTHERS.search(sentence[: last.end()]):
        return None
    clause = sentence[last.end() :]
    if _DOUBTED.search(clause):
        return None
    if ":" in last[0]:
        led = _ASKED.search(sentence[: last.end()]) is not None
        if not led or _ALONE.fullmatch(clause.strip(" .!$*")):
            return clause if led else None
    if not _STATES.match(clause) or _WORDS_OF_TEXT.search(clause):
        return None
    return f"this {clause}" if last[0].endswith("which ") else clause
