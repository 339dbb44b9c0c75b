"""A comparison sign or a formula of logic or sets that a sentence ends with, in signs or in words.

`So A ∩ B = ∅`, `p and not q`, `A is a subset of B`.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.patterns import left_open_by

_COMPARES = r"(?:[<>!]=|[<>=≤≥≠]|\\(?:[lg]eq?|neq?|lt|gt)(?![a-z]))"
_SIGN_GOLD = as_pattern(rf"\$?\s*{_COMPARES}\s*\$?")
_SIGN = as_pattern(
    r"(?:\b(?:is|be|with|use|using|sign|symbol|write|insert|choose|put|get)|:)\s*[\"'“‘$`*(\[]*"
    rf"({_COMPARES})[\"'”’$`*)\]]*[.!]*\s*\Z"
)
_INFINITY = as_pattern(
    r"(?:(?:negative|minus|positive|plus)\s|[-−+])?\s?(?:infinity|infinite|∞|\\infty)", re.I
)
_IS_ENDLESS = as_pattern(
    rf"\b(?:is|be|to|equals|towards)\s\$?({_INFINITY.pattern})\$?[.!*]*\s*\Z", re.I
)
_COMMANDS = (
    "to|[rR]ightarrow|implies|[lL]eftrightarrow|iff|land|lor|wedge|vee|cap|cup|subseteq|subset(?:neqq?)?|supseteq"
    "|supset(?:neqq?)?|in|notin|setminus|neq?"
)
_JOINS = rf"(?:<?[-=]>|[→⇒⟹↔⇔∧∨∩∪⊆⊂⊇⊃∈∉∖=≠]|\\(?:{_COMMANDS})(?![a-zA-Z]))"
_OPERAND = (
    r"(?:[¬~({\s$]|(?:[∀∃]|\\(?:forall|exists)\s)[a-z](?![a-z])|\\(?:neg|lnot|sim|(?:left|right)(?![a-z])|overline|[,(]))*+"
    r"(?:[A-Z]\([a-z](?:,\s?[a-z])?\)|[A-Za-z](?![A-Za-z])|∅|\\(?:emptyset|varnothing)|\\\{\\\})"
    r"(?:['ᶜ)}\s$]|\^\{?c\}?|\\(?:right(?![a-z])|[,)]))*+"
)
"""Of possessive parts: blanks could else be shared out in as many ways as there are subsets."""
_FORMULA = rf"{_OPERAND}(?:{_JOINS}{_OPERAND})+"
_LOGIC = as_pattern(r"[-=]>|[→⇒⟹↔⇔∧∨∩∪⊆⊂⊇⊃∈∉∖∅]|\\[a-zA-Z]{2}")
_ALONE = as_pattern(_FORMULA)
_AT_END = as_pattern(rf"(?<![\w\\$])({_FORMULA})[.!*]*\s*\Z")
_CLAUSE = as_pattern(r"[,;:\"”]\s")
_MAX_CHARS = 400
_DENIED = left_open_by(
    r"or|if(?!f)|assume|whether|wrong|false|to\s(?:show|prove|verify|check|decide)"
)
_SET = r"\$?([A-Z])\$?"
_END = r"[\"”'’*.!。\s]*\Z"
_INSIDE = as_pattern(
    rf"(?<![\w\\]){_SET}\s(?:is|must\sbe|will\sbe)\s(?:therefore\s|thus\s)?(?:(?:an?\s)?(proper|strict)(?:ly)?\s|an?\s)?"
    rf"(?:(subset\sof|contained\sin|included\sin)|superset\sof)\s(?:the\s(?:set\s)?)?{_SET}{_END}"
    rf"|{_SET}\s?是\s?{_SET}\s?的(真)?子集{_END}"
)
_DISJOINT = as_pattern(rf"(?<![\w\\]){_SET}\sand\s{_SET}\sare\sdisjoint(?:\ssets)?{_END}")
_LETTER = r"(?:not\s)?\(?\$?[a-zA-Z]\$?\)?"
_JOINED = as_pattern(
    rf"(?<![\w\\])(if\s)?({_LETTER})(?:(,?\sthen|,)|\s(and|or|implies|if\sand\sonly\sif|iff))\s({_LETTER}){_END}",
    re.I,
)
_SIGNS = {"and": "∧", "or": "∨", "implies": "→", "iff": "↔", "if and only if": "↔"}
_NAME = as_pattern(r"(?<![a-zA-Z\\])[a-zA-Z](?![a-zA-Z])")


def of_symbols(gold: str) -> bool:
    """Return whether a gold answer is a sign that compares, infinity, or names that logic joins."""
    if _SIGN_GOLD.fullmatch(gold) or _INFINITY.fullmatch(gold):
        return True
    return _LOGIC.search(gold) is not None and _ALONE.fullmatch(gold) is not None


def symbols_in(gold: str, sentence: str) -> str | None:
    """Return what a sentence ends with of the kind that a gold answer of symbols is, or None.

    >>> symbols_in("<", "The correct sign is >."), symbols_in(r"\\infty", "The limit is infinite.")
    ('>', '\\\\infty')
    >>> symbols_in("A = B", "They share nothing, i.e. A ∩ B = ∅."), symbols_in("A = B", "Is A ⊆ B?")
    ('A ∩ B = ∅', None)
    """
    if _INFINITY.fullmatch(gold) or _SIGN_GOLD.fullmatch(gold):
        found = (_IS_ENDLESS if _INFINITY.fullmatch(gold) else _SIGN).search(sentence)
        if found is None or _DENIED.search(sentence):
            return None
        negative = "-" if found[1][0] in "-−nNmM" else ""
        return f"{negative}\\infty" if _INFINITY.fullmatch(gold) else found[1]
    sentence = sentence[-_MAX_CHARS:]
    if found := _AT_END.search(sentence):
        said, at = found[1].strip(" $"), found.start()
    elif spoken := in_signs(gold, sentence):
        said, at = spoken
    else:
        return None
    return None if _DENIED.search(_CLAUSE.split(sentence[:at])[-1]) else said


def in_signs(gold: str, sentence: str) -> tuple[str, int] | None:
    """Return the formula that a sentence ends with in words, in signs, and where it begins.

    Only of names that the gold answer has two propositions are joined: `a` may be an article.

    >>> in_signs("p ∧ q", "It is p and not q."), in_signs("A = B", "So A is a subset of B.")
    (('p ∧ ¬q', 6), ('A ⊆ B', 3))
    """
    if inside := _INSIDE.search(sentence):
        first, strict, below, second, *chinese = inside.groups()
        if chinese[0]:
            first, second, strict = chinese
            below = "是"
        sign = ("⊂" if strict else "⊆") if below else ("⊃" if strict else "⊇")
        return f"{first} {sign} {second}", inside.start()
    if apart := _DISJOINT.search(sentence):
        return f"{apart[1]} ∩ {apart[2]} = ∅", apart.start()
    joined = _JOINED.search(sentence)
    if joined is None or (joined[1] is None) != (joined[3] is None):
        return None
    said = f"{joined[2]} {joined[5]}".replace("not", "")
    if not {*_NAME.findall(said)} <= {*_NAME.findall(gold)}:
        return None
    sign = "→" if joined[3] else _SIGNS[" ".join(joined[4].lower().split())]
    first, second = (re.sub(r"(?i)not\s", "¬", part).strip("$ ") for part in joined.group(2, 5))
    return f"{first} {sign} {second}", joined.start()
