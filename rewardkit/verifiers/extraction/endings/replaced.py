"""What takes the place of a marked answer that is withdrawn behind it.

`Scratch that. It is 6.` says 6. Two things must stand there: words that withdraw the answer, whose
subject is the answer itself (`this is wrong`, `I made a mistake`), and what is claimed instead.
Talk that only comes after an answer (`6 does not work`, `Wait, let me verify`) replaces nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rewardkit.verifiers.extraction.endings.second_thoughts import second_thought
from rewardkit.verifiers.extraction.prose.denials import is_denied, is_negated
from rewardkit.verifiers.extraction.text.cuts import end_of, start_of
from rewardkit.verifiers.extraction.text.plain import places_of
from rewardkit.verifiers.vocabulary import phrases
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.letters import OPTION_LETTER
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.sought import Parts, Sought
from rewardkit.verifiers.vocabulary.turns import MISTAKES, SLIP
from rewardkit.verifiers.vocabulary.withdrawals import NO_ANSWER, WRONG_ELSEWHERE

_FAULTY = (
    rf"(?:{alternatives(phrases.FAULTS)}|errors?|in\serror|rejected|discarded|excluded|ruled\sout|off\sby"
    r"|not\s(?:\w+\s)?(?:right|correct|the\s(?:final\s|right\s)?answer|valid|possible|that|it))"
)
_ANSWER = r"(?:answer|box|value|result|number|total|solution|line|choice|option)"
_ITSELF = (
    rf"(?:that|this|it|the\sabove|(?:the|my|this|that)\s(?:(?:boxed|above|last|previous|first|earlier)\s)?"
    rf"{_ANSWER}(?:\s(?:above|before|in\sthe\sbox|given|is\snot)){{0,2}}"
    r"|what\s(?:I(?:\shave|\shad|['’]ve)?\s(?:boxed|wrote|written|said|put|gave|given|got)|stands)(?:\s(?:above|before|in\sthe\sbox)){0,2})"
)
_WITHDRAWS = Sought(
    r"\b(?:scratch|strike|disregard|ignore|forget|discard|cross\sout)\s(?:that|this|it|(?:all\s)?the\s(?:box"
    r"|tag|above|last|previous|boxed|answer|value|result|number)|my\s(?:answer|box|last|previous)"
    r"|(?:what(?:ever)?\s(?:is|was|stands|I\s[a-z]+)|every?thing|all)\s(?:\w+\s)?(?:above|before))\b"
    r"|\bI\s(?:must\s|have\sto\s|now\s|hereby\s)?take\s(?:that|this|it)\sback\b"
    r"|\bI\s(?:must\s|have\sto\s|now\s|hereby\s)?(?:withdraw|retract|revise|correct)\b"
    rf"|\b{_ITSELF}\s?(?:['’]s|is|was|must\sbe|has\sto\sbe|cannot\sbe|can['’]?t\sbe)"
    rf"\s(?:(?:\w+ly|all|still|just|a|an|also|therefore|of\scourse)\s){{0,2}}{_FAULTY}\b"
    rf"|\b{_ITSELF}\s(?:is|was)\s(?:(?:\w+ly|all|just|but)\s){{0,2}}{NO_ANSWER}\b"
    rf"|\b{_ITSELF}\s(?:overcounts|undercounts|fails|violates)\b"
    rf"|\b(?:this|that|the)\s{_ANSWER}\s(?:contradicts|(?:does\snot|doesn['’]t)\s(?:satisfy|work|fit))\b"
    r"|\banswer\sis\snot\s(?:that|this|it)\b"
    rf"|\b{_ITSELF}\s(?:isn['’]t|wasn['’]t|cannot\sbe|can['’]?t\sbe|doesn['’]t\s(?:look|seem))"
    r"\s(?:\w+\s)?(?:right|correct)\b"
    rf"|\b(?:we|I)\s(?:(?:see|have|now)\s)?(?:{MISTAKES}|counted\s(?:\w+\s)?(?:wrong(?:ly)?|twice))\b"
    r"|\b(?:replace|change)\s(?:it|that|this|the\sbox|my\sanswer|(?:the\s)?\d\S*)\s(?:with|by|to)\b"
    r"|\b(?:on|after|upon)\s(?:second\sthoughts?|(?:further\s)?reflection|closer\sinspection)\b"
    r"|\bI\swas\s(?:wrong|mistaken)(?=[,.:;]|\sabove\b)|\btypo\b|(?:\A|[.!\n])\W*(?:edit|correction|erratum|errata|update)\s?:"
    rf"|\b(?:{WRONG_ELSEWHERE})"
    r"|\b(?:ich\shabe\smich\s(?:verrechnet|geirrt|vertan)|korrektur\s?:|je\sme\ssuis\stromp"
    r"|me\sequivoqu|ho\ssbagliato|mi\ssono\ssbagliat|errei\b|me\senganei|я\sошиб)"
    r"|不对|不對|错了|錯了|更正|有误|修正|間違|잘못|틀렸|정정"
)
"""What says that the answer before it is none."""
_IS_PART = as_pattern(
    r"\s*+(?:\.\s*+)?(?:[$\\)\]]*+\s*+(?:[a-z]+\s)?|(?:\w+,\s)?(?:but\s)?(?:that|this|it)\s)"
    r"(?:(?:is|was|counts?|counted|gives|covers|were)\s(?:(?:only|just|merely)\s(?!attained|reached"
    r"|possible|true|valid)|half\s|for\sthe\s|one\stoo|too\s(?:few|many|small|large|big|low|high)"
    r"|my\s(?:first|initial|previous|earlier|old)\s)|would\s(?:be|have\sbeen)\s)",
    re.I,
)
"""What makes less of the answer that stands right before it, so that a later one counts."""
_SUPPOSED = as_pattern(
    r"\b(?:if|whether|unless|suppose|why|says?|thinks?|claims?|seems?|objects?)\s(?:\w+\s)?\Z", re.I
)
_TURN_WORDS = (
    rf"(?:{SLIP}|(?:no|nein|non|não|нет)(?=\s*[,:.;!—–-])|pardon|perd[óo]n|scusa(?:te)?"
    r"|entschuldigung|desculpe?|lo\ssiento|извините|update|I\smeant?|I\snow\sthink"
    r"|I(?:\shave|['’]ve)?\schanged\smy\smind|(?:it|this|that)\s(?:should|must)\s(?:be|read)"
    r"|better|after\sre-?\w+ing(?:\s\w+){0,2})"
)
_TURN = rf"(?:{_TURN_WORDS}|更正|不)"
_VALUE = (
    rf"(\$[^$\n]{{1,60}}\$|\\\([^\n]{{1,60}}?\\\)|(?:[a-z]\s?=\s?)?-?\d[\d.,/]*\b"
    rf"|{OPTION_LETTER}|yes|no|true|false)"
)
_AT_ONCE = as_pattern(
    rf"[.!?…\n;,–—-][\s$)\]*(]*+(?:{_TURN}[\s,:.;!—–-]+){{1,3}}"
    r"(?:(?:so|but|I\s(?:get|meant?|find|obtain)|it(?:['’]s|\sis|\sshould\sbe|\smust\sbe)|should\sbe"
    r"|that(?:['’]s|\sis)|there\sare|the\s\w+\s(?:is|are)|c['’]est|es\s(?:ist|sind)|son|es|sono|são|[èé]|это)\s){0,2}"
    rf"(?:looking\s(?:again|closer|at\sit\sagain),?\s)?\(?{_VALUE}(?:\s(?!not\b)[a-z]+)?(?:\s(?:better|best))?[.!)]*\s*\Z",
    re.I,
)
"""A turn and one value, which is all that is said."""
_SLIP = Sought(
    r"\b(?:wrong|incorrect|mistake|slip|typo|twice|too\s(?:many|few)|forgot(?:ten)?|missed|overlooked|miscounted|misread"
    r"|instead\sof|oubli\w+|tromp\w+|vergessen|übersehen|verrechnet|olvid\w+|equivoqu\w+|dimenticat\w+|sbagliat\w+"
    r"|esquec\w+|errei|забыл\w*|ошиб\w+)\b|n['’]t\b|\bnot\s|忘|错|漏"
)
_MENDS = as_pattern(
    rf"(?:[.!?\n]|\A)\s*(?P<slip>[^.!?\n]{{8,160}}?)(?:,\s(?:so|thus|hence|therefore|donc|also|entonces|quindi|então|поэтому)|\s?[:;]|,)"
    r"\s(?:(?:it|that|the\s\w+)(?:['’]s|\s(?:is|should\sbe|must\sbe|has\sto\sbe))\s|(?:we|I)\sget\s|c['’]est\s|il\sy\sen\sa\s"
    r"|(?:es\s)?(?:ist|sind)\s(?:es\s)?|(?:das|die)\s\w+\sist\s|son\s|es\s|sono\s|[èé]\s|são\s|это\s)?"
    rf"(?:(?:really|actually|in\sfact|only|just|exactly)\s)?{_VALUE}[.!)]*\s*\Z",
    re.I,
)
"""A sentence that owns to a slip and ends in what comes without it: `I forgot one, so it is 13.`"""
_NO_SLIP = Sought(
    r"\b(?:at\sfirst|initially|earlier|previously|before|if|would|common|many|some|often|students?|people|you|they"
    r"|one\s(?:may|might|could|can|gets?|has|forgets)|d['’]abord|zuerst|al\sprincipio|fréquente|häufig\w*|si|wenn)\b"
)
"""What tells of a slip that is somebody else's, or mended."""
_OPTION_AFTER = as_pattern(
    rf"[.!?\n]\s*(?i:{_TURN})\b[^\n]{{1,200}}?(?:[.:;,]|\bso)\s({OPTION_LETTER})\s(?:is|must\sbe)"
    r"\s(?:the\s)?(?:correct|right)(?:\s(?:one|answer|option|choice))?[.!)]*\s*\Z"
)
"""A turn and the option that is right instead."""
_TURNS = Sought(rf"\b{_TURN_WORDS}\b|更正|不")
_NAMED = Sought(
    r"\b(?:answer|final\sone|real\sone|correct\sone|right\sone)\b[^.\n]{0,40}\b(?:is|are|:)"
)
_ANY_TURN = Parts(_TURNS, _NAMED, _WITHDRAWS)
_DENIES = Sought(rf"\b(?:{_FAULTY}|not|void|dismissed)\b|n['’]t\b|\bcannot\b|\?\s*no\b")
_MENDED = as_pattern(r"\b(?:at\sfirst|earlier|initially|corrected|fixed|mended)\b", re.I)
_RATHER = as_pattern(r"\$?,?\s(?:but|rather)\b")
_LETTER = as_pattern(rf"\b{OPTION_LETTER}\s[a-z]")
_NOTE = as_pattern(r"\s[(\[](?P<note>(?=[A-Z\d])(?:[^()\[\]]|\([^()]*\)|\[[^\[\]]*\])*)[)\]]\W*\Z")
_STOPS = " .!*$\n"
_MAX_CHARS = 1500
_MAX_VALUE = 40
_MAX_TURN = 300
"""A turn and its value are no longer."""


