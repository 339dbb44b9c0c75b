"""Response text -> the final answer: boxes, answer tags, "the answer is", math, numbers.

The last of the strong signs wins: a box, an `<answer>` tag, or the words "final answer". Without
one, "the answer is", then the last formula, then the last number is taken.
"""

from __future__ import annotations

import re
from collections import deque
from itertools import pairwise
from typing import NamedTuple

from rewardkit.verifiers.boxes import (
    BOX,
    CONNECTING,
    EMPTY_BOX,
    Box,
    find_boxes,
    grouped,
    joined,
)
from rewardkit.verifiers.echoes import ECHO, echo_end, is_echoed
from rewardkit.verifiers.limits import MAX_RESPONSE_CHARS, NotAnswer, TooComplex
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.parser import parse
from rewardkit.verifiers.quantity import is_denied, is_negated, is_part, last_quantity
from rewardkit.verifiers.sentences import MATH, MORE, sentence_answer
from rewardkit.verifiers.visible import is_hidden, thinks_on, visible


class Found(NamedTuple):
    """An answer as written, and what in the response marked it."""

    text: str
    by: str


_TAG = re.compile(r"<answer>(.*?)(?:</answer>|\Z)", re.S | re.I)
_FINAL = re.compile(
    r"final\s++answer(?:[^\S\n]|\*\*)*+(?:\s*+(?:is\b|[:=])|\n)"
    r"\s*+(?:\*\*)?\s*+:?\s*+(?:the\s++final\s++answer\s++is\b\s*+:?)?"
    r"|####|^[^\S\n]*+A:",
    re.I | re.M,
)
_IS = re.compile(
    r"\b(?:I|we)\s+(?:choose|pick|select)\b|"
    r"(?:answer|option|choice|result)\s*+(?:\*\*)?\s*+"
    r"(?:is\b(?:\s+(?:given|therefore|thus|option|choice))?(?:\s+by\b)?|:|=)\s*(?:\*\*)?\s*:?"
    r"|答案\s{0,9}(?:(?:为|是|等于)\s{0,9}[:：]?|[:：])",
    re.I,
)
_NAMING = re.compile(
    "[aA](?:nswer|NSWER)|[oO](?:ption|PTION)|[cC](?:hoice|HOICE)|[rR](?:esult|ESULT)|choose|pick"
    "|select|答案"
)
"""What every `_IS` holds; it is found in a tenth of the time."""
_IS_ANSWER = re.compile(
    r"(\$[^$\n]{1,300}\$|\\\([^\n]{1,300}?\\\)|(?<![-\d.,/])[-\d.,/]{0,60}\d)"
    r"\s++is\s++(?:the|our|my)\s++(?:final\s++|correct\s++)?answer",
    re.I,
)
_NAMED_AFTER = re.compile(r"is\s++(?:the|our|my)\s++(?:final\s++|correct\s++)?answer", re.I)
_NUMBER = re.compile(
    r"(?<![\w.])[-−–]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|"
    r"\d{1,3}(?: \d{3})+(?![\d])|\d+,\d{1,2}(?![\d,])|\d*\.\d+|\d+)"
    r"(?:[eE][+-]?\d+)?(?:\s*/\s*\d+|(?::\d+)+(?!\d|\.\d))?\s*(?:\\?%|percent\b|pct\b)?"
)
_PLAIN_WORD = re.compile(r"(?:^|\s)(?!(?:or|and|in|pi)\b)[a-z]{2,}(?=\s|$|[,.])", re.I)
_CHINESE = re.compile("[\u4e00-\u9fff]")
_SAYS_NEXT = re.compile(r"\s*+(?:is|are|equals|=)\s++(?:equal to\s|exactly\s|then\s)?(?=[-−$(]?\d)")
_CONDITION = re.compile(
    r"[^.!?\n]{0,40}\b(?:when|since|because|at|for|with|where)\s++(?:\w{1,9}\s)?\Z", re.I
)
_GIVEN = re.compile(r"\b(?:since|because|given|for|when|if|with|as)\s*\Z", re.I)
_STATES = re.compile(r"(?:\b(?:is|are|equals)|=)\s*\Z")
_OPTION = re.compile(
    r"\b(?:[Oo]ption|[Cc]hoice)\s\**\(?([A-J])\)?\**\sis\s(?:the\s)?(?:correct|right|answer)\b"
    r"(?!\s*\?)|\b(?i:so|hence|thus|therefore),?\s(?:the\s)?(?:[Oo]ption|[Cc]hoice)\s\**\(?([A-J])\)?"
    r"\**\.?\**\s*\Z"
)
_UNSURE = re.compile(r"\b(?:if|whether|not|doubt|suppose|assum\w+|either|or|nor|think)\b|n't", re.I)
_SUPPOSED = re.compile(r"\b(?:suppose|assum(?:e|ing)|some(?: people)? (?:say|think))\b", re.I)
_IGNORANT = re.compile(
    r"\bI (?:do not|don't|cannot|can't) (?:know|tell)(?: the answer)?\s*[.;]", re.I
)
_BOLD_OPTION = re.compile(r"\*\*(\(?[A-J]\)\s[^*\n]{1,200})\*\*\.?")
_PROVED = re.compile(r"(?<!\s)\s*+\$?\s*+(?:\\(?:blacksquare|square|qed|Box)\b|[∎■□])\s*\$?\s*\Z")
_BOLD_LAST = re.compile(r"\*\*([^*\n]{1,80}?)\.?\*\*[.!]?\s*\Z")
_HOPE = re.compile(r"(?<!\s)\s*+I hope (?:it|this) is correct\.?\s*+\Z")
_PROSE = re.compile(r"(?:(?<![\\\w])[^\W\d_]{2,}[,.:]?\s+){3}")
_AFTER_BOX = re.compile(r"\s*+(?:\$|\\\)|\\\])*+\s*+(\\?%|percent(?:age)?\b|pct\b)", re.I)


