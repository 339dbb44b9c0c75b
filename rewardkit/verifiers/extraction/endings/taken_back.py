"""Last words that speak against the answer and put none in its place.

`No, that is wrong.` takes it back, `So 63 fails` refutes it. Only the end of a response is read.
Who is spoken of decides: the answer itself, by its value, or `that` right behind it. A denial of a
claim that the problem makes, or of another value, leaves the answer as it is.
"""

from __future__ import annotations

import re
from functools import lru_cache

from rewardkit.verifiers.extraction.endings.others import others_from
from rewardkit.verifiers.extraction.prose.denials import REFUTED
from rewardkit.verifiers.extraction.text.boxes import find_boxes
from rewardkit.verifiers.extraction.text.cuts import last_start, start_of
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.letters import OPTION_LETTER
from rewardkit.verifiers.vocabulary.sought import Beginning, Parts, Sought, holds_one
from rewardkit.verifiers.vocabulary.turns import MISTAKES, TURN
from rewardkit.verifiers.vocabulary.withdrawals import NOT_SO, WITHDRAWALS, WRONG_ELSEWHERE

_MAX_CHARS = 400
_FEW = 3
_MUTTERS = as_pattern(rf"\W*(?:{TURN}|nope|what|huh)\W*", re.I)
"""A sentence that only turns from what stands before it, so that a fragment may follow."""
_MAX_TEXTS = 8
"""So many are kept in pieces: each is read for several signs."""
_BREAK = as_pattern(r"(?s:.*)(?:\s(?:--?|[–—])\s|\.{3}\s|…\s?)(?=[a-z][^\d]*\Z)", re.I)
_BREAKS = (" -", " –", " —", "...", "…")
"""What breaks a sentence off, so that another begins behind it: `63 -- no, disregard that`."""
_NUMBER = as_pattern(r"\d+")
_BOLD = as_pattern(r"\*\*[^*\n]{0,60}\d[^*\n]{0,60}\*\*")
_CLOSING = "$\\)] .*"
"""What closes a formula or a sentence behind a mark."""
_SPEAKER = as_pattern(r"\W*(?:[A-Z][a-z]{1,12}\s?:\s*)?")
_DENIES = Beginning(
    rf"(?:(?P<turns>{TURN})\b[\s,.!:;…—-]*)*"
    rf"(?:that|this|it|(?:the|my|this|that)\sanswer(?:\sabove)?)\b\s?(?!\S+\s(?:false|impossible)\b){REFUTED}"
    r"(?P<rest>[^\d\\]*\Z|,?\s(?:since|because|as)\b)"
)
_WITHDRAWS = Sought(
    r"\bI\s(?:hereby\s|now\s)?(?:(?:withdraw|retract)\b(?!\snothing)|\bI(?:'m|\sam)\s(?:withdrawing|retracting)\b|take\s(?:it|that|this|(?:it\s)?all)\sback\b"
    r"|take\sback\b)|\b(?:start|begin|do\s(?:it|this))\s(?:(?:all\s)?over|again|afresh)"
    r"(?:\sfrom\s[a-z ]{1,20})?\W*\Z"
    r"|\b(?:please|right|wrong|correct|let\sme|(?:must|should|will|have\sto|need\sto)),?\s"
    r"try\s(?:it\s)?again\W*\Z"
    rf"|(?:\A|\bplease\s|,\sso\s)(?:{TURN},?\s)?(?:scratch|disregard|ignore|forget)\s(?:that|this|it|(?:all\s)?the\sabove"
    r"|all\s(?:that|this)|(?:my|the|this|that)\s(?:last\s|previous\s)?(?:answer|box|result|value))(?:\W*\Z|[;:]|,\s(?:I|as|since|because)\b[^\d]*\Z)"
    r"|(?:n't|\bnot|\bno\slonger)\s(?:believe|trust|stand\sby|defend|vouch\sfor|rely\son)\s"
    r"(?:it|that|this|(?:my|the)\s(?:answer|result|value))\b"
    r"|\bno\slonger\s(?:think|believe|hold|say|claim|agree)\s(?:so|that|it|this|with\s(?:it|this|that))\b|\bleave\s[^.]{0,30}\bblank\b"
    r"|\bI\s(?:don't|do\snot)\s(?:yet\s)?have\s(?:a|the|any)\s(?:correct|right|valid|final|better)\s"
    r"(?:value|answer|result|solution)\b[^\d]*\Z"
    rf"|\A\W*(?:(?:no|non|nein|não|нет)[,.]\s)?(?:{WRONG_ELSEWHERE})\W*\Z"
    r"|\A\W*(?:不[，,]\s?)?(?:这|那)?(?:是)?(?:不对|错的|错了|不正确)\W*\Z|\A\W*(?:いいえ、|いや、)?(?:これは)?間違い(?:です|でした)\W*\Z"
    r"|\bI\s(?:need\sto|have\sto|must|should|would\shave\sto)\s(?:redo|recompute|recalculate|rework|reconsider|rethink)\b[^.\d]*\W*\Z"
    r"|\A(?!\W*(?:any|every|no|all|the|an)\s?other\b)[^.;\d]{0,80}\b(?:wrong|incorrect|false|impossible|contradicts?|inconsistent|(?:can't|cannot)\sbe)\b[^.;\d]{0,60}[,;]\s(?:and|but|yet|though)\s(?:I|we)\s(?:still\s)?"
    r"(?:have\sfound|have\sgot|have|found|see|know|can\sfind)\s(?:of\s)?(?:no(?:\s(?:other|better|new))?\s(?:one|result|answer|value|solution)|no\sother|none|nothing\s(?:else|better|in\sits\splace))\b[^.\d]*\W*\Z"
    r"|\A(?:just|only)\s(?:kidding|joking)\b|\bI\s(?:must\sbe|was|am)\s(?:wrong|mistaken)\W*\Z"
    rf"|\A{TURN},?\s(?:I\s(?:need\sto|have\sto|must|should)|let\sme)\s(?:reconsider|rethink|redo)\b[^.\d]{{0,30}}\W*\Z"
    r"|\A(?:on\ssecond\sthought|hmm+|wait|actually),?\s(?:no|not)\W*\Z"
    rf"|\A{TURN},?\s(?:this|that|it)\sdoes(?:\snot|n't)\ssatisfy\sthe\b[^.\d]*\W*\Z|{WITHDRAWALS}"
)
_NOT_SO = Sought(NOT_SO)
_NO_ANSWER = Sought(
    r"\b(?:it|this|that|which)(?:'s\snot|\sis\snot|\sisn't|\swas\snot|\swasn't)\s"
    r"(?:the|my|our)\s(?:final\s|right\s|correct\s)?answer\W*\Z"
    r"|\d\W?[^.;,\n\d]{0,60}[;,]\s(?:but\s|in\sgeneral\s|which\s|yet\s|though\s|however,?\s){0,2}(?:it|this|that|which)\s(?:isn't|is\snot|doesn't"
    r"|does\snot|wasn't)(?:\sthe\scase|\sso|\strue)?\W*\Z"
    rf"|;\s(?:that|this|it)\b(?!\S*\s(?:false|impossible)\b)\s?{REFUTED}\W*\Z"
    rf"|,\s(?:but|yet|which|and)\s(?!would\b)(?:[^\W\d_]+\s){{0,3}}(?:(?:that|this|it)\b\s?)?{REFUTED}\W*\Z"
)
_GUESS = (
    r"(?:(?:(?:wild|educated|random|best|rough|pure|lucky|total)\s)?guess(?:ing)?"
    r"|(?:shot|stab)\sin\sthe\sdark)\b"
)
_GUESSES = Sought(
    rf"[,;]\s(?:at|an?)\s{_GUESS}\W*\Z|\A\W*(?:an?\s)?{_GUESS}\W*\Z|\bI\s(?:rolled\sa\sdie|(?:tossed|flipped)\sa\scoin)\W*\Z"
    rf"|\b(?:just|only|merely|purely|simply|is|was|be)\s(?:a|an|my)\s{_GUESS}(?!\sno\smore)|\b(?:just|merely|purely)\sguessing\b"
    r"|\bI\s(?:(?:just|simply|completely)\s)?(?:made\s(?:it|that|this(?:\s\w+)?)\sup|invented\s(?:it|that|this))\b"
    r"|\bwhich\s(?:I|we)\s(?:can't|cannot|could\snot|couldn't|am\sunable\sto|are\sunable\sto)\s(?:\w+ly\s)?(?:prove|justify|show|verify)\b"
    r"|\bif\s(?:I\s(?:had|have|were)\sto\sguess|guessing)\b|\bI(?:'m|\sam)\s(?:just\s|only\s)?guessing\b"
    r"|\b(?:but|though|although)\sI(?:'m|\sam)\snot\s(?:\w+\s)?(?:sure|certain|confident)"
    r"(?:\s(?:about|of)\s(?:it|this|that))?\W*\Z"
)
"""What says that the answer beside it is a guess."""
_TAKES_BACK = Parts(_DENIES, _WITHDRAWS, _NO_ANSWER, _NOT_SO)
MAY_TAKE_BACK = Parts(_DENIES, _WITHDRAWS, _NO_ANSWER, _GUESSES, _NOT_SO)
ANSWERS = as_pattern(r"\d|box|\banswer\b|\b(?:yes|no|true|false)\b", re.I)
_DIGIT = as_pattern(r"[0-9]")
"""The sign of most answers, found in a fraction of the time."""
_AFFIRMS = as_pattern(
    r"\b(?:correct|right|fine|indeed|holds?|works?|checks?|ok|okay|yes|stands?|keep|confirm\w*|verif\w*|hope|thank\w*"
    r"|is|are|was|equals)\b|\b(?-i:[A-HJ])\b",
    re.I,
)
"""What a last sentence says of an answer that stands, or of another one."""
_MARK = as_pattern(r"\\f?box|</answer>|\*\*", re.I)
_MARKED = Sought(r"\\f?box|\banswer|####")
_CONCLUDES = as_pattern(
    r"[:;]\s(?:so\s|hence\s|in\sfact,?\s)?(?:the|it|he|she|they|we|this|that)\s[^.:;]*"
    r"(?:\b(?:is|are|was|were|gets?|takes?|costs?|needs?|has|have|equals?)\b|=)[^.:;]*\d"
)
"""What it is instead: `That is wrong, as the cases show: the probability is 1/3.`"""
_CLAIMS = as_pattern(
    r"\b(?:claim\w*|statement|says?|argu\w+|option|if|suppose|assum\w+|would|might|could)\b", re.I
)
_VALUE = as_pattern(rf"-?\d[\d.,/]*(?<![.,/])|\b{OPTION_LETTER}\b")
_LEADS = as_pattern(
    rf"\W*(?:(?:{TURN}|so|thus|hence|therefore|and|then)\b\W*)*"
    r"(?:(?:the|this|that)\s)?(?:(?:value|number|answer|option|choice|result|[a-z]\s?=)\W{1,3})?\W*",
    re.I,
)
_IS_NOT = as_pattern(
    rf"\W*(?:(?:{TURN}|so|thus|hence|therefore)\b\W*)*(?:that|this|it|(?:the|this|that)\s\w+|"
    rf"[a-z])\s(?:(?:is|was)\snot|isn't|wasn't"
    r"|cannot\sbe|can't\sbe|is\snever|is\sdefinitely\snot)\s(?:equal\sto\s)?[$\\(]*",
    re.I,
)
"""`That is not 12.` behind `The answer is 12.`"""
_REASONED = as_pattern(r"[^\w,]*(?:,?\s(?:as|because|since)\b|\Z)")
_SO = as_pattern(r"\b(?:fails?|failed|wrong|contradict\w*),\s(?:so|thus|hence|therefore)\s\$?\Z")
"""`Actually the check fails, so 36 is not the answer.`"""
_TURNS = Beginning(rf"\W*{TURN}\b")
_REST = r"[^\d\\=]*\Z"
_FAILS = as_pattern(rf"\W*(?:\w+,\s)?\s*{REFUTED}{_REST}", re.I)
_THAT_FAILS = as_pattern(rf"\W*(?:{TURN}\b\W*)+(?:that|this|it)\s?{REFUTED}{_REST}", re.I)
_RULED_OUT = as_pattern(
    r"\b(?:rul(?:es?|ed|ing)\sout|exclud(?:es?|ing)|eliminat(?:es?|ing)|disproves?|refutes?"
    r"|contradicts?)\s(?:the\s)?(?:option\s|choice\s|value\s|answer\s)?\W*\Z",
    re.I,
)
_NOTE = (
    r"\s?[\[(](?!an?\s\w+\s(?:wrong|incorrect)\s)[^\[\]()\d=]*\b(?:deleted|struck|crossed\sout|withdrawn|retracted|rejected|discarded"
    r"|obsolete|superseded|scrapped|void|outdated|wrong|incorrect)\b[^\[\]()]*[\])]\W*\Z"
    r"|;?\s+(?:#|//)[^\n]*\b(?:todo|fixme|placeholder|default|dummy|stub|overwrit\w+|initial\w*)\b[^\n]*\Z"
)
_NOTED = as_pattern(_NOTE, re.I)
_BLAMES = Sought(
    rf"\b(?:I|we)(?:['’]ve|\shave)?\s(?:{MISTAKES})\b"
    rf"|\A\W*(?:oh\s)?{TURN}\b[^.\d]*\b(?:wrong|mistake|error|instead\sof|redone|misread"
    r"|(?:question|problem|task)\s(?:is\sabout|asks?|wants?|was\sabout|asked))\b"
    r"|\b(?:needs?|has|have)\sto\sbe\s(?:redone|recomputed|recalculated|revised)\b|\A\W*edit\b[^.\d]*\bdisregard"
)
"""That the writer has erred: `Oh no, I used the wrong radius`."""
_MENDED = as_pattern(
    r"\b(?:at\sfirst|earlier|initially|corrected|fixed|mended|no|nothing|right)\b", re.I
)
_CONTRADICTION = as_pattern(r",\s(?:which\sis\s)?a\scontradiction\W*\Z", re.I)
_CHOSEN = as_pattern(
    rf"\b{OPTION_LETTER}\)?\**\s(?:is|must\sbe|has\sto\sbe)\s(?:the\s)?(?:correct|right)\b"
    rf"|\b(?:answer|option|choice|one)\sis\s\W{{0,3}}{OPTION_LETTER}\b"
)
_MAY_REFUTE = Sought(
    rf"\bcontradiction\b|\b{REFUTED}|\b(?:not|never|cannot)\s|n't\s|\b(?:rul(?:es?|ed|ing)\sout|exclud(?:es?|ing)|eliminat(?:es?|ing)|disproves?"
    rf"|refutes?)\b|{_BLAMES.source}|\b(?:but|however|yet|alas|unfortunately)\b|{_NOTE}"
)
_MAY_OBJECT = Parts(MAY_TAKE_BACK, _MAY_REFUTE, _TURNS)
_SUPPOSED = as_pattern(
    r"\b(?:if|suppose|assum\w+|would|were|might|could|claim\w*|statement)\b|\?", re.I
)
_OBJECTS = as_pattern(
    r"\W*\s(?:is|has|are)\b(?![^.]*\b(?:works?|fits?|satisf\w+|correct|right|fine|indeed|answer"
    rf"|remains?|left|possible)\b){_REST}",
    re.I,
)


