"""A last sentence about the answer before it that gives no other: what it is not, what is in it.

`The area is 12. Note that this isn't the surface.`, `Fifty minutes. Mind that the 10 minutes of
break are included.`, `⚠ The task is about edges, not about corners (8).`, `p = 0.2; all of them
add up to 1.`, `I took it from the graph, where the line ends at 7.`, `It doesn't depend on n.` A
named quantity that it is not, what it holds already, a whole of which it is a part, what was read
off and what it does not depend on take no answer's place. What corrects it, or is itself all that
is said, is no aside.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.text.cuts import last_start
from rewardkit.verifiers.vocabulary.alternatives import TASK
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.numbers import MULTIPLES, NUMBER_WORDS
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.sought import holds_one

SIGNALS = r"(?:[⚠❗❕‼ℹ💡☝👉📝]\ufe0f?\s*)"
"""What is put before a warning or a hint."""
_HEED = r"(?:please\s)?(?:note|mind|notice|observe|remember|(?:keep|bear)\sin\smind),?\s"
_IS_NOT = r"(?:this|it|that)(?:['’]s\snot|\s(?:is\snot|isn['’]t))\s"
_NO_QUANTITY = (
    r"(?:answer|right|correct|true|final\s(?:answer|result|value|number)|only|same|value|whole|end"
    r"|case|full|exact|one|way|best)\b"
)
_HELD = (
    r"(?:included|counted|deducted|contained|subtracted|added|considered|taken\s[a-z\s]+|accounted\sfor|part\sof\s[a-z\s]+"
    r"|in\s(?:the|this|that|it)\b[a-z\s]*)"
)
_SEEN = (
    r"(?:by\seye|(?:from|off|in|on)\s(?:the|an?)\s(?:[a-z]+\s)?(?:figure|graph|chart|histogram|diagram|plot|picture"
    r"|drawing|scale|sketch|table|axis|curve))"
)
_WHOLE = r"\$?(?:1(?:00\s?\\?%|80|\.0)?|360)\s?(?:°|\\%|%|degrees|\^\{?\\circ\}?)?\$?"
_ASIDE = as_pattern(
    rf"[\s(*_]*(?:{SIGNALS}[*_]*(?:[A-Z][a-z]+:\s)?)?[*_]*(?i:"
    # of what it is not
    rf"(?:(?:(?:be\s)?careful|beware)[:!,]\s|{_HEED}(?:that\s)?)?{_IS_NOT}(?:the\ssame\sas\s)?(?:the|its|their|an?)\s(?!{_NO_QUANTITY})[a-z]"
    rf"|(?:the|this)\s(?:{TASK})\s(?:asks(?:\s(?:for|about))?|is\sabout|wants|seeks|requires)\s[^.!?\n\d]*?,\s(?:and\s)?not\s"
    r"|(?:das|dies)\sist\s(?:noch\s)?nicht\sd(?:ie|er|as)\s(?!antwort|lösung|ergebnis|richtige)|ce\sn['’]est\spas\sl(?:a\s|e\s|['’])(?!bonne|réponse|solution|résultat)"
    r"|no\ses\s(?:el|la)\s(?!respuesta|solución|resultado|correct)|non\sè\s(?:il\s|la\s|l['’])(?!risposta|soluzione|risultato)|não\sé\s[ao]\s(?!resposta|solução|resultado)"
    # of what it holds already
    rf"|{_HEED}(?:that\s)?[^.!?\n]*\b(?:is|are|was|were|(?:has|have)\sbeen)\s(?:(?:not|already|all|still|yet)\s){{0,2}}{_HELD}[.!)\s]*\Z"
    r"|(?:die|der|das|les?|la|el|los|las|il|i|gli|os?|as?)\s[^.!?\n]*\b(?:sind|ist|sont|est|están|está|sono|è|são)\s(?:schon|bereits|darin|déjà|ya|già|já)\s(?:[a-z]+\s)?"
    r"(?:enthalten|eingerechnet|inbegriffen|dabei|abgezogen|compris\w*|inclus\w*|incluid\w*|déduit\w*)[.!)\s]*\Z"
    rf"|(?:please\s)?(?:do\snot|don['’]t|never|no\sneed\sto)\s(?!forget)[a-z]+\s[^.!?\n\d]*(?:\b(?:again|twice|once\smore)\b"
    rf"|[,;:–—]\s(?:(?:as|since|because)\s)?(?:it|they|that|these)(?:['’](?:s|re)|\s(?:is|are))\s(?:already\s)?{_HELD})[^.!?\n\d]*[.!)]*\Z"
    # of what it does not depend on
    rf"|(?:{_HEED}(?:that\s)?)?(?:(?:interestingly|remarkably|surprisingly|notably|curiously),?\s)?(?:it|this|that|the\s[a-z]+)\s"
    r"(?:(?:even|actually|really)\s)?(?:(?:(?:does|do)(?:\snot|n['’]t)\s(?:even\s)?depend|never\sdepends)\son|is\sindependent\sof|is\sthe\ssame\sfor\s(?:all|any|every|each))\b"
    # of what was read off
    rf"|(?:I|we)(?:\shave|['’]ve)?\s(?:read|took|taken|measured|estimated)\s[^.!?\n\d]*\b{_SEEN}\b[^.!?\n\d]*,\s(?:where|which|whose)\s"
    r")"
)
"""How a sentence begins, and maybe ends, that says no more than such."""
_FORM = as_pattern(
    r"[\s(*_]*I(?:['’]m\snot\s(?:sure|certain)|\sam\snot\s(?:sure|certain)|\s(?:don['’]t|do\snot)\sknow)\s(?:whether|if)\syou(?:['’]d|\swould)?\s"
    r"(?:want(?:ed)?|like|prefer|need)\s[^.;:!?\n\d]*[a-z](?:[;,:]\s(?:it|that)(?:['’]s|\s(?:is|would\sbe))\s[^;!?\n]*)?[.!)]*\s*\Z"
)
"""`I'm not sure whether you want it worked out; it's 32768.`"""
_NOT_SO = as_pattern(
    rf"{SIGNALS}\s*[*_]*[Nn]ot\s\S*\d[^\s:,;]*(?::|,\s(?:as|since|because))\s[^\d=\n]*\Z"
)
"""`⚠ Not 24: each edge is shared by two faces.`"""
_ADDS_UP = as_pattern(
    r"(?P<value>-?\d[\d.,/]*(?<![.,])(?:\s?\\?%|°)?)\s?[$.]?(?:;|(?<=[.])|,\s(?:and|as|since|because))\s"
    r"(?i:(?:indeed,?\s)?(?:the|all|both|these|alle|die|les|tous|toutes|las|los|todas|todos|le|tutte|tutti)\s(?![^.;\n]*\b(?:is|are|so|must|not)\b)[^.;\n=]*(?:\.\d[^.;\n=]*)*)"
    rf"\b(?:ergeben\s|machen\s|font\s|donnent\s|suman\s|fanno\s|danno\s|adds?\s(?:up\s)?|sums?\s(?:up\s)?|totals?\s|makes?\s|comes?\s)(?:together\s)?(?:to\s|up\s)?{_WHOLE}[.!]*\s*\Z"
)
"""The value before a whole that it is a part of, and all behind it."""
_IS = as_pattern(r"(?:\b(?:is|are|was|were|equals)|=|:)\s[*$]*\Z")
_NUMBER = as_pattern(r"\d[\d.,/]*(?<![.,])")
_SAID = as_pattern(
    rf"\d|\\(?:pi|infty|sqrt)|π|∞|\b(?:{alternatives(NUMBER_WORDS)}|{alternatives(MULTIPLES)})\b",
    re.I,
)
_TAKES_BACK = as_pattern(
    r"\?|\b(?:should|must|but|so|hence|thus|therefore|yet|instead|rather|wrong|mistaken?|error|correct(?:ion)?|actually"
    r"|sorry|wait|(?:is|was|we|you|what)\s(?:asked|wanted|sought|needed|want|need)|asked\sfor|or|if)\b",
    re.I,
)
"""What an aside says that is more than an aside."""
_LEFT_OPEN = as_pattern(
    r"\?|\b(?:suppose|assume|given|find|determine|maybe|perhaps|might|could|either|or|not\ssure|guess)\b",
    re.I,
)
_SIGNS = (
    "not", "n't", "n’t", "depend", "is the same for", "included", "again", "twice", "where",
    "which", "whose", "that the", "nicht", " pas ", "schon", "bereits", "darin", "déjà", " ya ",
    "già", " já ", "o es ", "on è", "ão é",
)  # fmt: skip
"""One of these is in every aside."""
_SUMS = (
    " add", " sum", " total", " make", " come", " ergeben", " machen", " font", " donnent",
    " fanno", " danno",
)  # fmt: skip
_MAX_CHARS = 300


def aside_from(text: str) -> int:
    """Return where a last sentence begins that is an aside on the answer before it, else -1.

    >>> aside_from("It is 12. Note that this isn't the area 9.")
    9
    >>> aside_from("It is 12. Note that this isn't right: it must be 9."), aside_from("It is 9.")
    (-1, -1)
    >>> aside_from("p = 0.2; all the shares add up to 1."), aside_from("The angles add up to 180.")
    (7, -1)
    """
    start = last_start(text)
    for sign in "⚠❗ℹ" if not text.isascii() else "":
        start = max(start, text.find(sign, start))
    near = max(0, len(text) - _MAX_CHARS)
    if holds_one(text[start:], _SIGNS):
        clause = text.find("; ", start) + 2
        for begin, end in ((start, start - 1), (clause, clause - 2)):
            if begin > max(1, near) and _is_aside(text, begin):
                return end
    if holds_one(text[near:], _SUMS) and (sums := _ADDS_UP.search(text, near)):
        return sums.end("value") if _IS.search(text, near, sums.start()) else -1
    return -1


def _is_aside(text: str, start: int) -> bool:
    aside = _ASIDE.match(text, start) or _NOT_SO.match(text, start)
    return bool(aside) and not _TAKES_BACK.search(text, start) and _is_said(text, start)


def without_form(text: str) -> str:
    """Return a text without a last sentence on the form in which its answer may be wanted.

    >>> without_form("It is 2^5. I'm not sure whether you want it worked out; it's 32.")
    'It is 2^5.'
    """
    if not holds_one(text[-_MAX_CHARS:], ("f you", "r you")):
        return text
    start = last_start(text)
    on_form = start and _FORM.match(text, start) and _is_said(text, start)
    return text[:start].rstrip() if on_form else text


def _is_said(text: str, start: int) -> bool:
    """Return whether what stands before an aside states a value, and another than the aside."""
    before = text[last_start(text[:start]) : start]
    if _LEFT_OPEN.search(before) or not _SAID.search(before):
        return False
    numbers = _NUMBER.findall(before)
    return not numbers or numbers[-1] not in _NUMBER.findall(text, start)