_OR_AFTER = re.compile(
    r"(?:\s|\$|\\\))*\(?(?:or|vs\.?)\s+(?:(?:maybe|perhaps|possibly)\s+)?\$?(-?\d[\d.,/]*(?:\s?\\?%)?)"
)
_OR_BEFORE = re.compile(r"(?<![\w=.])(-?\d[\d.,/]*(?:\s?\\?%)?)\$?\s+(?:or|vs\.?)\s+(?:\$|\\\()?\Z")
"""A plain number beside a box that may be the answer as well."""


def extract(response: str, options: MathOptions) -> Found | None:
    """Return the answer that a response ends with, or None."""
    text = visible(response[-MAX_RESPONSE_CHARS:], options)
    if options.echo == "ignore" and ECHO.match(text):
        line, _, rest = text.partition("\n")
        text = f"{line[echo_end(line) :]}\n{rest}"
    box = _boxed(text, options)
    if box is None and (denied := _denied(text)):
        text = denied
    # A box inside a tag or after the words "final answer" is that answer already.
    rest = text[box[0] :] if box else text
    if box and not rest.strip("$. \n"):
        return box[1]
    marked = _final(rest) or _tagged(rest)
    if marked and not _has_value(marked.text):  # `#### Notes`, `the final answer is verified`
        return box[1] if box else (marked.by != "tag" and _weak(text)) or marked
    if marked or box:
        return marked or (box[1] if box else None)
    found = _weak(text)
    # The last number of thoughts that were cut off is nobody's answer.
    return None if found and found.by.startswith("last") and thinks_on(response) else found


def _has_value(text: str) -> bool:
    """Return whether what a marker names can be an answer rather than prose about it."""
    if any(c.isdigit() for c in text):
        return True
    try:
        parse(text)
    except NotAnswer:
        return False
    except TooComplex:
        pass
    return True


