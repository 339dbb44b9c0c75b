"""What stands behind an answer at the end of a response and says nothing of it.

A chat's courtesies, remarks and checks, signs that a proof ends, and other values: what others
answer (`Most people say 10`), what fails (`3; neither 2 nor 4 works`), what is worked out of it
(`**49**; its double is 98`). What is said of a value that the answer has named is left as it is.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.prose.behind import without_remarks
from rewardkit.verifiers.extraction.prose.wholes import VALUE
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import REASONS_ELSEWHERE
from rewardkit.verifiers.vocabulary.sought import Sought, holds_one
from rewardkit.verifiers.vocabulary.turns import SLIP

_WRONG = frozenset((
    "common", "popular", "intuitive", "tempting", "frequent", "typical", "usual", "naive",
    "classic", "obvious", "wrong", "incorrect", "mistaken",
))  # fmt: skip
_WRONG_ANSWER = (
    rf"(?:the|an?)\s(?:\w+\s)?{alternatives(_WRONG)},?\s(?:\w+\s)?"
    r"(?:answer|reply|response|value|result|guess|mistake|error|trap|pitfall)"
)
_PROVED = re.compile(
    r"(?<!\s)\s*+\$?\s*+(?:\\(?:blacksquare|square|qed|Box)\b|[∎■□]|(?<=[.\s])Q\.?E\.?D\.?)\s*\$?\s*\Z"
)
_SURE = Sought(
    r"(?<=[.!\n])\s*I(?:['’]m|\sam)\s(?:[a-z]+\s)?(?:100|9\d(?:\.\d+)?)\s?%\s(?:sure|certain|confident)"
    r"(?:\s(?:of|about|in)\s(?:this|that|it|my|the)(?:\s[a-z]+)?)?[.!]*\s*\Z"
)
"""What says of an answer that it is certain, behind it."""
_ENDS_PROOF = ("square", "qed", "QED", "E.D.", "Box", "∎", "■", "□")
_COMPARED = Sought(
    r"(?<=[\w€$£%]),\s(?:which|that)\s(?:is|are|was|makes?\sit|means)\s(?:[$€£]\s?)?\d[\d.,]*\s"
    r"(?:[\w€$£%]+\s){0,2}(?:less|more|fewer|cheaper|higher|lower|longer|shorter)(?:\sthan\s[^\d]*)?\W*\Z"
)
"""How a value compares with what it was: `64 €, which is 16 € less than before`."""
_SAID_BY_ANOTHER = Sought(
    r"(?:\A|(?<=[.!?\n]\s)|(?<=\n))(?:My|The|A|An|One|Our|Some)\s[^.!?,\n\d]{1,60}"
    r"\b(?:says?|said|gets?|got|claims?|gives?|gave|thinks?|answers?|answered)\s\S{0,3}\d[\d.,]*,\sbut\s"
    r"(?=(?:I|we)\s(?:get|got|find|found|obtain|have|make\sit)\s(?:\w+\s)?\S{0,3}\d[^.!?\n]*[.!]?\Z)"
)
_COURTESY = Sought(
    r"(?<=[.!?。)*\w])\s+(?:(?:(?:please )?let me know|(?:please )?feel free|would you like"
    r"|if you (?:have|need|want)"
    r"|please don['’]t hesitate|I(?: can|['’]d be happy to)? (?:hope|also|explain|show"
    r"|walk))\b[^\n$=]*\Z"
    r"|(?:is there anything|what do you think|does (?:that|this) make sense|(?:stop|correct) me if"
    r"|do you (?:have|need|want)|good luck|you['’]re welcome|thanks? (?:you )?for"
    r"|any (?:other|more|further) questions|need anything|anything else|shall I"
    r"|(?:do you )?want me to"
    r"|(?:(?:I['’]m|I am|always) )*(?:happy|glad|here) to (?:help|assist|explain)|just ask|ask away"
    r"|(?:always )?remember|keep in mind|don['’]t forget to"
    r"|(?:great|good|nice) (?:job|work|question)|well done)\b[^\n\d]*\Z)"
)
"""What a chat ends with, which says nothing of the answer."""
_BEGUN = Sought(
    r"(?<=[.!?])\s+(?:"
    r"(?:this|that|it|which|the (?:result|answer|value)) can (?:also |easily |now )?be"
    r" (?:seen|verified|checked|confirmed|shown|derived)"
    r"|(?:we|you|one) (?:can|could|may) (?:also |easily )?(?:check|verify|confirm)"
    r"|to (?:put (?:this|that|it) in(?:to)? perspective|see why|illustrate)"
    r"|to (?:(?:double-?)?check|verify|confirm)|as an? (?:[a-z]+ )?check"
    r"|(?:just )?for (?:comparison|reference|context)|by the way|incidentally)\b"
    r"(?![^.!?\n]*\b(?:need|must|but|wait|not|however|instead|mistake|wrong|so)\b)"
    r"[^.!?\n=$\d]*(?<=[a-z,])\Z"
)
"""A remark on the answer before it that is cut off."""
_REMARK = re.compile(
    r"\n\n[\s(*_#>-]{0,9}+(?:verification|verifying|sanity check"
    r"|(?:(?:double|cross)[- ])?check(?:ing)?|note|n\.\s?b|remark|p\.\s?s|proof|explanation"
    r"|(?:as an?(?: \w+)?|quick) check|to (?:double[- ])?(?:check|verify)|comment|observation"
    r"|fun fact|tip)\b",
    re.I,
)
_REMARK_IN_BRACKETS = re.compile(
    rf"\s\((?:{_WRONG_ANSWER}\b|as a check|check|verification|note|n\.\s?b\."
    r"|the other\b[^()]*\b(?:extraneous|rejected|discarded|invalid|negative)"
    r"|(?:we (?:reject|discard)|rejecting|discarding)\b)[^()]*\)[.\s]*\Z",
    re.I,
)
_IN_BRACKETS = re.compile(
    r"(?<=[.!])\s\((?=[A-Z\d][^()]*[a-z][^()]*\.\)|[A-Z][^()]*\d)(?=[^()]*\d)(?![^()]*\b(?:or|maybe|perhaps|if|not|might|could)\b)[^()?]{10,200}\)[.\s]*\Z"
    r"|(?<=[.!])\s\((?=[A-Z])(?![^()]*(?:\b(?:or|if|not|no|wrong|guess|sure|answer|continued|yet|later|assum\w+|mistaken?)\b"
    r"|n['’]t))[^()\d?]{10,200}\)[.\s]*\Z"
)
"""A whole sentence in brackets behind the one that answers."""
_CHECKED = Sought(
    r"(?<=\d)\$?,\s(?:and|which)\s(?:\$?\d+\$?\s)?is\sindeed\s[a-z\s]{3,60}[.!]?\s*\Z"
    r"|(?<=\d)\$?,\s(?:and|as|since)\s(?:indeed\s|(?:(?:a\s(?:quick\s)?|the\s)?check(?:s|ing)?|substitut(?:ing|ion)|plugging"
    r"|verif(?:ying|ication)|testing)\s(?!fails)[a-z\s,:]{2,80}:?\s)\$?[\d\s+*/×·.()-]{3,40}=\s?[-\d.]+\$?[.!]?\s*\Z"
)
"""What shows an answer to be right: `, and indeed 15 + 17 + 19 = 51`."""
_DIVIDED = Sought(
    r"(?<=\d)(\$?)\s(?:(?:when|if|on|upon|after)\s[^\n]*?\b(?:divided|division)\sby\s"
    r"|modulo\s)\$?[\d^{}]+\$?(?=[.!]?\s*\Z)"
)
"""By what a number was divided that leaves a remainder, behind it."""
_FACE = re.compile(r"\s[:;]-?[)D]+[.!]?\s*\Z")
_NEAR_END = 150
_MAX_REMARK = 400
_TAKES_BACK = re.compile(
    rf"\b(?:answer|{SLIP}|instead|mistaken?|should\s(?:be|have)|not\ssure|error|hence|therefore)\b",
    re.I,
)
"""What a remark says that is more than a remark."""
_PICTURE = re.compile("[\u2700-\u27bf\U0001f000-\U0001faff\ufe0f\\s]")
_PICTURES = re.compile(rf"(?<=\w)[.!]?\s*{_PICTURE.pattern}+\Z")
"""Ticks and faces behind an answer."""
_NO_OTHER = r"(?![^.!?\n]*\b(?:answer|but|while|whereas)\b[^.!?\n]*\d)"
_TO_THE_END = r"[^.!?\n]*[.!)\s]*\Z"
_PEOPLE = re.compile(
    rf"\(?{_NO_OTHER}(?:(?:[Mm]ost|[Mm]any|[Ss]ome)(?:\s(?:people|students|pupils|textbooks|books|of\sus|others))?|[Pp]eople"
    r"|[Oo]thers|[Oo]ne)\s(?:(?:would|might|often|may|will|wrongly|then|who)\s){0,2}"
    rf"(?:say|think|answer|guess|forget|believe|claim|reply|give|get|expect|count|include|write)\b{_TO_THE_END}"
    rf"|(?:Had|Were)\s[^.!?\n]*\bwould\b{_TO_THE_END}"
    r"|If\s[^.!?\n]*\bwould\b[^.!?\n]*\bbut\s(?:that|this|it)(?:['’]s\snot|\s(?:is|was)(?:\snot|n['’]t))\b"
    rf"[^.!?\n\d]*[.!)\s]*\Z|(?i:{_WRONG_ANSWER})\s{_TO_THE_END}"
    rf"|(?:I|We)(?:['’]ve|\shave)?\s(?:also\s)?(?:checked|tried|tested|verified|ruled\sout)\s(?:(?:all\s)?(?:the\s)?other{_TO_THE_END}"
    r"|[^.!?\n]*\b(?:and|but)\s(?:they|it|both|these|those|neither|none)\b[^.!?\n\d]*(?:n['’]t|\snot|fail(?:s|ed)?|works|worked|fits)[.!)\s]*\Z)"
    rf"|If\syou\s(?:got|get|have|obtained|found)\s(?![^.!?\n]*\bcorrect\b){_TO_THE_END}"
    r"|(?:(?:It|This|That|The\sanswer)(?:['’]s|\sis)\snot|Não\sé|No\s(?:es|son)|Non\sè|Ce\sn['’]est\spas|Es\sist\snicht)"
    rf"\s\S*\d\S*(?:\s[a-z]+)?,\s(?:as|because|since|which|car|{alternatives(REASONS_ELSEWHERE)}){_TO_THE_END}"
    rf"|(?:Could|Can|Might|Would)\s[^.!?\n]*\?\sNo,?\s(?:because|since|as)\b{_TO_THE_END}"
)
_IS_WRONG = re.compile(
    r"(?:[Tt]he\s)?[^.!?\n]{0,40}\d[^.!?\n]{0,20}\sis\s(?:(?:only\s)?(?:an?|the)\s[^.!?\n]{0,30}"
    rf"\b{alternatives(_WRONG)},?\s(?:\w+\s)?(?:answer|reply|response|value|result|guess|mistake|error)"
    r"|what\s(?:one|you|people|many|most|some)\b)[^.!?\n]*[.!)\s]*\Z"
)
_DOUBTS = re.compile(
    r"\?|\b(?:given|know|suppose|assume|might|could|maybe|perhaps|either|whether|or|not\ssure|guess"
    r"|I\s(?:think|believe))\b",
    re.I,
)
_DIGITS = re.compile(r"\d+(?:[./]\d+)*")
_MAX_CHARS = 400
_OTHER = (
    r"\$?(?:[a-z]\s?=\s?)?[-−]?\d[\d.,/]*(?<=\d)\$?(?:\s(?!do|is|are|fail|work|fit)[a-z]{3,12})?"
)
_OTHERS = rf"{_OTHER}(?:(?:,\s|,?\s(?:and|or|nor)\s){_OTHER}){{0,3}}"
_GOOD = (
    r"(?:enough|sufficient|possible|allowed|valid|suitable|admissible|a\ssolution|an\soption|prime"
    r"|an\sinteger|whole|acceptable|solutions)"
)
_DO = (
    r"(?:works?|suffices?|fits?|do|does|satisf(?:y|ies)|is|are|qualif(?:y|ies)|counts?|will|would)"
)
_FAILS = (
    r"(?:(?:does|do|will|would|can)(?:\snot|n['’]t|not)\s(?:be\s(?:enough|sufficient)|work|suffice|fit|do"
    r"|satisfy\s(?:it|this|them|the\s[a-z]+)|qualify|count)"
    rf"|(?:is|are)(?:\snot|n['’]t)\s{_GOOD}|(?:both\s|all\s)?fails?|(?:is|are)\s(?:both\s|already\s|still\s)?too\s(?:few|many|small|large|little|big|short|long|low"
    r"|high|much)|(?:is|are)\s(?:excluded|rejected|ruled\sout|impossible|extraneous|discarded|invalid|not\s{good})"
    r"|(?:reicht|reichen|genügt|genügen|gehen|geht)\snicht|ne\s(?:suffi\w+|convien\w+|march\w+)\spas|no\s(?:basta|bastan|sirve|sirven|alcanzan)"
    r"|non\s(?:basta|bastano|va|vanno)|não\s(?:basta|bastam|serve|servem))"
).replace("{good}", _GOOD)
_EXCLUDED = Sought(
    r"(?P<turn>\s?[;,]\s|\s[–—-]\s)(?:(?:and|while|whereas|since|because|as|but|und|et|y|e)\s)?"
    rf"(?:neither\s(?P<none>{_OTHERS})\s{_DO}|(?P<others>{_OTHERS})\s{_FAILS}|(?<=[–—-]\s)not\s(?P<not>{_OTHER}(?:(?:,\s|,?\s(?:and|or|nor)\s)(?:not\s)?{_OTHER}){{0,3}}))"
    r"(?:\s(?:either|here|for\sthis|yet|as\swell|any\smore|then))?[.!*]*\s*\Z"
)
_SIGNS = (
    " not", "n't", "n’t", "annot", "neither", "fail", "too ", "exclu", "reject", "ruled",
    "impossible", "extran", "discard", "invalid", "nicht", " pas", " no ", " non ", "não ",
)  # fmt: skip
_NUMBER = re.compile(r"[-−]?\d[\d.,/]*(?<=\d)")
_VALUE = re.compile(r"\d[^.,;\d]*\Z|\*\*\s*\Z")
_OF_ITS_DOUBLE = re.compile(
    r"(?P<value>(?:\A|\n)[\s$*]*[-−]?\d[\d.,/]*(?<=\d)[$*]*|\*\*[^*\n]{1,40}\*\*)"
    r"(?:;|,|\s[–—]|\s\()\s?(?:its|whose|the\s(?:next|previous|following|preceding)\s(?:such\s)?(?:[A-Za-z]+\s)?(?=[a-z]+\s))"
    r"\s?[a-z]+(?:\s[a-z]+){0,3}\s(?:is|are|being|would\sbe|equals?)\s(?:only\s|then\s|just\s)?\$?[-−]?\d[\d.,/]*(?<=\d)\$?\)?[.!]*\s*\Z"
)


def without_words_behind(tail: str) -> str:
    """Return the end of a response up to where it has answered.

    >>> without_words_behind("So x = 7. Let me know if you have questions!")
    'So x = 7.'
    """
    if tail.rstrip("$ \n").endswith(_ENDS_PROOF):
        tail = _PROVED.sub("", tail)
    last = tail.rfind("\n") - 1  # a courtesy is the last line, or ends it
    if courtesy := _COURTESY.search(tail, max(0, last)):
        tail = tail[: courtesy.start()]
    if begun := _BEGUN.search(tail, max(0, len(tail) - _MAX_REMARK)):
        tail = tail[: begun.start()]
    tail = _without_remark(_SURE.sub("", tail) if "%" in tail[-60:] else tail)
    near = tail[-_NEAR_END:]
    end = _CHECKED.sub("", _SAID_BY_ANOTHER.sub("", _COMPARED.sub("", near)))
    if "remainder" in end or "congruent" in end:
        end = _DIVIDED.sub(r"\1", end)
    tail = tail[:-_NEAR_END] + end
    tail = without_remarks(tail)  # a tick ends a check
    pictured = not tail.isascii() and _PICTURE.match(tail[-1:])
    if pictured and not tail.rstrip()[-1:].isalnum():
        tail = _PICTURES.sub("", tail)
    return _FACE.sub("", tail) if tail[-1:] in (")", "D") else tail


def _without_remark(tail: str) -> str:
    """Return a text up to a remark behind its answer, `Note: ...`, that takes nothing back."""
    near = max(0, len(tail) - _MAX_REMARK)
    remark = _REMARK.search(tail)
    if remark is None and tail.endswith((")", ").")):
        at = tail.rfind("(") - 1  # nothing in them is in brackets again
        if at >= near:
            remark = _REMARK_IN_BRACKETS.match(tail, at) or _IN_BRACKETS.match(tail, at)
    if remark is not None:
        start = -1 if _TAKES_BACK.search(tail, remark.end()) else remark.start()
    else:
        start = others_from(tail)
    return tail[:start] if start >= 0 and VALUE.search(tail, max(0, start - 200), start) else tail


def others_from(text: str) -> int:
    """Return where a last sentence begins that says what others answer instead; -1 without one.

    What is said before it must be said for certain, and be something else.

    >>> others_from("It costs 5. Most people say 10."), others_from("Is it 5? Most people say 10.")
    (11, -1)
    """
    near = max(0, len(text) - _MAX_CHARS)
    start = max(text.rfind(". ", near, len(text) - 2), text.rfind("! ", near, len(text) - 2)) + 1
    if not start or not (_PEOPLE.match(text, start + 1) or _IS_WRONG.match(text, start + 1)):
        return -1
    before = text[near:start]
    same = not set(_DIGITS.findall(before)).isdisjoint(_DIGITS.findall(text, start))
    return -1 if same or _DOUBTS.search(before) else start


def is_of_others(before: str) -> bool:
    """Return whether the words before `answer is 10` say that others give it."""
    return before.rstrip().rpartition(" ")[2] in _WRONG


def without_excluded(text: str) -> str:
    """Return a text without what its last sentence says of values that are not the answer.

    >>> without_excluded("3; neither 2 nor 4 works"), without_excluded("**49**; its double is 98")
    ('3.', '**49**.')
    >>> without_excluded("It is 10, and 9 are too few."), without_excluded("3 or 8, and 8 fails.")
    ('It is 10.', '3 or 8, and 8 fails.')
    """
    near = max(0, len(text) - _MAX_CHARS)
    last = text[near:]
    if holds_one(last, _SIGNS) and (found := _EXCLUDED.search(last)):
        before = last[: found.start()].rsplit("\n", 1)[-1]
        others = set(_NUMBER.findall(found["none"] or found["others"] or found["not"]))
        if _VALUE.search(before) and others.isdisjoint(_NUMBER.findall(before)):
            return f"{text[: near + found.start()]}."
    if holds_one(last, (" its ", "whose ", "(its ", "the ")) and (
        remark := _OF_ITS_DOUBLE.search(last)
    ):
        return f"{text[: near + remark.end('value')]}."
    return text
