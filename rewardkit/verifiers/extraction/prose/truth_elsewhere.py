"""True and false as other languages say them, of a statement or alone."""

from __future__ import annotations

import re

_TRUE = frozenset((
    "wahr", "richtig", "korrekt", "vrai", "vraie", "verdadero", "verdadera", "cierto", "cierta",
    "vero", "vera", "verdadeiro", "verdadeira", "waar", "верно", "истинно",
))  # fmt: skip
_FALSE = frozenset((
    "falsch", "unwahr", "faux", "fausse", "falso", "falsa", "onwaar", "неверно", "ложно",
))  # fmt: skip
_CHINESE = (
    ("true", ("正确", "正確", "是对", "为真", "是真", "正しい")),
    ("false", ("错误", "錯誤", "是错", "为假", "是假", "間違い", "誤り")),
)
_MARKS = " .!。！*\n"
_MAX_ALONE = 4
"""Chinese signs of an answer that says nothing of what is true."""
_OF_A_STATEMENT = re.compile(
    r"\b(?:Aussage|Behauptung|affirmation|proposition|énoncé|assertion|afirmación|proposición"
    r"|enunciado|affermazione|proposizione|enunciato|afirmação|proposição|bewering|stelling"
    r"|утверждение)\b|命题|命題|结论|说法|陈述|论断",
    re.I,
)
_LABELLED = re.compile(r"\W*(?:(?:also|donc|quindi|portanto|ist|c['’]est|es|è|é)\s)*[^\W\d_]+")
_NOT_SO = re.compile(
    r"\b(?:nicht|kein\w*|pas|no|non|não|niet|не|oder|ou|of|или|wenn|falls|si|se|als|если|ob|weder|ni)\b"
    r"|[不没非]|或|如果|是否|[?？]",
    re.I,
)
_CLAUSE = re.compile(r"[,，;；:：]")


def truth_elsewhere(text: str) -> str | None:
    """Return `true` or `false` where a text says so in another language, of a statement or alone.

    >>> truth_elsewhere("Die Aussage ist falsch."), truth_elsewhere("所以该命题是错误的。")
    ('false', 'false')
    >>> truth_elsewhere("vrai"), truth_elsewhere("Die Aussage ist nicht falsch.")
    ('true', None)
    """
    end = text.rstrip(_MARKS)
    word = end[end.rfind(" ") + 1 :].lower()
    found = "true" if word in _TRUE else "false" if word in _FALSE else None
    alone = found is not None and _LABELLED.fullmatch(end) is not None
    if found is None and not word.isascii():
        end = end.removesuffix("的").removesuffix("です").removesuffix("である")
        found = next((truth for truth, words in _CHINESE if end.endswith(words)), None)
        alone = len(end) <= _MAX_ALONE
    if found is None:
        return None
    clause = _CLAUSE.split(text)[-1]
    of_it = alone or _OF_A_STATEMENT.search(clause)
    return found if of_it and not _NOT_SO.search(clause) else None
