"""Response text -> the final answer: boxes, answer tags, "the answer is", math, numbers.

The last of the strong signs wins: a box, an `<answer>` tag, or the words "final answer". Without
one, "the answer is", then the last formula, then the last number is taken.
"""

from __future__ import annotations

import re
from collections import deque
from itertools import pairwise
from typing import NamedTuple

from rewardkit.verifiers.limits import (
    MAX_ANSWER_CHARS,
    MAX_RESPONSE_CHARS,
    NotAnswer,
    TooComplex,
)
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.parser import parse


class Found(NamedTuple):
    """An answer as written, and what in the response marked it."""

    text: str
    by: str


_BOX = re.compile(r"\\\\?(?:boxed|fbox)\s*(?:\{|(?=[^\s{]))")
_EMPTY_BOX = re.compile(r"\\(?:boxed|fbox)\s*\{\s*\}")
_SHORT_BOX = re.compile(r"-?\d[\d.,]*|\\[a-zA-Z]+(?:\{[^{}]*\}|\d)*|\S")
_BRACE = re.compile(r"\\.|[{}]", re.S)
MAX_BOXES = 200
"""Only so many boxes at the end of a response are read."""
_CONNECTING = re.compile(r"(?:\s|\$|,|;|\.|\\[()\[\],;: ]|\\q?quad|and|or|&|\\text|\{|\}|\\\\)*\Z")
_AND = re.compile(r"\b(?:and|or)\b")
_CHANGED_MIND = re.compile(
    r"\b(?:actually|wait|no|not|but|instead|so|then|therefore|thus|hence|check|mistake|wrong|sorry|"
    r"correct\w*|is|final\w*|answer)\b",
    re.I,
)
_TAG = re.compile(r"<answer>(.*?)(?:</answer>|\Z)", re.S | re.I)
_FINAL = re.compile(
    r"final\s++answer(?:[^\S\n]|\*\*)*+(?:\s*+(?:is\b|[:=])|\n)"
    r"\s*+(?:\*\*)?\s*+:?\s*+(?:the\s++final\s++answer\s++is\b\s*+:?)?"
    r"|####|^[^\S\n]*+A:",
    re.I | re.M,
)
_IS = re.compile(
    r"\b(?:I|we)\s+(?:choose|pick|select)\b|"
    r"(?:answer|option|choice|result|solution)\s*+(?:\*\*)?\s*+"
    r"(?:is\b(?:\s+(?:given|therefore|thus|option|choice))?(?:\s+by\b)?|:|=)\s*(?:\*\*)?\s*:?"
    r"|\b(?:therefore|thus|hence|so)\b,?(?:\s+we\s+(?:find|get|have)(?:\s+that)?)?",
    re.I,
)
_IS_ANSWER = re.compile(
    r"(\$[^$\n]{1,300}\$|\\\([^\n]{1,300}?\\\)|(?<![-\d.,/])[-\d.,/]{0,60}\d)"
    r"\s++is\s++(?:the|our|my)\s++(?:final\s++|correct\s++)?answer",
    re.I,
)
_MATH = re.compile(
    r"\$\$(.+?)\$\$|\\\[(.+?)\\\]|\\\((.+?)\\\)|(?<!\\)\$((?:[^$\\\n]|\\.)+?)(?<!\\)\$"
    r"|(\\begin\{(?:[pbv]?matrix|cases|array)\}.+?\\end\{\w+\})",
    re.S,
)
_NUMBER = re.compile(
    r"(?<![\w.])[-−–]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|"
    r"\d{1,3}(?: \d{3})+(?![\d])|\d+,\d{1,2}(?![\d,])|\d*\.\d+|\d+)"
    r"(?:[eE][+-]?\d+)?(?:\s*/\s*\d+|(?::\d+)+(?!\d|\.\d))?\s*(?:\\?%|percent\b|pct\b)?"
)
_NEGATED = re.compile(
    r"(?:(?:n't|\bnot)\s+(?:think|believe|sure)\b[^.\n]{0,20}|"
    r"(?:\bnot|n't|\bnever|\bnor|\brather than|\bcannot be)\s*(?:equal to|be|the answer)?)\s*"
    r"(?:\\\[|\\\(|\$|\*)*\s*\Z",
    re.I,
)
_DOUBT = re.compile(r"\b(?:maybe|perhaps|possibly|might|could|also)\b", re.I)
_PLAIN_WORD = re.compile(r"(?:^|\s)(?!(?:or|and|in|pi)\b)[a-z]{2,}(?=\s|$|[,.])", re.I)
_HEDGE = re.compile(r"\b(?:or|not|maybe|either|perhaps|possibly)\b", re.I)
_HOPE = re.compile(r"(?<!\s)\s*+I hope (?:it|this) is correct\.?\s*+\Z")
_ECHO = re.compile(r"^\s*(?:\*\*)?(?:problem|question|prompt|task)\b(?:\*\*)?\s*:", re.I)
_SPECIAL_TOKEN = re.compile(r"<\|[^<>|]{1,40}\|>(?:user|assistant|system)?|</s>\s*\Z")
_PROSE = re.compile(r"(?:(?<![\\\w])[^\W\d_]{2,}[,.:]?\s+){3}")
_AFTER_BOX = re.compile(r"\s*+(?:\$|\\\)|\\\])*+\s*+(\\?%|percent(?:age)?\b|pct\b)", re.I)


