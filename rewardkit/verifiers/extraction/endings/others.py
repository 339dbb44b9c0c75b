"""What is said behind an answer of other values: what others answer, what fails, what is beside it.

`Most people say 10`, `3; neither 2 nor 4 works`, `**49**; its double is 98`. What is said of a
value that the answer has named itself is left as it is.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import REASONS_ELSEWHERE
from rewardkit.verifiers.vocabulary.sought import Sought, holds_one

_WRONG = frozenset((
    "common", "popular", "intuitive", "tempting", "frequent", "typical", "usual", "naive",
    "classic", "obvious", "wrong", "incorrect", "mistaken",
))  # fmt: skip
WRONG_ANSWER = (
    rf"(?:the|an?)\s(?:\w+\s)?{alternatives(_WRONG)},?\s(?:\w+\s)?"
    r"(?:answer|reply|response|value|result|guess|mistake|error|trap|pitfall)"
)
_NO_OTHER = r"(?![^.!?\n]*\b(?:answer|but|while|whereas)\b[^.!?\n]*\d)"
_TO_THE_END = r"[^.!?\n]*[.!)\s]*\Z"
_PEOPLE = re.compile(
    rf"\(?{_NO_OTHER}(?:(?:[Mm]ost|[Mm]any|[Ss]ome)(?:\s(?:people|students|pupils|textbooks|books|of\sus|others))?|[Pp]eople"
    r"|[Oo]thers|[Oo]ne)\s(?:(?:would|might|often|may|will|wrongly|then|who)\s){0,2}"
    rf"(?:say|think|answer|guess|forget|believe|claim|reply|give|get|expect|count|include|write)\b{_TO_THE_END}"
    rf"|(?:Had|Were)\s[^.!?\n]*\bwould\b{_TO_THE_END}"
    r"|If\s[^.!?\n]*\bwould\b[^.!?\n]*\bbut\s(?:that|this|it)(?:['’]s\snot|\s(?:is|was)(?:\snot|n['’]t))\b"
    rf"[^.!?\n\d]*[.!)\s]*\Z|(?i:{WRONG_ANSWER})\s{_TO_THE_END}"
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
    r"(?:(?:does|do|will|would|can)(?:\snot|n['’]t|not)\s(?:work|suffice|fit|do|qualify|count)"
    r"|(?:both\s|all\s)?fails?|(?:is|are)\s(?:both\s|already\s|still\s)?too\s(?:few|many|small|large|little|big|short|long|low"
    r"|high|much)|(?:is|are)\s(?:excluded|rejected|ruled\sout|impossible|extraneous|discarded|invalid|not\s{good})"
    r"|(?:reicht|reichen|genügt|genügen|gehen|geht)\snicht|ne\s(?:suffi\w+|convien\w+|march\w+)\spas|no\s(?:basta|bastan|sirve|sirven|alcanzan)"
    r"|non\s(?:basta|bastano|va|vanno)|não\s(?:basta|bastam|serve|servem))"
).replace("{good}", _GOOD)
_EXCLUDED = Sought(
    r"(?P<turn>\s?[;,]\s|\s[–—-]\s)(?:(?:and|while|whereas|since|because|as|but|und|et|y|e)\s)?"
    rf"(?:neither\s(?P<none>{_OTHERS})\s{_DO}|(?P<others>{_OTHERS})\s{_FAILS}|(?<=[–—-]\s)not\s(?P<not>{_OTHER}(?:(?:,\s)(?:not\s)?{_OTHER}){{0,3}}))"
    r"(?:\s(?:either|here|for\sthis|yet|as\swell|any\smore|then))?[.!*]*\s*\Z"
)
_SIGNS = (
    " not", "n't", "n’t", "annot", "neither", "fail", "too ", "exclu", "reject", "ruled",
    "impossible", "extran", "discard", "invalid", "nicht", " pas", " no ", " non ", "não ",
)  # fmt: skip
_NUMBER = re.compile(r"[-−]?\d[\d.,/]*(?<=\d)")
_VALUE = re.compile(r"\d[^.,;\d]*\Z|\*\*\s*\Z")
_REMARK = re.compile(
    r"(?P<value>(?:\A|\n)[\s$*]*[-−]?\d[\d.,/]*(?<=\d)[$*]*|\*\*[^*\n]{1,40}\*\*)"
    r"(?:;|,|\s[–—]|\s\()\s?(?:its|whose|the\s(?:next|previous|following|preceding)\s(?:such\s)?(?:[A-Za-z]+\s)?(?=[a-z]+\s))"
    r"\s?[a-z]+(?:\s[a-z]+){0,3}\s(?:is|are|being|would\sbe|equals?)\s(?:only\s|then\s|just\s)?\$?[-−]?\d[\d.,/]*(?<=\d)\$?\)?[.!]*\s*\Z"
)


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
    if holds_one(last, (" its ", "whose ", "(its ", "the ")) and (remark := _REMARK.search(last)):
        return f"{text[: near + remark.end('value')]}."
    return text
