"""The last words of a response that name its answer: `####`, `Answer: 5`, `the answer is 5`.

`LABELS` is the one table: a line adds a language. A label marks an answer at the start of a line
with a colon behind it, or alone on its line with the answer below, or anywhere with its verb.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rewardkit.verifiers.format.found import DRESS, Found, trimmed

HASHES = "####"
LABELS = {
    "answer": "is are was be equals becomes =",
    "Ans": "is =",
    "option": "is",
    "答案": "是 为 為 选 選 應 应",
    "答え": "は",
    "答": "为 是",
    "답": "은 이",
    "réponse": "est",
    "respuesta": "es son",
    "antwort": "ist lautet beträgt",
    "risposta": "è",
    "resposta": "é",
    "antwoord": "is",
    "odpowiedź": "to",
    "ответ": "- – —",
    "cevap": "",
    "jawaban": "adalah",
    "đáp án": "là",
    "jibu": "ni",
    "উত্তর": "হল হলো",
    "उत्तर": "है",
    "సమాధానం": "",
    "คำตอบ": "คือ",
    "الجواب": "هو",
    "الإجابة": "هي",
}
"""What an answer is called -> the words that stand between that and the answer itself."""
_BEFORE_LABEL = re.compile(
    r"(?:\W|_|\b(?:so|thus|therefore|hence|and|the|my|our|your|a|final|correct|short|right|numerical"
    r"|step|\d+)\b|最终|最終|正确|正解|參考|参考)*",
    re.I,
)
"""What may stand before a label on its line."""
_ENDS_FINAL = re.compile(r"(?:final|FINAL|Final)[\s*_]*\Z")
_DENIED = re.compile(r"\b(?:not|no|wrong|isn't|never)\b[^.\n]{0,20}\Z", re.I)
_GAP = r"[\s*_\"'“”`)\]}]*"
_COLON = re.compile(rf"s?(?![^\W\d_])(?:\s?\([^()\n]{{0,40}}\))?{_GAP}(?:[:：】]|\s(?=\$|\\[(\[]))")
_ALONE = re.compile(r"[ \t*_#:：\]=-]*(?=\n)")
_REMARK = r"(?:\s(?:to|of|for|in|here|therefore|then|now|thus)\b[^.\n:=]{0,80}?)?"
_LEAD = re.compile(
    r"(?:[ \t*_:：=>}]|\b(?:therefore|thus|then|simply|just|equal to|given by)\b,?)*"
)
_NEXT_LINE = re.compile(r"[ \t*_#:：>]*\n[\s*_]*(?:---+\s*)?")
_DISPLAYS = (("\\[", "\\]"), ("$$", "$$"), ("```", "```"))
_SENTENCE_END = re.compile(
    r"(?<!\bvs)(?<!\bM[rs])(?<!\bMrs)(?<!\bDr)(?<!\bSt)(?<!\bNo)(?<![ap]\.m)(?<!\\right)(?<!\\left)\."
    r"(?=[*_\"')\]]*(?:\s+(?![a-z\d])|\s*\Z))|(?<!\d)!(?=\s|\Z)|[?。！？](?=\s|\Z|[^\x00-\x7f])"
    r"|</|<\||\s(?:I hope|Explanation:|Reason(?:ing)?:)"
)
_MAX_BEFORE, _MAX_LEAD = 80, 200
_MAX_CONTENT = 4000
_WINDOW = 4000
_TRIES = 50
"""Of one label in a window; prose that names its answer more often says nothing by it."""


def last_marker(text: str, start: int = 0, end: int | None = None) -> Found | None:
    """Return what the last mark in words names, to the end of its sentence or line.

    >>> last_marker("Answer: 4.\\nSo the answer is 5. I hope so.").text
    '5'
    """
    return next(markers(text, start, end), None)


def markers(text: str, start: int = 0, end: int | None = None) -> Iterator[Found]:
    """Yield what each mark in words names, from the last to the first."""
    stop = limit = len(text) if end is None else end
    keys = _ASCII_KEYS if text.isascii() else _KEYS
    size = _WINDOW
    while stop > start:
        begin = max(start, stop - size)
        for at, label in _places(text, keys, begin, min(limit, stop + _LONGEST)):
            if (inside := _inside(text, at, label, start, limit)) is not None:
                yield _content(text, inside, limit, quoted=text[max(0, at - 1) : at] == '"')
        stop, size = begin, 4 * size


def _places(
    text: str, keys: tuple[tuple[str, str, int], ...], begin: int, end: int
) -> list[tuple[int, str]]:
    """Return where labels stand, from the last to the first."""
    found = []
    for key, label, offset in keys:
        stop = end
        for _ in range(_TRIES):
            at = text.rfind(key, begin, stop)
            if at < 0:
                break
            found.append((at - offset, label))
            stop = at
    if len(found) > 1:
        found.sort(reverse=True)
    return found


def _keys() -> Iterator[tuple[str, str, int]]:
    """Yield what is looked for, the label it is of, and how far that begins before it.

    The first letter may be a capital, so that the rest is looked for.
    """
    yield HASHES, HASHES, 0
    yield "NSWER", "answer", 1
    for label in LABELS:
        cased = label[0].upper() != label[0] and len(label) > 3
        yield label[cased:], label, int(cased)


_KEYS = tuple(_keys())
_ASCII_KEYS = tuple(key for key in _KEYS if key[0].isascii())
_LONGEST = max(len(key) for key, _, _ in _KEYS)


def _verbs(words: str) -> re.Pattern[str]:
    """Return the pattern of what stands between a label and its answer without a colon."""
    each = (re.escape(w) + (r"\b" if w.isascii() and w.isalpha() else "") for w in words.split())
    return re.compile(
        rf"{_REMARK}\s?(?:\b(?:will|would|should|must|can only)\s)?{_GAP}(?:{'|'.join(each)})"
    )


_VERBS = {label: _verbs(words) for label, words in LABELS.items() if words}


def _inside(text: str, at: int, label: str, start: int, limit: int) -> int | None:
    """Return where the answer begins that a label at a place names, or None if it names none."""
    behind = at + len(label)
    near = max(start, at - _MAX_BEFORE)
    line = text.rfind("\n", near, at) + 1
    begins_line = line > 0 or near == start
    before = text[line or near : max(line or near, at)]
    if label == HASHES:
        place = _lead(text, text_past(text, behind, "#"), limit)
        return place if text.find("\n", behind, place) < 0 else None
    if before[-1:].isalpha() and label.isascii():
        return None
    is_key = before.endswith('"') and text.startswith('"', behind)
    first = (
        is_key
        or (begins_line and _BEFORE_LABEL.fullmatch(before) is not None)
        or (_ENDS_FINAL.search(before) is not None)
    )
    if first and (colon := _COLON.match(text, behind, limit)):
        return _lead(text, colon.end(), limit)
    if first and (alone := _ALONE.match(text, behind, limit)):
        return _lead(text, alone.end(), limit)
    if label not in _VERBS or _DENIED.search(before):
        return None
    verb = _VERBS[label].match(text, behind, min(limit, behind + _MAX_LEAD))
    if verb is None or text.startswith((" not ", "n't "), verb.end()):
        return None
    return _lead(text, verb.end(), limit)


def text_past(text: str, at: int, sign: str) -> int:
    """Return the first place from one on that holds no such sign."""
    while text.startswith(sign, at):
        at += 1
    return at


def _lead(text: str, at: int, limit: int) -> int:
    """Return where an answer begins behind what leads to it, on the next line if need be."""
    limit = min(limit, at + _MAX_LEAD)
    lead = _LEAD.match(text, at, limit)
    at = lead.end() if lead else at
    below = _NEXT_LINE.match(text, at, limit)
    return below.end() if below else at


def _content(text: str, at: int, limit: int, *, quoted: bool) -> Found:
    """Return what is named from a place on: a display, a quoted value, or a sentence."""
    limit = min(limit, at + _MAX_CONTENT)
    if quoted and text.startswith('"', at) and (close := text.find('"', at + 1, limit)) > 0:
        return trimmed(text, at + 1, close, "marker")  # `{"answer": "5"}`
    for opening, closing in _DISPLAYS:
        if text.startswith(opening, at):
            close = text.find(closing, at + len(opening), limit)
            if close >= 0:
                return trimmed(text, at, close + len(closing), "marker")
    line = text.find("\n", at, limit)
    end = limit if line < 0 else line
    sentence = _SENTENCE_END.search(text, at, end)
    return trimmed(text, at, sentence.start() if sentence else end, "marker", DRESS)
