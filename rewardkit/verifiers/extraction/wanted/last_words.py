"""The words that a sentence ends with and states, who is what, and one word in another language.

`It lies in Quadrant II`, `the liar is Bob`, `un samedi`. Read where the gold is such words.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.prose.voice import is_of_others
from rewardkit.verifiers.vocabulary.alternatives import BECAUSE
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.numbers_elsewhere import folded
from rewardkit.verifiers.vocabulary.patterns import alternatives, left_open_by
from rewardkit.verifiers.vocabulary.phrases import (
    CONCLUSIONS,
    DENIALS_ELSEWHERE,
    DOUBTS,
    FAULTS,
    REASONS_ELSEWHERE,
)
from rewardkit.verifiers.vocabulary.roles import DOING, OF_THE_TEXT, SPEAKERS
from rewardkit.verifiers.vocabulary.words_elsewhere import SAID_ELSEWHERE, WITHOUT_GAPS

_MAX_CHARS = 400
_ROLE = as_pattern(r"(?:the\s)?([\w'’-]+)\s(?:is|must\sbe)\s(?:the\s)?([\w'’-]+)")
"""A gold answer that may be said the other way round: `Bob is the liar`."""
_BESIDE_WORDS = as_pattern(
    rf",?\s(?:(?:al|even\s)?though|even\sif|{BECAUSE}|while|whereas|rather\sthan|instead\sof|unlike)\s[^.,;]*\Z"
    r"|,?\sand\s(?:not\s|that['’]?s?\s(?:is\s)?(?:the|what|my)\s)[^.,;]*\Z|,\s(?:not|which\sis\s(?:the|what))\s[^.,;]*\Z"
    r"|\s\((?!or\b|maybe|perhaps|not\b)[^()]*\)\Z|(?<=wise)\s(?:sense|direction|manner|fashion)\Z"
)
"""What is said beside the statement, behind it."""
_CLAUSE = as_pattern(
    r";\s|:\s|\s[—–]\s|,\s(?:and\s)?(?:so|but|hence|thus|therefore|yet)\s(?:that\s)?"
    r"|,\sand\s(?=(?:it|that|this|he|she|they|there)\s)",
    re.I,
)
_OPENING = as_pattern(
    rf"\A(?:{BECAUSE}|after|before|by|with|in|at|on|from|for|while|once)\b[^,]*,\s", re.I
)
_LEADS = as_pattern(
    r"(?:\bday\s(?:after|before)\s(?:it|that)|\b(?:settles|asked|wanted|remains|left|result)\b[^:]{0,20}|\bsettles\sit)\Z"
)
"""What leads to words that stand alone behind its colon."""
_SHOWN = as_pattern(
    r"[^:.;\"“]{1,120}\s(?:is|are|was|were|has|have|equals?|lies?)\s[^:;\"“]{3,120}:\s(?:the\s)?[a-zA-Z\s-]{3,40}\Z"
)
"""What shows the words that stand alone behind its colon: `Both are negative: third quadrant`."""
_STOP = left_open_by(
    r"no|or|if|may|would|should|but|assume|whether|unless"
    r"|except|which|what|who|whose|how|why|example|instance|like|called|say|says|said|named|mean|means|think|thinks|thought"
    r"|wonder\w*|asks?|asked|hope\w*|guess\w*|claim\w*|seems?|appears?|followed|preceded|similar|close|closer|opposite|stops?|stopped|ceases?|quits?|avoids?|try|tries|tried|believe\w*|expect\w*|maybe|know|known|knows"
    rf"|{alternatives(DENIALS_ELSEWHERE)}|{alternatives(DOUBTS)}|{alternatives(FAULTS)}",
    signs='?"',
)
_LINK = as_pattern(
    r"(?:\b(?:before|after|until|till|than|except|without|outside|of|from|since|and|between|for|about|with|beyond|almost|nearly"
    r"|this|each|every|any|word|term|letter|name|day|month|near|past)|,)\s(?:an?\s|the\s)?\Z"
)
"""Right before the words, what makes them no statement: `after Friday`, `the word hexagon`."""
_VERB = as_pattern(
    r"\b(?:is|are|was|were|will|must|has|have|had|fell|came|got|went|gave|left|led|found|saw|stood|lay|leads?|points?"
    r"|[a-z]{2,}(?:s|ed)|(?<=they\s)[a-z]+|(?<=both\s)[a-z]+|(?<=\bwe\s)[a-z]+)\b(?!['’])"
)
_FIRST = as_pattern(
    rf"\W*(?:{alternatives(CONCLUSIONS)}|finally|in the end|at the end|eventually)?,?\s*"
)
_WORD = as_pattern(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_OWN = SPEAKERS - {"us", "our", "we", "let's"}
_OPTIONS = as_pattern(
    r"(?i:(?:the\s)?(?:options?|choices?|statements?|letters?|both|only))\s((?:[A-H],\s)*[A-H],?\sand\s[A-H])[.!]?"
)
"""Letters that are all that a sentence says: `Options A and C.`"""
_JOINS = as_pattern(r"\b(?:and|or)\b")
_WE = frozenset(("we", "us", "let's"))
_SUPPOSES = as_pattern(r"\b(?:if|when|unless|suppose|assume|were)\b")
_GLUED = as_pattern(alternatives(WITHOUT_GAPS))
_REASON = as_pattern(
    rf"(?:[,;]?\s|[,，;；]\s?)(?:car|da|denn|weil|pues|pois|{alternatives(REASONS_ELSEWHERE)})\s.*"
    r"|，?因为.*",
    re.I | re.S,
)
_LEFT_OPEN = as_pattern(
    r"\b(?:nicht|kein\w*|pas|plus|non?|não|niet|geen|не|oder|ou|o|of|или|wenn|falls|si|se|если|als"
    r"|ob|weder|ni|vielleicht|vermutlich|wohl|peut|quizás?|tal\svez|forse|talvez|misschien|может"
    r"|возможно|наверное|aber|doch|mais|pero|ma|mas|maar|но|un\sautre|ander\w*)\b"
    r"|[不没非]是|不一定|或|如果|是否|吗|아니|만약|또는|ではな|じゃな|[?？\d]",
    re.I,
)
"""What denies a word, leaves it open or sets another one beside it."""
_ASKED = frozenset(SAID_ELSEWHERE.values())


def last_words(words: str, sentence: str) -> str | None:
    """Return as many words as the gold answer has that a sentence ends with and states, or None.

    >>> last_words("second quadrant", "So the terminal arm lies in Quadrant II.")
    'Quadrant II'
    >>> last_words("Friday", "It ends on the day after Friday."), last_words("Friday", "On Friday.")
    (None, None)
    """
    if listed := _OPTIONS.fullmatch(sentence.strip()):
        return listed[1]
    text = _BESIDE_WORDS.sub("", sentence.strip().rstrip(" .!*")).rstrip(" .!*")
    lead, colon, alone = text.rpartition(": ")
    if colon and _LEADS.search(lead) and len(_WORD.findall(alone)) <= len(_WORD.findall(words)) + 1:
        return alone
    clause = _OPENING.sub("", _CLAUSE.split(text)[-1])
    shown = _SHOWN.match(text) if colon and clause == alone else None
    if shown and not _STOP.search(text.lower()) and not _SUPPOSES.search(text.lower()):
        few = len(_WORD.findall(alone)) <= len(_WORD.findall(words)) + 1
        return alone if few and not _JOINS.search(alone) else None
    if (
        not clause
        or len(clause) > _MAX_CHARS
        or _STOP.search(clause.lower())
        or _SUPPOSES.search(text.lower())
    ):
        return None
    said = list(_WORD.finditer(clause))
    count = len(_WORD.findall(words))
    if len(said) < count + 2 or said[-1].end() != len(clause):
        return None
    start = said[-count].start()
    before = clause[:start].lower()
    before = before.rpartition(", ")[2]
    if _LINK.search(before) or not _VERB.search(before) or is_of_others(before):
        return None
    first = _WORD.search(before, opening.end() if (opening := _FIRST.match(before)) else 0)
    spoken = set(_WORD.findall(before))
    if (
        first is None
        or first[0] in DOING
        or (spoken & _WE and spoken & DOING)
        or not (_OWN | OF_THE_TEXT).isdisjoint(spoken)
    ):
        return None
    return None if _JOINS.search(clause, start) else clause[start:]


def says_role(words: str, sentence: str) -> bool:
    """Return whether a sentence says who is what as the words do, or the other way round."""
    before, _, last = sentence.lower().rpartition(": ")
    role = _ROLE.fullmatch(words.lower())
    said = _ROLE.fullmatch(_FIRST.sub("", last, count=1).strip(" .!*")) if role else None
    if role is None or said is None or _STOP.search(before) or _SUPPOSES.search(before):
        return False
    return {*said.groups()} == {*role.groups()}


def said_elsewhere(gold: str, sentence: str) -> str | None:
    """Return what English calls the one such word of a sentence, where the gold is one.

    >>> said_elsewhere("Saturday", "Das war ein Samstag."), said_elsewhere("Friday", "星期六")
    ('saturday', 'saturday')
    >>> said_elsewhere("red", "Sie ist nicht rot."), said_elsewhere("rhombus", "Sie ist rot.")
    (None, None)
    """
    if gold.lower() not in _ASKED or len(sentence) > _MAX_CHARS:
        return None
    claim = _REASON.sub("", sentence)
    if not claim.isascii() and (glued := _GLUED.findall(claim)):
        said = {WITHOUT_GAPS[word] for word in glued}
        claim = _GLUED.sub("", claim)
    else:
        words = (SAID_ELSEWHERE.get(folded(word)) for word in _WORD.findall(claim))
        said = {word for word in words if word}
    alone = len(said) == 1 and not _LEFT_OPEN.search(claim)
    return said.pop() if alone else None
