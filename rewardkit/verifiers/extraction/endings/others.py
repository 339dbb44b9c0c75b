"""A last sentence about values that are not the answer: `Most say 10`, `Careful: 9 isn't prime`.

It warns, refutes, tells what others say or what would be, and claims nothing that is so.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.endings.excluded import FAILS
from rewardkit.verifiers.extraction.endings.notes import SIGNALS
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.letters import OPTION_LETTER
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import REASONS_ELSEWHERE

_WRONG = frozenset((
    "common", "popular", "intuitive", "tempting", "frequent", "typical", "usual", "naive",
    "classic", "obvious", "wrong", "incorrect", "mistaken", "false",
))  # fmt: skip
_FAULT = r"(?:answer|reply|response|value|result|guess|choice|mistake|error|slip|trap|pitfall)"
WRONG_ANSWER = rf"(?:the|an?)\s(?:\w+\s)?{alternatives(_WRONG)},?\s(?:\w+\s)?{_FAULT}"
_NO_OTHER = r"(?![^.!?\n]*\b(?:the\sanswer|but|while|whereas)\b[^.!?\n]*\d)"
_SIZE = r"[-−+$€£(\[]*[a-z]?[\d√π²³][^\s;:!?]*(?<![.,])"
_VALUE = rf"(?:(?:[a-z]\s=\s)?{_SIZE}|(?-i:{OPTION_LETTER}))(?![\w'’])"
_OTHER = (
    r"(?:(?:the|option|choice|answer|value|figure|number|result|root|solution|others?|[a-z]+ing(?:\s[a-z]+\sto)?),?\s)*"
    rf"{_VALUE},?(?:\s(?:which|as|that|who)\s[^.,;!?\n\d]{{1,40}},)?"
)
_ERRS = (
    r"(?:forg[eo]ts?|ignores?|neglects?|violates?|breaks\s(?:the|a|an)|overlooks?|omits?|misses|leaves?\s(?:out|off)|confuses?|contradicts?"
    r"|counts?\s[^.!?\n]*\btwice)\b"
)
_MISTAKE = (
    rf"(?:only\s)?(?:(?:an?|the)\s[^.!?\n]{{0,30}}\b{alternatives(_WRONG)},?\s(?:\w+\s)?{_FAULT}|an?\s{_FAULT}"
    r"|what\s(?:one|you|people|many|most|some)\b)"
)
_BAD = (
    rf"(?:{alternatives(_WRONG)}\b|nonsense|counting|{_MISTAKE}"
    r"|(?:only\s|just\s|merely\s)[^.!?\n]*?\b(?:not|rather\sthan)\b)"
)
_REFUTES = (
    rf"{_OTHER}\s(?:(?:[a-z²³]+\s){{0,2}}?{FAILS}|{_ERRS}|(?:is|was|would\sbe)\s{_BAD})"
    rf"|[^.!?\n]{{0,40}}\d[^.!?\n]{{0,20}}\s(?:is|was|would\sbe)\s{_MISTAKE}"
)
_IS_NOT = (
    r"(?:it|this|that|the\sanswer)(?:['’]s\snot|\s(?:is|was|does|can|could)(?:\snot|n?['’]t|not)(?:\s(?:be|equal))?)"
    rf"\s{_VALUE}[^.,;\n]{{0,30}}(?:,\s(?:as|because|since|which|although|though|even)|(?:;|\s[–—])\s(?:that|this|which|it)(?:['’]d|\s(?:would|is|was|only|just)))\b"
)
_SOMEBODY = (
    r"(?:(?:(?:most|many|some)(?:\s(?:people|students|pupils|textbooks|books|of\sus|others))?|people|others|one)"
    r"\s(?:(?:would|might|often|may|could|will|wrongly|then|who)\s){0,2}"
    r"(?:say|think|answer|guess|forget|believe|claim|reply|give|get|expect|count|include|write)\b"
    r"|(?:any(?:one|body)\swho|who(?:so)?ever|those\swho)\s"
    r"|if\s(?:you\s(?:got|get|have|obtained|found)|your\s[a-z]+\s(?:is|was))\s(?![^.!?\n]*\bcorrect\b))"
)
_WOULD = r"(?:\bwould\b|['’]d\b)"
_UNREAL = (
    rf"(?:(?:had|were|without|but\sfor|if\s[^,.!?\n]*(?:\bhad|\bwas|\bwere|['’]d)\b|for\s[^.!?\n]*\b(?:instead\sof|rather\sthan)\b)\s[^.!?\n]*{_WOULD}|{_VALUE}\s(?:[a-z]+\s)?would\sbe\s[^.!?\n]*\bif\b"
    rf"|if\s[^.!?\n]*{_WOULD}[^.!?\n]*\bbut\s(?:that|this|it)(?:['’]s\snot|\s(?:is|was)(?:\snot|n['’]t))\b(?!\D*\d))"
)
_NEVER = r"(?:please\s)?(?:do\snot|don['’]t|never|be\s(?:careful|sure)\snot\sto)\s[a-z]+"
_BEWARE = (
    r"(?:please\s)?(?:(?:be\s)?careful|beware|be\s(?:aware|warned)|caution|attention|watch\s(?:out|it)|mind|take\scare"
    r"|pay\sattention|(?:(?:a\s)?word\sof\s)?warning)\b"
)
_WARNS = as_pattern(
    rf"(?:{_BEWARE}!?|{_NEVER}\b|(?:please\s)?(?:note|remember)\b(?=[^.!?\n]*(?:\b(?:not|never|wrong|excluded)\b|n['’]t\b))"
    rf"|{alternatives(_WRONG)}\s(?:mistake|error|slip|trap|pitfall)s?[*_]*(?=:)[*_]*|{WRONG_ANSWER}(?:\shere)?\s)(?P<this>[:,!]?\s(?:that\s)?(?:that|this|it)(?:['’]|\s(?:[a-z]*s|must|should)\b)(?!(?:\snot|s\snot|n['’]t)\s{_VALUE}))?",
    re.I,
)
_TRIED = (
    r"(?:I|We)(?:['’]ve|\shave)?\s(?:also\s)?(?:checked|tried|tested|verified|ruled\sout)\s(?:(?:all\s)?(?:the\s)?other"
    r"|[^.!?\n]*\b(?:and|but)\s(?:they|it|both|these|those|neither|none)\b[^.!?\n\d]*(?:n['’]t|\snot|fail(?:s|ed)?|works|worked|fits)[.!)\s]*\Z"
    r"|[^.!?\n]*(?:,?\s(?:and|but)|[:;]|\s[–—])\s(?:they|it|that|both|these|those|neither|none)\s(?:[a-z]+(?:n['’]t|\snot)\s(?:work|fit|do|qualify|hold|satisfy\s[a-z\s]{2,40})"
    r"|(?:both\s)?fail(?:s|ed)?(?:\s[a-z]+){0,3}|(?:is|are|was|were)\s(?:too\s[a-z]+|excluded|impossible))[.!)\s]*\Z)"
)
_ELSEWHERE = (
    r"(?:Não\sé|No\s(?:es|son)|Non\sè|Ce\sn['’]est\spas|Es\sist\snicht)\s\S*\d\S*(?:\s[a-z]+)?,\s"
    rf"(?:as|because|since|which|car|{alternatives(REASONS_ELSEWHERE)})"
)
_REMARK = as_pattern(
    rf"(?:{_NO_OTHER}{_SOMEBODY}|{_UNREAL}|{_IS_NOT}|{_REFUTES}|[^.!?\n]{{0,60}}{_SIZE},\swhich\s(?:is|would\sbe)\s{_BAD}"
    rf"|(?-i:{_TRIED})|{_ELSEWHERE}|(?:could|can|might|would)\s[^.!?\n]*\?\sno,?\s(?:because|since|as)\b)",
    re.I,
)
_CLAIMS = as_pattern(
    r"\b(?:it|that|this|he|she|they|we|there|(?:the|my)\s(?:answer|result))(?:['’](?:s|re|ve)|\s(?:are|must|should|has|have|needs?|[a-z]*s))"
    rf"\s(?!not\b)(?:[a-z]+\s){{0,3}}?{_SIZE}|\b(?:so|hence|thus|therefore|instead|actually)\s{_SIZE}(?!\S*\s(?:is|would\sbe)\s(?:wrong|incorrect|false)\b)"
    rf"|{_SIZE}\s(?:[a-z]+\s)?is\s(?:right|correct)\b|\b(?:sorry|wait|oops)\b",
    re.I,
)
"""What a warning says that gives an answer of its own: `Careful: it is 12.`"""
_DENIES = as_pattern(
    r"\b(?:not|never|no|neither|nor|cannot|wrong|incorrect|false|mistake|error|slip|pitfall|else|would|trap|get|gets|already|only|if|excluded)\b"
    r"|n['’]t\b|['’]d\b",
    re.I,
)
_OWN = as_pattern(r"\b(?:I|[Mm]y|forgot)\b")
_DOUBTS = as_pattern(
    r"\?|\b(?:given|know|suppose|assume|might|could|maybe|perhaps|either|whether|or|not\ssure|guess"
    r"|I\s(?:think|believe))\b",
    re.I,
)
_TOKEN = as_pattern(rf"[^\s:]*[\d²³√π][^\s:]*|\b{OPTION_LETTER}\b(?!\s[a-z]+\s(?:of|to|that)\b)")
_OPENED = as_pattern(rf"(?:(?<=[.!]\s)|(?<=\n)){_BEWARE}[!.]\s*\Z", re.I)
_CLAUSE = as_pattern(rf";\s{_NEVER}\b", re.I)
_SAID = as_pattern(r"[,;:](?!\d)")
_OPENS = as_pattern(
    rf"{SIGNALS}?[*_]*\(?(?:(?:Note|Remark|Comment|Tip|Hint|N\.?B\.?|P\.?S\.?)(?::|\sthat)[*_]*\s(?=(?:if|for|the|an?)\s))?",
    re.I,
)
_STOPS = (". ", "! ", "\n")
_MAX_CHARS, _MAX_OPENER = 400, 30


def others_from(text: str) -> int:
    """Return where a last sentence or clause begins that only speaks of other values, else -1.

    What is said before it must be said for certain, and be something else.

    >>> others_from("It costs 5. Most people say 10."), others_from("Is it 5? Most people say 10.")
    (11, -1)
    >>> others_from("It is 5. Careful: not 50."), others_from("It is 5. Careful: it is 50.")
    (8, -1)
    """
    near = max(0, len(text) - _MAX_CHARS)
    start = max(text.rfind(sign, near, len(text) - 2) for sign in _STOPS) + 1
    start += text.startswith(" ", start)
    if opened := _OPENED.search(text, max(near, start - _MAX_OPENER), start):
        start = opened.start()
    if start > near and _is_of_others(text, near, start):
        return start - 1
    if (clause := _CLAUSE.search(text, max(near, start))) and _is_of_others(
        text, near, clause.start() + 2
    ):
        return clause.start()
    return -1


def _is_of_others(text: str, near: int, start: int) -> bool:
    opens = _OPENS.match(text, start)
    first = opens.end() if opens else start
    warns = _WARNS.match(text, first)
    if not (warns or _REMARK.match(text, first)) or _DOUBTS.search(text, near, start):
        return False
    before = [token.strip(".,;!*$()") for token in _TOKEN.findall(text, near, start)]
    others = [token.strip(".,;!*$()") for token in _TOKEN.findall(text, start)]
    if _CLAIMS.search(text, start if warns else _said_of(text, start)):
        return False
    if not warns:
        return not before or before[-1] not in others
    # What warns may say that another value is not the answer: `24 g is not 2.4 kg`.
    if not (others and _DENIES.search(text, start)):
        return False
    return not (
        warns["this"] or _OWN.search(text, start) or others[:1] == before[-1:] or not before
    )


def _said_of(text: str, start: int) -> int:
    """Return where what others say ends: `Some say it's 9, which forgets one`."""
    ends = _SAID.search(text, start)
    return ends.start() if ends else start


def is_of_others(before: str) -> bool:
    """Return whether the words before `answer is 10` say that others give it."""
    return before.rstrip().rpartition(" ")[2] in _WRONG