def extract(response: str, options: MathOptions) -> Found | None:
    """Return the answer that a response ends with, or None."""
    text = response[-MAX_RESPONSE_CHARS:]
    text = _outside_thoughts(text, options)
    text = _SPECIAL_TOKEN.sub("", _without_comments(text)) if "<" in text else text
    if options.echo == "ignore" and _ECHO.match(text):
        text = text.partition("\n")[2]
    box = _boxed(text, options)
    if box is None and (denied := _denied(text)):
        text = denied
    # A box inside a tag or after the words "final answer" is that answer already.
    rest = text[box[0] :] if box else text
    return _final(rest) or _tagged(rest) or (box[1] if box else _weak(text))


def _without_comments(text: str) -> str:
    """Return the text without `<!-- ... -->`, which nobody sees who reads it rendered."""
    kept, last = [], 0
    while (start := text.find("<!--", last)) >= 0 and (end := text.find("-->", start)) >= 0:
        kept.append(text[last:start])
        last = end + 3
    return "".join([*kept, text[last:]])


def _outside_thoughts(text: str, options: MathOptions) -> str:
    end = text.rfind("</think>")
    if end >= 0:
        after = text[end + len("</think>") :]
        return after if after.strip() else text[:end]
    start = text.find("<think>")
    if start >= 0:
        return text[start + 7 :] if options.unclosed_think == "read" else text[:start]
    return text


def bare_answer(text: str) -> str:
    """Return a gold answer without the text, box or dollar signs around it."""
    if "\\boxed" in text or "\\fbox" in text:
        boxes = _boxes(text)
        gaps = (text[a.end : b.start] for a, b in pairwise(boxes))
        if not any(c.isalnum() for gap in gaps for c in gap):
            return _joined(boxes)  # nothing is said between them: all are the answer
        return _joined(_groups(boxes, text)[-1])
    if len(text) < 300 or not _PROSE.search(text):
        return text
    found = _weak(text)
    return found.text if found else text


class _Box(NamedTuple):
    start: int
    end: int
    text: str


def _boxes(text: str) -> list[_Box]:
    found: list[_Box] = []
    end = 0
    for match in list(_BOX.finditer(text))[-MAX_BOXES:]:
        if match.start() < end:
            continue  # inside the box before
        if match[0].endswith("{"):
            end, inner = _braced(text, match.end())
        else:
            short = _SHORT_BOX.match(text, match.end())
            end, inner = (short.end(), short[0]) if short else (match.end(), "")
        if (deeper := _BOX.match(inner.lstrip(" $"))) and deeper[0].endswith("{"):
            inner = _braced(inner.lstrip(" $"), deeper.end())[1]
        if inner.strip():
            found.append(_Box(match.start(), end, inner))
    return found


def _braced(text: str, start: int) -> tuple[int, str]:
    """Return where the group that opens before `start` ends, and what is in it."""
    depth = 1
    limit = min(len(text), start + 2 * MAX_ANSWER_CHARS)
    for match in _BRACE.finditer(text, start, limit):
        depth += (match[0] == "{") - (match[0] == "}")
        if not depth:
            return match.end(), text[start : match.start()]
    if limit < len(text):
        return limit, text[start:limit]
    line = text[start:].split("\n\n")[0].split("$")[0]
    if line.endswith("\\}") and "\\{" not in line:
        line = line[:-2]
    return start + len(line), line + "}" * max(0, line.count("{") - line.count("}"))


