"""The few words that a last sentence ends with and states: `The terminal arm lies in Quadrant II`.

Read where the gold answer is a few words and nothing else shows what is said of whom. Whoever ends
a sentence of the task with a day, a direction or a figure states it, unless the sentence denies or
supposes it, tells what to do, or speaks of the text or of its writer.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.prose.voice import is_of_others
from rewardkit.verifiers.vocabulary.alternatives import BECAUSE
from rewardkit.verifiers.vocabulary.patterns import alternatives, left_open_by
from rewardkit.verifiers.vocabulary.phrases import CONCLUSIONS, DENIALS_ELSEWHERE, DOUBTS, FAULTS
from rewardkit.verifiers.vocabulary.roles import DOING, OF_THE_TEXT, SPEAKERS

_BESIDE = re.compile(
    rf",?\s(?:(?:al|even\s)?though|even\sif|{BECAUSE}|while|whereas|rather\sthan|instead\sof|unlike)\s[^.,;]*\Z"
    r"|,?\sand\s(?:not\s)[^.,;]*\Z|,\s(?:not)\s[^.,;]*\Z"
    r"|\s\((?!or\b|maybe|perhaps|not\b)[^()]*\)\Z"
)
"""What is said beside the statement, behind it."""
_CLAUSE = re.compile(
    r";\s|:\s|\s[—–]\s|,\s(?:and\s)?(?:so|but|hence|thus|therefore|yet)\s(?:that\s)?",
    re.I,
)
_OPENING = re.compile(
    rf"\A(?:{BECAUSE}|after|before|by|with|in|at|on|from|for|while|once)\b[^,]*,\s", re.I
)
_LEADS = re.compile(r"(?:\bday\s(?:after|before)\s(?:it|that)|\bsettles\sit)\Z")
"""What leads to words that stand alone behind its colon."""
_STOP = left_open_by(
    r"no|or|if|may|would|should|but|assume|whether|unless"
    r"|except|which|what|who|whose|how|why|example|instance|like|called|say|says|said|named|mean|means|think|thinks|thought"
    r"|wonder\w*|asks?|asked|hope\w*|guess\w*|claim\w*|seems?|appears?|followed|preceded|similar|close|closer|opposite|stops?|stopped|ceases?|quits?|avoids?|try|tries|tried|believe\w*|expect\w*|maybe|know|known|knows"
    rf"|{alternatives(DENIALS_ELSEWHERE)}|{alternatives(DOUBTS)}|{alternatives(FAULTS)}",
    signs='?"',
)
_LINK = re.compile(
    r"(?:\b(?:before|after|until|till|than|except|without|outside|of|from|since|and|between|for|about|with|beyond|almost|nearly"
    r"|this|each|every|any|word|term|letter|name|day|month|near|past)|,)\s(?:an?\s|the\s)?\Z"
)
"""Right before the words, what makes them no statement: `after Friday`, `the word hexagon`."""
_VERB = re.compile(
    r"\b(?:is|are|was|were|will|must|has|have|had|fell|came|got|went|gave|left|led|found|saw|stood|lay|leads?|points?"
    r"|[a-z]{2,}(?:s|ed)|(?<=they\s)[a-z]+|(?<=both\s)[a-z]+|(?<=\bwe\s)[a-z]+)\b(?!['’])"
)
_FIRST = re.compile(
    rf"\W*(?:{alternatives(CONCLUSIONS)}|finally|in the end|at the end|eventually)?,?\s*"
)
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_OWN = SPEAKERS - {"us", "our", "we", "let's"}
_OPTIONS = re.compile(
    r"(?i:(?:the\s)?(?:options?|choices?|statements?|letters?|both|only))\s((?:[A-H],\s)*[A-H],?\sand\s[A-H])[.!]?"
)
"""Letters that are all that a sentence says: `Options A and C.`"""
_JOINS = re.compile(r"\b(?:and|or)\b")
_WE = frozenset(("we", "us", "let's"))
_SUPPOSES = re.compile(r"\b(?:if|when|unless|suppose|assume|were)\b")
_MAX_CHARS = 200


def last_words(words: str, sentence: str) -> str | None:
    """Return as many words as the gold answer has that a sentence ends with and states, or None.

    >>> last_words("second quadrant", "So the terminal arm lies in Quadrant II.")
    'Quadrant II'
    >>> last_words("Friday", "It ends on the day after Friday."), last_words("Friday", "On Friday.")
    (None, None)
    """
    if listed := _OPTIONS.fullmatch(sentence.strip()):
        return listed[1]
    text = _BESIDE.sub("", sentence.strip().rstrip(" .!*")).rstrip(" .!*")
    lead, colon, alone = text.rpartition(": ")
    if colon and _LEADS.search(lead) and len(_WORD.findall(alone)) <= len(_WORD.findall(words)) + 1:
        return alone
    clause = _OPENING.sub("", _CLAUSE.split(text)[-1])
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
