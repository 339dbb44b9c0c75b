"""Where the statement of a text stands that is not all of its last sentence.

It is the clause that a sentence comes to, behind what it weighs first (`Many say 60; it is 64`),
what takes the place of a denied value (`not 16 but 15`), or a sentence before the last, if that
concludes: `There are 21 seats. Some of them are taken.` states a fact of the task and no answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rewardkit.verifiers.vocabulary.alternatives import ORDINAL_ENDS
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS, PARTS
from rewardkit.verifiers.vocabulary.patterns import alternatives, last_of, left_open_by
from rewardkit.verifiers.vocabulary.phrases import CONCLUSIONS, CONCLUSIONS_ELSEWHERE
from rewardkit.verifiers.vocabulary.sought import Sought, holds_one

_SO = rf"(?:{alternatives(CONCLUSIONS)}|but|yet)"
_BOUNDARY = as_pattern(
    rf",\s(?:and\s)?{_SO},?\s|;\s(?:and\s)?(?:{_SO},?\s)?|:\s|\s[—–]\s(?:{_SO},?\s)?"
    r"|[;,]\s(?:as|since|because)\s[^,;]*,\s(?=it\s|the\s|there\s)|,\swhich\s(?=gives|makes|leaves)"
    r"|[.!]\s(?=Here\s)"
)
_VALUE = r"[^\s,;:]*[\d\\π√][^;:]{0,60}?"
_QUALITY = (
    r"(?:correct|right|true|actual|real|wanted|required|requested|missing|final|proper|whole|exact"
    r"|resulting|desired|only|smallest|largest|least|greatest|minimum|maximum|total)"
)
_STATES = as_pattern(
    r"(?:(?:here|now|then|in\sfact|actually|indeed)\s)?(?:the|its|their|his|her)\s"
    rf"(?:{_QUALITY}\s|(?=[a-z]+\s(?:is|was|are|must|has|equals|we|in\squestion|asked|sought|wanted)\b))"
    r"(?:[a-z'’-]+\s){0,7}?(?:is|was|are|equals|must\sbe|has\sto\sbe|comes\sto)\s(?:then\s|thus\s|just\s|exactly\s)?"
    rf"{_VALUE}\W*\Z"
    rf"|(?:it|that|this)(?:['’]s|\s(?:is|was|must\sbe|has\sto\sbe))\s(?:just\s|exactly\s)?{_VALUE}\W*\Z"
    rf"|there\s(?:are|is|were|must\sbe)\s(?:exactly\s|only\s)?{_VALUE}\W*\Z"
    rf"|(?:gives|makes|leaves)\s(?:us\s|exactly\s)?{_VALUE}\W*\Z",
    re.I,
)
_ASKED = as_pattern(
    r"(?:\b(?:asked|wanted|sought|settles?|decides?|remains|left|leaves|conclusion|result)\b[^:]{0,40}|\bsettles\sit"
    r"|\bday\s(?:after|before)\sit):\s\Z"
)
"""What leads to all that stands behind its colon."""
_ALONE = as_pattern(r"[^\s,;:]*[\d\\][^,;:]{0,30}|[A-Z](?=\W*\Z)")
_WORDS_OF_TEXT = as_pattern(
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
_DOUBTED = left_open_by(
    r"maybe|perhaps|probably|possibly|may|if|unless|or|about|around|guess\w*|when|otherwise|depend\w*"
)
_ORDINAL = (
    rf"(?:\d+(?:{ORDINAL_ENDS})|first|second|third"
    rf"|{alternatives(name for name in PARTS if name.endswith('h'))})"
)
_NTH = as_pattern(rf"\bthe\s{_ORDINAL}\s[^;.,]*\sis\s\$?\d[\d.,/]*\$?\Z", re.I)
"""What leaves a later one beside the answer: `The 11th prime is 31; the 12th would be 37.`"""
_DISMISSED = as_pattern(
    r";\s(?:even\s|already\s|but\s)?\$?(?P<other>\d[\d.,/]*)\$?\s(?:is|would|was|does|has|fails|cannot|leaves|gives)\b"
    r"(?=[^;.]*(?:\bnot\b|n['’]t\b|\btoo\b|\bfails\b|\bno\b))[^;.]*[.!]?\s*\Z"
    rf"|[;,.]\s[Tt]he\s(?P<nth>{_ORDINAL})(?:\s[a-z]+){{0,2}}\swould\sbe\s\$?\d[^\s;]*?\$?[.!]?\s*\Z"
    r"|;\sthe\s(?:points?|values?|numbers?|others?|rest)\b[^;]*(?:n['’]t|\bnot)\s(?:asked|wanted|needed|required)\b[^;.]*[.!]?\s*\Z"
)
"""Behind a value, what is said of another one that is none: `90; 89 is not divisible by 3`."""
_NEXT = as_pattern(
    r"\bthe\s(?:smallest|least|lowest|minimal|minimum|largest|greatest|highest)\b[^;.!?\n]{1,120}\bis\s[^;.!?\n\d]{0,12}\d[^;.!?\n]{0,20}"
    r"(?P<next>[;,]\s(?:and\s|but\s|while\s)?the\snext(?:\s(?:one|such|smallest|largest|larger|smaller|[a-z]+)){0,2}\s(?:is|would\sbe|being)\s"
    r"[^;.!?\s\d]{0,12}\d[\d.,/]*\$?[.!]?\s*\Z)",
    re.I,
)
"""Behind the least value, the one after it: `the smallest one is 5; the next one is 7`."""
_FAILS = as_pattern(r"\b(?:but|fails?|not|answer|asked)\b|n['’]t\b", re.I)
_PROVES = as_pattern(
    r"(?:(?<=\d)|(?<=\d\$)|(?<=\d\s[a-z]m)|(?<=\d\sm)),?\s(?:(?:since|because)\s\$[^$]*=[^$]*\$"
    r"|(?:since|because|as)\s\d[\d\s.,·*×+/^()=-]*=[\d\s.,·*×+/^()=-]*)[.!]?\s*\Z"
)
"""Behind a value, the calculation that shows it: `77 since $847 = 11\\cdot77$`."""
_PROVING = ("since", "because", "as")
_COMPARES = as_pattern(
    r",(?<=\d,)\s(?:so|that\sis|i\.e\.),?\s(?:slightly|somewhat|just|barely|a\s(?:bit|little)|well|far|much)\s"
    r"(?:below|above|under|over|less\sthan|more\sthan|smaller\sthan|larger\sthan)\s[^.\d]*[.!]?\s*\Z"
)
_MAX_PROOF = 120
_NUMBER = as_pattern(r"\d[\d.,/]*(?<=\d)")
_MAX_CHARS = 400
_HAS_VALUE = Sought(rf"[\d\\$]|\b{alternatives(NUMBER_WORDS)}\b")
_FEW_WORDS = 4
"""A last sentence of fewer is a courtesy or a word of the answer before it."""
_FEW_CHARS = 300
_TURN = as_pattern(r"\n(?:User|Assistant|Human)\s?:")
_END = tuple(".!?。:)*]}>\"'`”’…")
_CONCLUSION = rf"\b{alternatives(CONCLUSIONS | CONCLUSIONS_ELSEWHERE)}\b|因此|所以|一共|\banswer\b"
_CONCLUDES = as_pattern(_CONCLUSION, re.I)
_CALCULATES = as_pattern(
    rf"=|\*\*|{_CONCLUSION}|\b(?:total\w*|altogether|in\sall|then|means?|giv(?:es?|ing)|get|obtain"
    r"|which|result|leav(?:es|ing)|left|remain\w*|equals?|must|finally|value|solution|ends?\sup"
    r"|needs?|takes?|will|would)\b|共",
    re.I,
)
"""What the sentence of an answer says where the one behind it is whole."""
_SUPPOSES = as_pattern(
    r"\W*(?:if|should|suppose|assuming|in\s(?:the\s)?case|when|wenn|falls|si|se|если|如果|假设)\b",
    re.I,
)
_GIVEN = as_pattern(r"\W*(?:given|known|data|find|wanted|required|asked)\s?:", re.I)
"""`Given: 60 km in an hour. Find: the distance.`"""
_CONFIRMS = as_pattern(
    r"\W*(?:that|this|it|which)(?:['’]s|\sis)\s(?:exactly\s|just\s|also\s)?(?:the|what)\s[^.,]*"
    r"\b(?:asked|want(?:ed)?|sought|looking\sfor|required)\b",
    re.I,
)
"""What says of the value before it that it was asked for: `That is the distance asked for.`"""
_DENIES = (
    r"(?:\bnot(?!\sonly)|n['’]t|\bnicht|\bn['’]est\spas|\bno\ses|\bnon\sè|\bnão\sé|\bне)\s"
    r"[^.,;\n]{0,12}\d[^\s,;]{0,12}"
)
INSTEAD = Sought(
    rf"{_DENIES}(?:,\s[^,.;\n]{{3,40}})?,?\s"
    r"(?:but(?:\srather)?|sondern|mais(?:\sbien)?|sino|bensì|ma|mas|а)\s(?=\S{0,4}\d)"
    r"|\b(?:[Nn]on\sè|[Nn]ão\sé|[Nn]o\ses|[Cc]e\sn['’]est\spas)\s\S{0,3}\d[^\s,;]*,\s(?:è|é|es|c['’]est)\s(?=\S{0,3}\d)"
    r"|不是[^，。\n]{1,12}[，,]\s?而是|ではなく[、,]?"
)
"""What puts a value in the place of one that is denied before it."""
_PRELUDE = Sought(
    r"\b(?:think|reason|work|go|do\sthis|solve\sit)\s(?:\w+\s)?step[\s-]by[\s-]step\b"
    r"|\byour\sfinal\sanswer\b|\bhelpful\sassistant\b"
)
"""What a response says, or was told, before it begins."""
_IS = as_pattern(r"(?<!\bthere\s)\b(?:is|are|was|were|equals?|makes?|comes?\sto|adds?\sup)\b", re.I)


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
    after = _NEXT.search(text, max(0, len(text) - _MAX_CHARS)) if "the next" in near else None
    if after is not None and not _FAILS.search(after[0]):
        return f"{text[: after.start('next')]}."
    found = (
        _DISMISSED.search(text, max(0, len(text) - _MAX_CHARS))
        if holds_one(text, (";", " would be "))
        else None
    )
    if found is None:
        return text
    before = text[: found.start()]
    numbers = _NUMBER.findall(before.rsplit("\n", 1)[-1])
    other = found["other"]
    if found["nth"] and not _NTH.search(before):
        return text
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


def concludes_nothing(sentences: Sequence[str], tail: str) -> bool:
    """Return whether the last sentence has no value, and the last that has one concludes nothing.

    >>> concludes_nothing(["He has 9 boxes.", "Some of them are full."], "")
    True
    >>> concludes_nothing(["So he has 9 boxes.", "Some of them are full."], "")
    False
    """
    *before, last = sentences
    if len(tail) < _FEW_CHARS and (prelude := _PRELUDE.search(tail)):
        said = tail[prelude.end() :].strip(" .!\n").partition(". ")[2] if not before else last
        if len(before) < 2 and not (_CALCULATES.search(said) or _IS.search(said)):
            return True  # only the task stands there
    if before and _GIVEN.match(before[-1]) and not has_digit(last):
        return True
    if has_digit(last) or len(last.split()) < _FEW_WORDS or _CONFIRMS.match(last):
        return False
    if _HAS_VALUE.search(last):
        return False
    if _TURN.search(tail):
        return False
    while before and not _HAS_VALUE.search(before[-1]):
        before.pop()
    if not before:
        return False
    if _SUPPOSES.match(before[-1]):
        return True
    whole = before[-1][0].isupper()  # `$7! \times 2$` is cut in two
    concluding = _CALCULATES if last.rstrip().endswith(_END) else _CONCLUDES
    return concluding.search(" ".join(before[-1 if whole else -2 :])) is None


def instead(sentence: str) -> str | None:
    """Return what a sentence puts in the place of a value that it denies.

    >>> instead("It is not 16 but 15."), instead("Nicht 12, sondern 10."), instead("It is not 16.")
    ('15', '10', None)
    """
    found = INSTEAD.search(sentence)
    value = sentence[found.end() :].strip(" .!。") if found else ""
    return value if has_digit(value) else None
