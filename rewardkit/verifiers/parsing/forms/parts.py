"""Answers in lettered or numbered parts, `(a) 3 (b) 5`, which look like products and lists."""

from __future__ import annotations

import re
from collections.abc import Callable

from rewardkit.verifiers.expressions.nodes import Bracketed, Node, Sym
from rewardkit.verifiers.limits import NotAnswer
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
_STYLED = re.compile(
    TEXT_COMMAND + rf"\s*\{{\s*{_WORD}(\(\s*{_NAME}\s*\)|{_NAME}\)|{_NAME}\.)\s*(:?)\s*\}}"
)
_AROUND = re.compile(
    rf"\A(?:\s|{SPACE}|\\\\|[;,.:&]|\$\$?(?=\s*\Z)|and\b)+|(?:\s|{SPACE}|\\\\|[;,.&]|\band)+\Z"
)
_PLAIN = re.compile(r"[\w\s'.,-]+")
_PART_WORD = re.compile(rf"\b{_WORD}(?=\(?{_NAME}\))")


def parts_of(text: str) -> list[str] | None:
    """Return the answers to the parts in the order of their marks; None for any other answer.

    Parts are counted from the first without a gap, each is said once, and each has an answer.

    >>> parts_of("(b) 5, (a) 3"), parts_of("i) 4; ii) 9"), parts_of("(a + b)(a - b)")
    (['3', '5'], ['4', '9'], None)
    """
    text = text.replace("（", "(").replace("）", ")")
    if ")" not in text and ". " not in text:
        return None
    if text.startswith("\\") and (whole := STYLED_TEXT.fullmatch(text)):
        text = whole[1]
    text = _STYLED.sub(r" \1\2 ", text)
    if not _OPENS.match(text):
        return None
    text = _PART_WORD.sub("", text)
    style = next((style for style in _STYLES if style.match(text.lstrip())), None)
    return _in_order(style, text) if style else None


def _in_order(style: re.Pattern[str], text: str) -> list[str] | None:
    marks = list(style.finditer(text))
    first = marks[0][1]
    for names in _MARKS:
        own = [m for m in marks if m[1].lower() in names and m[1].isupper() == first.isupper()]
        places = [names.index(m[1].lower()) for m in own]
        if first.lower() not in names or sorted(places) != list(range(max(2, len(places)))):
            continue
        ends = [m.start() for m in own[1:]] + [len(text)]
        said = [_stripped(text[m.end() : end]) for m, end in zip(own, ends, strict=True)]
        if all(said):
            return [answer for _, answer in sorted(zip(places, said, strict=True))]
    return None


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
        words = [word.strip(".,") for word in bare.casefold().split()]
        words = [word for word in words if word not in OPTIONAL_WORDS]
        if not words or not _PLAIN.fullmatch(bare):
            raise
        return Sym("label:" + " ".join(words))