def _groups(boxes: list[_Box], text: str) -> list[list[_Box]]:
    """Put boxes together that are named in one breath: `\\boxed{1} and \\boxed{2}`."""
    groups: list[list[_Box]] = []
    for box in boxes:
        if groups:
            between = text[groups[-1][-1].end : box.start]
            if len(between) <= 60 and _is_connecting(between):
                groups[-1].append(box)
                continue
        groups.append([box])
    return groups


def _is_connecting(between: str) -> bool:
    if "\n\n" in between:
        return False
    if _CONNECTING.match(between) or _DOUBT.search(between):
        return True
    spoken = _AND.search(between) or re.fullmatch(
        r"[\s,;.$\\()\[\]]*(?:or|and|,|;)[\s\\()\[\]$\w=]*", between
    )
    return (
        bool(spoken) and not _CHANGED_MIND.search(_AND.sub("", between)) and "\n\n" not in between
    )


def _joined(group: list[_Box]) -> str:
    if len(group) < 2:
        return group[0].text if group else ""
    texts = [box.text for box in group]
    if all("".join(t.split()) == "".join(texts[0].split()) for t in texts):
        return texts[0]
    return ", ".join(texts)


def _boxed(text: str, options: MathOptions) -> tuple[int, Found] | None:
    boxes = _boxes(text)
    if options.echo == "ignore":
        boxes = [box for box in boxes if not _ECHO.match(_paragraph(text, box.start))]
    boxes = [box for box in boxes if not _is_negated(text[max(0, box.start - 40) : box.start])]
    if not boxes:
        return None
    groups = _groups(boxes, text)
    if options.boxes == "agree":
        return boxes[-1].end, Found(_joined(boxes), "box")
    group = groups[0] if options.boxes == "first" else groups[-1]
    answer = _joined(group)
    sign = _AFTER_BOX.match(text, group[-1].end)
    if sign and len(group) == 1 and "%" not in answer:
        answer += "\\%"
    return group[-1].end, Found(answer, "box")


def _denied(text: str) -> str:
    """Return the text without the boxes that it says are not the answer; nothing without any."""
    boxes = [b for b in _boxes(text) if _is_negated(text[max(0, b.start - 40) : b.start])]
    kept, last = [], 0
    for box in boxes:
        kept.append(text[last : box.start])
        last = box.end
    return "".join([*kept, text[last:]]) if boxes else ""


def _is_negated(before: str) -> bool:
    """Return whether the words before an answer deny it: `it is not`."""
    denies = "not" in before or "n't" in before or "never" in before or "nor" in before
    return (denies or "rather" in before) and _NEGATED.search(before) is not None


def _paragraph(text: str, position: int) -> str:
    return text[text.rfind("\n", 0, position) + 1 : position]


def _tagged(text: str) -> Found | None:
    last: re.Match[str] | None = None
    if "answer>" in text or "ANSWER>" in text or "Answer>" in text:
        last = deque(_TAG.finditer(text), maxlen=1).pop() if _TAG.search(text) else None
    if last is None or not last[1].strip():
        return None
    inner = last[1]
    boxes = _groups(_boxes(inner), inner)
    return Found(_joined(boxes[-1]) if boxes else inner, "tag")


def _final(text: str) -> Found | None:
    last = None
    for match in _FINAL.finditer(text):
        if text[match.end() : match.end() + 200].strip():
            last = match
    if last is None:
        return None
    rest = _HOPE.sub("", text[last.end() :])
    if _BOX.search(rest[:200]):
        return None  # the box in it is found as a box
    answer = _sentence_answer(rest)
    return Found(answer, "final answer") if answer else None