def replaced(rest: str, says: Callable[[str], str | None], value: str = "") -> str | None:
    """Return what a text claims behind a marked answer that it withdraws, else None.

    `says` reads what the text behind the withdrawal states, which may name the answer's `value`.

    >>> replaced(". This is wrong. It is 6.", lambda text: text.rsplit(" ", 1)[-1])
    '6.'
    >>> replaced(". Note that 6 does not work.", str) is None
    True
    """
    rest = rest[:_MAX_CHARS]
    if not rest.strip(_STOPS):
        return None
    if value and len(value) < _MAX_VALUE and value in rest and _DENIES.may_be_in(rest):
        for start in places_of(value, rest):
            before, end = rest[max(0, start - 30) : start], start + len(value)
            denied = is_denied(rest, end) or (
                is_negated(before.lower()) and _RATHER.match(rest, end)
            )
            if denied and not _SUPPOSED.search(before):
                return says(rest[end:])
    near = max(0, len(rest) - _MAX_TURN)
    turns = _ANY_TURN.may_be_in(rest)
    if (
        turns
        and _TURNS.may_be_in(rest)
        and (once := _AT_ONCE.search(rest, near) or _OPTION_AFTER.search(rest, near))
    ):
        return once[1]
    if mended := _mended(rest[near:]) or second_thought(rest, value):
        return mended
    if not turns:
        return None
    part = _IS_PART.match(rest) if _NAMED.may_be_in(rest) else None
    if part and (named := _NAMED.search(rest, part.end())):
        return says(rest[named.start() :])
    for found in _WITHDRAWS.finditer(rest):
        before = rest[start_of(rest, found.start()) : found.start()]
        after = rest[found.end() : end_of(rest, found.end())]
        of_other = has_digit(before) or (len(value) == 1 and _LETTER.search(before))
        if not (of_other or _SUPPOSED.search(before) or _MENDED.search(after)):
            return says(rest[found.end() :])
    return None


