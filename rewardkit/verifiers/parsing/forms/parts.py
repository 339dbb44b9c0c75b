"""Answers in lettered or numbered parts, `(a) 3 (b) 5`, which look like products and lists."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import groupby

from rewardkit.verifiers.expressions.nodes import Bracketed, Node, Sym
from rewardkit.verifiers.limits import NotAnswer
from rewardkit.verifiers.vocabulary.characters import CJK
from rewardkit.verifiers.vocabulary.commands import SPACE, STYLED_TEXT, TEXT_COMMAND
from rewardkit.verifiers.vocabulary.phrases import OPTIONAL_WORDS

_MARKS = (
    ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii"),
    tuple("abcdefgh"),
    tuple("12345678"),
)
"""How parts are counted; `(i)` begins Roman numerals rather than letters."""
_NAME = r"(?:[a-hA-H]|[1-8]|[ivIV]{1,4})"
_STYLES = (
    re.compile(rf"(?<![A-Za-z_^])(?<!(?<!\\)\\)\(\s*({_NAME})\s*\)\s*[.:]?"),
    re.compile(rf"(?<![^\s;,$}}\\])({_NAME})\)\s*[.:]?"),
    re.compile(rf"(?<![^\s;,$}}\\])({_NAME})\.(?=\s)"),
)
"""`(a)`, `a)` and `a.`; the last two only where they stand apart."""
_WORD = r"(?:(?i:parts?|question)\s+)?"
_OPENS = re.compile(rf"\s*{_WORD}(?:\(\s*{_NAME}\s*\)|{_NAME}\)|{_NAME}\.\s)")
_SPELLED = re.compile(rf"\b(?:[Pp]art|[Qq]uestion)\s({_NAME})\s?:")
_STYLED = re.compile(
    TEXT_COMMAND + rf"\s*\{{\s*{_WORD}(\(\s*{_NAME}\s*\)|{_NAME}\)|{_NAME}\.)\s*(:?)\s*\}}"
)
_AROUND = re.compile(
    rf"\A(?:\s|{SPACE}|\\\\|[;,.:&]|\$\$?(?=\s*\Z)|and\b)+|(?:\s|{SPACE}|\\\\|[;,.&]|\band)+\Z"
)
_WORDS = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_PHRASE = re.compile(r"[a-zA-Z]{3,}(?:\s[a-zA-Z]{2,}){1,4}\s[(\[][^()\[\]a-zA-Z]{1,40}[)\]]")
"""Words up to an interval or a point: `increasing on (0, 2)`."""
_GAP = re.compile(r"\s*([-+(),\[\]])\s*")
_PART_WORD = re.compile(rf"\b{_WORD}(?=\(?{_NAME}\))")


def parts_of(text: str) -> list[str] | None:
    """Return the answers to the parts in the order of their marks; None for any other answer.

    Parts are counted from the first without a gap, each is said once, and each has an answer.

    >>> parts_of("(b) 5, (a) 3"), parts_of("i) 4; ii) 9"), parts_of("(a + b)(a - b)")
    (['3', '5'], ['4', '9'], None)
    """
    if not text.isascii():
        text = text.replace("（", "(").replace("）", ")")
    if ")" not in text and ". " not in text and ".\n" not in text and "art " not in text:
        return None
    if text.startswith("\\"):
        whole = STYLED_TEXT.fullmatch(text)
        text = whole[1] if whole else text
    if ":" in text and ("art" in text or "uestion" in text):
        text = _SPELLED.sub(r"(\1) ", text)
    text = _STYLED.sub(r" \1\2 ", text) if "\\" in text else text
    if not _OPENS.match(text):
        return None
    text = _PART_WORD.sub("", text)
    for style in _STYLES:
        if style.match(text.lstrip()):
            return _in_order(style, text)
    return None


def _in_order(style: re.Pattern[str], text: str) -> list[str] | None:
    marks = list(style.finditer(text))
    first = marks[0][1]
    for names in _MARKS:
        if first.lower() not in names:
            continue
        own = [m for m in marks if m[1].lower() in names and m[1].isupper() == first.isupper()]
        places = [names.index(m[1].lower()) for m in own]
        if len(places) < 2 or sorted(places) != list(range(len(places))):
            continue
        ends = [m.start() for m in own[1:]] + [len(text)]
        said = [_stripped(text[m.end() : end]) for m, end in zip(own, ends, strict=True)]
        if all(said):
            return [answer for _, answer in sorted(zip(places, said, strict=True))]
    return None


_MARKED = re.compile(
    rf"(?:^[>*#•\s-]{{0,9}}|(?<=[\s,;:，；：。、]))\**(?:(?i:part|question)\s)?"
    rf"(?:\(\s?({_NAME})\s?\)|(?:(?<=[Pp]art\s)|(?<=Question\s))({_NAME})\b|({_NAME})[).](?=:?[\s*])|(?<=[-*•]\s)({_NAME}):(?=\s))"
    rf"\**\s?[).:,]?\**(?=[\s$\\{CJK}])",
    re.M,
)
"""`(a)`, `a)`, `**Part a:**` where a line or a word begins."""


_COUNTED = re.compile(r"^(\s*)\d[.)]\s+(?=\**\([a-h]\))", re.M)
"""Before a mark, what counts the items of a list: `1. (a) 5`."""
_BEFORE_MARK = re.compile(
    r"(\$[^$\n]{1,40}\$|(?<![\w.,/])-?\d(?:[\d.,/]*\d)?)\s(?:for|in)\s(?:part\s)?(\([a-h1-9]\))"
)
"""A value before the mark of its part: `24 for part (1)`."""
_IN_TABLE = re.compile(r"^(\s*)\|\s*([a-h])\s*\|", re.M)
_DOUBTED = re.compile(
    r"\b(?:may|might|could|maybe|perhaps|possibly|guess|not|if|either|or|suppose|wrong)\b|n['’]t\b|\?",
    re.I,
)
_LEADS_ON = re.compile(r"[.;]\s(?:[^.;\d]*\b)?(?:for|in|to|on|of|with|part|question)\s*\Z", re.I)
"""At the end of a part, what leads to the next one."""
_ORDINALS = {"first": "a", "second": "b", "third": "c"}
_IN_WORDS = re.compile(rf"\b(?:the\s)?({'|'.join(_ORDINALS)})\spart\b", re.I)


def part_texts(text: str, count: int) -> list[str] | None:
    """Return what a text says under the last marks of so many parts, which are in order.

    >>> part_texts("We see:\\n**Part (a):** 40\\n\\n**Part (b):** so 160", 2)
    [' 40', ' so 160']
    """
    text = text.replace("（", "(").replace("）", ")") if "（" in text else text
    if "part" in text:
        text = _IN_WORDS.sub(lambda m: f"part ({_ORDINALS[m[1].lower()]})", text)
    if len(_BEFORE_MARK.findall(text)) == count:
        text = _BEFORE_MARK.sub(r"\2 \1", text)
    text = _COUNTED.sub(r"\1", text) if "(a)" in text else text
    text = _IN_TABLE.sub(r"\1(\2) ", text) if "|" in text else text
    found = list(_MARKED.finditer(text))
    found = [mark for mark in found if not mark[3] or mark[3].isalpha() or _opens(text, mark)]
    named = [mark for mark in found if mark[3] is None]  # beside `(1)`, `is 7.` marks nothing
    marks = [(mark[mark.lastindex or 0].lower(), mark) for mark in named or found]
    for names in _MARKS:
        own = [(name, mark) for name, mark in marks if name in names]
        said, last = [name for name, _ in own[-count:]], [mark for _, mark in own[-count:]]
        swapped = len(own) == count and sorted(said) == list(names[:count])
        if swapped or said == list(names[:count]):
            ends = [mark.start() for mark in last[1:]] + [len(text)]
            texts = [text[m.end() : end].rstrip("*# \n") for m, end in zip(last, ends, strict=True)]
            return [part for _, part in sorted(zip(said, texts, strict=True))]
        if len(own) > count and (again := _told_again(text, own, names[:count])):
            return again
    return None


def _told_again(
    text: str, marks: list[tuple[str, re.Match[str]]], names: tuple[str, ...]
) -> list[str] | None:
    """Return the parts of a text that speaks of some before it answers them."""
    groups = [(name, list(run)) for name, run in groupby(marks, key=lambda mark: mark[0])]
    if tuple(name for name, _ in groups) != names:
        return None
    runs = [[mark for _, mark in run] for _, run in groups]
    if any(_DOUBTED.search(text, run[0].end(), run[-1].start()) for run in runs):
        return None
    ends = [run[0].start() for run in runs[1:]] + [len(text)]
    texts = [text[run[-1].end() : end] for run, end in zip(runs, ends, strict=True)]
    return [_LEADS_ON.sub("", one).rstrip("*# \n") for one in texts]


def _opens(text: str, mark: re.Match[str]) -> bool:
    """Return whether a mark begins its line or a sentence, as `7.` does not that ends one."""
    before = text[text.rfind("\n", 0, mark.start(3)) + 1 : mark.start(3)].strip(" >*#•-")
    if not before:
        return True
    bracket = text.startswith(")", mark.end(3))
    begins = bracket or text[mark.end() :].lstrip(" *")[:1].isupper()
    return begins and before.endswith((".", "!", ";") if not bracket else (".", "!", ";", ",", ":"))


def _stripped(text: str) -> str:
    before = ""
    while text != before:
        before = text
        text = _AROUND.sub("", text)
        if text.count("$") == 1:
            text = text.strip("$")
    return text


def parts_tuple(text: str, parse: Callable[[str], Node]) -> Node | None:
    """Return an answer in parts as the tuple of them; None for any other answer.

    Args:
        text: the answer.
        parse: reads the answer to one part.

    Raises:
        NotAnswer: a part is neither mathematics nor plain words.
    """
    said = parts_of(text)
    return None if said is None else Bracketed("(", ")", tuple(_part(one, parse) for one in said))


def _part(text: str, parse: Callable[[str], Node]) -> Node:
    try:
        return parse(text)
    except NotAnswer:
        bare = STYLED_TEXT.sub(r"\1", text)
        if _PHRASE.fullmatch(bare):
            return Sym("label:" + _GAP.sub(r"\1", " ".join(bare.casefold().split())))
        words = [word for word in _WORDS.findall(bare.casefold()) if word not in OPTIONAL_WORDS]
        if not words or not re.fullmatch(r"[\w\s'.,-]+", bare):
            raise
        return Sym("label:" + " ".join(words))