def bare_answer(text: str) -> str:
    """Return a gold answer without the text, box or dollar signs around it."""
    if "\\boxed" in text or "\\fbox" in text:
        boxes = find_boxes(text)
        gaps = (text[a.end : b.start] for a, b in pairwise(boxes))
        if not any(c.isalnum() for gap in gaps for c in gap):
            return joined(boxes)  # nothing is said between them: all are the answer
        return joined(grouped(boxes, text)[-1])
    if len(text) < 300 or not _PROSE.search(text):
        return text
    found = _weak(text)
    return found.text if found else text


def _boxed(text: str, options: MathOptions) -> tuple[int, Found] | None:
    reads_echoes = options.echo != "ignore"
    boxes = [
        box
        for box in find_boxes(text)
        if (reads_echoes or not is_echoed(text, box.start)) and not _is_no_answer(text, box)
    ]
    if not boxes:
        return None
    groups = grouped(boxes, text)
    if options.boxes == "agree":
        return boxes[-1].end, Found(joined(boxes), "box")
    group = groups[0] if options.boxes == "first" else groups[-1]
    answer = joined(group)
    sign = _AFTER_BOX.match(text, group[-1].end)
    if sign and len(group) == 1 and "%" not in answer:
        answer += "\\%"
    if other := _alternative(text, group[0].start, group[-1].end):
        answer += f" or {other}"
    return group[-1].end, Found(answer, "box")


def _alternative(text: str, start: int, end: int) -> str | None:
    """Return the number that is said to be the answer as well as a box: `\\boxed{41} or 42`."""
    found = _OR_AFTER.match(text, end)
    before = text[max(0, start - 30) : start]
    if found is None and (" or " in before or " vs" in before):
        found = _OR_BEFORE.search(before)
    return found[1] if found else None


def _is_no_answer(text: str, box: Box) -> bool:
    """Return whether the words around a box deny it, or it is hidden from the reader."""
    before = text[max(0, box.start - 40) : box.start]
    return is_negated(before) or is_denied(text, box.end) or is_hidden(before)


def _denied(text: str) -> str:
    """Return the text without the boxes that it says are not the answer; nothing without any."""
    boxes = [box for box in find_boxes(text) if _is_no_answer(text, box)]
    kept, last = [], 0
    for box in boxes:
        kept.append(text[last : box.start])
        last = box.end
    return "".join([*kept, text[last:]]) if boxes else ""


def _tagged(text: str) -> Found | None:
    last: re.Match[str] | None = None
    if "answer>" in text or "ANSWER>" in text or "Answer>" in text:
        last = deque(_TAG.finditer(text), maxlen=1).pop() if _TAG.search(text) else None
    if last is None or not last[1].strip():
        return None
    inner = last[1]
    boxes = grouped(find_boxes(inner), inner)
    return Found(joined(boxes[-1]) if boxes else inner, "tag")


def _final(text: str) -> Found | None:
    last = None
    for match in _FINAL.finditer(text):
        if text[match.end() : match.end() + 200].strip():
            last = match
    if last is None:
        return None
    rest = _HOPE.sub("", text[last.end() :])
    if BOX.search(rest[:200]):
        return None  # the box in it is found as a box
    answer = sentence_answer(rest)
    return Found(answer, "final answer") if answer else None