def _sentence_answer(rest: str) -> str | None:
    """Return the answer that the words before lead to: a formula, else the rest of the sentence."""
    rest = re.sub(r'^(?:[\s:*"]|\\")+', "", rest)
    line = rest.split("\n", 1)[0][:600]
    if rest.startswith(("$$", "[", "\\[")) and (
        block := _MATH.match(rest if rest[0] != "[" else "\\" + rest)
    ):
        return next(g for g in block.groups() if g is not None)
    formulas = _formulas(line)
    head = re.split(
        r"(?<=[^\d\W])\.\s|(?<=[\d)\]}$])\.(?:\s|$)|\*\*|\\?\"\.?$|[\"\\]*$", line, maxsplit=1
    )[0]
    first = _MATH.search(line)
    if first is not None and first.start() <= len(head):
        before = line[: first.start()].strip(' \\"')
        if _is_negated(before + " "):
            return f"not {line[first.start() : first.end()]}"
        if len(formulas) == 1 and (
            len(before) < 3 or before.split()[-1:] in (["is"], ["="], ["are"])
        ):
            tail = line[first.end() : first.end() + 10].lstrip()
            return formulas[0] + ("\\%" if re.match(r"\\?%|percent|pct", tail) else "")
        if len(formulas) > 1:
            return re.sub(r"\$", " ", head)
    head = head.strip().strip("*").strip()
    if not head:
        return None
    if re.match(r"(?:not|n't)\b", head):
        return head
    after_is = re.split(r"\b(?:is|are|equals)\b(?! not\b)|(?<![<>!])=(?!.*=)", head)[-1].strip()
    if after_is and after_is != head and len(after_is) < len(head):
        return after_is.strip("$ ")
    numbers = list(_NUMBER.finditer(head))
    spoken = len(re.findall(r"[A-Za-z]{2,}", head))
    if numbers and spoken >= 4 and not _HEDGE.search(head):
        return numbers[-1][0].strip()
    return head


def _formulas(text: str) -> list[str]:
    return [next(g for g in m.groups() if g is not None).strip() for m in _MATH.finditer(text)]


def _weak(text: str) -> Found | None:
    whole = _EMPTY_BOX.sub(" ", text).strip()
    if not whole:
        return None
    if "answer" in whole:
        for match in reversed(list(_IS_ANSWER.finditer(whole))):
            return Found(match[1], "is the answer")
    tail = _HOPE.sub("", whole[-3000:])
    named = [
        m for m in _IS.finditer(tail) if not m[0].lower().startswith(("the", "thus", "so", "hence"))
    ]
    for match in reversed(named):
        answer = _sentence_answer(tail[match.end() :])
        if answer:
            return Found(answer, "the answer is")
    math = list(_MATH.finditer(tail))
    if math and not _number_follows(tail, math[-1].end()):
        return _last_math(tail, math)
    if "\n" not in whole and len(whole) < 200 and _is_answer(whole):
        return Found(whole, "whole response")
    return _last_number(tail)


def _last_math(tail: str, math: list[re.Match[str]]) -> Found | None:
    last = math[-1]
    if _is_negated(tail[max(0, last.start() - 40) : last.start()]):
        return None
    texts = [next(g for g in last.groups() if g is not None)]
    for match in reversed(math[:-1]):
        between = tail[match.end() : last.start()]
        if not (_CONNECTING.match(between) and len(between) < 30 and "\n" not in between):
            break
        texts.insert(0, next(g for g in match.groups() if g is not None))
        last = match
    answer = ", ".join(texts)
    after = tail[math[-1].end() :]
    if len(texts) == 1 and (sign := re.match(r"\s*(\\?%|percent|pct)", after)):
        answer += "\\%" if sign else ""
    return Found(answer, "last formula")


def _number_follows(tail: str, end: int) -> bool:
    """Return whether a later sentence than that of the last formula holds a number."""
    display = tail.endswith(("$$", "\\]"), 0, end)
    stop = None if display else re.compile(r"[.!?]\s").search(tail, end)
    return bool((stop or display) and _NUMBER.search(tail, stop.end() if stop else end))


def _is_answer(text: str) -> bool:
    """Return whether a whole response is one bare answer, mathematics or a word."""
    if _NUMBER.search(text) and _PLAIN_WORD.search(text):
        return False
    try:
        parse(text)
    except NotAnswer:
        return len(text.split()) <= 3 and not _NUMBER.search(text)
    except TooComplex:
        return False
    return True


def _last_number(tail: str) -> Found | None:
    numbers = list(_NUMBER.finditer(tail))
    if not numbers:
        return None
    last = numbers[-1]
    if _is_negated(tail[max(0, last.start() - 40) : last.start()]):
        return None
    return Found(last[0].strip(), "last number")