def may_answer(text: str) -> bool:
    """Return whether a text holds what an answer may be."""
    return _DIGIT.search(text) is not None or ANSWERS.search(text) is not None


def is_taken_back(text: str) -> bool:
    """Return whether the last sentence of a text takes back what it answered before.

    >>> is_taken_back("The answer is 12. No, that is wrong."), is_taken_back("No, that is wrong.")
    (True, False)
    >>> is_taken_back("The answer is 12. No, that is wrong. It is 13.")
    False
    """
    last = last_sentence(text)
    if (taken := _takes_back(text, last)) is not None:
        return taken
    if not last or has_digit(last) or ANSWERS.search(last):
        return False
    goes_on = not _AFFIRMS.search(last) or (last[-1:].isalpha() and len(last.split()) > 1)
    # `This is wrong. I leave it at that.`
    if not goes_on:
        return False
    before = text[: text.rfind(last)]
    previous = last_sentence(before)
    if _MUTTERS.fullmatch(previous) and last[-1:].isalpha() and len(last.split()) <= _FEW:
        return may_answer(before)
    return _takes_back(before, previous) is True


def _takes_back(text: str, last: str) -> bool | None:
    """Return whether a last sentence takes an answer back; None where it says nothing of one."""
    if not MAY_TAKE_BACK.may_be_in(last):
        return None
    before, previous, _ = last_two(text)
    aside = _BREAK.match(last) if holds_one(last, _BREAKS) else None
    if aside:
        before, previous, last = before + aside[0], aside[0], last[aside.end() :]
    if _GUESSES.search(last):
        if _MARK.search(previous) and not has_digit(last):
            return True
        if _MARKED.search(last) or may_answer(last):
            return not _MARKED.search(before)
    if not _TAKES_BACK.may_be_in(last):
        return None
    said = _SPEAKER.sub("", last, count=1)
    if others_from(text) >= 0:
        return False
    if no_answer := _NO_ANSWER.search(said):
        named = ANSWERS.search(said, 0, no_answer.start()) is not None
        return not _MARKED.search(before) if named else may_answer(before)
    if withdraws := _WITHDRAWS.search(said):
        named = ANSWERS.search(said, 0, withdraws.start()) is not None
        if not may_answer(before):
            return named and not has_digit(said[withdraws.end() :])
        numbers = _NUMBER.findall(said, 0, withdraws.start())
        other = not set(numbers) <= set(_NUMBER.findall(before)) and _MARKED.search(before)
        return not (other or _CONCLUDES.search(said, withdraws.end()))
    if not may_answer(before):
        return None
    if _NOT_SO.search(said):
        marked = _MARK.search(previous) or _MARKED.search(previous)
        return aside is not None or marked is not None
    return _is_denied(said, previous)