def _weak(text: str) -> Found | None:
    whole = EMPTY_BOX.sub(" ", text).strip()
    if not whole:
        return None
    if "answer" in whole and _NAMED_AFTER.search(whole):
        for match in reversed(list(_IS_ANSWER.finditer(whole))):
            plain = match[1][0] not in "$\\"
            begin = max(0, match.start() - 300)
            said = last_quantity(whole[begin : match.end(1)]) if plain else match[1]
            if said:
                return Found(said, "is the answer")
    tail = _HOPE.sub("", _PROVED.sub("", whole[-3000:]))
    if _IGNORANT.search(tail):
        return None
    naming = _NAMING.search(tail)
    named = _IS.finditer(tail, max(0, naming.start() - 20)) if naming else ()
    for match in reversed(list(named)):
        if _SUPPOSED.search(_sentence_before(tail, match.start())):
            return None
        answer = sentence_answer(tail[match.end() :])
        if answer:
            return Found(answer, "the answer is")
    if naming and (letter := _option(tail)):
        return Found(letter, "option")
    math = list(MATH.finditer(tail)) if "$" in tail or "\\" in tail else []
    if math and (says := _SAYS_NEXT.match(tail, math[-1].end())):
        value = last_quantity(re.split(r"[.!?]\s", tail[says.end() - 1 :], maxsplit=1)[0])
        return Found(value, "last number") if value else None
    if math and (bold := _BOLD_LAST.search(tail, math[-1].end())) and _is_answer(bold[1]):
        return Found(bold[1], "last in bold")
    if math and not _number_follows(tail, math[-1].end()):
        return _last_math(tail, math)
    if "\n" not in whole and len(whole) < 200 and _is_answer(whole):
        return Found(whole, "whole response")
    if option := _BOLD_OPTION.fullmatch(whole):
        return Found(option[1], "option")
    value = last_quantity(tail)
    return Found(value, "last number") if value else None


def _option(tail: str) -> str | None:
    """Return the letter that `Option D is correct.` or a last `Hence option (D).` chooses."""
    last = None
    for last in _OPTION.finditer(tail):  # noqa: B007
        pass
    if last is None:
        return None
    return None if _UNSURE.search(_sentence_before(tail, last.start())) else last[1] or last[2]


def _sentence_before(tail: str, position: int) -> str:
    return re.split(r"[.!?\n]", tail[max(0, position - 200) : position])[-1]


def _last_math(tail: str, math: list[re.Match[str]]) -> Found | None:
    while len(math) > 1 and _is_condition(tail, math[-2], math[-1]):
        math = math[:-1]
    last = math[-1]
    if is_negated(tail[max(0, last.start() - 40) : last.start()]):
        return None
    texts = [next(g for g in last.groups() if g is not None)]
    for match in reversed(math[:-1]):
        between = tail[match.end() : last.start()]
        if not (CONNECTING.match(between) and len(between) < 30 and "\n" not in between):
            break
        if _GIVEN.search(tail, max(0, match.start() - 20), match.start()):
            break
        texts.insert(0, next(g for g in match.groups() if g is not None))
        last = match
    answer = ", ".join(texts)
    after = tail[math[-1].end() :]
    before = tail[max(0, math[-1].start() - 60) : math[-1].start()]
    if len(texts) == 1 and is_part(before, after[:200]):
        return None
    if len(texts) == 1 and (sign := re.match(r"\s*(\\?%|percent|pct)", after)):
        answer += "\\%" if sign else ""
    return Found(answer, "last formula")


def _is_condition(tail: str, value: re.Match[str], last: re.Match[str]) -> bool:
    """Return whether the last formula only says where the one before it holds."""
    return (
        not tail[last.end() :].strip(" .!\n")
        and bool(_CONDITION.fullmatch(tail[value.end() : last.start()]))
        and not MORE.search(tail, value.end(), last.start())
        and not _UNSURE.search(_sentence_before(tail, value.start()))
        and bool(_STATES.search(tail, max(0, value.start() - 20), value.start()))
    )


def _number_follows(tail: str, end: int) -> bool:
    """Return whether a later sentence than that of the last formula holds a number."""
    display = tail.endswith(("$$", "\\]"), 0, end)
    stop = None if display else re.compile(r"[.!?]\s").search(tail, end)
    return bool((stop or display) and _NUMBER.search(tail, stop.end() if stop else end))


def _is_answer(text: str) -> bool:
    """Return whether a whole response is one bare answer, mathematics or a word."""
    if re.search(r"\d", text) and (_PLAIN_WORD.search(text) or _CHINESE.search(text)):
        return False
    try:
        parse(text)
    except NotAnswer:
        return len(text.split()) <= 3 and not _NUMBER.search(text)
    except TooComplex:
        return False
    return True