def with_note_opened(text: str) -> str:
    """Return a text whose last words take its answer back in brackets, without the brackets.

    >>> with_note_opened("It is 4. (Later: The above is wrong. There are 8, which I answer.)")
    'It is 4. Later: The above is wrong. There are 8, which I answer.'
    >>> with_note_opened("It is 4. (Note: That it is 8 is wrong.)")
    'It is 4. (Note: That it is 8 is wrong.)'
    """
    if not text[-4:].rstrip(" .*\n").endswith((")", "]")):
        return text
    near = text[-_MAX_CHARS:]
    if (note := _NOTE.search(near)) is None:
        return text
    said = note["note"]
    for found in _WITHDRAWS.finditer(said):
        before, is_label = said[: found.start()], found[0].endswith((":", "："))
        if not (is_label or has_digit(before) or _SUPPOSED.search(before)):
            return f"{text[: -len(near)]}{near[: note.start()]} {said}"
    return text


def _mended(rest: str) -> str | None:
    """Return what comes without the slip that the last sentence of a text owns to, or None."""
    mends = _MENDS.search(rest) if has_digit(rest) and _SLIP.may_be_in(rest) else None
    if mends is None or not _SLIP.search(mends["slip"]) or _NO_SLIP.search(mends["slip"]):
        return None
    return mends[2]
