"""The boxes of a response: `\\boxed{...}` and what is in them, several in one breath together."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from rewardkit.verifiers.limits import MAX_ANSWER_CHARS
from rewardkit.verifiers.vocabulary import phrases
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.patterns import alternatives

BOX = as_pattern(r"\\\\?(?:boxed|fbox)\s*(?:\{(?:([^{}\\]{0,60}+)\})?|(?=[^\s{]))")
"""A box that holds something plain, as most do, is matched to its end: nothing is counted there."""
EMPTY_BOX = as_pattern(r"\\(?:boxed|fbox)\s*\{\s*\}")
_SHORT_BOX = as_pattern(r"-?\d[\d.,]*|\\[a-zA-Z]+(?:\{[^{}]*\}|\d)*|\S")
_BRACE = as_pattern(r"\\.|[{}]", re.S)
_DECIMAL = as_pattern(r"-?\d{1,40}(?:\.\d{1,40})?")
_FRACTION = as_pattern(r"\\[dt]?frac\{(-?\d{1,40})\}\{([1-9]\d{0,40})\}")
MAX_BOXES = 200
"""Only so many boxes at the end of a response are read."""
CONNECTING = as_pattern(
    r"(?:\s|[$,;.，、；]|\\[()\[\],;: ]|\\q?quad|and|or|vs|\||/|\\lor|\\vee|&|\\text|\{|\}|\\\\"
    rf"|{alternatives(phrases.JOINING_ELSEWHERE)})*\Z"
)
_AND = as_pattern(rf"\b{alternatives(phrases.CONNECTIVES)}\b")
_LISTING = as_pattern(r"[\s,;.$\\()\[\]]*(?:or|and|,|;)[\s\\()\[\]$\w=]*")
_CHANGES = phrases.CONTRASTS | phrases.CONCLUSIONS | phrases.FAULTS
_CHANGED_MIND = as_pattern(
    rf"\b(?:{alternatives(_CHANGES | {'no', 'not', 'then', 'check', 'mistake', 'sorry', 'is'})}"
    r"|correct\w*|final\w*|answer)\b",
    re.I,
)
_DOUBTS = alternatives(phrases.DOUBTS | phrases.POSSIBILITIES)
_DOUBT = as_pattern(rf"\b(?:{_DOUBTS}|if (?:that|this|it))\b|\(i{{1,3}}\)", re.I)
_NAMED = as_pattern(r"\s*([a-zA-Z](?:_\w|_\{\w+\})?(?:\([a-z]\))?)\s*=\s*([^=<>,]+)")
_NOTHING = as_pattern(r"[\s$,;.]*")
_ANNOUNCED = as_pattern(
    r"\b(?:both|two|all|several|each|(?:les|mes)\sdeux|(?:meine\s)?beide|(?:las|mis)\sdos|(?:le|i)\sdue|(?:as|os)\sdois|ambas|ambos|entrambe|entrambi|обе|оба)"
    r"\s(?:of\s(?:the|these|those|my)\s|the\s|my\s|(?:possible|plausible|likely)\s)?"
    r"(?:answers?|candidates?|values?|solutions?|results?|possibilit(?:y|ies)|options?|roots?|cases"
    r"|réponses|valeurs|solutions|antworten|lösungen|werte|respuestas|soluciones|valores|risposte|soluzioni|valori|respostas|soluções|ответа?|решения?)"
    r"\b[^.!?\n\d]{0,30}[.:]?[\s$]*\Z",
    re.I,
)
"""What leads to several boxes, each in a paragraph: `I give both answers:`."""
_MAX_ANNOUNCED = 120
_MINUS = as_pattern(r"(?:[$=]|\\[(\[])\s*-\s*\Z")
_SUM = as_pattern(r"[-−+,=±]")
"""What is no single value, which a sign before it would be the sign of."""


class Box(NamedTuple):
    """Where a box is, and what is in it."""

    start: int
    end: int
    text: str


def find_boxes(text: str) -> list[Box]:
    """Return the boxes that hold something, in order; of many, the last."""
    found: list[Box] = []
    end = 0
    first = text.find("box")
    if first < 0:
        return found
    for match in list(BOX.finditer(text, max(0, first - 3)))[-MAX_BOXES:]:
        if match.start() < end:
            continue  # inside the box before
        end, inner = _content(text, match)
        if "box" in inner and BOX.match(inner.lstrip(" $")):
            inner = joined(_boxes_in(inner))
        if inner.strip():
            found.append(Box(match.start(), end, inner))
    if len(found) > 1 and _is_cut_off(text, found[-1]):
        whole, part = found[-2].text.strip(), found[-1].text.rstrip("} ").strip()
        if whole.startswith(part):
            found.pop()  # the response was about to say the same once more
    return found


def _boxes_in(inner: str) -> list[Box]:
    """Return the boxes that a box holds beside each other, not what is in these."""
    found: list[Box] = []
    end = 0
    for match in BOX.finditer(inner):
        if match.start() >= end:
            end, held = _content(inner, match)
            found.append(Box(match.start(), end, held))
    return found[-MAX_BOXES:]


def takes_sign(text: str, box: Box) -> bool:
    """Return whether the sign of a value stands before its box: `$-\\boxed{7}$`.

    >>> text = r"$x = -\\boxed{7}$"
    >>> takes_sign(text, find_boxes(text)[0])
    True
    """
    before = text[max(0, box.start - 10) : box.start]
    return "-" in before[-3:] and _MINUS.search(before) is not None and not _SUM.search(box.text)


def _is_cut_off(text: str, box: Box) -> bool:
    """Return whether a text ends inside its last box."""
    if box.end < len(text):
        return False
    braces = [brace[0] for brace in _BRACE.finditer(text, box.start, box.end)]
    return braces.count("{") > braces.count("}")


def _content(text: str, match: re.Match[str]) -> tuple[int, str]:
    """Return where the box that opens with a match ends, and what is in it."""
    if match[1] is not None:
        return match.end(), match[1]
    if match[0].endswith("{"):
        return _braced(text, match.end())
    short = _SHORT_BOX.match(text, match.end())
    return (short.end(), short[0]) if short else (match.end(), "")


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


def grouped(boxes: list[Box], text: str) -> list[list[Box]]:
    """Put boxes together that are named in one breath: `\\boxed{1} and \\boxed{2}`."""
    groups: list[list[Box]] = []
    for box in boxes:
        if groups:
            between = text[groups[-1][-1].end : box.start]
            if len(between) <= 60 and (
                _is_connecting(between) or _is_announced(groups[-1], between, text)
            ):
                groups[-1].append(box)
                continue
        groups.append([box])
    return groups


def _is_connecting(between: str) -> bool:
    if "\n\n" in between:
        return False
    if CONNECTING.match(between) or _DOUBT.search(between):
        return True
    spoken = _AND.search(between) or _LISTING.fullmatch(between)
    return bool(spoken) and not _CHANGED_MIND.search(_AND.sub("", between))


def _is_announced(group: list[Box], between: str, text: str) -> bool:
    """Return whether what leads to a first box leads to those below it as well."""
    if not _NOTHING.fullmatch(between):
        return False
    first = group[0]
    if len(group) > 1 and not _NOTHING.fullmatch(text, group[-2].end, group[-1].start):
        return False
    return _ANNOUNCED.search(text, max(0, first.start - _MAX_ANNOUNCED), first.start) is not None


def joined(group: list[Box]) -> str:
    """Return what the boxes of one breath say together, once when they all say the same."""
    if len(group) < 2:
        return group[0].text if group else ""
    texts = [box.text for box in group]
    if len({_plain_value(text) for text in texts}) == 1 or _is_said_again(texts):
        return texts[0]
    return ", ".join(texts)


def _is_said_again(texts: list[str]) -> bool:
    """Return whether some boxes say one value with and without its name: `x = 17` and `17`."""
    named = [row for text in texts if "=" in text and (row := _NAMED.fullmatch(text))]
    if len({row[1] for row in named}) != 1 or len(named) == len(texts):
        return False
    said = {text.partition("=")[2] or text for text in texts}
    return len({_plain_value(text) for text in said}) == 1


def _plain_value(text: str) -> Fraction | str:
    """Return a decimal's or a plain fraction's value, else the text without spaces."""
    bare = "".join(text.split())
    if fraction := _FRACTION.fullmatch(bare):
        return Fraction(int(fraction[1]), int(fraction[2]))
    return Fraction(bare) if _DECIMAL.fullmatch(bare) else bare
