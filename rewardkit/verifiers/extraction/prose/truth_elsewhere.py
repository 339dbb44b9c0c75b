"""True and false as other languages say them, of a statement or alone."""

from __future__ import annotations

import re

from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import REASONS_ELSEWHERE
from rewardkit.verifiers.vocabulary.sought import Sought

_TRUE = (
    "wahr", "richtig", "korrekt", "vrai", "vraie", "verdadero", "verdadera", "cierto", "cierta",
    "vero", "vera", "verdadeiro", "verdadeira", "waar", "верно", "истинно",
)  # fmt: skip
_FALSE = (
    "falsch", "unwahr", "faux", "fausse", "falso", "falsa", "onwaar", "неверно", "ложно",
)  # fmt: skip
_TRUTH = dict.fromkeys(_TRUE, "true") | dict.fromkeys(_FALSE, "false")
SAYS_TRUTH = Sought(rf"\b{alternatives(_TRUTH)}\b")
_CHINESE = (
    ("true", ("正确", "正確", "是对", "为真", "是真", "正しい")),
    ("false", ("错误", "錯誤", "是错", "为假", "是假", "間違い", "誤り")),
)
_MARKS = " .!。！*\n"
_MAX_ALONE = 4
"""Chinese signs of an answer that says nothing of what is true."""
_OF_A_STATEMENT = as_pattern(
    r"\b(?:Aussage|Behauptung|affirmation|proposition|énoncé|assertion|afirmación|proposición"
    r"|enunciado|affermazione|proposizione|enunciato|afirmação|proposição|bewering|stelling"
    r"|утверждение)\b|命题|命題|结论|说法|陈述|论断",
    re.I,
)
_LABELLED = as_pattern(
    r"\W*(?:(?:also|donc|quindi|portanto|das|dies|cela|esto|eso|questo|ciò|isso|isto|это|dat|dit"
    r"|ist|est|c['’]est|es|è|é|is)\s)*[^\W\d_]+",
    re.I,
)
_NOT_SO = as_pattern(
    r"\b(?:nicht|kein\w*|pas|no|non|não|niet|не|oder|ou|of|или|wenn|falls|si|se|als|если|ob|weder|ni)\b"
    r"|[不没非]|或|如果|是否|[?？]",
    re.I,
)
_CLAUSE = as_pattern(r"[,，;；:：]")
_HEAD = as_pattern(
    r"([^,;:.!(\n]{2,120}?)(?=[,;:.!]\W|\s\(|\s[—–-]\s"
    rf"|\s(?:car|da|pues|pois|{alternatives(REASONS_ELSEWHERE)})\s)"
)
"""The clause that opens a text and goes before its reasons."""
_AGAINST = as_pattern(
    rf"\b(?:aber|jedoch|doch|mais|pero|sino|ma|però|mas|но|однако|maar|{alternatives(_TRUTH)})\b",
    re.I,
)


def truth_elsewhere(text: str) -> str | None:
    """Return `true` or `false` where a text says so in another language, of a statement or alone.

    >>> truth_elsewhere("Die Aussage ist falsch."), truth_elsewhere("所以该命题是错误的。")
    ('false', 'false')
    >>> truth_elsewhere("Vrai, car 2 est pair."), truth_elsewhere("Die Aussage ist nicht falsch.")
    ('true', None)
    """
    may_say = SAYS_TRUTH.may_be_in(text)
    if not may_say and text.isascii():
        return None
    last = _CLAUSE.split(text)[-1]
    if found := _said_in(last, alone=len(last) == len(text)):
        return found
    head = _HEAD.match(text) if may_say else None
    found = _said_in(head[1], alone=True) if head else None
    return None if head is None or _AGAINST.search(text, head.end()) else found


def _said_in(clause: str, *, alone: bool) -> str | None:
    """Return what a clause calls true or false, a statement or, where it is alone, nothing."""
    end = clause.rstrip(_MARKS)
    word = end[end.rfind(" ") + 1 :].lower()
    found = _TRUTH.get(word)
    alone = alone and bool(_LABELLED.fullmatch(end) if found else len(end) <= _MAX_ALONE)
    if found is None and not word.isascii():
        end = end.removesuffix("的").removesuffix("です").removesuffix("である")
        found = next((truth for truth, words in _CHINESE if end.endswith(words)), None)
    said = found and (alone or _OF_A_STATEMENT.search(clause))
    return found if said and not _NOT_SO.search(clause) else None