def _is_denied(said: str, previous: str) -> bool | None:
    """Return whether a sentence denies the answer of the one before: `No, it is wrong.`."""
    denies = _DENIES.match(said)
    if denies is None:
        return None
    if (
        _CONCLUDES.search(said, denies.end())
        or _CLAIMS.search(previous)
        or previous.rstrip().endswith("?")
    ):
        return False
    return bool(denies["turns"]) or _MARKED.search(previous) is not None


def last_two(text: str) -> tuple[str, str, str]:
    """Return what stands before the last sentence near the end of a text, and the last two.

    >>> last_two("One. Two? Three!")
    ('One. Two? ', 'Two? ', 'Three!')
    """
    end, start, mark = _cut(text[-_MAX_CHARS:])
    if mark > start:
        return end[:mark], end[start:mark], end[mark:].lstrip(_CLOSING)
    return end[:start], end[last_start(end[:start]) : start], end[start:]


def last_sentence(text: str) -> str:
    """Return the last of the two, which is all that most texts are asked for."""
    end, start, mark = _cut(text[-_MAX_CHARS:])
    return end[mark:].lstrip(_CLOSING) if mark > start else end[start:]


@lru_cache(maxsize=_MAX_TEXTS)
def _cut(end: str) -> tuple[str, int, int]:
    """Return an end in one spelling, where its last sentence begins, and words behind a mark."""
    end = end.rstrip().replace("’", "'")
    start = start_of(end, len(end))
    return end, start, _behind_mark(end, start)


def _behind_mark(end: str, start: int) -> int:
    """Return where a mark ends that words follow in the last sentence of a text; 0 without one."""
    if end.startswith("**", start):
        bold = _BOLD.match(end, start)
        mark = bold.end() if bold else 0
    elif end.rfind("boxed{") >= start and any(map(str.isalpha, end[end.rfind("}") + 1 :])):
        boxes = find_boxes(end[start:])
        mark = start + boxes[-1].end if boxes else 0
    else:
        mark = end.rfind("</answer>", start) + 9 if "</answer>" in end[start:] else 0
    return mark if mark and any(map(str.isalpha, end[mark:])) else 0


def may_object(text: str) -> bool:
    """Return whether the last sentence of a text may take back or refute what it answered."""
    last = last_sentence(text)
    return "</answer>" in last or not may_answer(last) or _MAY_OBJECT.may_be_in(last)


def is_refuted(text: str, answer: str) -> bool:
    """Return whether the last sentence of a text refutes the answer that it gave.

    >>> is_refuted("It is 63. So 63 fails.", "63"), is_refuted("It is 63. So 62 fails.", "63")
    (True, False)
    >>> is_refuted("It is 63. Wait, that contradicts the rule.", "63")
    True
    >>> is_refuted("Answer: 63 [deleted: wrong]", "63"), is_refuted("So B. A rules out B.", "B")
    (True, True)
    """
    text = text[-_MAX_CHARS:].replace("</answer>", "\n")
    last = last_sentence(text)
    if not (_MAY_REFUTE.search(last) or _TURNS.match(last)):
        return False
    if not (values := _VALUE.findall(answer)):
        return False
    value = re.compile(rf"(?<![\w.,]){re.escape(values[-1])}(?![\w]|[.,/]\d)")
    previous = last_two(text)[1]
    said = value.search(previous) is not None and previous is not last
    turns = said and _TURNS.match(last) is not None
    for named in value.finditer(last):
        before, after = last[: named.start()], last[named.end() :]
        if said and _IS_NOT.fullmatch(before) and _REASONED.match(after):
            return True
        if _NOTED.match(after) or (_RULED_OUT.search(before) and not any(map(str.isdigit, after))):
            return True
        if (_LEADS.fullmatch(before) or _SO.search(before)) and (
            _FAILS.match(after) or (turns and _OBJECTS.match(after))
        ):
            return True
    if not said or _SUPPOSED.search(previous):
        return False
    if _THAT_FAILS.match(last):
        return True
    blames = None if any(map(str.isdigit, last)) or _CHOSEN.search(last) else _BLAMES.search(last)
    if _TURNS.match(last) and _CONTRADICTION.search(last):
        return True
    return blames is not None and not _MENDED.search(last, blames.end())
